import MooringAWS
import MooringModel
import Synchronization

@testable import MooringS3

/// A directory bucket of a script: where it answers, what it answers, and this machine's clock.
enum ZonalStage {
    static let bucket = "media--euw1-az1--x-s3"
    static let start = Instant(seconds: 1_700_000_000)

    /// Where it answers.
    static var place: S3Place {
        var place = S3Place(
            bucket: bucket, endpoint: Origin(host: "s3express-euw1-az1.eu-west-1.amazonaws.com"),
            usesPath: false)
        place.isZonal = true
        return place
    }

    /// Calls that a script answers.
    static func client(_ caller: any AWSCaller) -> S3Client {
        S3Client(place: place, caller: caller)
    }

    /// An answer of a text.
    static func answer(
        _ body: String, _ headers: [(name: String, value: String)] = []
    ) -> AWSResponse {
        AWSResponse(status: 200, headers: headers, body: Array(body.utf8))
    }

    /// A page of keys; `next` leads on.
    static func page(_ keys: [String], next: String? = nil, more: Bool? = nil) -> AWSResponse {
        let contents = keys.map {
            "<Contents><Key>\($0)</Key><LastModified>2023-01-01T00:00:00.000Z</LastModified>"
                + "<ETag>\"0a1b\"</ETag><Size>3</Size></Contents>"
        }
        let token = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
        return answer(
            "<ListBucketResult><Name>\(bucket)</Name><EncodingType>url</EncodingType>"
                + "<IsTruncated>\(more ?? (next != nil))</IsTruncated>\(token)"
                + contents.joined() + "</ListBucketResult>")
    }

    /// What HEAD says of an object that is there.
    static let there = AWSResponse(
        status: 200,
        headers: [
            ("content-length", "3"), ("etag", "\"0a1b\""),
            ("last-modified", "Sun, 01 Jan 2023 00:00:00 GMT"),
        ], body: [])

    /// A session that ends at a moment.
    static func session(
        _ key: String = "SESSIONKEY", until end: Instant, secret: String = "sessionsecret",
        _ headers: [(name: String, value: String)] = []
    ) -> AWSResponse {
        answer(
            "<?xml version=\"1.0\"?><CreateSessionResult><Credentials>"
                + "<SessionToken>token-\(key)</SessionToken>"
                + "<SecretAccessKey>\(secret)</SecretAccessKey>"
                + "<AccessKeyId>\(key)</AccessKeyId><Expiration>\(end.iso8601)</Expiration>"
                + "</Credentials></CreateSessionResult>", headers)
    }
}

extension AWSRequest {
    /// The value of a parameter as text.
    func text(of name: String) -> String? {
        query.first { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
    }
}

/// A clock that a test moves.
final class MovedClock: Sendable {
    private let time = Mutex(ZonalStage.start)

    var now: Instant { time.withLock { $0 } }

    func advance(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
}
