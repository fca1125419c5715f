import MooringConfiguration
import MooringModel
import Testing

@Suite("An access point in place of a bucket")
struct AccessPointTests {
    private static let point = "arn:aws:s3:eu-west-1:123456789012:accesspoint/night"
    private static let alias = "night-abcdefgh1234-s3alias"

    private static func bucket(_ keys: String, _ more: String = "") -> String {
        Sample.replacing("directory: ./files", "s3: {\(keys)}" + more)
    }

    private func settings(_ keys: String, _ more: String = "") throws -> S3Settings? {
        guard case .s3(let settings) = try Sample.read(Self.bucket(keys, more)).buckets[0].store
        else { return nil }
        return settings
    }

    @Test("its name tells region, account and host, and no bucket; an alias tells nothing")
    func names() throws {
        let named = try #require(try settings("bucket: \(Self.point)"))
        #expect(named.accessPoint?.hostLabel == "night-123456789012")
        #expect(named.region == "eu-west-1" && named.isAccessPoint && !named.isAlias)
        #expect(named.accessPoint?.arn == Self.point && named.storeName == Self.point)
        let colon = try settings("bucket: arn:aws:s3:eu-west-1:123456789012:accesspoint:night")
        #expect(colon?.bucket == Self.point)
        let alias = try #require(try settings("bucket: \(Self.alias), bucketName: media-prod"))
        #expect(alias.isAlias && alias.accessPoint == nil && alias.storeName == "media-prod")
        let elsewhere = try settings("bucket: \(Self.alias), endpoint: 'http://minio:9000'")
        #expect(elsewhere?.isAccessPoint == false && elsewhere?.pathStyle == true)
        let private_ = try settings(
            "bucket: \(Self.point), endpoint: 'https://accesspoint.vpce-1.s3.eu-west-1.vpce."
                + "amazonaws.com'")
        #expect(private_?.pathStyle == false)
    }

    @Test("one name at two hosts of AWS is one bucket, and at two other stores two")
    func twoHosts() {
        func told(_ first: String, _ second: String) -> String {
            Sample.refusal(
                Self.bucket(
                    "bucket: media\(first)", "\n  - {name: twin, s3: {bucket: media\(second)}}"))
        }
        let hosts = [
            "", ", endpoint: 'https://s3.eu-west-1.amazonaws.com'",
            ", endpoint: 'https://s3-fips.dualstack.us-east-1.amazonaws.com'",
            ", endpoint: 'https://bucket.vpce-1.s3.eu-west-1.vpce.amazonaws.com'",
        ]
        for host in hosts {
            let both = told("", host)
            #expect(both.contains("in the store's bucket of bucket 'media' too"), "\(both)")
        }
        #expect(told("", ", endpoint: 'http://minio:9000'") == "accepted")
        #expect(
            told(", endpoint: 'http://a:9000'", ", endpoint: 'http://b:9000'") == "accepted")
    }

    @Test("what a record or an inventory may name is its own name, or what the file calls it")
    func ownName() throws {
        let open = try Sample.read(Self.bucket("bucket: \(Self.point)")).buckets[0].mapping
        #expect(open.isNameless && open.storeName == Self.point)
        let named = try Sample.read(
            Self.bucket("bucket: \(Self.point), bucketName: media-prod")
        ).buckets[0].mapping
        #expect(!named.isNameless && named.storeName == "media-prod")
        #expect(named.names == ["media", "media-prod", Self.point])
        #expect(open.names == ["media", Self.point])
    }

    @Test(
        "what is no bucket of files by itself is refused with what to write instead",
        arguments: [
            ("arn:aws:s3::123456789012:accesspoint/m.mrap", "is a Multi-Region Access Point"),
            ("arn:aws:s3::123456789012:accesspoint:m.mrap", "an access point of one region"),
            (
                "arn:aws:s3-outposts:eu-west-1:123456789012:outpost/op-1/accesspoint/a",
                "belongs to S3 on Outposts"
            ),
            (
                "arn:aws:s3-object-lambda:eu-west-1:123456789012:accesspoint/a",
                "is an Object Lambda Access Point"
            ),
            (
                "arn:aws:s3express:eu-west-1:123456789012:bucket/a--euw1-az1--x-s3",
                "is a directory bucket's name in full; write its own name alone: a--euw1-az1--x-s3"
            ),
            (
                "arn:aws:s3express:eu-west-1:123456789012:accesspoint/a--euw1-az1--xa-s3",
                "is an access point of a directory bucket"
            ),
            ("arn:aws:s3:::media-prod", "write its own name alone: media-prod"),
            ("volume-abc-ext-s3alias", "an access point of a volume of FSx or of a recovery"),
            ("a--ol-s3", "is an Object Lambda Access Point"), ("a--op-s3", "S3 on Outposts"),
            ("m.mrap", "Multi-Region"), ("a--table-s3", "is a table bucket"),
            ("a--euw1-az1--xa-s3", "is an access point of a directory bucket"),
            ("arn:aws:s3:eu-west-1:12:accesspoint/night", "'bucket' needs an access point as"),
            ("arn:aws:s3:eu-west-1:123456789012:accesspoint/a/object/b", "needs an access point"),
            ("arn:aws:s3:eu-west-1:123456789012:accesspoint/-ab", "needs an access point"),
            ("arn:aws:s3:eu-west-1:123456789012:accesspoint/x.evil", "needs an access point"),
            ("arn:aws:iam::123456789012:role/r", "needs an access point"),
        ])
    func refusals(name: String, words: String) {
        let told = Sample.refusal(Self.bucket("bucket: '\(name)'"))
        #expect(told.hasPrefix("mooring.yaml:9: 'bucket'") && told.contains(words), "\(told)")
    }

    @Test("elsewhere than with AWS the endings mean nothing")
    func otherStores() throws {
        let own = try settings("bucket: a--b--x-s3, endpoint: 'http://minio:9000'")
        #expect(own?.bucket == "a--b--x-s3")
        let aws = Sample.refusal(
            Self.bucket("bucket: a--b--x-s3, endpoint: 'https://s3.eu-west-1.amazonaws.com'"))
        #expect(aws.contains("directory bucket"))
    }

    @Test(
        "what cannot go with one is refused",
        arguments: [
            (
                "region: us-east-1", "",
                "'region' is us-east-1, and the access point is of eu-west-1"
            ),
            ("pathStyle: true", "", "'pathStyle' cannot be true"),
            (
                "concurrency: 2", "\n    inventory: s3://r/x/manifest.json",
                "'inventory' names its bucket, and an access point does not tell"
            ),
            (
                "concurrency: 2", "\n    quarantine: {bucket: trash, prefix: q}",
                "'quarantine' in another bucket cannot be told from the bucket behind"
            ),
            (
                "bucketName: media, endpoint: 'https://a.vpce.amazonaws.com'",
                "\n    quarantine: {bucket: trash, prefix: q}",
                "is not reached at an endpoint of access points"
            ),
            (
                "bucketName: media", "\n    quarantine: {bucket: media, prefix: q}",
                "'quarantine' names the bucket itself"
            ),
            ("bucketName: a-s3alias", "", "'bucketName' needs the own name of the bucket"),
        ])
    func unfitting(keys: String, more: String, words: String) {
        let told = Sample.refusal(Self.bucket("bucket: \(Self.point), \(keys)", more))
        #expect(told.contains(words), "\(told)")
    }

    @Test("an own name beside an own name, and a quarantine at an alias, are refused")
    func plainBuckets() {
        #expect(
            Sample.refusal(Self.bucket("bucket: b, bucketName: c"))
                .contains("'bucketName' belongs to an access point"))
        #expect(
            Sample.refusal(Self.bucket("bucket: b", "\n    quarantine: {bucket: \(Self.alias)}"))
                .contains("is an access point or its alias"))
        for (name, words) in [
            (Self.point, "is an access point or its alias"),
            ("a--euw1-az1--x-s3", "is a directory bucket"), ("a b", "needs a bucket's own name"),
        ] {
            let told = Sample.refusal(
                Self.bucket("bucket: b", "\n    quarantine: {bucket: '\(name)', prefix: q}"))
            #expect(told.contains(words), "\(told)")
        }
    }

    @Test("two names of what may be one bucket are refused, unless something keeps them apart")
    func twoNames() {
        func told(_ first: String, _ second: String, _ more: String = "") -> String {
            Sample.refusal(
                Self.bucket(
                    "bucket: \(first)", "\n  - {name: twin, s3: {bucket: \(second)}\(more)}"))
        }
        #expect(
            told("media", Self.point).contains("bucket 'twin' may be the one of bucket 'media'"))
        #expect(told(Self.alias, Self.point).contains("write bucketName: under its s3"))
        #expect(
            told("media", "\(Self.point), bucketName: media")
                .contains("lie in the store's bucket of bucket 'media' too"))
        #expect(told("media", "\(Self.point), bucketName: other") == "accepted")
        #expect(
            told("media, endpoint: 'http://minio:9000'", Self.point) == "accepted")
        #expect(told("media, endpoint: 'http://[::1]:9000'", Self.point) == "accepted")
        for host in ["s3.internal.example", "s3.internal.example:443", "10.0.0.7"] {
            let beside = told("media, endpoint: 'https://\(host)'", Self.point)
            #expect(beside.contains("may be the one"), "\(host): \(beside)")
        }
        let private_ = "media, endpoint: 'https://s3.internal.example'"
        #expect(told(private_, "\(Self.point), bucketName: other") == "accepted")
        #expect(told(private_, "\(Self.point), bucketName: media").contains("may be the one"))
        #expect(
            told("media", Self.point, ", prefixes: [b/]").contains("may be the one"),
            "the other has every key")
    }
}
