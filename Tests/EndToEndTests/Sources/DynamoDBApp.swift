import Foundation
import PlainS3
import TestServers
import Testing

/// The demo's records in tables of a real server: lists as L, S3Objects as M.
struct DynamoDBApp {
    let server: DynamoDBTestServer
    let prefix = DynamoDBTestServer.makePrefix()
    let demo: DemoApp

    /// Makes the demo; its records are still in SQLite.
    init(_ kind: ServerKind = .ministack) async throws {
        server = try await DynamoDBTestServer.start(kind)
        demo = try DemoApp(environment: server.environment)
    }

    /// Copies the records into tables, and lets the configuration read those.
    func move(port: Int? = nil, _ settings: String = "") async throws {
        for table in try demo.tables() {
            let name = prefix + table.name
            try await server.run { try $0.makeTable(name, hash: "id") }
            try await server.fill(name, table.rows.map { Self.item(table.columns, $0) })
        }
        try demo.move(to: source(port: port, settings))
    }

    /// The source as YAML.
    func source(port: Int? = nil, _ settings: String = "") -> String {
        "dynamodb: {region: \(server.region), "
            + "endpoint: \"http://127.0.0.1:\(port ?? server.port)\", "
            + "tablePrefix: \"\(prefix)\"\(settings)}"
    }

    /// A row as typed JSON; what is NULL is left out.
    static func item(_ columns: [String], _ row: [String?]) -> String {
        let members = zip(columns, row).compactMap { column, value in
            value.map { quoted(column) + ":" + typed(column, $0) }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func typed(_ column: String, _ text: String) -> String {
        if DemoApp.numbers.contains(column) { return #"{"N":"\#(text)"}"# }
        // A text that is no list and no object is a text.
        if text.hasPrefix("[") || text.hasPrefix("{"), let json = try? JSON(parsing: text) {
            return typed(json)
        }
        return #"{"S":\#(quoted(text))}"#
    }

    private static func typed(_ json: JSON) -> String {
        if json.isNull { return #"{"NULL":true}"# }
        if let text = json.string { return #"{"S":\#(quoted(text))}"# }
        if json.value is [Any] {
            return #"{"L":["# + json.elements.map(typed).joined(separator: ",") + "]}"
        }
        let members = json.names.map { quoted($0) + ":" + typed(json[$0]) }
        return members.isEmpty && json.integer != nil
            ? #"{"N":"\#(json.integer ?? 0)"}"#
            : #"{"M":{"# + members.joined(separator: ",") + "}}"
    }

    private static func quoted(_ text: String) -> String {
        // A text can always be written.
        let data = try? JSONSerialization.data(
            withJSONObject: text, options: [.fragmentsAllowed, .withoutEscapingSlashes])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
