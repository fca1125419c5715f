package import MooringAWS
import MooringFiles
import MooringModel

/// Calls to DynamoDB, or to what speaks its language, in one region.
package struct DynamoDBClient: Sendable {
    /// Where the service answers.
    package let origin: Origin
    /// The region that requests are signed for.
    package let region: String
    private let caller: any AWSCaller

    // A damaged answer is asked for again; the network has checksums of its own, so one is rare.
    private static let readings = 3

    /// Calls to a service.
    package init(origin: Origin, region: String, caller: any AWSCaller) {
        self.origin = origin
        self.region = region
        self.caller = caller
    }

    /// What was sent and received so far.
    package var traffic: RequestTraffic { caller.traffic }
    /// The most that the service's clock can differ from this machine's; nil before any answer.
    package var clockDifference: Duration? { caller.clockDifference }

    /// Sends a call that changes nothing; returns the answer's body. Throws `DynamoDBError` where
    /// the service refused, `AWSFailure` where no answer came, and `CancellationError`.
    func read(_ call: String, _ body: [UInt8]) async throws -> [UInt8] {
        for _ in 1..<Self.readings {
            let response = try await send(call, body, isRepeatable: true)
            if Self.isWhole(response) { return try Self.body(call, response) }
        }
        let response = try await send(call, body, isRepeatable: true)
        guard Self.isWhole(response) else {
            throw AWSFailure(
                call: call,
                reason: "the answer is not what its checksum says, \(Self.readings) times in a row",
                mayHaveHappened: false)
        }
        return try Self.body(call, response)
    }

    /// Sends a call that may change something, once more only where the service surely did
    /// nothing. Throws as `read` does.
    func write(_ call: String, _ body: [UInt8]) async throws -> [UInt8] {
        let response = try await send(call, body, isRepeatable: false)
        guard Self.isWhole(response) else {
            throw AWSFailure(
                call: call, reason: "the answer is not what its checksum says",
                mayHaveHappened: true)
        }
        return try Self.body(call, response)
    }

    private func send(
        _ call: String, _ body: [UInt8], isRepeatable: Bool
    ) async throws -> AWSResponse {
        try await caller.send(
            AWSRequest(
                call, method: "POST", origin: origin, path: [UInt8(ascii: "/")],
                headers: [
                    ("content-type", "application/x-amz-json-1.0"),
                    ("x-amz-target", "DynamoDB_20120810.\(call)"),
                ],
                body: body, isRepeatable: isRepeatable))
    }

    private static func isWhole(_ response: AWSResponse) -> Bool {
        guard let said = response["x-amz-crc32"] else { return true }
        return UInt32(said) == CRC32.of(response.body)
    }

    private static func body(_ call: String, _ response: AWSResponse) throws -> [UInt8] {
        guard response.status == 200 else { throw DynamoDBError(call: call, response) }
        return response.body
    }
}
