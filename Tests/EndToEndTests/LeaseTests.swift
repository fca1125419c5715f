import Glibc
import Testing

@Suite("The lease of a bucket")
struct LeaseTests {
    private static let file = "files/.mooring/lease"

    private func lease(
        ledger: String = "6f1c1d2e-0000-4000-8000-000000000000", host: String = "elsewhere",
        path: String = "/var/lib/mooring/other.ledger"
    ) -> String {
        """
        {"schema": "mooring.lease/1", "ledger": "\(ledger)", "host": "\(host)", "path": "\(path)",
         "command": "repair", "run": "20261121T020000Z-000000", "since": "2026-11-21T02:00:00Z"}
        """
    }

    private func app(apply: Bool = false) throws -> App {
        var settings = App.Settings()
        settings.repair = "{orphan: quarantine, dangling: nullify, apply: \(apply)}"
        return try App(settings)
    }

    // A second auditor: the same sources and buckets, another ledger.
    private func addAuditor(_ app: App) throws {
        let text = try #require(app.read("mooring.yaml"))
        try app.write(
            "other.yaml", text.replacing("./mooring.ledger", with: "./other.ledger"))
    }

    private func snapshot(_ app: App) -> [[UInt8]: [UInt8]] { app.files(below: "files") }

    @Test(
        "While another ledger holds it, every command that acts leaves with 6 and changes nothing")
    func otherLedger() throws {
        let app = try app(apply: true)
        try app.healthy()
        try app.orphan("s1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.orphan("s2")
        try app.dangling("d1")
        let (path, _) = try app.plan()
        try app.write(Self.file, lease())
        let before = snapshot(app)
        for words in [
            ["repair", path, "--apply"], ["sweep", "--apply"], ["undo", "latest", "--apply"],
            ["run"],
        ] {
            let result = try Program.run(words, in: app.path)
            #expect(result.status == 6, "\(words): \(result.told)")
            for part in [
                "bucket media", "elsewhere", "/var/lib/mooring/other.ledger", "repair",
                "20261121T020000Z-000000", "2026-11-21T02:00:00Z", "wait until that run ends",
                "mooring ledger rebuild --take-over",
            ] {
                #expect(result.errors.contains(part), "\(words): no \(part) in \(result.errors)")
            }
            #expect(snapshot(app) == before)
            #expect(try app.cover(of: "d1") != nil)
        }
        #expect(try app.runs().first?["status"].string == "refused")
        #expect(try app.openIntents() == 0)
        app.remove(Self.file)
        try app.expect(0, "repair", path, "--apply")
        #expect(!app.exists(Self.file))
    }

    @Test("What changes nothing takes no lease, and no scan or report shows it; doctor does")
    func looking() throws {
        let app = try app()
        try app.healthy()
        try app.orphan("s1")
        try app.write(Self.file, lease(), age: Age.old)
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 1)
        #expect(try !app.findings().contains { $0.key?.contains("lease") == true })
        #expect(try app.report()["buckets"][0]["objects"].integer == 3)
        for words in [
            ["repair", path], ["sweep"], ["run"], ["runs"], ["explain", App.songKey("s1")],
        ] {
            let result = try Program.run(words, in: app.path)
            #expect(result.status == 0, "\(words): \(result.told)")
        }
        let doctor = try app.expect(0, "doctor")
        #expect(doctor.output.contains("note    lease of media: held by repair, run 20261121"))
        #expect(app.read(Self.file) == lease())
    }

    @Test(
        "A lease that cannot be read is held by somebody unknown",
        arguments: ["", "{}", "not JSON \u{1B}[31m", #"{"schema": "mooring.lease/2"}"#])
    func unreadable(content: String) throws {
        let app = try app(apply: true)
        try app.healthy()
        try app.orphan("s1")
        try app.audit()
        try app.write(Self.file, content)
        let before = snapshot(app)
        let result = try app.expect(6, "run")
        #expect(result.errors.contains("somebody whose lease"))
        #expect(snapshot(app) == before)
        try app.expect(0, "ledger", "rebuild")
        #expect(snapshot(app) == before)
        let taken = try app.expect(0, "ledger", "rebuild", "--take-over")
        #expect(taken.output.contains("took the lease over"))
        #expect(!app.exists(Self.file))
        try app.expect(0, "run")
    }

    @Test("A link or a folder in its place is an error, is not followed, and stops every act")
    func obstacles() throws {
        let app = try app(apply: true)
        try app.healthy()
        try app.orphan("s1")
        try app.audit()
        try app.write("target", lease())
        try #require(mkdir(app.path + "/files/.mooring", 0o755) == 0)
        try #require(symlink(app.path + "/target", app.path + "/" + Self.file) == 0)
        try app.expect(2, "run")
        #expect(app.quarantined().isEmpty)
        app.remove(Self.file)
        try #require(mkdir(app.path + "/" + Self.file, 0o755) == 0)
        #expect(try app.expect(2, "run").errors.contains("lease"))
        #expect(app.quarantined().isEmpty && app.read("target") == lease())
    }

    @Test("It is given back after refusals and errors too")
    func refusals() throws {
        let app = try app(apply: true)
        try app.healthy()
        // Three in one place would be few enough.
        let key = try (1...4).map { try app.orphan("s\($0)") }[0]
        var settings = App.Settings()
        settings.repair = "{orphan: quarantine, apply: true}"
        settings.limits = "{}"
        try app.configure(settings)
        try app.expect(3, "run")
        #expect(!app.exists(Self.file) && !app.exists("files/.mooring"))
        try app.rename("app.sqlite", to: "gone.sqlite")
        try app.expect(4, "run")
        #expect(!app.exists(Self.file))
        #expect(app.exists("files/" + key))
    }

    @Test("A second ledger waits for one that is at work; both can act one after the other")
    func twoLedgers() throws {
        let app = try app(apply: true)
        try app.healthy()
        for number in 0..<300 { try app.orphan("s\(number)") }
        try addAuditor(app)
        let (path, _) = try app.plan()
        let process = try Program.start(
            ["repair", path, "--apply"], in: app.path, isPaced: true)
        try pause(process, after: 3)
        let held = try #require(app.read(Self.file))
        #expect(held.contains("\"command\": \"repair\""))
        #expect(held.contains(app.path + "/mooring.ledger"))
        let before = snapshot(app)
        let second = try app.expect(6, "run", "--config", "other.yaml")
        #expect(second.errors.contains("mooring.ledger"))
        #expect(snapshot(app) == before)
        process.signal(SIGCONT)
        let result = try process.wait()
        #expect(result.status == 0, "\(result.told.suffix(500))")
        #expect(!app.exists(Self.file))
        #expect(app.quarantined().count == 300)
        try app.expect(0, "run", "--config", "other.yaml")
        #expect(!app.exists(Self.file))
    }

    @Test("It is given back after a signal, and stays after SIGKILL for the same ledger alone")
    func crash() throws {
        let app = try app(apply: true)
        try app.healthy()
        let count = 300
        for number in 0..<count { try app.orphan("s\(number)") }
        try addAuditor(app)
        let (path, _) = try app.plan()
        let stopped = try Program.start(
            ["repair", path, "--apply"], in: app.path, isPaced: true)
        try pause(stopped, after: 3)
        stopped.signal(SIGTERM)
        stopped.signal(SIGCONT)
        #expect(try stopped.wait().status == 130)
        #expect(!app.exists(Self.file))
        let killed = try Program.start(
            ["repair", path, "--apply"], in: app.path, isPaced: true)
        try pause(killed, after: app.quarantined().count + 3)
        killed.signal(SIGKILL)
        #expect(try killed.wait().status == 128 + SIGKILL)
        let left = try #require(app.read(Self.file))
        let refused = try app.expect(6, "sweep", "--apply", "--config", "other.yaml")
        #expect(refused.errors.contains("held by another ledger"))
        #expect(app.read(Self.file) == left)
        // A copy has the ledger's id and a lock of its own: it is not the process that died.
        try app.rename("mooring.ledger", to: "kept.ledger")
        Folder.command(["cp", app.path + "/kept.ledger", app.path + "/other.ledger"])
        let copied = try app.expect(6, "sweep", "--apply", "--config", "other.yaml")
        #expect(copied.errors.contains("one of the two is a copy"))
        try app.rename("kept.ledger", to: "mooring.ledger")
        let rest = try app.expect(0, "repair", path, "--apply")
        #expect(rest.errors.contains("lease of bucket media was taken over"))
        #expect(app.quarantined().count == count)
        #expect(try app.openIntents() == 0)
        #expect(!app.exists(Self.file))
    }

    @Test("A ledger with this id on another host holds it as any other does")
    func otherHost() throws {
        let app = try app(apply: true)
        try app.healthy()
        try app.orphan("s1")
        try app.audit()
        let database = try Database(app.path + "/mooring.ledger", mode: nil)
        let id = try #require(try database.text("SELECT id FROM identity"))
        try app.write(Self.file, lease(ledger: id, path: app.path + "/mooring.ledger"))
        #expect(try app.expect(6, "run").errors.contains("one of the two is a copy"))
        var name = [CChar](repeating: 0, count: 256)
        try #require(gethostname(&name, 255) == 0)
        let host = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let own = lease(
            ledger: id, host: String(decoding: host, as: UTF8.self),
            path: app.path + "/mooring.ledger")
        try app.write(Self.file, own)
        try app.expect(0, "run")
        #expect(!app.exists(Self.file))
        #expect(app.quarantined().count == 1)
    }

    // Stops a repair as soon as it has told of so many objects.
    private func pause(_ process: RunningProgram, after count: Int) throws {
        func told() -> Int {
            process.output.split(separator: "\n").count { $0.hasPrefix("  done ") }
        }
        while told() < count, try process.poll() == nil { usleep(500) }
        try process.stop()
    }
}
