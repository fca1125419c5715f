import Foundation
import PlainS3

/// The process that holds all APIs of GraphQL of this process's tests; each test makes its own.
package struct AppSyncTestServer: Sendable {
    /// Where it listens.
    package let port: Int

    /// The server; started when nobody has.
    package static func start() async throws -> AppSyncTestServer {
        AppSyncTestServer(port: try await Servers.shared.ports(.appsync).plain)
    }

    /// Makes an API of a name that nobody had, from a description of its models in JSON, as
    /// Tests/Servers/appsync_schema.py reads it.
    package func api(_ description: String) throws -> TestAPI {
        let api = TestAPI(port: port, name: "api-\(UUID().uuidString.lowercased())")
        let made = try api.call("", description)
        guard let schema = (made as? [String: Any])?["schema"] as? String else {
            throw ServerError("the API was not made")
        }
        return TestAPI(port: port, name: api.name, schema: schema)
    }
}

/// One API of GraphQL, with a way around it to its rows.
package struct TestAPI: Sendable {
    /// Where its server listens.
    package let port: Int
    /// Its name in that process.
    package let name: String
    /// Its schema, as Amplify would have built it.
    package var schema = ""

    /// Where it answers.
    package var url: String { "http://127.0.0.1:\(port)/\(name)/graphql" }

    /// Puts rows into tables, as they lie there: a JSON object of lists by the models' names.
    package func load(_ rows: String) throws { _ = try call("/rows", rows) }

    /// All rows of a table.
    package func rows(_ model: String) throws -> [[String: Any]] {
        try call("/rows/\(model)", nil) as? [[String: Any]] ?? []
    }

    /// Adds faults: a JSON list of objects with `kind`, `on` (an operation), `after`, `times`.
    package func fault(_ faults: String) throws { _ = try call("/faults", faults) }

    /// The names of the operations that were asked for so far, in their order.
    package func log() throws -> [String] {
        (try call("/log", nil) as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    /// The texts of all requests of an operation so far.
    package func texts(of operation: String) throws -> [String] {
        (try call("/log", nil) as? [[String: Any]] ?? []).filter {
            $0["name"] as? String == operation
        }.compactMap { $0["query"] as? String }
    }

    /// A token that is good for some seconds.
    package func token(seconds: Int) throws -> String {
        let answer = try call("/token", "{\"seconds\": \(seconds)}") as? [String: Any]
        return answer?["token"] as? String ?? ""
    }

    fileprivate func call(_ path: String, _ body: String?) throws -> Any {
        let wire = try Wire(port: port)
        let content = Array((body ?? "").utf8)
        let method = body == nil ? "GET" : "POST"
        let request = Message(
            first: "\(method) /control/\(name)\(path) HTTP/1.1",
            headers: [
                ("host", "127.0.0.1"), ("content-length", String(content.count)),
                ("connection", "close"),
            ])
        try wire.send(request.head + content)
        let answer = try Message.answer(from: wire, to: method)
        guard answer.status == 200 else {
            throw ServerError("the API server answered \(answer.status) to \(method) \(path)")
        }
        return try JSONSerialization.jsonObject(with: Data(answer.body))
    }
}
