import Glibc
import Testing

/// INTERFACE §1 and §4, held from outside.
@Suite("The contract of commands and formats")
struct ContractTests {
    @Test("An audit writes the report's four files, and `latest` points to it")
    func reportFolder() throws {
        let app = try App()
        try app.orphan()
        try app.dangling()
        try app.expect(0, "audit", "--format", "json,html,text,csv")
        let report = try app.report()
        let id = try #require(report["run"]["id"].string)
        #expect(id.wholeMatch(of: /\d{8}T\d{6}Z-[0-9a-z]{6}/) != nil)
        #expect(app.exists("Reports/Runs/\(id)/report.json"))
        for name in ["findings.jsonl", "report.html", "report.txt", "findings.csv"] {
            #expect(app.exists("Reports/Runs/latest/\(name)"), "\(name)")
        }
        let text = try #require(app.read("Reports/Runs/latest/report.txt"))
        #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
        let page = try #require(app.read("Reports/Runs/latest/report.html"))
        #expect(!page.contains("src=\"http") && !page.contains("href=\"http"))
        try app.expect(0, "audit")
        #expect(try app.report()["run"]["id"].string != id)
        #expect(app.exists("Reports/Runs/\(id)/report.json"))
    }

    @Test("report.json has the members of its schema")
    func reportShape() throws {
        let app = try App()
        try app.orphan("s1", "seventeen bytes..")
        try app.dangling()
        try app.audit()
        let report = try app.report()
        #expect(report["schema"].string == "mooring.report/1")
        #expect(report["run"]["command"].string == "audit")
        #expect(report["run"]["status"].string == "complete")
        for name in ["version", "startedAt", "finishedAt"] {
            #expect(report["run"][name].string != nil, "\(name)")
        }
        let records = report["records"][0]
        #expect(records["name"].string == "app")
        #expect(records["kind"].string == "sqlite")
        #expect(records["records"].integer == 2)
        #expect(records["references"].integer == 2)
        #expect(records["complete"].bool == true)
        #expect(records["consistency"].string == "snapshot")
        #expect(records["window"]["from"].string?.hasSuffix("Z") == true)
        #expect(records["requests"].integer != nil)
        let bucket = report["buckets"][0]
        #expect(bucket["name"].string == "media")
        #expect(bucket["kind"].string == "directory")
        #expect(bucket["objects"].integer == 2)
        #expect(bucket["complete"].bool == true)
        #expect(report["counts"]["orphan"]["settled"].integer == 1)
        #expect(report["counts"]["orphan"]["bytes"].integer == 17)
        #expect(report["counts"]["dangling"]["settled"].integer == 1)
        let guards = report["guards"].elements.compactMap { $0["name"].string }
        for name in ["orphanShare", "steps", "bytes", "referenceDrop"] {
            #expect(guards.contains(name), "\(name)")
        }
        #expect(report["repairs"]["done"].integer == 0)
        #expect(report["repairs"]["failed"].integer == 0)
    }

    @Test("plan.json has the members of its schema, and a dry run changes nothing")
    func planShape() throws {
        let app = try App()
        let key = try app.orphan()
        try app.dangling()
        let (path, plan) = try app.plan()
        #expect(plan["schema"].string == "mooring.plan/1")
        for name in ["id", "run", "configuration", "createdAt", "expiresAt"] {
            #expect(plan[name].string?.isEmpty == false, "\(name)")
        }
        #expect(plan["accepted"].names == [])
        #expect(plan["steps"].elements.count == 2)
        for step in plan["steps"].elements {
            for name in ["id", "hash", "strategy", "finding", "bucket", "key"] {
                #expect(step[name].string?.isEmpty == false, "\(name)")
            }
            #expect(!step["precondition"].isNull)
        }
        let dry = try app.expect(0, "repair", path)
        #expect(dry.output.contains("would quarantine"))
        #expect(dry.output.contains("would nullify"))
        #expect(app.exists("files/" + key))
        #expect(try app.cover(of: "dangling") != nil)
        let named = try app.expect(0, "repair", plan["id"].string ?? "", "--json").json()
        #expect(named["applied"].bool == false)
        #expect(named["steps"].elements.count == 2)
    }

    @Test("--json prints one document and nothing else, for every command")
    func oneDocument() throws {
        let app = try App()
        let key = try app.orphan()
        try app.dangling()
        let audit = try app.expect(0, "audit", "--json").json()
        #expect(audit["schema"].string == "mooring.report/1")
        #expect(try app.expect(0, "check", "--json").json()["run"]["command"].string == "check")
        #expect(try app.expect(0, "doctor", "--json").json()["checks"].elements.count > 3)
        #expect(try app.expect(0, "findings", "--json").json()["findings"].elements.count == 2)
        #expect(try app.expect(0, "explain", key, "--json").json()["subject"].string == key)
        let plan = try app.expect(0, "plan", "--json").json()
        #expect(plan["steps"].elements.count == 2)
        let id = try #require(plan["id"].string)
        let applied = try app.expect(0, "repair", id, "--apply", "--json").json()
        #expect(applied["applied"].bool == true)
        #expect(applied["steps"].elements.map { $0["outcome"].string } == ["done", "done"])
        #expect(applied["repairs"]["done"].integer == 2)
        #expect(try app.expect(0, "sweep", "--json").json()["applied"].bool == false)
        #expect(try app.expect(0, "sweep", "--apply", "--json").json()["applied"].bool == true)
        let undo = try app.expect(0, "undo", "latest", "--json").json()
        #expect(undo["applied"].bool == false)
        let run = try #require(try app.newest("repair")["id"].string)
        #expect(
            try app.expect(0, "undo", run, "--apply", "--json").json()["repairs"]["done"].integer
                == 2)
        #expect(try app.expect(0, "run", "--json").json()["applied"].bool == false)
        #expect(try app.expect(0, "report", "latest", "--json").json()["run"]["id"].string != nil)
        _ = try Program.run(["demo", "made", "--json"], in: app.path).json()
    }

    @Test("run --json says whether it changed anything, what by, and under which plan")
    func nightlyDocument() throws {
        for applies in [false, true] {
            var settings = App.Settings()
            settings.repair = "{apply: \(applies), orphan: quarantine, dangling: nullify}"
            let app = try App(settings)
            let key = try app.orphan()
            try app.dangling()
            let run = try app.expect(0, "run", "--json").json()
            #expect(run["applied"].bool == applies)
            let steps = run["steps"].elements
            #expect(steps.compactMap { $0["strategy"].string } == ["nullify", "quarantine"])
            #expect(steps.compactMap { $0["outcome"].string } == (applies ? ["done", "done"] : []))
            #expect(run["plan"].string?.hasPrefix("plan-") == true)
            #expect(run["repairs"]["done"].integer == (applies ? 2 : 0))
            #expect(app.exists("files/" + key) != applies)
        }
    }

    @Test("runs --json lists the runs, newest first, with counts and repairs")
    func runs() throws {
        let app = try App()
        try app.orphan()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.expect(0, "audit")
        let runs = try app.runs()
        #expect(runs.compactMap { $0["command"].string } == ["audit", "repair", "audit"])
        let ids = runs.compactMap { $0["id"].string }
        #expect(ids == ids.sorted(by: >))
        #expect(runs.allSatisfy { $0["status"].string == "complete" })
        #expect(runs.allSatisfy { $0["startedAt"].string != nil && $0["finishedAt"].string != nil })
        #expect(runs[1]["repairs"]["done"].integer == 1)
        #expect(runs[2]["counts"]["orphan"]["settled"].integer == 1)
        #expect(runs[0]["counts"]["orphan"].isNull)
        let text = try app.expect(0, "runs").output
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test("findings filters by kind, verdict and prefix")
    func filters() throws {
        let app = try App()
        let key = try app.orphan()
        try app.dangling()
        try app.put("elsewhere.txt", age: Age.young)
        try app.audit()
        func keys(_ arguments: String...) throws -> [String] {
            let words = ["findings", "--json"] + arguments
            let document = try Program.run(words, in: app.path).json()
            return document["findings"].elements.compactMap { $0["key"].string }
        }
        #expect(try keys().count == 3)
        #expect(try keys("--kind", "orphan") == ["elsewhere.txt", key])
        #expect(try keys("--kind", "orphan", "--verdict", "settled") == [key])
        #expect(try keys("--prefix", "elsewhere") == ["elsewhere.txt"])
        #expect(try keys("--kind", "dangling", "--kind", "orphan").count == 3)
        #expect(try keys("--cause", "unattributed") == ["elsewhere.txt"])
        #expect(try keys("--model", "Song").count == 2)
        #expect(try keys("--model", "Album") == [])
        #expect(try keys("--since", "1h").count == 3)
        #expect(try keys("--since", "2200-01-01T00:00:00Z") == [])
        #expect(try keys("--limit", "1", "--kind", "orphan") == ["elsewhere.txt"])
        let told = try app.expect(0, "findings", "--limit", "1", "--kind", "orphan").output
        #expect(told.contains("    elsewhere.txt\n") && !told.contains(key))
        #expect(told.contains("1 of 2 findings in run "))
        for wrong in [
            ["--kind", "orphans"], ["--cause", "lost"], ["--since", "yesterday"],
            ["--limit", "-1"],
        ] {
            try app.expect(64, "findings", wrong[0], wrong[1])
        }
    }

    @Test("runs lists a run on a line for programs, and filters by command, status and number")
    func someRuns() throws {
        let app = try App()
        try app.orphan()
        try app.audit()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        func lines(_ options: String...) throws -> [Substring] {
            try Program.run(["runs"] + options, in: app.path).output.split(separator: "\n")
        }
        #expect(try lines().count == 3)
        #expect(try lines("--command", "repair").count == 1)
        #expect(try lines("--command", "repair")[0].hasSuffix("    1 done"))
        #expect(try lines("--limit", "2").count == 2)
        #expect(try lines("--status", "complete").count == 3)
        #expect(try lines("--status", "failed").isEmpty)
        try app.expect(64, "runs", "--status", "well")
        try app.expect(64, "runs", "--command", "nope")
    }

    @Test("A night without news says nothing with --quiet, and one with news what they are")
    func news() throws {
        let app = try App()
        #expect(try app.expect(0, "audit", "--quiet").output.isEmpty)
        let key = try app.orphan()
        let told = try app.expect(0, "audit", "--quiet").output
        #expect(told.hasPrefix("OK: every reference has its object; 1 orphan (1 new), "))
        #expect(told.contains("  orphan: 1 new, 0 gone\n"))
        #expect(try app.expect(0, "run", "--quiet").output.isEmpty)
        #expect(try app.expect(0, "audit", "--quiet").output.isEmpty)
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        let run = try #require(try app.runs().first?["id"].string)
        let nightly = try #require(try app.newest("run")["id"].string)
        #expect(try app.report(nightly)["waiting"][0]["reason"].string == "ready")
        let done = try app.report(run)["done"].elements
        #expect(done.map { $0["key"].string } == [key])
        #expect(done.first?["strategy"].string == "quarantine")
        #expect(done.first?["outcome"].string == "done")
        #expect(done.first?["canBeUndone"].bool == true)
    }

    @Test("explain tells of an object and of a record, and of what was done to them")
    func explain() throws {
        let app = try App()
        let key = try app.orphan("s1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let object = try app.expect(0, "explain", key).output
        #expect(object.contains("\n  the latest finding about it:\n"))
        #expect(object.contains("superseded"))
        #expect(object.contains("quarantine, done"))
        let healthy = try app.expect(0, "explain", App.songKey("s1", 2)).output
        #expect(healthy.contains("referenced by"))
        let record = try app.expect(0, "explain", "Song/s1").output
        #expect(record.contains("Song/s1"))
        #expect(healthy.contains("\n  no run found anything about it\n"))
        try app.expect(2, "explain", "no/such/key")
    }

    @Test(
        "explain says that it has not read what is mapped and not there",
        arguments: [
            "DROP TABLE Song", "ALTER TABLE Song DROP COLUMN coverArtKey", "DELETE FROM Song",
        ])
    func explainOfLess(change: String) throws {
        let app = try App()
        try app.healthy("s1")
        try app.expect(0, "audit")
        let key = App.songKey("s1", 1)
        let told = "no mapped field references it"
        #expect(try !app.expect(0, "explain", key).output.contains(told))
        try app.database.run(change)
        // An empty table is read whole.
        let isWhole = change.hasPrefix("DELETE")
        let output = try app.expect(isWhole ? 0 : 4, "explain", key).output
        #expect(output.contains(told), "\(output)")
        #expect(output.contains("as far as was read") != isWhole, "\(output)")
    }

    @Test("doctor passes on a healthy app, probes, and fails on a broken one")
    func doctor() throws {
        let app = try App()
        try app.healthy()
        let table = try app.expect(0, "doctor").output
        #expect(table.contains("records app"))
        #expect(table.contains("bucket media"))
        #expect(table.contains("mooring.ledger is not there yet; mooring audit makes it"))
        #expect(app.files(below: "files").count == 1)
        #expect(!app.exists("mooring.ledger"))
        let probe = try app.expect(0, "doctor", "--probe").output
        #expect(probe.contains(/clock of media: .* away, the bound is \d/), "\(probe)")
        #expect(app.files(below: "files").count == 1)
        try app.rename("app.sqlite", to: "moved.sqlite")
        #expect(try app.expect(2, "doctor").output.contains("FAILED"))
        #expect(!app.exists("app.sqlite"))
    }

    @Test("report renders a run again, in any format and folder")
    func report() throws {
        let app = try App()
        try app.orphan()
        let first = try app.audit()
        let id = try #require(try app.report()["run"]["id"].string)
        try app.expect(0, "audit")
        try app.expect(0, "report", id, "--format", "csv,json", "--output", "again")
        #expect(app.exists("again/\(id)/findings.csv"))
        let again = try #require(app.read("again/\(id)/findings.jsonl"))
        #expect(again.split(separator: "\n").count == first.count)
        #expect(again == app.read("Reports/Runs/\(id)/findings.jsonl"))
        try app.expect(2, "report", "20010101T000000Z-aaaaaa")
    }
}
