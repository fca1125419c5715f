import Foundation
import MooringAWS
import MooringAppSync
import MooringModel
import TestServers
import MooringSchema

/// An API of its own for one test, and a source that reads it.
struct AppSyncStage {
    /// The API.
    let api: TestAPI
    /// What reads it.
    let source: AppSyncSource
    /// What stands before it, where a test wants that.
    let proxy: FaultProxy?

    /// Songs with a key, a list of keys and a nested object, and posts that have songs.
    static let models = """
        {"Song": {"fields": {"id": "ID!", "title": "String", "cover": "String",
          "images": "[String]", "file": "S3Object", "plays": "Int", "length": "Float",
          "isLive": "Boolean", "postID": "ID"}, "one": {"post": "Post"}},
         "Post": {"fields": {"id": "ID!", "title": "String!"}, "many": {"songs": "Song"}}}
        """
    static let types = """
        {"S3Object": {"bucket": "String!", "key": "String!", "region": "String!", "place": "Place"},
         "Place": {"latitude": "Float"}}
        """

    /// A source of an API of these models; `settings` are further members of its description.
    init(
        mode: String = "none", models: String = Self.models, types: String = Self.types,
        settings: String = "", schema: AppSyncSchema = .introspection,
        scheme: AuthorizationScheme = .secret(header: "x-api-key"),
        credentials: (TestAPI) throws -> any CredentialSource = { _ in Self.key("key") },
        isProxied: Bool = false, options: (inout AppSyncOptions) -> Void = { _ in }
    ) async throws {
        let server = try await AppSyncTestServer.start()
        api = try server.api(
            "{\"models\": \(models), \"types\": \(types), \"mode\": \"\(mode)\"\(settings)}")
        proxy = isProxied ? try FaultProxy(port: api.port) : nil
        var travel = AWSClientSettings()
        travel.retries.attempts = 4
        travel.retries.firstDelay = .milliseconds(5)
        let client = GraphQLClient(
            endpoint: GraphQLClient.Endpoint(
                origin: Origin(isSecure: false, host: "127.0.0.1", port: proxy?.port ?? api.port),
                path: Array("/\(api.name)/graphql".utf8)),
            caller: AWSClient(
                scheme: scheme, credentials: try credentials(api), connections: 8,
                settings: travel, clock: Self.now),
            hint: "set the key", retries: travel.retries)
        var given = AppSyncOptions()
        given.readPause = .zero
        options(&given)
        source = AppSyncSource(
            name: "app", client: client, schema: schema, options: given, clock: Self.now)
    }

    /// A key that is given.
    static func key(_ key: String) -> any CredentialSource {
        GivenCredentials(Credentials(accessKeyID: "key", secretAccessKey: key))
    }

    /// The machine's time.
    static let now: @Sendable () -> Instant = {
        Instant(seconds: Int64(Date.now.timeIntervalSince1970))
    }

    /// A record's columns by its id.
    func row(_ id: String, _ columns: [String], table: String = "Song") async throws
        -> [FieldValue]?
    {
        try await source.rows(
            table: table, idColumns: ["id"], id: RecordID(id), columns: columns
        ).first
    }

    /// A write to a song.
    func change(
        _ id: String, expecting expected: [(String, FieldValue)],
        setting assigned: [(String, FieldValue)], act: RecordChange.Act = .update
    ) -> RecordChange {
        RecordChange(
            act, table: "Song", idColumns: ["id"], id: RecordID(id),
            expected: expected.map { ColumnValue($0.0, $0.1) },
            assignments: assigned.map { ColumnValue($0.0, $0.1) })
    }
}

extension FieldValue {
    /// A text.
    static func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }
    /// A nested value.
    static func json(_ text: String) -> FieldValue { .json(Array(text.utf8)) }
}

extension String {
    /// The document of a schema.
    var document: SchemaDocument {
        get throws { try SchemaDocument.parse(Array(utf8), file: "schema.graphql") }
    }
}
