import Glibc
import Testing

@Suite("A ledger rebuilt from the buckets")
struct RebuildTests {
    private func app(_ repair: String = "{orphan: quarantine}") throws -> App {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.repair = repair
        return try App(settings)
    }

    private func lose(_ app: App) {
        for suffix in ["", "-wal", "-shm", ".lock"] { app.remove("mooring.ledger" + suffix) }
    }

    private func count(_ table: String, _ app: App) throws -> String? {
        try Database(app.path + "/mooring.ledger", mode: nil)
            .text("SELECT count(*) FROM \(table)")
    }

    @Test("Undo gives everything back byte for byte without the ledger that took it away")
    func undo() throws {
        let app = try app()
        try app.healthy()
        let hostile = "private/\(App.identity)/h-\n\u{1B}[31m,\"<b>é"
        let keys = try ["s1", "s2"].map { try app.orphan($0, "content of \($0)") }
        try app.put(hostile, "hostile")
        let before = app.files(below: "files")
        try app.expect(0, "audit")
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        #expect(app.quarantined().count == 3)
        let run = try #require(try app.newest("repair")["id"].string)
        lose(app)
        let dry = app.files(below: "files")
        let rebuilt = try app.expect(0, "ledger", "rebuild", "--json").json()
        #expect(app.files(below: "files") == dry)
        #expect(rebuilt["rebuilt"].integer == 3 && rebuilt["known"].integer == 0)
        #expect(rebuilt["runs"][0]["id"].string == run)
        let row = try app.newest("repair")
        #expect(row["id"].string == run && row["status"].string == "complete")
        #expect(row["repairs"]["done"].integer == 3)
        let story = try app.expect(0, "explain", keys[0])
        let told = "done: rebuilt from the buckets [run \(run), step "
        #expect(story.output.contains(told), "\(story.output)")
        #expect(try app.expect(0, "explain", "Song/s1").output.contains(told))
        let again = try app.expect(0, "ledger", "rebuild")
        #expect(again.output.contains("3 objects in quarantine: 0 rebuilt, 3 known before"))
        #expect(try count("journal", app) == "3")
        #expect(try count("run", app) == "1")
        #expect(try app.expect(0, "undo", run, "--apply").output.contains("3 done"))
        #expect(app.files(below: "files") == before)
        #expect(try app.expect(0, "undo", run, "--apply").output.contains("taken back before"))
    }

    @Test("Sweep removes after the retention, counted from the run that took it away")
    func sweep() throws {
        let app = try app("{orphan: quarantine, retention: 30d}")
        try app.healthy()
        let key = try app.orphan("s1", "old")
        let young = try app.orphan("s2", "young")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        // One of them was taken away some weeks ago.
        let run = try #require(try app.newest("repair")["id"].string)
        let quarantine = "files/.mooring/quarantine/"
        let folder = String(key.split(separator: "/").dropLast().joined(separator: "/"))
        try #require(
            Folder.command(["mkdir", "-p", app.path + "/\(quarantine)\(Self.old)/\(folder)"]) == 0)
        try app.rename("\(quarantine)\(run)/\(key)", to: "\(quarantine)\(Self.old)/\(key)")
        lose(app)
        try app.expect(0, "ledger", "rebuild")
        #expect(try app.runs().compactMap { $0["id"].string } == [run, Self.old])
        let early = try app.expect(0, "sweep", "--apply")
        #expect(early.output.contains("2 complete runs"))
        try app.audit()
        try app.audit()
        let swept = try app.expect(0, "sweep", "--apply")
        #expect(swept.output.contains("1 done") && swept.output.contains("retention until"))
        #expect(app.quarantined() == [young: "young"])
    }

    private static let old = "20260101T020000Z-000000"

    @Test("A run gives back what a record references by now")
    func restore() throws {
        let app = try app("{orphan: quarantine, apply: true}")
        try app.healthy()
        let key = try app.orphan("s1", "wanted")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        lose(app)
        try app.expect(0, "ledger", "rebuild")
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        try app.expect(0, "run")
        #expect(app.read("files/" + key) == "wanted")
        #expect(try app.expect(0, "ledger", "rebuild").output.contains("0 rebuilt"))
    }

    @Test("Objects that came into a known run's quarantine are added to it")
    func knownRun() throws {
        let app = try app()
        try app.healthy()
        let key = try app.orphan("s1", "one")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let run = try #require(try app.newest("repair")["id"].string)
        try app.write("files/.mooring/quarantine/\(run)/public/two", "two")
        let result = try app.expect(0, "ledger", "rebuild")
        #expect(result.output.contains("completed  \(run)  1 object"))
        #expect(try app.expect(0, "undo", run, "--apply").output.contains("2 done"))
        #expect(app.read("files/" + key) == "one" && app.read("files/public/two") == "two")
    }

    @Test("No quarantine is an empty one, and a dry look: no folder is made")
    func nothing() throws {
        let app = try app()
        try app.healthy()
        #expect(try app.expect(0, "ledger", "rebuild").output.contains("0 objects in quarantine"))
        #expect(!app.exists("files/.mooring"))
        #expect(try app.expect(0, "runs").output == "")
    }

    @Test("What is no run's lies there unharmed and is named once; a hidden part writes nothing")
    func hostile() throws {
        let app = try app()
        try app.healthy()
        try app.orphan("s1", "one")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let quarantine = "files/.mooring/quarantine/"
        for name in ["../../../etc\u{1B}[2J", "99999999T999999Z-000000", "no\nrun", "lease"] {
            let safe = name.replacing("/", with: "_")
            try app.write("\(quarantine)\(safe)/a", "a")
            try app.write("\(quarantine)\(safe)/b", "b")
        }
        try app.write(quarantine + "file", "file")
        let before = app.files(below: "files")
        lose(app)
        let result = try app.expect(0, "ledger", "rebuild")
        #expect(app.files(below: "files") == before)
        #expect(result.output.contains("1 object in quarantine: 1 rebuilt"))
        let named = result.output.split(separator: "\n").filter { $0.contains("left alone") }
        #expect(named.count == 5, "\(result.output)")
        #expect(result.output.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        // Another file system or a cycle would hide objects; here it is a run that cannot be read.
        lose(app)
        app.remove("files/.mooring/quarantine")
        try app.write("files/.mooring/quarantine", "a file in its place")
        let refused = try app.expect(4, "ledger", "rebuild")
        #expect(refused.errors.contains("nothing was written"))
        #expect(!app.exists("mooring.ledger"))
    }

    @Test("It says who holds a lease, and takes it only with --take-over; a held ledger is 6")
    func leases() throws {
        let app = try app("{orphan: quarantine, apply: true}")
        try app.healthy()
        try app.orphan("s1", "one")
        for number in 0..<200 { try app.orphan("o\(number)") }
        let (path, _) = try app.plan()
        let process = try Program.start(
            ["repair", path, "--apply"], in: app.path, isPaced: true)
        while process.output.split(separator: "\n").count < 5, try process.poll() == nil {
            usleep(1_000)
        }
        try process.stop()
        #expect(try app.expect(6, "ledger", "rebuild").errors.contains("in use by"))
        process.signal(SIGKILL)
        #expect(try process.wait().status == 128 + SIGKILL)
        let left = try #require(app.read("files/.mooring/lease"))
        lose(app)
        let told = try app.expect(0, "ledger", "rebuild")
        #expect(told.output.contains("every change stays refused"))
        #expect(app.read("files/.mooring/lease") == left)
        try app.expect(6, "run")
        let taken = try app.expect(0, "ledger", "rebuild", "--take-over", "--json").json()
        #expect(taken["leases"][0]["taken"].bool == true)
        #expect(taken["rebuilt"].integer == 0)
        #expect(!app.exists("files/.mooring/lease"))
        try app.expect(0, "run")
        #expect(app.quarantined().count == 201)
    }
}
