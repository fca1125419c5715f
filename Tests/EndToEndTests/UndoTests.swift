import Glibc
import Testing

@Suite("Undo after other runs and after crashes")
struct UndoTests {
    @Test("`latest` is the last run that repaired something, not one that had nothing to do")
    func latest() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true, orphan: quarantine}"
        let app = try App(settings)
        let key = try app.orphan("s1", "precious")
        try app.expect(0, "run")
        try app.expect(0, "run")
        try app.expect(0, "sweep")
        #expect(!app.exists("files/" + key))
        #expect(try app.expect(0, "undo", "latest", "--apply").output.contains("1 done"))
        #expect(app.read("files/" + key) == "precious")
    }

    @Test("What others wrote beside the field is no reason to keep its value from it")
    func busyRecord() throws {
        let app = try App()
        try app.dangling("d1")
        try app.dangling("d2")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        // As at each login; and somebody chose another cover.
        try app.database.run(
            """
            UPDATE Song SET title = 'new', _version = _version + 3,
                _lastChangedAt = _lastChangedAt + 60000;
            UPDATE Song SET coverArtKey = 'chosen' WHERE id = 'd2'
            """)
        let result = try app.expect(5, "undo", "latest", "--apply")
        #expect(result.output.contains("the field holds another value now"))
        #expect(try app.cover(of: "d1") == App.cover("d1"))
        #expect(try app.cover(of: "d2") == "chosen")
        let row = try app.database.rows("SELECT title, _version FROM Song WHERE id = 'd1'").first
        #expect(row?[0] == "new")
    }

    @Test("The repairs of a run whose report was pruned are taken back as any other's")
    func pruned() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true, dangling: nullify}"
        settings.report = "{directory: Reports/Runs, formats: [json, text], keep: 1s}"
        let app = try App(settings)
        try app.dangling("d1")
        try app.expect(0, "run")
        let name = try #require(try app.newest("run")["id"].string)
        #expect(try app.cover(of: "d1") == nil)
        for _ in 0..<2 {
            usleep(1_200_000)
            try app.expect(0, "run")
        }
        #expect(try app.runs().allSatisfy { $0["id"].string != name })
        #expect(try app.expect(0, "undo", name).output.contains("would undo"))
        try app.expect(0, "undo", String(name.prefix(19)), "--apply")
        #expect(try app.cover(of: "d1") == App.cover("d1"))
    }

    @Test("A repair that was cut off before its outcome was written is taken back too")
    func openIntent() throws {
        let app = try App()
        let keys = try ["s1", "s2"].map { try app.orphan($0, $0) }
        try app.dangling("d1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let run = try #require(try app.newest("repair")["id"].string)
        // As a crash leaves it: everything is done, and the journal does not know.
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        try ledger.run("DROP TRIGGER journalKeepsOutcomes")
        try ledger.run("UPDATE journal SET outcome = NULL, reason = NULL, endedAt = NULL")
        let result = try app.expect(0, "undo", run, "--apply")
        #expect(result.output.contains("resumed: done"))
        #expect(result.output.contains("3 done"))
        for (key, content) in zip(keys, ["s1", "s2"]) {
            #expect(app.read("files/" + key) == content)
        }
        #expect(try app.cover(of: "d1") == App.cover("d1"))
        #expect(try app.openIntents() == 0)
    }

    @Test("After a crash, an object that a record references by now is given back at once")
    func openIntentReferenced() throws {
        let app = try App()
        let wanted = try app.orphan("s1", "wanted")
        let orphan = try app.orphan("s2", "orphan")
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        try ledger.run("DROP TRIGGER journalKeepsOutcomes")
        try ledger.run("UPDATE journal SET outcome = NULL, reason = NULL, endedAt = NULL")
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.output.contains("resumed: put-back"))
        #expect(result.output.contains("resumed: done"))
        #expect(app.read("files/" + wanted) == "wanted")
        #expect(app.quarantined() == [orphan: "orphan"])
    }
}
