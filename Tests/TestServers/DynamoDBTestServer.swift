import Foundation
package import PlainS3

/// A running server of DynamoDB that the tests of this process share; each test names its tables
/// by a prefix of its own.
package struct DynamoDBTestServer: Sendable, CustomStringConvertible {
    /// Which server it is.
    package let kind: ServerKind
    /// The port of 127.0.0.1 where it listens.
    package let port: Int
    /// A key id that the server takes, and its secret.
    package let accessKey = "test"
    package let secretKey = "testsecret"
    /// The region to sign for.
    package let region = "us-east-1"

    package var description: String { "\(kind.rawValue) at port \(port)" }

    /// MiniStack's DynamoDB, or moto's.
    package static func start(_ kind: ServerKind) async throws -> DynamoDBTestServer {
        DynamoDBTestServer(kind: kind, port: try await Servers.shared.ports(kind).plain)
    }

    /// `http://127.0.0.1:PORT`.
    package var endpoint: String { "http://127.0.0.1:\(port)" }

    /// What programs need in their environment to reach it.
    package var environment: [String: String] {
        ["AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey]
    }

    /// A client that knows nothing of Mooring.
    package var plain: PlainDynamoDB {
        PlainDynamoDB(port: port, accessKey: accessKey, secretKey: secretKey, region: region)
    }

    /// A prefix of tables that nobody has.
    package static func makePrefix() -> String {
        "t" + UUID().uuidString.lowercased().prefix(8) + "."
    }

    /// Runs blocking calls on a thread of their own, so that other tests go on.
    @discardableResult
    package func run<Value: Sendable>(
        _ calls: @escaping @Sendable (PlainDynamoDB) throws -> Value
    ) async throws -> Value {
        let plain = plain
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try calls(plain) }) }
        }
    }

    /// Puts many items, sixteen at a time.
    package func fill(_ table: String, _ items: [String]) async throws {
        let lanes = 16
        try await withThrowingTaskGroup { group in
            for lane in 0..<lanes {
                let share = stride(from: lane, to: items.count, by: lanes).map { items[$0] }
                group.addTask {
                    try await run { plain in for item in share { try plain.put(table, item) } }
                }
            }
            try await group.waitForAll()
        }
    }

    /// All items of a table, as the parts of JSON that they are.
    package func items(_ table: String) async throws -> [[String: [String: any Sendable]]] {
        let body = try await run {
            try $0.call("Scan", #"{"TableName":"\#(table)","ConsistentRead":true}"#)
        }
        let node = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return node?["Items"] as? [[String: [String: any Sendable]]] ?? []
    }

    /// Puts a fault proxy before it.
    package func proxy() throws -> FaultProxy { try FaultProxy(port: port) }
}
