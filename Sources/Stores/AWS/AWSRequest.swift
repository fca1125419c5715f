/// One call of a service's API, before it is signed.
package struct AWSRequest: Sendable {
    /// One parameter behind the question mark: raw bytes, encoded when the request is signed.
    package struct Parameter: Sendable {
        /// The name as raw text, encoded when the request is signed.
        package let name: String
        /// The value; an empty one is written with its equals sign.
        package let value: [UInt8]

        /// A parameter of raw bytes.
        package init(_ name: String, _ value: [UInt8]) {
            self.name = name
            self.value = value
        }

        /// A parameter of a text.
        package init(_ name: String, _ value: String = "") {
            self.init(name, Array(value.utf8))
        }
    }

    /// The call's name in the service's documentation, such as `ListObjectsV2`: for errors and
    /// counters.
    package var call: String
    /// The method of HTTP, in capitals.
    package var method: String
    /// `https://host:port`, without a path.
    package var origin: Origin
    /// The path below the origin, as raw bytes that begin with a slash; never encoded twice.
    package var path: [UInt8]
    /// The parameters, in any order.
    package var query: [Parameter]
    /// Further headers: names in small letters, values without control characters.
    package var headers: [(name: String, value: String)]
    /// The whole body, which the signature covers.
    package var body: [UInt8]
    /// Whether it may be sent again when no answer came: reads, and writes whose repetition is
    /// told apart by their condition.
    package var isRepeatable: Bool
    /// The region to sign for; nil for the client's own.
    package var region: String?
    /// The most bytes that the answer's body may have; 64 MiB.
    package var bodyLimit = 64 << 20
    /// Whether the service works on it for long before it answers, as it does on copies.
    package var isSlow = false

    /// A call.
    package init(
        _ call: String, method: String, origin: Origin, path: [UInt8], query: [Parameter] = [],
        headers: [(name: String, value: String)] = [], body: [UInt8] = [], isRepeatable: Bool
    ) {
        self.call = call
        self.method = method
        self.origin = origin
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.isRepeatable = isRepeatable
    }
}

/// Where a service answers: scheme, host and port.
package struct Origin: Hashable, Sendable {
    /// Whether the connection is encrypted.
    package let isSecure: Bool
    /// The host's name or address.
    package let host: String
    /// The port; nil for the scheme's own.
    package let port: Int?

    /// An origin.
    package init(isSecure: Bool = true, host: String, port: Int? = nil) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    /// What the Host header says: the scheme's own port is left out, as every client does.
    package var authority: String {
        guard let port, port != (isSecure ? 443 : 80) else { return host }
        return "\(host):\(port)"
    }
    /// `https://host:port`.
    package var text: String { (isSecure ? "https://" : "http://") + authority }
}

/// A service's answer, with its whole body.
package struct AWSResponse: Sendable {
    /// The status of HTTP.
    package let status: Int
    /// The headers, names in small letters; of a name that comes twice, the values in order.
    package let headers: [(name: String, value: String)]
    /// The whole body, at most as long as the request's `bodyLimit`.
    package let body: [UInt8]
    /// Whether an earlier sending of the same write may have been carried out, since its answer
    /// was lost or told of a failure: this answer may then speak of the state that it left.
    package let followsDoubt: Bool

    /// An answer.
    package init(
        status: Int, headers: [(name: String, value: String)], body: [UInt8],
        followsDoubt: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.followsDoubt = followsDoubt
    }

    /// The first value of a header, by its name in small letters.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// Sends calls to services: signs them, repeats what may be repeated, and slows down when asked.
package protocol AWSCaller: Sendable {
    /// Sends a call and returns the service's answer, whatever its status; throws `AWSFailure`
    /// when none came, and `CancellationError`.
    func send(_ request: AWSRequest) async throws -> AWSResponse

    /// How many requests were sent so far, repetitions included, by the names of their calls.
    var requestCounts: [String: Int] { get }

    /// What was sent and received so far.
    var traffic: RequestTraffic { get }

    /// The most that the service's clock can differ from this machine's, at least 1 s; nil before
    /// the first answer.
    var clockDifference: Duration? { get }
}

extension AWSCaller {
    /// Nothing, of a caller that does not count.
    package var traffic: RequestTraffic { RequestTraffic() }
    /// Not known, of a caller that has no clock.
    package var clockDifference: Duration? { nil }
}

/// A call without an answer.
package struct AWSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call's name.
    package let call: String
    /// What happened, without any secret.
    package let reason: String
    /// What to do next, where there is something to say.
    package let hint: String?
    /// Whether the service may have carried it out, or may still do so.
    package let mayHaveHappened: Bool

    /// A failure of a call.
    package init(call: String, reason: String, hint: String? = nil, mayHaveHappened: Bool) {
        self.call = call
        self.reason = reason
        self.hint = hint
        self.mayHaveHappened = mayHaveHappened
    }

    /// `call: reason; hint`.
    package var description: String { "\(call): \(reason)" + (hint.map { "; \($0)" } ?? "") }
}
