package import MooringAWS
package import MooringModel

/// A call about a bucket, or about one of its keys.
package struct S3Call: Sendable {
    /// The call's name in S3's documentation.
    package var name: String
    /// The method, in capitals.
    package var method: String
    /// The key; nil of a call about the bucket.
    package var key: ObjectKey?
    /// The parameters.
    package var query: [AWSRequest.Parameter]
    /// The headers, names in small letters.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]
    /// Whether it may be sent again when no answer came; by default what changes nothing.
    package var isRepeatable: Bool

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
}

/// Calls to one bucket of S3, or of what speaks its language.
package struct S3Client: Sendable {
    /// Where the bucket answers.
    package let place: S3Place
    private let caller: any AWSCaller

    /// Calls to a bucket.
    package init(place: S3Place, caller: any AWSCaller) {
        self.place = place
        self.caller = caller
    }

    /// How many requests were sent so far, by the names of their calls.
    package var requestCounts: [String: Int] { caller.requestCounts }

    /// Sends a call and returns the answer whatever its status. Throws `AWSFailure` when there was
    /// none.
    package func send(_ call: S3Call) async throws -> AWSResponse {
        var headers = call.headers
        if let owner = place.expectedOwner {
            headers.append(("x-amz-expected-bucket-owner", owner))
        }
        return try await caller.send(
            AWSRequest(
                call.name, method: call.method, origin: place.origin, path: place.path(call.key),
                query: call.query, headers: headers, body: call.body,
                isRepeatable: call.isRepeatable))
    }
}
