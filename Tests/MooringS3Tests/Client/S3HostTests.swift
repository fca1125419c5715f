import MooringAWS
import MooringModel
import MooringS3
import Testing

@Suite struct S3HostTests {
    @Test(
        arguments: [
            ("s3.amazonaws.com", nil, "s3.eu-west-1.amazonaws.com"),
            ("s3.us-west-2.amazonaws.com", "us-west-2", "s3.eu-west-1.amazonaws.com"),
            ("s3-us-west-2.amazonaws.com", "us-west-2", "s3.eu-west-1.amazonaws.com"),
            ("S3.US-WEST-2.amazonaws.com", "us-west-2", "s3.eu-west-1.amazonaws.com"),
            (
                "s3.dualstack.us-west-2.amazonaws.com", "us-west-2",
                "s3.dualstack.eu-west-1.amazonaws.com"
            ),
            (
                "s3-fips.us-gov-west-1.amazonaws.com", "us-gov-west-1",
                "s3-fips.eu-west-1.amazonaws.com"
            ),
            ("s3-external-1.amazonaws.com", nil, "s3.eu-west-1.amazonaws.com"),
            ("s3.cn-north-1.amazonaws.com.cn", "cn-north-1", nil),
            ("s3.eusc-de-east-1.amazonaws.eu", "eusc-de-east-1", nil),
            ("s3.us-isob-east-1.sc2s.sgov.gov", "us-isob-east-1", nil),
        ] as [(String, String?, String?)])
    func knowsAWSsOwn(_ name: String, _ region: String?, _ moved: String?) throws {
        let host = try #require(S3Host(name))
        #expect(host.region == region && host.name(in: "eu-west-1") == moved)
    }

    @Test(arguments: [
        "s3.amazonaws.com.evil.example", "evil.example", "s3.evil.amazonaws.com",
        "amazonaws.com", "s3.eu-west-1.amazonaws.com.", "bucket.s3.eu-west-1.amazonaws.com",
        "bucket.vpce-1-2.s3.us-east-1.vpce.amazonaws.com", "ec2.us-east-1.amazonaws.com",
        "s3.us-east-1.amazonaws.com@evil.example", "s3.-.amazonaws.com", "127.0.0.1", "",
        "s3.x-y-1.evilamazonaws.com",
    ])
    func takesNobodyElsesForOne(_ name: String) { #expect(S3Host(name) == nil) }

    @Test func aRegionIsNoPlaceToHideAHost() throws {
        let host = try #require(S3Host("s3.amazonaws.com"))
        for region in ["evil.example/", "a-b-1.evil", "../x-1", "", "us-east-1/..", "a-1"] {
            #expect(host.name(in: region) == nil)
        }
    }
}

@Suite struct S3PlaceTests {
    private func place(_ bucket: String, _ origin: Origin, path: Bool = false) -> S3Place {
        S3Place(bucket: bucket, endpoint: origin, usesPath: path)
    }

    @Test func aBucketStandsInTheHostsName() {
        let place = place("photos", Origin(host: "s3.amazonaws.com"))
        #expect(place.origin.host == "photos.s3.amazonaws.com" && place.pathReason == nil)
        #expect(place.path(ObjectKey("a/../b")) == Array("/a/../b".utf8))
        #expect(place.path() == Array("/".utf8))
    }

    @Test func aDotNeedsThePathUnderTLSAlone() {
        let dotted = place("my.photos", Origin(host: "s3.amazonaws.com"))
        #expect(dotted.usesPath && dotted.origin.host == "s3.amazonaws.com")
        #expect(dotted.pathReason?.contains("certificate") == true)
        #expect(dotted.path(ObjectKey("k")) == Array("/my.photos/k".utf8))
        let plain = place("my.photos", Origin(isSecure: false, host: "store.example"))
        #expect(!plain.usesPath && plain.origin.host == "my.photos.store.example")
    }

    @Test(arguments: ["127.0.0.1", "[::1]"])
    func anAddressHasNoNamesBelow(_ host: String) {
        let place = place("photos", Origin(isSecure: false, host: host, port: 9000))
        #expect(place.usesPath && place.pathReason != nil)
    }

    @Test func anAccessPointHasAHostOfItsOwn() {
        let point = S3AccessPoint(
            arn: "arn:aws:s3:eu-west-1:123456789012:accesspoint/night",
            label: "night-123456789012")
        let place = S3Place(
            bucket: point.arn, endpoint: Origin(host: "s3-accesspoint.eu-west-1.amazonaws.com"),
            usesPath: false, accessPoint: point)
        #expect(
            place.origin.host == "night-123456789012.s3-accesspoint.eu-west-1.amazonaws.com")
        #expect(place.path(ObjectKey("a b")) == Array("/a b".utf8) && place.isAccessPoint)
        #expect(
            place.copySource(ObjectKey("a b/c"))
                == "arn%3Aaws%3As3%3Aeu-west-1%3A123456789012%3Aaccesspoint/night/object/a%20b/c")
        let address = S3Place(
            bucket: point.arn, endpoint: Origin(host: "127.0.0.1"), usesPath: false,
            accessPoint: point)
        #expect(address.usesPath, "so that whoever makes it can refuse it")
    }

    @Test func whatWasAskedForNeedsNoReason() {
        let place = place("my.photos", Origin(host: "s3.amazonaws.com"), path: true)
        #expect(place.usesPath && place.pathReason == nil)
        let moved = place.moved(to: Origin(host: "s3.eu-west-1.amazonaws.com"))
        #expect(moved.usesPath && moved.bucket == "my.photos")
    }
}
