import MooringAWS
import MooringConfiguration
import MooringS3
import Testing

@testable import MooringCommands

@Suite("Where a bucket of S3 is asked")
struct S3AccessTests {
    private static let point = "arn:aws:s3:eu-west-1:123456789012:accesspoint/night"

    // What is refused; nil where the place is taken.
    private func refusal(
        _ endpoint: String?, _ environment: [String: String] = [:]
    ) -> String? {
        var settings = S3Settings(bucket: Self.point)
        settings.region = "eu-west-1"
        settings.endpoint = endpoint.flatMap { S3Settings.Endpoint(url: $0) }
        do {
            _ = try S3Access(
                settings, named: "media", file: "mooring.yaml", environment: environment)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("an access point is asked at hosts of access points alone")
    func hosts() {
        let network = "vpce-1a2b-3c.s3.eu-west-1.vpce.amazonaws.com"
        #expect(refusal(nil) == nil && refusal("https://accesspoint.\(network)") == nil)
        for host in ["bucket.\(network)", "control.\(network)", "BUCKET.\(network)", network] {
            let told = refusal("https://\(host)")
            #expect(
                told?.contains("night-123456789012 would be a bucket's name; leave the") == true,
                "\(host): \(told ?? "taken")")
        }
        #expect(refusal("https://s3.eu-west-1.amazonaws.com")?.contains("host of buckets") == true)
    }

    @Test("what a variable names is told with the variable")
    func variables() {
        for (name, value) in [
            ("AWS_ENDPOINT_URL_S3", "https://s3.eu-west-1.amazonaws.com"),
            ("AWS_ENDPOINT_URL", "https://bucket.vpce-1.s3.eu-west-1.vpce.amazonaws.com"),
            ("AWS_ENDPOINT_URL", "http://127.0.0.1:9000"),
        ] {
            let told = refusal(nil, [name: value])
            #expect(
                told?.contains("take \(name) away for this program") == true,
                "\(told ?? "taken")")
        }
        let ignored = ["AWS_ENDPOINT_URL": "x", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"]
        #expect(refusal(nil, ignored) == nil)
    }

    // Where a directory bucket is asked, and for which service; or why it is not.
    private func zonal(
        _ region: String = "eu-west-1", _ environment: [String: String] = [:]
    ) -> String {
        var settings = S3Settings(bucket: "media--euw1-az1--x-s3")
        (settings.region, settings.isDirectory) = (region, true)
        do {
            let access = try S3Access(
                settings, named: "media", file: "mooring.yaml", environment: environment)
            #expect(access.place.isZonal && access.signer.service == "s3express")
            return access.place.origin.text + String(decoding: access.place.path(), as: UTF8.self)
        } catch {
            return "\(error)"
        }
    }

    @Test("a directory bucket is asked at a host of its zone")
    func zones() {
        let host = "media--euw1-az1--x-s3.s3express-euw1-az1.eu-west-1.amazonaws.com"
        #expect(zonal() == "https://\(host)/")
        #expect(
            zonal("eu-west-1", ["AWS_USE_FIPS_ENDPOINT": "true"])
                == "https://" + host.replacing("express-", with: "express-fips-") + "/")
        let named = "https://s3express-euw1-az1.eu-west-1.amazonaws.com"
        #expect(zonal("eu-west-1", ["AWS_ENDPOINT_URL_S3": named]) == "https://\(host)/")
        #expect(
            zonal("eu-west-1", ["AWS_ENDPOINT_URL": "http://127.0.0.1:9000"])
                == "http://127.0.0.1:9000/media--euw1-az1--x-s3")
        let general = zonal(
            "eu-west-1", ["AWS_ENDPOINT_URL": "https://s3.eu-west-1.amazonaws.com"])
        #expect(general.contains("take AWS_ENDPOINT_URL away for this program"), "\(general)")
        for region in ["cn-north-1", "us-gov-west-1", "eusc-de-east-1"] {
            #expect(zonal(region).contains("documented for regions of aws alone"), "\(region)")
        }
    }
}
