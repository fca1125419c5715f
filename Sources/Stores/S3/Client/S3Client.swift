import Crypto
package import MooringAWS
package import MooringModel
import Synchronization

/// A call about a bucket, or about one of its keys.
package struct S3Call: Sendable {
    private static let slow: Set<String> = [
        "CopyObject", "UploadPartCopy", "CompleteMultipartUpload",
    ]

    /// The call's name in S3's documentation.
    package var name: String
    /// The method of HTTP, in capitals.
    package var method: String
    /// The key; nil of a call about the bucket.
    package var key: ObjectKey?
    /// The parameters.
    package var query: [AWSRequest.Parameter]
    /// The headers, names in small letters.
    package var headers: [(name: String, value: String)]
    /// The whole body; empty for a call without one.
    package var body: [UInt8]
    /// Whether it may be sent again when no answer came; by default what changes nothing.
    package var isRepeatable: Bool
    /// The most bytes that the answer's body may have: 64 MiB.
    package var bodyLimit = 64 << 20

    /// A call.
    package init(
        _ name: String, method: String = "GET", key: ObjectKey? = nil,
        query: [AWSRequest.Parameter] = [], headers: [(name: String, value: String)] = [],
        body: [UInt8] = [], isRepeatable: Bool? = nil
    ) {
        self.name = name
        self.method = method
        self.key = key
        self.query = query
        self.headers = headers
        self.body = body
        self.isRepeatable = isRepeatable ?? (method == "GET" || method == "HEAD")
    }

    /// Whether the service works on it for long before it answers.
    var isSlow: Bool { Self.slow.contains(name) }
}

/// Calls to one bucket of S3, or of what speaks its language.
///
/// Where AWS answers that the bucket is in another region, the call is signed for that region and
/// sent again, and later ones go there at once. An endpoint that is not AWS's own is never left,
/// and no address in an answer is ever followed, so that no signature goes to somebody else.
package struct S3Client: Sendable {
    /// Where the bucket answers, as it was configured.
    package let place: S3Place
    private let caller: any AWSCaller
    private let memory = RegionMemory()

    /// Calls to a bucket.
    package init(place: S3Place, caller: any AWSCaller) {
        self.place = place
        self.caller = caller
    }

    /// How many requests were sent so far, by the names of their calls.
    package var requestCounts: [String: Int] { caller.requestCounts }
    /// What was sent and received so far.
    package var traffic: RequestTraffic { caller.traffic }
    /// The most that the service's clock can differ from this machine's, at least 1 s; nil before
    /// the first answer.
    package var clockDifference: Duration? { caller.clockDifference }
    /// The region in which the bucket turned out to be; nil where nobody said another one.
    package var foundRegion: String? { memory.region }

    /// Sends a call and returns the answer whatever its status. Throws `AWSFailure` when there was
    /// none, and `CancellationError`.
    package func send(_ call: S3Call) async throws -> AWSResponse {
        let known = memory.region
        let asked = known ?? S3Host(place.endpoint.host)?.region
        let response = try await send(call, in: known)
        var region: String?
        switch S3Redirect.advice(in: response, about: place.bucket) {
        case .none: break
        case .region(let found): region = found
        case .elsewhere:
            // An answer to HEAD may keep quiet about the region; that of the bucket never does.
            guard call.method == "HEAD", call.key != nil, isAWS else { break }
            let head = try await send(S3Call("HeadBucket", method: "HEAD"), in: known)
            region = head["x-amz-bucket-region"].flatMap { S3Host.isRegion($0[...]) ? $0 : nil }
        }
        guard let region, region != asked else { return response }
        let again = try await send(call, in: region)
        if case .none = S3Redirect.advice(in: again, about: place.bucket) {
            memory.remember(region)
        }
        return again
    }

    private var isAWS: Bool { S3Host(place.endpoint.host) != nil }

    private func send(_ call: S3Call, in region: String?) async throws -> AWSResponse {
        let place = place(in: region)
        var headers = call.headers
        if let owner = place.expectedOwner {
            headers.append(("x-amz-expected-bucket-owner", owner))
            if isCopy(within: place, headers) {
                headers.append(("x-amz-source-expected-bucket-owner", owner))
            }
        }
        if place.requesterPays { headers.append(S3Place.payer) }
        headers += Self.checksum(of: call)
        var request = AWSRequest(
            call.name, method: call.method, origin: place.origin, path: place.path(call.key),
            query: call.query, headers: headers, body: call.body, isRepeatable: call.isRepeatable)
        request.region = region
        request.bodyLimit = call.bodyLimit
        request.isSlow = call.isSlow
        return try await caller.send(request)
    }

    // A bucket whose object lock has a default retention takes no write without one (API
    // reference, PutObject, Content-MD5); every store knows this header.
    private static func checksum(of call: S3Call) -> [(name: String, value: String)] {
        guard call.name == "PutObject" else { return [] }
        return [("content-md5", Base64.encode(Array(Insecure.MD5.hash(data: call.body))))]
    }

    private func place(in region: String?) -> S3Place {
        guard let region, let host = S3Host(place.endpoint.host),
            let name = host.name(in: region), host.region != region
        else { return place }
        return place.moved(
            to: Origin(
                isSecure: place.endpoint.isSecure, host: name, port: place.endpoint.port))
    }

    private func isCopy(
        within place: S3Place, _ headers: [(name: String, value: String)]
    ) -> Bool {
        guard
            let source = headers.first(where: { $0.name == "x-amz-copy-source" })?.value,
            !headers.contains(where: { $0.name == "x-amz-source-expected-bucket-owner" })
        else { return false }
        let own = place.copySource(ObjectKey(""))
        return source.hasPrefix(own) || source.hasPrefix("/" + own)
    }
}

/// What a client has learnt of its bucket's region; all its copies share it.
private final class RegionMemory: Sendable {
    private let found = Mutex<String?>(nil)

    var region: String? { found.withLock { $0 } }

    func remember(_ region: String) { found.withLock { $0 = region } }
}
