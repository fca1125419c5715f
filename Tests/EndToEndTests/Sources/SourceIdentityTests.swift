import Foundation
import PlainS3
import TestServers
import Testing

/// An app whose songs are in another store than SQLite.
private final class SourceApp: App {
    private let further: [String: String]

    init(_ source: String, _ environment: [String: String]) throws {
        further = environment
        var settings = App.Settings()
        settings.source = source
        settings.models =
            "- model: Song\n  files: [{field: coverArtKey, level: guest, template: \"{id}\"}]"
        settings.repair = "{orphan: quarantine, dangling: nullify, apply: true}"
        settings.race = "{preset: testing}"
        try super.init(settings, mode: "WAL")
    }

    override var environment: [String: String] { further }

    func answer(_ name: String = "app") throws -> JSON? {
        try report()["guards"].elements.first {
            $0["name"].string == "identity" && $0["place"].string == name
        }
    }
}

@Suite("A database that is not the one the ledger knows")
struct SourceIdentityTests {
    @Test("Another database of PostgreSQL under the same name is refused", .requires(.postgres))
    func postgres() async throws {
        let server = try await PostgresTestServer.start()
        let (first, second) = (try server.makeDatabase(), try server.makeDatabase())
        for database in [first, second] {
            try database.run(
                """
                CREATE TABLE "Song" (id text PRIMARY KEY, "coverArtKey" text);
                INSERT INTO "Song" VALUES ('a', 'a')
                """)
        }
        let app = try SourceApp("postgres: \"\(first.url)\"", ["PGPASSWORD": "secret"])
        try app.put("public/a")
        try app.expect(0, "run")
        try app.expect(0, "run")
        #expect(try app.answer()?["value"].string == "known")
        let text = try #require(app.read("mooring.yaml"))
        try app.write("mooring.yaml", text.replacing(first.url, with: second.url))
        try app.put("public/orphan")
        let refused = try app.expect(3, "run")
        #expect(refused.errors.contains("source app is not the one that the ledger knows"))
        #expect(refused.errors.contains("mooring audit --accept identity:app"))
        #expect(app.exists("files/public/orphan"))
        try app.expect(0, "audit")
        #expect(try app.answer()?["refused"].bool == true)
        try app.expect(0, "run", "--accept", "identity:app")
        try app.expect(0, "run")
        #expect(try app.answer()?["value"].string == "known")
    }

    @Test(
        "A role that may not ask for the cluster is told of, and nothing is refused",
        .requires(.postgres))
    func unprivileged() async throws {
        let server = try await PostgresTestServer.start()
        let database = try server.makeDatabase()
        let role = "role_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try database.run(
            """
            CREATE TABLE "Song" (id text PRIMARY KEY, "coverArtKey" text);
            INSERT INTO "Song" VALUES ('a', 'a');
            CREATE ROLE \(role) LOGIN PASSWORD 'secret';
            GRANT SELECT, UPDATE ON "Song" TO \(role);
            REVOKE EXECUTE ON FUNCTION pg_catalog.pg_control_system() FROM PUBLIC
            """)
        let url = database.url(user: role, port: server.port)
        let app = try SourceApp("postgres: \"\(url)\"", ["PGPASSWORD": "secret"])
        try app.put("public/a")
        try app.expect(0, "run")
        try app.expect(0, "run")
        let value = try #require(try app.answer()?["value"].string)
        #expect(value.hasPrefix("known; not checked: ") && value.contains("pg_control_system"))
    }

    @Test("A table of DynamoDB that was dropped and made anew is refused", .requires(.ministack))
    func dynamodb() async throws {
        let server = try await DynamoDBTestServer.start(.ministack)
        let prefix = DynamoDBTestServer.makePrefix()
        let table = prefix + "Song"
        let item = #"{"id":{"S":"a"},"coverArtKey":{"S":"a"}}"#
        try await server.run { try $0.makeTable(table, hash: "id") }
        try await server.fill(table, [item])
        let app = try SourceApp(
            "dynamodb: {region: \(server.region), endpoint: \"http://127.0.0.1:\(server.port)\", "
                + "tablePrefix: \"\(prefix)\"}", server.environment)
        try app.put("public/a")
        try app.expect(0, "run")
        try app.expect(0, "run")
        #expect(try app.answer()?["value"].string == "known")
        try await server.run { client in
            _ = try client.call("DeleteTable", "{\"TableName\":\"\(table)\"}")
            try client.makeTable(table, hash: "id")
        }
        try await server.fill(table, [item])
        let refused = try app.expect(3, "run")
        #expect(refused.errors.contains("its 'table Song' has another id"))
        try app.expect(0, "run", "--accept", "identity:app")
        try app.expect(0, "run")
    }
}
