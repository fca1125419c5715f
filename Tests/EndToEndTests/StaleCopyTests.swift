import Testing

/// A device's own copy of the records beside the app's, as a user sees both.
@Suite("Copies of records")
struct StaleCopyTests {
    private struct World {
        let app: App
        let phone: Database
    }

    private func world(
        models: String? = nil, gates: String = "[]", race: String = "{preset: standard}"
    ) throws -> World {
        let app = try App()
        let phone = try Database(app.path + "/phone.sqlite")
        try phone.run(
            """
            CREATE TABLE Song (id TEXT PRIMARY KEY, title TEXT, coverArtKey TEXT,
                ownerIdentity TEXT, \(App.columns))
            """)
        let own =
            models ?? """
                - model: Song
                  version: _version
                  changed: _lastChangedAt
                  deleted: _deleted
                  identity: ownerIdentity
                  files: [{field: coverArtKey, level: private, template: "{id}-{uuid}.png"}]
                """
        let indented = own.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
        try app.write(
            "mooring.yaml",
            """
            version: 1
            ledger: ./mooring.ledger
            records:
              - name: app
                sqlite: ./app.sqlite
                models:
            \(indented)
              - name: phone
                sqlite: ./phone.sqlite
                replicaOf: app
            buckets: [{name: media, directory: ./files}]
            race: \(race)
            limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
            report: {directory: Reports/Runs, formats: [json, text, html, csv]}
            gates: \(gates)
            """)
        return World(app: app, phone: phone)
    }

    private func song(
        _ database: Database, _ id: String, cover: String?, version: Int, age: Int = Age.old
    ) throws {
        try database.run(
            """
            INSERT INTO Song VALUES (?, 'a title', ?, ?, \(version),
                \(App.milliseconds(ago: age)), 0)
            """, Array(id.utf8), cover.map { Array($0.utf8) }, Array(App.identity.utf8))
    }

    @Test("A row with a lower version is behind, and is requeried; one with a higher is not told")
    func behind() throws {
        let world = try world()
        for (id, own, copy) in [("s", 5, 3), ("ahead", 3, 5), ("same", 3, 3)] {
            try song(world.app.database, id, cover: nil, version: own)
            try song(world.phone, id, cover: nil, version: copy)
        }
        let found = try world.app.audit()
        #expect(found.labels == ["stale-copy/behind/settled"])
        let finding = try #require(found.first)
        #expect(finding.json["record"]["source"].string == "phone")
        #expect(finding.json["record"]["model"].string == "Song")
        #expect(finding.recordID == "s")
        #expect(finding.json["record"]["field"].isNull)
        #expect(finding.json["record"]["version"].integer == 3)
        #expect(finding.action == "requery" && finding.proof == nil)
        #expect(finding.evidence.contains("app: version 5"))
        #expect(finding.evidence.contains("this copy: version 3"))
        let plan = try world.app.plan()
        #expect(plan.plan["steps"].elements.compactMap { $0["strategy"].string } == ["requery"])
        let told = try world.app.expect(0, "explain", "Song/s", "--json").json()
        #expect(told["stories"].elements.count == 2)
    }

    @Test("What changed within S is explained; a tombstone upstream is deleted-upstream")
    func explained() throws {
        let world = try world()
        try song(world.app.database, "s", cover: nil, version: 5, age: Age.young)
        try song(world.phone, "s", cover: nil, version: 3)
        try song(world.app.database, "t", cover: nil, version: 5)
        try world.app.database.run("UPDATE Song SET _deleted = 1 WHERE id = 't'")
        try song(world.phone, "t", cover: nil, version: 4)
        try song(world.phone, "new", cover: nil, version: 0, age: Age.young)
        let found = try world.app.audit()
        #expect(
            found.labels == [
                "stale-copy/behind/explained", "stale-copy/deleted-upstream/explained",
                "stale-copy/deleted-upstream/settled",
            ])
        let young = try #require(found.first { $0.recordID == "s" })
        #expect(young.json["explanation"]["workflow"].string == "synchronise")
        #expect(young.json["explanation"]["step"].string == "refresh copy")
        let new = try #require(found.first { $0.recordID == "new" })
        #expect(new.json["explanation"]["workflow"].string == "create offline")
    }

    @Test("A stale copy's missing file is no dangling reference, and its file is no orphan")
    func references() throws {
        let world = try world()
        try world.app.healthy()
        try song(world.app.database, "s", cover: App.cover("s", 2), version: 2)
        try world.app.put(App.songKey("s", 2))
        try song(world.phone, "s", cover: App.cover("s", 1), version: 1)
        let found = try world.app.audit()
        #expect(found.labels == ["stale-copy/behind/settled"])
        #expect(
            found[0].evidence.contains("it refers to '\(App.songKey("s"))', a file that is not"))
        try world.app.put(App.songKey("s"))
        #expect(try world.app.audit().labels == ["stale-copy/behind/settled"])
        try world.phone.run(
            "UPDATE Song SET _version = 2, coverArtKey = '\(App.cover("s", 2))' WHERE id = 's'")
        #expect(try world.app.audit().labels == ["orphan/superseded/settled"])
    }

    @Test("One reference in a record and its copy is found once and nulled in the record alone")
    func nulledAtTheAuthority() throws {
        let world = try world()
        try world.app.healthy()
        try song(world.app.database, "s", cover: App.cover("s"), version: 1)
        try song(world.phone, "s", cover: App.cover("s"), version: 1)
        try song(world.app.database, "t", cover: nil, version: 1)
        try song(world.phone, "t", cover: App.cover("t"), version: 2)
        let found = try world.app.audit()
        #expect(found.labels == ["dangling/missing/settled", "dangling/missing/settled"])
        let own = try found.about(App.songKey("s"))
        #expect(own.json["record"]["source"].string == "app" && own.action == "nullify")
        let copy = try found.about(App.songKey("t"))
        #expect(copy.json["record"]["source"].string == "phone" && copy.action == "keep")
        #expect(copy.evidence.contains("a copy of app; it is repaired there"))
        let plan = try world.app.plan()
        #expect(plan.plan["steps"].elements.count == 1)
        try world.app.expect(0, "repair", plan.path, "--apply")
        #expect(try world.app.cover(of: "s") == nil)
        #expect(
            try world.phone.text("SELECT coverArtKey FROM Song WHERE id = 't'")
                == App.cover("t"))
    }

    @Test("A file that a record and its copy hold is shared by nobody")
    func shared() throws {
        let world = try world()
        for database in [world.app.database, world.phone] {
            try song(database, "s", cover: App.cover("s"), version: 1)
            try song(database, "bad", cover: "/rooted", version: 1)
            try song(database, "empty", cover: App.cover("empty"), version: 1)
        }
        try world.app.put(App.songKey("s"))
        try world.app.put(App.songKey("empty"), "")
        let found = try world.app.audit()
        #expect(found.labels == ["empty-object/settled", "invalid-key/settled"])
        #expect(found.allSatisfy { $0.json["record"]["source"].string == "app" })
    }

    @Test("Without version and change time, any mapped column tells; titles nobody mapped do not")
    func columns() throws {
        let world = try world(
            models: """
                - model: Song
                  identity: ownerIdentity
                  files: [{field: coverArtKey, level: private}]
                """, race: "{preset: testing}")
        for database in [world.app.database, world.phone] {
            try song(database, "s", cover: App.cover("s"), version: 1)
            try song(database, "t", cover: App.cover("s"), version: 1)
        }
        try world.app.put(App.songKey("s"))
        try world.phone.run("UPDATE Song SET title = 'another' WHERE id = 's'")
        try world.phone.run("UPDATE Song SET coverArtKey = NULL WHERE id = 't'")
        let stale = try world.app.audit().filter { $0.kind == "stale-copy" }
        #expect(stale.map(\.recordID) == ["t"])
        #expect(stale.first?.label == "stale-copy/behind/settled")
    }

    @Test("An authority that cannot be read tells of no copy; a gate counts those that are told")
    func incomplete() throws {
        let world = try world(gates: "[\"stale-copy.settled == 0\"]")
        try song(world.app.database, "s", cover: nil, version: 2)
        try song(world.phone, "s", cover: nil, version: 1)
        try world.app.expect(1, "check")
        try world.app.database.run("ALTER TABLE Song RENAME TO Moved")
        try world.app.expect(4, "audit")
        let broken = try #require(try world.app.newest("audit")["id"].string)
        #expect(try !world.app.findings(in: broken).contains { $0.kind == "stale-copy" })
    }
}
