import MooringConfiguration
import MooringModel
import Testing

@Suite("An s3 bucket")
struct S3SettingsTests {
    private static func bucket(_ keys: String, _ more: String = "") -> String {
        Sample.replacing("directory: ./files", "s3: {\(keys)}" + more)
    }

    @Test("every key is read, and what is left out has its default")
    func keys() throws {
        let full = try Sample.read(
            Self.bucket(
                "bucket: songs, region: eu-west-1, endpoint: 'http://127.0.0.1:9000', "
                    + "pathStyle: false, profile: night, role: {arn: "
                    + "'arn:aws:iam::123456789012:role/a/b', externalId: 'w@1', session: night}, "
                    + "concurrency: 32, "
                    + "expectedOwner: '123456789012', caBundle: ca.pem, requesterPays: true",
                "\n    quarantine: {bucket: trash, prefix: q}"))
        let mapping = full.buckets[0].mapping
        #expect(mapping.storeName == "songs" && mapping.quarantine == ObjectKey("q/"))
        guard case .s3(let settings) = full.buckets[0].store else {
            Issue.record("is no s3 bucket")
            return
        }
        #expect(settings.bucket == "songs" && settings.region == "eu-west-1")
        let endpoint = S3Settings.Endpoint(url: "http://127.0.0.1:9000/")
        #expect(settings.endpoint == endpoint && endpoint?.port == 9000)
        #expect(!settings.pathStyle && settings.profile == "night" && settings.concurrency == 32)
        #expect(
            settings.role
                == AssumedRole(
                    arn: "arn:aws:iam::123456789012:role/a/b", externalID: "w@1", session: "night"))
        #expect(settings.expectedOwner == "123456789012" && settings.caBundle == "/app/ca.pem")
        #expect(settings.quarantineBucket == "trash" && settings.requesterPays)

        let short = try Sample.read(Self.bucket("bucket: songs"))
        #expect(short.buckets[0].store == .s3(S3Settings(bucket: "songs")))
        #expect(short.buckets[0].store.kind == "s3")
        let own = try Sample.read(Self.bucket("bucket: b, endpoint: 'https://store.example'"))
        guard case .s3(let other) = own.buckets[0].store else { return }
        #expect(other.pathStyle && other.endpoint?.isSecure == true && other.concurrency == 16)
    }

    @Test(
        "what cannot be meant is refused",
        arguments: [
            (
                "region: eu",
                "9: 'bucket' is missing in 's3'; write the bucket's own name in the store"
            ),
            (
                "bucket: a/b",
                "9: 'bucket' needs a bucket's own name (letters, digits, '-', '.', '_'); "
                    + "found 'a/b'"
            ),
            (
                "bucket: b, region: EU",
                "9: 'region' needs a name such as eu-west-1; found 'EU'"
            ),
            (
                "bucket: b, role: night",
                "9: 'role' needs a role's name in full, such as "
                    + "arn:aws:iam::123456789012:role/mooring; found 'night'"
            ),
            (
                "bucket: b, role: {externalId: w1}",
                "9: 'arn' is missing in 'role'; write the role's, such as "
                    + "arn:aws:iam::123456789012:role/mooring"
            ),
            (
                "bucket: b, role: {arn: 'arn:aws:iam::123456789012:role/r', externalId: 'a b'}",
                "9: 'externalId' needs 2 to 1224 letters, digits, or of +,-./:=@_"
            ),
            (
                "bucket: b, concurrency: 0",
                "9: 'concurrency' needs a number from 1 to 256; found 0"
            ),
            (
                "bucket: b, expectedOwner: '12'",
                "9: 'expectedOwner' needs an account's twelve digits; found '12'"
            ),
            (
                "bucket: b, endpoint: 'https://user:secret@host'",
                "9: 'endpoint' needs a URL such as https://storage.example.com:9000, without a "
                    + "path, a user or a query"
            ),
            (
                "bucket: b, secretKey: x",
                "9: unknown key 'secretKey'; known here: bucket, region, endpoint, pathStyle, "
                    + "profile, role, concurrency, expectedOwner, caBundle, bucketName, "
                    + "requesterPays, directory"
            ),
        ])
    func refusals(keys: String, message: String) {
        #expect(Sample.refusal(Self.bucket(keys)) == "mooring.yaml:" + message)
    }

    @Test(
        "an endpoint is scheme, host and port",
        arguments: [
            "ftp://h", "http://", "http://h/path", "http://h?q", "http://h:0", "http://h:65536",
            "http://h:+1", "http://[::1", "http://a b", "h:9000", "http://h:",
        ])
    func endpoints(url: String) {
        #expect(S3Settings.Endpoint(url: url) == nil)
    }

    @Test("an IPv6 address keeps its brackets")
    func brackets() {
        let endpoint = S3Settings.Endpoint(url: "https://[::1]:9443")
        #expect(endpoint?.host == "[::1]" && endpoint?.port == 9443)
    }

    @Test(
        "what belongs to other stores, or is named twice, is refused",
        arguments: [
            (
                "\n    taken: 2026-11-21",
                "10: 'taken' belongs to a listing or an inventory; a bucket is read live"
            ),
            (
                "\n    trust: ctime", "10: 'trust' belongs to a directory; a bucket has one time"
            ),
            (
                "\n    quarantine: {bucket: b}",
                "10: 'quarantine' names the bucket itself; write the prefix alone"
            ),
            (
                "\n    quarantine: {prefix: q}",
                "10: 'bucket' is missing in 'quarantine'; write the other bucket's own name, or "
                    + "the prefix alone"
            ),
            (
                "\n  - {name: twice, s3: {bucket: b}}",
                "7: the objects of bucket 'twice' lie in the store's bucket of bucket 'media' too; "
                    + "keep them apart by 'prefixes' or 'ignore'"
            ),
        ])
    func misplaced(lines: String, message: String) {
        #expect(Sample.refusal(Self.bucket("bucket: b", lines)) == "mooring.yaml:" + message)
    }

    @Test("how it is reached does not change the configuration's fingerprint; where it is does")
    func fingerprint() throws {
        let plain = try Sample.read(Self.bucket("bucket: b")).fingerprint
        let tuned = try Sample.read(Self.bucket("bucket: b, concurrency: 3, profile: p"))
        #expect(tuned.fingerprint == plain)
        let moved = try Sample.read(Self.bucket("bucket: b, endpoint: 'http://h'"))
        #expect(moved.fingerprint != plain)
    }
}
