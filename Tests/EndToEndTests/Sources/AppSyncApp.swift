import Foundation
import TestServers
import Testing

/// The demo's app with its records behind an API of GraphQL.
struct AppSyncApp {
    let demo: DemoApp
    let api: TestAPI
    /// The schema that a project would be written in, with AUTH where each model's rules stand.
    let written: String

    private static let types: [String: String] = [
        "PhotoAlbum.imageKeys": "[String]", "Post.file": "S3Object",
    ]
    private static let own = ["_version", "_lastChangedAt", "_deleted"]

    /// Makes the demo, and an API of its models in a conflict mode that holds its records;
    /// `auth` says who is let in.
    init(
        mode: String = "optimistic", auth: [String: Any] = ["apiKey": "da2-demo"]
    ) async throws {
        demo = try DemoApp(environment: ["MOORING_APPSYNC_API_KEY": "da2-demo"])
        let tables = try demo.tables()
        let server = try await AppSyncTestServer.start()
        var models: [String: Any] = [:]
        var rows: [String: Any] = [:]
        var written = "type S3Object { bucket: String! key: String region: String! }\n"
        for table in tables {
            let columns = table.columns.filter { !Self.own.contains($0) }
            let fields = columns.map { column in
                (
                    column,
                    column == "id" ? "ID!" : Self.types["\(table.name).\(column)"] ?? "String"
                )
            }
            written += "type \(table.name) @model @auth(rules: [AUTH]) {\n"
            written += fields.map { "  \($0.0): \($0.1)\n" }.joined() + "}\n"
            models[table.name] = ["fields": Dictionary(uniqueKeysWithValues: fields)]
            rows[table.name] = try table.rows.map { row in try Self.record(row, table) }
        }
        self.written = written
        api = try server.api(
            try JSON([
                "models": models, "mode": mode, "auth": auth,
                "types": ["S3Object": ["bucket": "String!", "key": "String", "region": "String!"]],
            ]).text())
        try api.load(try JSON(rows).text())
    }

    private static func record(_ row: [String?], _ table: DemoApp.Table) throws -> [String: Any] {
        var record: [String: Any] = [:]
        for (column, value) in zip(table.columns, row) {
            guard let value else {
                record[column] = NSNull()
                continue
            }
            switch column {
            case "_deleted": record[column] = value != "0"
            case "_version", "_lastChangedAt": record[column] = Int(value)
            default:
                record[column] =
                    types["\(table.name).\(column)"] == nil ? value : try JSON(parsing: value).value
            }
        }
        return record
    }

    /// Lets the configuration read the API; further settings stand behind its URL.
    func move(_ settings: String = "", port: Int? = nil) throws {
        let url = api.url.replacing(":\(api.port)/", with: ":\(port ?? api.port)/")
        try demo.move(to: "appsync: {url: '\(url)', pageSize: 7, readPause: 5ms\(settings)}")
    }

    /// Adds to the configuration's race model.
    func race(_ line: String) throws {
        let file = demo.folder.path + "/app/mooring.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try #require(text.contains("  preset: standard\n"))
        try text.replacingOccurrences(
            of: "  preset: standard\n", with: "  preset: standard\n  \(line)\n"
        ).write(toFile: file, atomically: true, encoding: .utf8)
    }
}
