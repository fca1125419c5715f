import Glibc
import Testing

/// Devices' copies as Amplify DataStore keeps them, beside the app's records.
@Suite("Devices' copies with an outbox")
struct DataStoreTests {
    private struct World {
        let app: App
        let phones: [Database]
        var phone: Database { phones[0] }
    }

    private static let tables = """
        CREATE TABLE Song (id TEXT PRIMARY KEY NOT NULL, title TEXT, coverArtKey TEXT,
            ownerIdentity TEXT, createdAt TEXT, updatedAt TEXT);
        CREATE TABLE MutationEvent (id TEXT PRIMARY KEY NOT NULL, createdAt TEXT NOT NULL,
            graphQLFilterJSON TEXT, inProcess INTEGER NOT NULL, json TEXT NOT NULL,
            modelId TEXT NOT NULL, modelName TEXT NOT NULL, mutationType TEXT NOT NULL,
            version INTEGER);
        CREATE TABLE MutationSyncMetadata (id TEXT PRIMARY KEY NOT NULL, deleted INTEGER NOT NULL,
            lastChangedAt INTEGER NOT NULL, version INTEGER NOT NULL);
        CREATE TABLE ModelSyncMetadata (id TEXT PRIMARY KEY NOT NULL, lastSync INTEGER);
        """

    private func world(phones names: [String] = ["phone"]) throws -> World {
        let app = try App()
        let phones = try names.map { name in
            let phone = try Database(app.path + "/\(name).sqlite")
            try phone.run(Self.tables)
            return phone
        }
        let copies = names.map { "  - {name: \($0), datastore: ./\($0).sqlite, replicaOf: app}" }
        try app.write(
            "mooring.yaml",
            """
            version: 1
            ledger: ./mooring.ledger
            records:
              - name: app
                sqlite: ./app.sqlite
                models:
                  - model: Song
                    version: _version
                    changed: _lastChangedAt
                    deleted: _deleted
                    identity: ownerIdentity
                    files: [{field: coverArtKey, level: private, template: "{id}-{uuid}.png"}]
            \(copies.joined(separator: "\n"))
            buckets: [{name: media, directory: ./files}]
            limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
            report: {directory: Reports/Runs, formats: [json, text]}
            """)
        return World(app: app, phones: phones)
    }

    // What the app's own table holds.
    private func record(
        _ app: App, _ id: String, cover: String?, version: Int, age: Int = Age.old
    ) throws {
        try app.database.run(
            """
            INSERT INTO Song VALUES (?, 'a title', ?, ?, \(version),
                \(App.milliseconds(ago: age)), NULL)
            """, Array(id.utf8), cover.map { Array($0.utf8) }, Array(App.identity.utf8))
    }

    // What a device has of it; the service's word lies in a table of its own.
    private func copy(
        _ phone: Database, _ id: String, cover: String?, version: Int?, prefix: String = "Song|"
    ) throws {
        try phone.run(
            "INSERT INTO Song VALUES (?, 'a title', ?, ?, NULL, NULL)", Array(id.utf8),
            cover.map { Array($0.utf8) }, Array(App.identity.utf8))
        guard let version else { return }
        try phone.run(
            """
            INSERT INTO MutationSyncMetadata VALUES ('\(prefix)\(id)', 0,
                \(App.milliseconds(ago: Age.old)), \(version))
            """)
    }

    private func pend(
        _ phone: Database, _ id: String, act: String = "update", cover: String? = nil
    ) throws {
        // As JSONEncoder writes it, with escaped slashes.
        let identity = App.identity
        let field = cover.map { ",\"coverArtKey\":\"\($0.replacing("/", with: "\\/"))\"" } ?? ""
        try phone.run(
            """
            INSERT INTO MutationEvent VALUES ('event-\(id)', '2026-11-20T10:00:00.000Z', NULL, 0,
                '{"id":"\(id)","ownerIdentity":"\(identity)"\(field)}', '\(id)', 'Song',
                '\(act)', 1)
            """)
    }

    @Test("A row behind its authority by DataStore's own metadata is refreshed, and undone")
    func behind() throws {
        let world = try world()
        let (app, phone) = (world.app, world.phone)
        try app.put(App.songKey("s", 2))
        try record(app, "s", cover: App.cover("s", 2), version: 5)
        try copy(phone, "s", cover: App.cover("s", 1), version: 3)
        try record(app, "old", cover: nil, version: 2)
        try copy(phone, "old", cover: nil, version: 1, prefix: "")
        try record(app, "same", cover: nil, version: 4)
        try copy(phone, "same", cover: nil, version: 4)
        let found = try app.audit()
        // The copy's missing file is no dangling reference: its authority has moved on.
        #expect(found.labels == ["stale-copy/behind/settled", "stale-copy/behind/settled"])
        let before = try phone.rows("SELECT * FROM Song ORDER BY id")
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        #expect(
            try phone.text("SELECT coverArtKey FROM Song WHERE id = 's'") == App.cover("s", 2))
        let versions = "SELECT version FROM MutationSyncMetadata ORDER BY id"
        #expect(try phone.rows(versions) == [["5"], ["4"], ["2"]])
        #expect(try app.audit().isEmpty)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try phone.rows("SELECT * FROM Song ORDER BY id") == before)
        #expect(try phone.rows(versions) == [["3"], ["4"], ["1"]])
    }

    @Test("A key in an outbox protects its object: the orphan is explained, by device and workflow")
    func protects() throws {
        let world = try world(phones: ["phone", "tablet"])
        let app = world.app
        for (number, phone) in world.phones.enumerated() {
            let id = "s\(number)"
            try record(app, id, cover: nil, version: 1)
            try copy(phone, id, cover: nil, version: 1)
            try app.put(App.songKey(id))
            try pend(phone, id, cover: App.cover(id))
        }
        // The whole key, in a write of a model that nobody mapped.
        try app.put("public/a b.png")
        try pend(world.phone, "x", cover: "public/a b.png")
        let found = try app.audit()
        #expect(
            found.labels == Array(repeating: "orphan/unassociated/explained", count: 2)
                + ["orphan/unattributed/explained"])
        for (finding, device) in zip(found, ["phone", "tablet", "phone"]) {
            #expect(finding.json["explanation"]["workflow"].string == "background upload")
            #expect(finding.evidence.contains("the outbox of '\(device)'"), "\(finding.evidence)")
        }
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        for phone in world.phones { try phone.run("DELETE FROM MutationEvent") }
        #expect(try app.audit().allSatisfy { $0.verdict == "settled" })
    }

    @Test("A copy with a write of its own is pending and never refreshed, also when it came later")
    func pending() throws {
        let world = try world()
        let (app, phone) = (world.app, world.phone)
        for id in ["s", "t"] {
            try record(app, id, cover: nil, version: 5)
            try copy(phone, id, cover: nil, version: 3)
        }
        try pend(phone, "s")
        try copy(phone, "new", cover: nil, version: nil)
        try pend(phone, "new", act: "create")
        let found = try app.audit()
        #expect(
            found.labels == [
                "stale-copy/behind/settled", "stale-copy/pending/explained",
                "stale-copy/pending/explained",
            ])
        let waiting = try #require(found.first { $0.recordID == "s" })
        #expect(waiting.action == "keep")
        #expect(waiting.json["explanation"]["workflow"].string == "write offline")
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 1)
        try pend(phone, "t")
        let result = try app.mooring("repair", path, "--apply")
        #expect(result.status == 5, "\(result.told)")
        #expect(result.told.contains("in its outbox"), "\(result.told)")
        #expect(
            try phone.rows("SELECT version FROM MutationSyncMetadata ORDER BY id")
                == [["3"], ["3"]])
    }

    @Test("An outbox of an unknown version makes the scan incomplete, and no plan is made")
    func unknown() throws {
        for change in [
            "ALTER TABLE MutationEvent DROP COLUMN modelName", "DROP TABLE MutationEvent",
        ] {
            let world = try world()
            try world.app.put("public/orphan.png")
            try record(world.app, "s", cover: nil, version: 1)
            try copy(world.phone, "s", cover: nil, version: 1)
            try world.phone.run(change)
            let audit = try world.app.mooring("audit")
            #expect(audit.status == 4, "\(audit.told)")
            #expect(audit.told.contains("MutationEvent"), "\(audit.told)")
            #expect(try world.app.mooring("plan").status == 4)
        }
    }

    @Test("A SQLite file without DataStore's tables is a copy without an outbox")
    func plain() throws {
        let world = try world()
        for table in ["MutationEvent", "MutationSyncMetadata", "ModelSyncMetadata"] {
            try world.phone.run("DROP TABLE \(table)")
        }
        for column in ["_version INTEGER", "_lastChangedAt INTEGER", "_deleted INTEGER"] {
            try world.phone.run("ALTER TABLE Song ADD COLUMN \(column)")
        }
        try record(world.app, "s", cover: nil, version: 2)
        try world.phone.run(
            "INSERT INTO Song VALUES ('s', 't', NULL, '\(App.identity)', NULL, NULL, 1, 1, 0)")
        #expect(try world.app.audit().labels == ["stale-copy/behind/settled"])
    }
}
