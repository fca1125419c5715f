import Glibc
import Testing

@Suite("Options and exit statuses")
struct OptionTests {
    @Test("The configuration is found by flag, by MOORING_CONFIG and in the folder, in this order")
    func configuration() throws {
        let app = try App()
        try app.healthy()
        try app.rename("mooring.yaml", to: "other.yaml")
        let none = try app.mooring("audit")
        #expect(none.status == 78)
        #expect(none.errors.contains("mooring init"))
        try app.expect(0, "audit", "--config", "other.yaml")
        let named = try app.mooring("audit", environment: ["MOORING_CONFIG": "other.yaml"])
        #expect(named.status == 0, "\(named.told)")
        let flag = try app.mooring(
            "audit", "--config", "other.yaml", environment: ["MOORING_CONFIG": "missing.yaml"])
        #expect(flag.status == 0, "\(flag.told)")
        let gone = try app.mooring("audit", environment: ["MOORING_CONFIG": "missing.yaml"])
        #expect(gone.status == 78)
        #expect(gone.errors.contains("missing.yaml"))
    }

    @Test("Paths of a configuration start at its own folder, --output at the working folder")
    func paths() throws {
        let app = try App()
        try app.healthy()
        try app.write("deep/er/keep", "")
        let result = try Program.run(
            ["audit", "--config", "../../mooring.yaml", "--output", "out"],
            in: app.path + "/deep/er")
        #expect(result.status == 0, "\(result.told)")
        #expect(app.exists("mooring.ledger"))
        #expect(app.exists("deep/er/out/latest/report.json"))
        #expect(!app.exists("Reports"))
    }

    @Test("--format chooses the files, --quiet says nothing, and progress stays off in pipes")
    func formatAndQuiet() throws {
        let app = try App()
        try app.healthy()
        let quiet = try app.expect(0, "audit", "--format", "csv", "--quiet")
        #expect(quiet.output == "")
        #expect(quiet.errors == "")
        #expect(app.exists("Reports/Runs/latest/findings.csv"))
        #expect(!app.exists("Reports/Runs/latest/report.json"))
        let loud = try app.expect(0, "audit")
        #expect(loud.errors == "")
        #expect(!loud.output.contains("\u{1B}"))
        let colored = try app.expect(0, "audit", "--color", "always")
        #expect(colored.output.contains("\u{1B}["))
    }

    @Test("--as-of judges at another time, proves nothing, and is refused by what acts")
    func asOf() throws {
        let app = try App()
        try app.healthy()
        try app.song("s1", cover: nil, age: Age.young)
        try app.put(App.songKey("s1"), age: Age.young)
        #expect(try app.audit()[0].verdict == "explained")
        try app.expect(0, "audit", "--as-of", "2099-01-01T00:00:00Z")
        #expect(try app.findings()[0].verdict == "settled")
        let plan = try app.expect(3, "plan")
        #expect(plan.errors.contains("judged as of"))
        for command in [
            ["plan"], ["repair", "x"], ["repair", "x", "--apply"], ["run"], ["sweep"],
            ["undo", "latest"],
        ] {
            let result = try Program.run(
                command + ["--as-of", "2099-01-01T00:00:00Z"], in: app.path)
            #expect(result.status == 64, "\(command): \(result.told)")
            #expect(result.errors.contains("--as-of"))
        }
        #expect(app.exists("files/" + App.songKey("s1")))
        try app.expect(64, "audit", "--as-of", "yesterday")
    }

    @Test("check ends with 1 when a gate fails, names it, and with 0 when all pass")
    func gates() throws {
        var settings = App.Settings()
        settings.extra = "gates: [\"orphan.settled == 0\", \"new.dangling == 0\"]"
        let app = try App(settings)
        try app.healthy()
        #expect(try app.expect(0, "check").output.contains("gate passed: orphan.settled == 0"))
        try app.orphan()
        let failed = try app.expect(1, "check")
        #expect(failed.output.contains("gate FAILED: orphan.settled == 0 (is 1)"))
        try app.dangling()
        #expect(try app.expect(1, "check").output.contains("FAILED: new.dangling == 0 (is 1)"))
        #expect(try app.expect(1, "check").output.contains("passed: new.dangling == 0 (is 0)"))
    }

    @Test("2 is an error, and 4 comes before 1: an incomplete check is incomplete")
    func errorAndIncomplete() throws {
        var settings = App.Settings()
        settings.extra = "gates: [\"dangling.settled == 7\"]"
        let app = try App(settings)
        try app.healthy()
        try app.write("mooring.ledger", "this is no database, but long enough to be looked at")
        let error = try app.expect(2, "audit")
        #expect(error.errors.contains("mooring.ledger"))
        app.remove("mooring.ledger")
        try app.expect(1, "check")
        try app.rename("app.sqlite", to: "gone.sqlite")
        try app.expect(4, "check")
    }

    @Test("Wrong usage ends with 64")
    func usage() throws {
        let app = try App()
        for words in [
            ["audits"], ["audit", "--no-such"], ["repair"], ["audit", "--format", "pdf"],
            ["plan", "--accept", "nothing=1%"], ["plan", "--accept", "steps=many"],
            ["audit", "--memory", "1"], ["audit", "--color", "blue"],
        ] {
            let result = try Program.run(words, in: app.path)
            #expect(result.status == 64, "\(words): \(result.told)")
            #expect(result.output == "", "\(words)")
        }
    }

    @Test("Wrong configuration ends with 78, and names file, line, key and the nearest known one")
    func wrongConfiguration() throws {
        let app = try App()
        try app.write(
            "mooring.yaml", try #require(app.read("mooring.yaml")) + "\nlimts: {steps: 1}\n")
        let result = try app.expect(78, "audit")
        #expect(result.errors.contains("mooring.yaml:"))
        #expect(result.errors.contains("limts"))
        #expect(result.errors.contains("limits"))
        #expect(!app.exists("mooring.ledger"))
    }

    @Test("A second run leaves with 6 while another holds the lock, and a dead one leaves none")
    func lock() throws {
        let app = try App()
        try app.healthy()
        try app.audit()
        let file = open(app.path + "/mooring.ledger.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        try #require(flock(file, LOCK_EX | LOCK_NB) == 0)
        for words in [["audit"], ["check"], ["run"], ["plan"], ["sweep"]] {
            let result = try Program.run(words, in: app.path)
            #expect(result.status == 6, "\(words): \(result.told)")
        }
        // What only reads the ledger is not kept out.
        try app.expect(0, "runs")
        try app.expect(0, "findings")
        close(file)
        try app.expect(0, "audit")
    }

    @Test("A ledger of a newer version is refused and left as it was")
    func newerLedger() throws {
        let app = try App()
        try app.healthy()
        try app.audit()
        try Database(app.path + "/mooring.ledger", mode: nil).run(
            "INSERT INTO grdb_migrations VALUES ('999-from-the-future')")
        let result = try app.expect(2, "audit")
        #expect(result.errors.contains("newer"))
        try app.expect(2, "runs")
    }
}
