import Glibc
import Testing

@Suite("Repairs, and taking them back")
struct RepairTests {
    @Test("Quarantine moves an orphan aside with its bytes and times; a second run changes nothing")
    func quarantine() throws {
        let app = try App()
        let key = try app.orphan("s1", "precious")
        let before = try app.database.bytes("SELECT group_concat(quote(coverArtKey)) FROM Song")
        let (path, _) = try app.plan()
        let applied = try app.expect(0, "repair", path, "--apply")
        #expect(applied.output.contains("1 done, 0 stale, 0 failed of 1"))
        let run = try #require(try app.newest("repair")["id"].string)
        #expect(applied.output.contains("to take it back: mooring undo \(run) --apply"))
        #expect(!app.exists("files/" + key))
        #expect(app.quarantined() == [key: "precious"])
        let after = try app.database.bytes("SELECT group_concat(quote(coverArtKey)) FROM Song")
        #expect(after == before)
        let again = try app.expect(0, "repair", path, "--apply")
        #expect(again.output.contains("0 done, 0 stale, 0 failed of 1, 1 done before"))
        #expect(!again.output.contains("to take it back"))
        #expect(try app.newest("repair")["repairs"]["done"].integer == 0)
        #expect(app.quarantined() == [key: "precious"])
        #expect(try app.audit().isEmpty)
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        #expect(try app.openIntents() == 0)
    }

    @Test("Nullify sets a scalar to NULL, and moves version and change time on")
    func nullifyScalar() throws {
        let app = try App()
        try app.healthy()
        try app.dangling("s1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.cover(of: "s1") == nil)
        #expect(try app.cover(of: "healthy") == App.cover("healthy"))
        #expect(try app.database.text("SELECT _version FROM Song WHERE id = 's1'") == "2")
        let changed = try app.database.text("SELECT _lastChangedAt FROM Song WHERE id = 's1'")
        let age = App.milliseconds(ago: 0) - (Int(changed ?? "") ?? 0)
        #expect((-2_000...60_000).contains(age))
        #expect(try app.database.text("SELECT title FROM Song WHERE id = 's1'") == "A title")
        #expect(try app.audit().isEmpty)
    }

    @Test("Nullify takes one element out of a list and leaves the rest byte for byte")
    func nullifyElement() throws {
        let app = try App()
        try app.healthy()
        let list = "[ \"keep1\" ,\t\"gone\",null,  \"ke\\u0065p2\",\"gone\" , \"ünï\"]"
        try app.album("a1", list)
        for key in ["keep1", "keep2", "ünï"] { try app.put("public/" + key) }
        #expect(try app.audit().labels == ["dangling/missing/settled", "invalid-key/settled"])
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let left = try #require(try app.database.text("SELECT imageKeys FROM Album"))
        #expect(!left.contains("gone"))
        for part in ["\"keep1\"", "null", "\"ke\\u0065p2\"", "\"ünï\""] {
            #expect(left.contains(part), "\(left)")
        }
        let parsed = try JSON(parsing: left).elements.map { $0.string }
        #expect(parsed == ["keep1", nil, "keep2", "ünï"])
        let run = try #require(try app.newest("repair")["id"].string)
        try app.expect(0, "undo", run, "--apply")
        #expect(try app.database.text("SELECT imageKeys FROM Album") == list)
    }

    @Test("Nullify of a complex object and undo give the column back byte for byte")
    func nullifyComplex() throws {
        let app = try App()
        try app.healthy()
        let file = "{ \"bucket\":\"media\", \"key\" : \"posts/p1.txt\",\"region\":\"eu\"}"
        try app.post("p1", file)
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.database.text("SELECT file FROM Post") == nil)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.database.text("SELECT file FROM Post") == file)
    }

    @Test("Undo gives every file and every value back as it was, and once only")
    func undo() throws {
        let app = try App()
        try app.orphan("s1", "one")
        try app.orphan("s2", "two")
        try app.dangling("d1")
        try app.album("a1", "[\"gone\"]")
        let files = app.files(below: "files")
        let values = try values(app)
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try values != self.values(app))
        let dry = try app.expect(0, "undo", "latest")
        #expect(dry.output.contains("would undo"))
        #expect(app.files(below: "files") != files)
        let undone = try app.expect(0, "undo", "latest", "--apply")
        #expect(undone.output.contains("4 done"))
        #expect(app.files(below: "files") == files)
        #expect(try self.values(app) == values)
        let again = try app.expect(0, "undo", "latest", "--apply")
        #expect(again.output.contains("taken back before"))
        #expect(app.files(below: "files") == files)
        // The findings are those of before, though a nulled and restored record is young again.
        #expect(try app.audit().count == 4)
    }

    private func values(_ app: App) throws -> String? {
        try app.database.text(
            """
            SELECT (SELECT group_concat(quote(coverArtKey)) FROM Song)
                || (SELECT group_concat(quote(imageKeys)) FROM Album)
            """)
    }

    @Test("undo --step takes one step back")
    func undoStep() throws {
        let app = try App()
        let one = try app.orphan("s1", "one")
        let two = try app.orphan("s2", "two")
        let (path, plan) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        let step = try #require(
            plan["steps"].elements.first { $0["key"].string == one }?["id"].string)
        try app.expect(0, "undo", "latest", "--step", step, "--apply")
        #expect(app.read("files/" + one) == "one")
        #expect(!app.exists("files/" + two))
        try app.expect(2, "undo", "latest", "--step", "no-such-step", "--apply")
    }

    @Test("Undo never replaces what was put in the place since")
    func undoIntoTakenPlace() throws {
        let app = try App()
        let key = try app.orphan("s1", "old")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.put(key, "new", age: 0)
        let result = try app.expect(5, "undo", "latest", "--apply")
        #expect(result.output.contains("stale"))
        #expect(app.read("files/" + key) == "new")
        #expect(app.quarantined() == [key: "old"])
    }

    @Test("Undo leaves a value that somebody wrote since")
    func undoOverWrittenValue() throws {
        let app = try App()
        try app.healthy()
        try app.dangling("d1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.database.run("UPDATE Song SET coverArtKey = 'mine', _version = 9 WHERE id = 'd1'")
        try app.expect(5, "undo", "latest", "--apply")
        #expect(try app.cover(of: "d1") == "mine")
    }

    @Test("Delete needs relink: never, a settled owner and two runs, and then removes for good")
    func delete() throws {
        var settings = App.Settings()
        settings.race = "{preset: testing, relink: never}"
        settings.repair = "{orphan: delete}"
        let app = try App(settings)
        let key = try app.orphan("s1")
        #expect(try app.audit().about(key).proof == "second sighting")
        let second = try app.audit().about(key)
        #expect(second.action == "delete")
        #expect(second.proof == nil)
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(!app.exists("files/" + key))
        #expect(app.quarantined().isEmpty)
        let undo = try app.expect(5, "undo", "latest", "--apply")
        #expect(undo.output.contains("cannot be brought back"))

        var possible = settings
        possible.race = "{preset: testing}"
        let other = try App(possible)
        let kept = try other.orphan("s1")
        try other.audit()
        #expect(try other.audit().about(kept).proof == "relink: never")
        #expect(try other.expect(3, "plan").errors.contains("relink"))
    }

    @Test("Requery reads both sides again, tells, and writes nothing")
    func requery() throws {
        var settings = App.Settings()
        settings.repair = "{orphan: requery, dangling: requery}"
        let app = try App(settings)
        let key = try app.orphan("s1")
        try app.dangling("d1")
        try app.dangling("d2")
        let (path, _) = try app.plan()
        try app.put(App.songKey("d2"), age: 0)
        let files = app.files(below: "files")
        let result = try app.expect(0, "repair", path, "--apply")
        #expect(result.output.components(of: "confirmed") == 2)
        #expect(result.output.components(of: "healed") == 1)
        #expect(app.files(below: "files") == files)
        #expect(app.exists("files/" + key))
        #expect(try app.cover(of: "d1") != nil)
    }

    @Test("run acts only where the policy says apply: true; twice, the second finds nothing")
    func run() throws {
        let app = try App()
        let key = try app.orphan("s1")
        try app.dangling("d1")
        let dry = try app.expect(0, "run")
        #expect(dry.output.contains("repair.apply is false"))
        #expect(app.exists("files/" + key))
        var settings = App.Settings()
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        try app.configure(settings)
        let wet = try app.expect(0, "run")
        #expect(wet.output.contains("2 done"))
        #expect(app.quarantined().keys.sorted() == [key])
        #expect(try app.cover(of: "d1") == nil)
        #expect(try app.report()["repairs"]["done"].integer == 2)
        let again = try app.expect(0, "run")
        #expect(again.output.contains("0 done"))
        try app.expect(0, "undo", try #require(try app.runs()[1]["id"].string), "--apply")
        #expect(app.exists("files/" + key))
    }

    @Test("run gives a referenced object back even when a guard refuses its plan")
    func watchBeforePlan() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        let app = try App(settings)
        let key = try app.orphan("s1", "wanted")
        try app.expect(0, "run")
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        for number in 2..<6 { try app.orphan("s\(number)") }
        settings.limits = "{orphanShare: 1%}"
        try app.configure(settings)
        let refused = try app.expect(3, "run")
        #expect(refused.errors.contains("orphanShare"))
        #expect(app.read("files/" + key) == "wanted")
        #expect(app.exists("files/" + App.songKey("s2")))
    }
}

extension String {
    /// How often a text stands in this one.
    func components(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
