import Glibc
import Testing

@Suite("Plans, guards and what changed meanwhile")
struct PlanTests {
    // MARK: Edited, expired, of another configuration

    @Test("A plan with a step taken out is carried out without it")
    func stepRemoved() throws {
        let app = try App()
        let one = try app.orphan("s1")
        let two = try app.orphan("s2")
        let (path, plan) = try app.plan()
        let kept = plan["steps"].elements.filter { $0["key"].string == two }
        try app.write(path, try edited(plan) { $0["steps"] = kept.map(\.value) })
        try app.expect(0, "repair", path, "--apply")
        #expect(app.exists("files/" + one))
        #expect(!app.exists("files/" + two))
    }

    @Test("A step that was changed, added, or repeated, and anything else changed, is refused")
    func stepsTamperedWith() throws {
        let app = try App()
        let key = try app.orphan("s1")
        try app.healthy()
        let (path, plan) = try app.plan()
        let step = try #require(plan["steps"][0].value as? [String: Any])
        func with(_ member: String, _ value: Any) -> [String: Any] {
            step.merging([member: value]) { _, new in new }
        }
        var other = try #require(step["precondition"] as? [String: Any])
        other["owners"] = nil
        let changes: [[Any]] = [
            [with("key", App.songKey("healthy"))], [with("strategy", "delete")],
            [with("hash", String(repeating: "0", count: 64))],
            [with("precondition", other)], [step, step],
            [step, with("id", "quarantine-another")],
        ]
        for steps in changes {
            try app.write(path, try edited(plan) { $0["steps"] = steps })
            for words in [["repair", path], ["repair", path, "--apply"]] {
                let result = try Program.run(words, in: app.path)
                #expect(result.status == 3, "\(steps): \(result.told)")
            }
        }
        for (name, value) in [
            ("expiresAt", "2099-01-01T00:00:00Z"), ("run", "20010101T000000Z-aaaaaa"),
            ("id", "plan-20010101T000000Z-aaaaaa"), ("configuration", "0000"),
        ] {
            try app.write(path, try edited(plan) { $0[name] = value })
            try app.expect(3, "repair", path, "--apply")
        }
        try app.write(path, try edited(plan) { $0["accepted"] = ["steps": "9"] })
        try app.expect(3, "repair", path, "--apply")
        #expect(app.exists("files/" + key))
        for broken in ["", "{", "[]", "{\"schema\": \"mooring.plan/2\"}"] {
            try app.write(path, broken)
            #expect(try app.expect(2, "repair", path, "--apply").errors.contains(path))
        }
        try app.expect(2, "repair", "no/such/plan", "--apply")
        #expect(app.exists("files/" + key))
    }

    private func edited(_ plan: JSON, _ edit: (inout [String: Any]) -> Void) throws -> String {
        var members = try #require(plan.value as? [String: Any])
        edit(&members)
        return try JSON(members).text()
    }

    @Test("An expired plan, and one of another configuration, are refused")
    func expiredAndOther() throws {
        var settings = App.Settings()
        let app = try App(settings)
        let key = try app.orphan("s1")
        // A machine with much to do may take longer than that from the audit to the plan.
        for seconds: UInt32 in [1, 10, 60] {
            settings.limits = "{orphanShare: 100%, planExpiry: \(seconds)s}"
            try app.configure(settings)
            try app.expect(0, "audit")
            guard try app.mooring("plan").status == 0 else { continue }
            sleep(seconds + 1)
            break
        }
        let path = "Reports/Runs/latest/plan.json"
        let expired = try app.expect(3, "repair", path, "--apply")
        #expect(expired.errors.contains("expired"))
        settings.limits = "{orphanShare: 99%}"
        try app.configure(settings)
        let other = try app.expect(3, "repair", path, "--apply")
        #expect(other.errors.contains("another configuration"))
        #expect(try app.expect(3, "plan").errors.contains("another configuration"))
        #expect(app.exists("files/" + key))
    }

    @Test("Behind a run of another configuration that shares no store, plan takes its own")
    func configurationsInTurn() throws {
        let app = try App()
        try app.orphan("s1")
        try app.expect(0, "audit")
        let text = try #require(app.read("mooring.yaml"))
            .replacing("name: app", with: "name: cms")
            .replacing("name: media", with: "name: others")
            .replacing("./files", with: "./others")
        try app.write("other.yaml", text)
        try #require(mkdir(app.path + "/others", 0o755) == 0)
        try app.expect(0, "audit", "--config", "other.yaml")
        #expect(try app.expect(0, "plan").output.contains("1 step"))
    }

    @Test("A plan is told with its run and its steps, and one without any says so")
    func told() throws {
        let app = try App()
        try app.healthy()
        try app.expect(0, "audit")
        var run = try app.newest("audit")["id"].string ?? ""
        let nothing = try app.expect(0, "plan").output
        #expect(nothing.hasPrefix("plan of run \(run): 0 steps\n"), "\(nothing)")
        #expect(nothing.hasSuffix("\nnothing to repair\n"))
        try app.orphan("s1")
        try app.expect(0, "audit")
        run = try app.newest("audit")["id"].string ?? ""
        let plan = try app.expect(0, "plan").output
        #expect(plan.hasPrefix("plan of run \(run): 1 step\n"), "\(plan)")
        #expect(!plan.contains("nothing to repair"))
    }

    @Test("A plan that cannot be saved is told with the reason, and the ledger holds it")
    func unsaved() throws {
        let app = try App()
        let key = try app.orphan("s1")
        try app.expect(0, "audit")
        try #require(mkdir(app.path + "/Reports/Runs/latest/plan.json", 0o755) == 0)
        let told = try app.expect(2, "plan").errors
        #expect(
            told.contains(
                "plan.json: could not be written (Is a directory); the ledger holds the plan: "
                    + "mooring repair plan-"), "\(told)")
        let name = try #require(told.split(separator: " ").last).dropLast()
        try app.expect(0, "repair", String(name), "--apply")
        #expect(app.quarantined().keys.sorted() == [key])
    }

    // MARK: Guards

    @Test("orphanShare refuses, names its number and what would accept it; accepting covers it")
    func orphanShare() throws {
        var settings = App.Settings()
        settings.limits = "{}"
        let app = try App(settings)
        let key = try app.orphan("s1")
        for number in 2..<5 { try app.orphan("s\(number)") }
        for number in 0..<32 { try app.healthy("h\(number)") }
        let audit = try app.expect(0, "audit")
        #expect(audit.output.contains("orphanShare"))
        let refused = try app.expect(3, "plan")
        #expect(refused.errors.contains("orphanShare"))
        #expect(refused.errors.contains("10%"))
        #expect(refused.errors.contains("mooring plan --accept orphanShare:media=10%"))
        try app.expect(3, "plan", "--accept", "orphanShare=9.9%")
        try app.expect(3, "plan", "--accept", "steps=100")
        try app.expect(0, "plan", "--accept", "orphanShare=10%")
        let path = "Reports/Runs/latest/plan.json"
        let plan = try JSON(parsing: try #require(app.read(path)))
        #expect(plan["accepted"]["orphanShare"].string == "10%")
        try app.expect(0, "repair", path, "--apply")
        #expect(!app.exists("files/" + key))
    }

    @Test(
        "steps and bytes refuse, and name their numbers",
        arguments: [
            ("{orphanShare: 100%, steps: 1}", "steps", "2", "--accept steps=2"),
            ("{orphanShare: 100%, bytes: 5B}", "bytes", "12", "--accept bytes=12B"),
        ])
    func limits(limits: String, name: String, value: String, hint: String) throws {
        var settings = App.Settings()
        settings.limits = limits
        let app = try App(settings)
        try app.orphan("s1", "sixsix")
        try app.orphan("s2", "sixsix")
        try app.audit()
        let refused = try app.expect(3, "plan")
        #expect(refused.errors.contains(name) && refused.errors.contains(value))
        #expect(refused.errors.contains(hint), "\(refused.errors)")
        let words = hint.split(separator: " ").map(String.init)
        try app.expect(0, "plan", words[0], words[1])
    }

    @Test("A reference set that shrank or vanished refuses removals, not the nulling of others")
    func references() throws {
        let app = try App()
        for number in 0..<20 { try app.healthy("h\(number)") }
        try app.audit()
        try app.database.run("DELETE FROM Song WHERE id LIKE 'h1%'")
        let dropped = try app.plainRefusal()
        #expect(dropped.errors.contains("referenceDrop"))
        #expect(dropped.errors.contains("55%"))
        try app.database.run("DELETE FROM Song")
        let empty = try app.plainRefusal()
        #expect(empty.errors.contains("no references"))
        #expect(app.files(below: "files").count == 20)
    }

    @Test("run and sweep refuse like plan does, and leave everything in its place")
    func runRefuses() throws {
        var settings = App.Settings()
        settings.limits = "{}"
        settings.repair = "{apply: true, orphan: quarantine}"
        let app = try App(settings)
        let key = try app.orphan("s1")
        for number in 2..<5 { try app.orphan("s\(number)") }
        let result = try app.expect(3, "run")
        #expect(result.errors.contains("orphanShare"))
        #expect(app.exists("files/" + key))
        let run = try app.newest("run")
        #expect(run["status"].string == "refused")
        #expect(try app.report(run["id"].string ?? "")["run"]["status"].string == "refused")
    }

    // MARK: What changes between plan and repair

    @Test("A file that changes between plan and repair is stale, and keeps its new content")
    func fileChanges() throws {
        let app = try App()
        let key = try app.orphan("s1", "old")
        let (path, _) = try app.plan()
        try app.put(key, "new")
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.output.contains("another version"))
        #expect(app.read("files/" + key) == "new")
        #expect(app.quarantined().isEmpty)
    }

    @Test("A file that is gone, or that became a folder or a link, is stale")
    func fileBecomesSomethingElse() throws {
        let app = try App()
        let keys = try ["s1", "s2", "s3"].map { try app.orphan($0) }
        let (path, _) = try app.plan()
        app.remove("files/" + keys[0])
        app.remove("files/" + keys[1])
        try app.write("files/" + keys[1] + "/inside", "x")
        app.remove("files/" + keys[2])
        try app.write("secret", "outside")
        try #require(
            symlink(app.path + "/secret", app.path + "/files/" + keys[2]) == 0)
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.output.contains("0 done"))
        #expect(app.read("secret") == "outside")
        #expect(app.read("files/" + keys[1] + "/inside") == "x")
        #expect(app.quarantined().isEmpty)
    }

    @Test("A record that gains the key between plan and repair makes its orphan stale")
    func recordGainsKey() throws {
        let app = try App()
        let key = try app.orphan("s1", "wanted")
        let (path, _) = try app.plan()
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.output.contains("references the object now"))
        #expect(app.read("files/" + key) == "wanted")
        #expect(try app.newest("repair")["repairs"]["stale"].integer == 1)
    }

    @Test("A key that a note takes up between plan and repair, where nobody mapped it, is kept")
    func noteGainsKey() throws {
        let app = try App()
        let (key, other) = (try app.orphan("s1", "wanted"), try app.orphan("s2"))
        let (path, _) = try app.plan()
        try app.database.run(
            "INSERT INTO Note VALUES ('n1', ?)", Array("see https://cdn.app/\(key)".utf8))
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.output.contains("a record holds the key now"))
        #expect(app.read("files/" + key) == "wanted")
        #expect(!app.exists("files/" + other))
    }

    @Test("Records that vanish between plan and repair refuse the repair, and nothing is moved")
    func recordsVanish() throws {
        let app = try App()
        let key = try app.orphan("s1")
        let (path, _) = try app.plan()
        try app.database.run("DELETE FROM Song")
        let result = try app.expect(3, "repair", path, "--apply")
        #expect(result.errors.contains("referenceDrop at app is no references"))
        #expect(app.exists("files/" + key) && app.quarantined().isEmpty)
    }

    @Test("A reference whose file appears, or whose record changes, is stale and keeps its value")
    func referenceHeals() throws {
        let app = try App()
        try app.healthy()
        for id in ["d1", "d2", "d3", "d4"] { try app.dangling(id) }
        let (path, _) = try app.plan()
        try app.put(App.songKey("d1"), age: 0)
        try app.database.run("UPDATE Song SET coverArtKey = 'other' WHERE id = 'd2'")
        try app.database.run("UPDATE Song SET _version = 2 WHERE id = 'd3'")
        try app.database.run("DELETE FROM Song WHERE id = 'd4'")
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.output.contains("0 done, 4 stale"))
        #expect(try app.cover(of: "d1") == App.cover("d1"))
        #expect(try app.cover(of: "d2") == "other")
        #expect(try app.cover(of: "d3") == App.cover("d3"))
        #expect(try app.database.text("SELECT count(*) FROM Song WHERE id = 'd4'") == "0")
    }

    @Test("A database that is locked while a reference is to be nulled fails that step only")
    func lockedWhileRepairing() throws {
        let app = try App()
        let key = try app.orphan("s1")
        try app.dangling("d1")
        let (path, _) = try app.plan()
        try app.database.run("BEGIN IMMEDIATE")
        let result = try app.expect(5, "repair", path, "--apply")
        try app.database.run("ROLLBACK")
        #expect(result.output.contains("1 failed"))
        #expect(try app.cover(of: "d1") != nil)
        #expect(!app.exists("files/" + key))
        // What failed is not settled: the same plan does it now.
        try app.expect(0, "repair", path, "--apply")
        #expect(try app.cover(of: "d1") == nil)
        #expect(try app.openIntents() == 0)
    }

    @Test("A quarantine that is no folder fails the step, and the file stays")
    func quarantinePlaceTaken() throws {
        let app = try App()
        let key = try app.orphan("s1", "stay")
        let (path, _) = try app.plan()
        try app.write("files/.mooring", "a file in the way")
        let result = try app.mooring("repair", path, "--apply")
        #expect(result.status == 5 || result.status == 2, "\(result.told)")
        #expect(result.told.contains(".mooring"))
        #expect(app.read("files/" + key) == "stay")
        #expect(app.read("files/.mooring") == "a file in the way")
    }
}

extension App {
    /// Audits, and wants the plan to be refused.
    func plainRefusal() throws -> Program.Result {
        try audit()
        return try expect(3, "plan")
    }
}
