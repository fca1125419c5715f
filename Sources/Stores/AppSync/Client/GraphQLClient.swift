package import MooringAWS
import MooringModel

/// Sends operations to one API, and reads what it answers.
package struct GraphQLClient: Sendable {
    /// Where the API answers.
    package struct Endpoint: Sendable {
        /// Scheme, host and port.
        package let origin: Origin
        /// The path below it, as raw bytes.
        package let path: [UInt8]

        /// An endpoint.
        package init(origin: Origin, path: [UInt8]) {
            self.origin = origin
            self.path = path
        }

        /// `host/path`, for messages.
        var text: String { origin.authority + String(decoding: path, as: UTF8.self) }
    }

    /// Where it answers.
    let endpoint: Endpoint
    private let caller: any AWSCaller
    private let hint: String
    private let retries: RetryLimits

    /// A client of an API. `caller` signs its requests, or shows a key or token with them; `hint`
    /// says what to do where the API takes neither.
    package init(
        endpoint: Endpoint, caller: any AWSCaller, hint: String,
        retries: RetryLimits = RetryLimits()
    ) {
        self.endpoint = endpoint
        self.caller = caller
        self.hint = hint
        self.retries = retries
    }

    /// How many requests were sent so far, repetitions included.
    var requests: Int { caller.requestCounts.values.reduce(0, +) }

    /// The most that the API's clock can differ from this machine's; nil before any answer.
    var clockDifference: Duration? { caller.clockDifference }

    /// Sends an operation; a query is sent again where the API's tables ask for fewer requests.
    /// Throws `StoreError` where there is no answer of the API's own, and `CancellationError`.
    func ask(_ operation: GraphQLOperation) async throws -> GraphQLAnswer {
        var sendings = 0
        while true {
            let answer = try await askOnce(operation)
            sendings += 1
            guard answer.asksToSlowDown, !operation.isMutation, sendings < retries.attempts else {
                return answer
            }
            try await Task.sleep(
                for: retries.delay(
                    after: sendings + 1, asked: nil, random: Double.random(in: 0.5..<1)))
        }
    }

    private func askOnce(_ operation: GraphQLOperation) async throws -> GraphQLAnswer {
        let request = AWSRequest(
            operation.name, method: "POST", origin: endpoint.origin, path: endpoint.path,
            headers: [("content-type", "application/json")], body: operation.body,
            isRepeatable: !operation.isMutation)
        let response: AWSResponse
        do {
            response = try await caller.send(request)
        } catch let failure as AWSFailure {
            // What is set up for a bucket is set up for an API in the same words.
            throw StoreError(
                place: place(operation), reason: failure.reason,
                hint: failure.hint?.replacing("under s3:", with: "under appsync:"),
                isRefusal: !operation.isMutation || !failure.mayHaveHappened)
        }
        let answer = GraphQLAnswer(response.body)
        // An operation that the API does not know is the caller's to judge, whatever its status.
        if response.status == 400, let answer, answer.isUndefined { return answer }
        guard response.status == 200 else { throw refusal(response.status, answer, operation) }
        guard let answer else {
            throw StoreError(
                place: place(operation), reason: "the answer is no GraphQL",
                hint: "check url: under appsync")
        }
        return answer
    }

    private func refusal(
        _ status: Int, _ answer: GraphQLAnswer?, _ operation: GraphQLOperation
    ) -> StoreError {
        let kinds = answer?.told.map { " (\($0))" } ?? ""
        // What became of a mutation is left open by all but a refusal of the request.
        let timedOut = answer?.errors.contains { $0.hasPrefix("RequestTimeout") } == true
        let isRefusal =
            !operation.isMutation || (400..<500).contains(status) && status != 408 && !timedOut
        switch status {
        case 401, 403:
            return StoreError(
                place: place(operation), reason: "the API refuses who asks: HTTP \(status)\(kinds)",
                hint: hint, isRefusal: isRefusal)
        case 404:
            return StoreError(
                place: place(operation), reason: "there is no API at this address: HTTP 404",
                hint: "check url: under appsync", isRefusal: isRefusal)
        default:
            return StoreError(
                place: place(operation), reason: "the API answered HTTP \(status)\(kinds)",
                isRefusal: isRefusal)
        }
    }

    /// The place of an operation in messages.
    func place(_ operation: GraphQLOperation) -> String { place(operation.name) }

    /// The place of an operation of a name in messages.
    func place(_ name: String) -> String { "\(endpoint.text), \(name)" }
}
