import MooringAWS
import MooringModel
import PlainS3
import StoreConformance
import TestServers

@testable import MooringDynamoDB

/// Tables of a real server, with a prefix of their own.
struct Stage {
    let server: DynamoDBTestServer
    let prefix = DynamoDBTestServer.makePrefix()

    init(_ kind: ServerKind = .ministack) async throws {
        server = try await DynamoDBTestServer.start(kind)
    }

    /// A source on these tables; `port` leads through a proxy.
    func source(
        port: Int? = nil, retries: RetryLimits = RetryLimits(),
        _ change: (inout TableSettings) -> Void = { _ in }
    ) -> DynamoDBSource {
        var settings = TableSettings()
        settings.names = TableNames(prefix: prefix)
        change(&settings)
        var travel = AWSClientSettings()
        travel.retries = retries
        let client = AWSClient(
            signer: Signer(region: server.region, service: "dynamodb"),
            credentials: GivenCredentials(
                Credentials(accessKeyID: server.accessKey, secretAccessKey: server.secretKey)),
            connections: settings.segments + 2, settings: travel, clock: TestClock.now)
        return DynamoDBSource(
            name: "app",
            client: DynamoDBClient(
                origin: Origin(isSecure: false, host: "127.0.0.1", port: port ?? server.port),
                region: server.region, caller: client),
            settings: settings, clock: TestClock.now)
    }

    /// Makes a table.
    func makeTable(_ name: String, hash: String = "id", range: String? = nil) async throws {
        let stored = prefix + name
        try await server.run { try $0.makeTable(stored, hash: hash, range: range) }
    }

    /// Puts an item, as typed JSON.
    func put(_ table: String, _ item: String) async throws {
        let stored = prefix + table
        try await server.run { try $0.put(stored, item) }
    }

    /// One item as the product reads it.
    func row(_ table: String, _ id: String, _ columns: [String]) async throws -> [FieldValue]? {
        try await source().rows(
            table: table, idColumns: ["id"], id: RecordID(id), columns: columns
        ).first
    }
}

extension RetryLimits {
    /// One sending and no other.
    static var once: RetryLimits {
        var limits = RetryLimits()
        limits.attempts = 1
        return limits
    }
}
