import MooringAWS
import MooringModel
import Testing

@Suite struct PresigningTests {
    private func presign(
        _ expires: Duration, _ credentials: Credentials = S3Vectors.credentials,
        at moment: Instant = S3Vectors.moment
    ) throws -> PresignedURL {
        let request = AWSRequest(
            "GetObject", method: "GET", origin: Origin(host: S3Vectors.host),
            path: Array("/test.txt".utf8), isRepeatable: true)
        return try S3Vectors.signer.presign(
            request, with: credentials, expires: expires, at: moment)
    }

    @Test func signsAsTheExampleOfS3() throws {
        let signed = try presign(.days(1))
        #expect(
            signed.text == "https://examplebucket.s3.amazonaws.com/test.txt"
                + "?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE"
                + "%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z"
                + "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature="
                + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
        #expect(signed.endsAt == S3Vectors.moment + .days(1))
        #expect(!signed.isCutShort)
    }

    @Test func isGoodForOneSecondToSevenDays() throws {
        #expect(try presign(.seconds(1)).text.contains("X-Amz-Expires=1&"))
        #expect(try presign(.days(7)).text.contains("X-Amz-Expires=604800&"))
        for expires in [.zero, .milliseconds(999), .days(7) + .seconds(1), .seconds(-1)] {
            let refusal = #expect(throws: PresigningRefusal.self) { try presign(expires) }
            #expect(
                refusal?.description
                    == "an address can be good for 1s to 7d, and not for \(expires.label)")
        }
    }

    @Test func tellsWhenTheCredentialsEndBeforeIt() throws {
        let end = S3Vectors.moment + .hours(1)
        let session = Credentials(
            accessKeyID: "A", secretAccessKey: "S", sessionToken: "T+/=", expiresAt: end)
        let signed = try presign(.hours(2), session)
        #expect(signed.isCutShort)
        #expect(signed.endsAt == end)
        #expect(signed.text.contains("X-Amz-Security-Token=T%2B%2F%3D&"))
        #expect(try !presign(.minutes(30), session).isCutShort)
        let ended = #expect(throws: PresigningRefusal.self) {
            try presign(.hours(1), session, at: end)
        }
        #expect(ended?.description == "the credentials ended at \(end.iso8601)")
    }

    @Test func theEndIsCountedFromTheWholeSecondThatIsSigned() throws {
        let signed = try presign(.seconds(10), at: S3Vectors.moment + .milliseconds(900))
        #expect(signed.endsAt == S3Vectors.moment + .seconds(10))
    }
}
