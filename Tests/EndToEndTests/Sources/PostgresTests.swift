import Foundation
import TestServers
import Testing

/// The small app with its records in PostgreSQL: a list as `text[]`, pages as `jsonb`.
private final class PostgresApp: App {
    let records: PostgresTestDatabase
    private let password: String

    private static let models = """
        - model: Song
          table: music.song
          version: version
          changed: changed
          files: [{field: cover, level: guest, template: "{id}-{uuid}"}]
        - model: Album
          table: music."Album"
          version: version
          changed: changed
          files: [{field: keys, list: true, level: guest, template: "{id}-{uuid}"}]
        - model: Book
          version: version
          changed: changed
          files: [{field: "pages[].image", level: guest}]
        """

    /// An app whose configuration has this source, with `URL` for the database's address.
    init(
        _ database: PostgresTestDatabase, source: String = "postgres: \"URL\"",
        models: String? = nil, repair: String? = nil, password: String = "secret",
        race: String = "{preset: standard}"
    ) throws {
        records = database
        self.password = password
        var settings = App.Settings()
        settings.source = source.replacing("URL", with: database.url)
        settings.models = models ?? Self.models
        if let repair { settings.repair = repair }
        settings.race = race
        try super.init(settings, mode: "WAL")
        let moved = "version int DEFAULT 1, changed timestamptz DEFAULT now() - interval '90 days'"
        try records.run(
            """
            CREATE SCHEMA IF NOT EXISTS music;
            CREATE TABLE IF NOT EXISTS music.song (id uuid PRIMARY KEY, cover text, \(moved));
            CREATE TABLE IF NOT EXISTS music."Album" (id text PRIMARY KEY, keys text[], \(moved));
            CREATE TABLE IF NOT EXISTS "Book" (id text, pages jsonb, \(moved))
            """)
    }

    override var environment: [String: String] { ["PGPASSWORD": password] }

    /// The whole content, to compare.
    func state() throws -> [[String?]] {
        try records.rows(
            """
            SELECT id::text, cover FROM music.song UNION ALL
            SELECT id, keys::text FROM music."Album" UNION ALL
            SELECT id, pages::text FROM "Book" ORDER BY 1
            """)
    }
}

@Suite("Records in PostgreSQL", .requires(.postgres), .timeLimit(.minutes(60)))
struct PostgresTests {
    private func database() async throws -> PostgresTestDatabase {
        try await PostgresTestServer.start().makeDatabase()
    }

    /// Puts the demo's tables into a database; `native` columns hold their values as the types
    /// that PostgreSQL has for them.
    private func fill(
        _ database: PostgresTestDatabase, from demo: DemoApp, native: [String: String]
    ) throws {
        for table in try demo.tables() {
            let columns = table.columns.map { column in
                let type = DemoApp.numbers.contains(column) ? "bigint" : native[column] ?? "text"
                return "\"\(column)\" \(type)"
            }
            try database.run("CREATE TABLE \"\(table.name)\" (\(columns.joined(separator: ", ")))")
            let places = table.columns.enumerated().map { place, column in
                guard native[column] == "text[]" else { return "$\(place + 1)" }
                return "(SELECT array_agg(e) FROM jsonb_array_elements_text("
                    + "$\(place + 1)::jsonb) AS e)"
            }
            for row in table.rows {
                _ = try database.rows(
                    "INSERT INTO \"\(table.name)\" VALUES (\(places.joined(separator: ", ")))",
                    row.map { $0.map { Array($0.utf8) } })
            }
        }
    }

    @Test(
        "The demo gives the same findings as in SQLite, and takes repair and undo",
        arguments: [[:], ["imageKeys": "text[]", "file": "jsonb"]])
    func demo(native: [String: String]) async throws {
        let demo = try DemoApp(environment: ["PGPASSWORD": "secret"])
        let expected = try demo.expected()
        let database = try await database()
        try fill(database, from: demo, native: native)
        try demo.move(to: "postgres: \(database.url)")
        #expect(try demo.findings() == expected)
        try demo.round()
    }

    @Test("References in columns, lists and pages are nulled and put back, value for value")
    func nullify() async throws {
        let app = try PostgresApp(try await database())
        let id = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
        try app.records.run(
            """
            INSERT INTO music.song VALUES ('\(id)', 'gone.png');
            INSERT INTO music."Album" VALUES ('a', '{here.png,NULL,"go,\\"ne.png"}');
            INSERT INTO "Book" VALUES ('b', '{"n": 1}'), ('c', NULL);
            UPDATE "Book" SET pages = '[{"image": "here.png", "n": 1}, {"image": "away.png"},
                {"image": null}]' WHERE id = 'b';
            """)
        try app.put("public/here.png")
        let before = try app.state()
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 3, "\(plan)")
        try app.expect(0, "repair", path, "--apply")
        #expect(
            try app.state() == [
                [id, nil], ["a", "{here.png,NULL}"],
                [
                    "b",
                    "[{\"n\": 1, \"image\": \"here.png\"}, {\"image\": null}, {\"image\": null}]",
                ], ["c", nil],
            ])
        #expect(
            try app.records.rows("SELECT version::text FROM music.song") == [["2"]])
        #expect(try app.audit().allSatisfy { $0.kind != "dangling" })
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.state() == before)
    }

    @Test("An orphan is linked to its list, also to one that is NULL, and unlinked again")
    func relink() async throws {
        let app = try PostgresApp(
            try await database(),
            repair: "{dangling: keep, overrides: [{model: Album, orphan: relink}]}")
        try app.records.run(
            "INSERT INTO music.\"Album\" VALUES ('a', '{a-kept.png}'), ('n', NULL)")
        try app.put("public/a-kept.png")
        for owner in ["a", "n"] { try app.put("public/\(owner)-\(App.uuid(7))") }
        let before = try app.state()
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 2, "\(plan)")
        try app.expect(0, "repair", path, "--apply")
        #expect(
            try app.state() == [
                ["a", "{a-kept.png,a-\(App.uuid(7))}"], ["n", "{n-\(App.uuid(7))}"],
            ])
        #expect(try app.audit().isEmpty)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.state() == before)
    }

    @Test("A record goes as a whole, and stays where another one refers to it")
    func deleteRecord() async throws {
        let app = try PostgresApp(
            try await database(), repair: "{orphan: keep, dangling: delete-record}",
            race: "{preset: testing}")
        let (id, other) = (
            "6f9619ff-8b86-d011-b42d-00c04fc964ff", "7f9619ff-8b86-d011-b42d-00c04fc964ff"
        )
        try app.records.run(
            """
            ALTER TABLE music.song ADD n int GENERATED ALWAYS AS IDENTITY,
                ADD twice text GENERATED ALWAYS AS (cover || cover) STORED;
            INSERT INTO music.song VALUES ('\(id)', 'gone.png'), ('\(other)', 'away.png');
            CREATE TABLE play (song uuid REFERENCES music.song ON DELETE CASCADE);
            INSERT INTO play VALUES ('\(other)')
            """)
        try app.put("public/x.png")
        // What cannot be taken back wants two runs.
        _ = try app.audit()
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 2, "\(plan)")
        let repair = try app.expect(5, "repair", path, "--apply")
        #expect(repair.told.contains("\"play\" refer to it by a foreign key"), "\(repair.told)")
        #expect(try app.records.rows("SELECT id FROM music.song") == [[other]])
        #expect(try app.records.rows("SELECT song FROM play") == [[other]])
    }

    @Test("A foreign key's identifier stands for its record, and no other column's does")
    func foreignKeys() async throws {
        let app = try PostgresApp(
            try await database(),
            models: """
                - model: Song
                  table: music.song
                  changed: changed
                  files: [{field: cover, level: guest, template: "{id}"}]
                """)
        let ids = (1...4).map { "00000000-0000-4000-8000-00000000000\($0)" }
        try app.records.run(
            """
            ALTER TABLE music.song ADD UNIQUE (cover, version);
            CREATE TABLE play (song uuid REFERENCES music.song, note text, cover text, version int,
                FOREIGN KEY (cover, version) REFERENCES music.song (cover, version));
            INSERT INTO music.song SELECT id::uuid, NULL, 1, now() - interval '90 days'
                FROM unnest('{\(ids.joined(separator: ","))}'::text[]) AS id;
            INSERT INTO music.song VALUES (gen_random_uuid(), 'kept.png', 1, now());
            INSERT INTO play (song) VALUES ('\(ids[0])');
            INSERT INTO play (note) VALUES ('\(ids[1])');
            INSERT INTO play (cover) VALUES ('\(ids[2])')
            """)
        try app.put("public/kept.png")
        for id in ids { try app.put("public/" + id) }
        let findings = try app.audit()
        let protected = findings.filter { $0.kind == "unmapped-reference" }
        #expect(protected.count == 2, "\(findings.labels)")
        let orphans = findings.filter { $0.kind == "orphan" }.compactMap(\.key)
        #expect(orphans.sorted() == ["public/" + ids[0], "public/" + ids[3]])
    }

    @Test("What cannot be read leaves the audit incomplete, and says why without a secret")
    func badInput() async throws {
        let database = try await database()
        let port = database.server.port
        let cases: [(source: String, password: String, reason: String)] = [
            ("postgres: \"URL\"", "hushhush", "password authentication failed"),
            ("postgres: postgresql://owner@127.0.0.1:1/d", "secret", "refused"),
            ("postgres: postgresql://owner@127.0.0.1:\(port)/none", "secret", "does not exist"),
            ("postgres: \"URL?sslmode=verify-full\"", "secret", "certificate"),
            ("postgres: service=none", "secret", "none"),
        ]
        for (source, password, reason) in cases {
            let app = try PostgresApp(database, source: source, password: password)
            let audit = try app.expect(4, "audit")
            #expect(audit.told.contains(reason), "\(audit.told)")
            #expect(!audit.told.contains("hush"))
            #expect(try app.expect(2, "doctor").told.contains(reason))
        }
        for (model, reason) in [
            ("{model: Song, table: music.Song}", "music.song"),
            ("{model: Song, table: music.song, version: _version}", "\\\"version\\\""),
            ("{model: Song, table: music.song, files: [{field: version}]}", "holds no keys"),
        ] {
            let app = try PostgresApp(database, models: "- " + model)
            let audit = try app.expect(4, "audit")
            let plain = reason.replacing("\\", with: "")
            #expect(audit.told.contains(plain), "\(audit.told)")
        }
        let refused = try PostgresApp(database, source: "postgres: postgresql://a:hush@h/d")
        let told = try refused.expect(78, "audit").told
        #expect(told.contains("password") && !told.contains("hush"))
    }

    @Test("On a replica there are findings and notes, and no repair")
    func replica() async throws {
        let database = try await database()
        let source = "postgres: \(database.url(user: "owner", port: database.server.replicaPort))"
        let app = try PostgresApp(database, source: source)
        try app.records.run("INSERT INTO music.\"Album\" VALUES ('a', '{gone.png}')")
        try app.put("public/x.png")
        let standby = PostgresTestDatabase(
            server: database.server, name: database.name, port: database.server.replicaPort)
        // Before it has come so far there is no such database.
        while (try? standby.rows("SELECT 1 FROM music.\"Album\""))?.isEmpty != false {
            try await Task.sleep(for: .milliseconds(20))
        }
        let findings = try app.audit()
        #expect(findings.contains { $0.kind == "dangling" && $0.proof == "live stores" })
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        #expect(try app.expect(0, "doctor").told.contains("replica"))
    }
}
