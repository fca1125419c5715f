import Foundation
import MooringAWS
import MooringModel
import Synchronization

@testable import MooringDynamoDB

/// Answers calls as a script says, and keeps them.
final class ScriptedCaller: AWSCaller {
    private let kept = Mutex<[AWSRequest]>([])
    private let script: @Sendable (AWSRequest) throws -> AWSResponse

    /// A caller without any network.
    init(_ script: @escaping @Sendable (AWSRequest) throws -> AWSResponse) { self.script = script }

    /// The calls so far.
    var sent: [AWSRequest] { kept.withLock { $0 } }

    var requestCounts: [String: Int] { [:] }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        kept.withLock { $0.append(request) }
        return try script(request)
    }

    /// A source that asks this caller.
    func source(_ change: (inout TableSettings) -> Void = { _ in }) -> DynamoDBSource {
        var settings = TableSettings()
        settings.segments = 1
        // Scripts answer no DescribeTable that they do not wait for.
        settings.rate = .fixed(1_000_000)
        change(&settings)
        return DynamoDBSource(
            name: "app",
            client: DynamoDBClient(
                origin: Origin(host: "dynamodb.example.com"), region: "eu-west-1", caller: self),
            settings: settings, clock: TestClock.now)
    }
}

extension AWSRequest {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension AWSResponse {
    /// An answer of 200.
    static func json(_ text: String, checksum: UInt32? = nil) -> AWSResponse {
        AWSResponse(
            status: 200, headers: checksum.map { [("x-amz-crc32", String($0))] } ?? [],
            body: Array(text.utf8))
    }

    /// An error as DynamoDB writes it.
    static func error(_ status: Int, _ code: String, _ message: String = "") -> AWSResponse {
        AWSResponse(
            status: status, headers: [],
            body: Array(
                #"{"__type":"com.amazonaws.dynamodb.v20120810#\#(code)","message":"\#(message)"}"#
                    .utf8))
    }

    /// What DescribeTable says of a table with the key `id`.
    static let table = json(
        #"{"Table":{"TableName":"Song","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"#
            + #""AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]}}"#)
}
