import Glibc
import SeededNumbers
import Testing

@Suite("Interruption, crashes and two runs at once")
struct InterruptionTests {
    @Test(
        "A signal during an audit ends it with 130; the run is kept as interrupted",
        arguments: [
            SIGINT, SIGTERM,
        ])
    func audit(number: Int32) throws {
        let app = try App(mode: "DELETE")
        try app.dangling()
        let held = try HeldProgram(["audit"], in: app)
        held.process.signal(number)
        try held.goOn()
        let result = try held.process.wait()
        #expect(result.status == 130, "\(result.told)")
        #expect(result.errors.contains("interrupted"))
        #expect(!app.exists("Reports/Runs/latest"))
        try app.expect(0, "audit")
        let runs = try app.runs()
        #expect(runs.map { $0["status"].string } == ["complete", "interrupted"])
    }

    @Test("A second run leaves with 6; one that was killed leaves no lock and is closed")
    func twoAtOnce() throws {
        let app = try App(mode: "DELETE")
        try app.dangling()
        let held = try HeldProgram(["audit"], in: app)
        let second = try app.expect(6, "audit")
        #expect(second.errors.contains("\(held.process.pid)"))
        #expect(second.errors.contains("audit"))
        held.process.signal(SIGKILL)
        #expect(try held.process.wait().status == 128 + SIGKILL)
        try held.goOn()
        let third = try app.expect(0, "audit")
        let killed = try #require(try app.runs().last?["id"].string)
        #expect(third.errors.contains("run \(killed) had not ended; it is interrupted now"))
        #expect(try app.runs().map { $0["status"].string } == ["complete", "interrupted"])
    }

    @Test("A signal before anything was begun ends with 130 too", arguments: [SIGINT, SIGTERM])
    func early(number: Int32) throws {
        let app = try App()
        try #require(mkfifo(app.path + "/pipe.yaml", 0o600) == 0)
        // It waits for the configuration: somebody may well write it into a pipe.
        let process = try Program.start(["audit", "--config", "pipe.yaml"], in: app.path)
        var pipe: Int32 = -1
        for _ in 0..<2_000 where pipe < 0 {
            pipe = open(app.path + "/pipe.yaml", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if pipe < 0 { usleep(10_000) }
        }
        defer { close(pipe) }
        process.signal(number)
        #expect(try process.wait().status == 130)
        #expect(!app.exists("mooring.ledger"))
    }

    @Test("A signal during a repair stops it between steps; the next run goes on, and repeats none")
    func repair() throws {
        let app = try App()
        let count = 300
        for number in 0..<count { try app.orphan("s\(number)", "content \(number)") }
        let before = contents(app)
        let (path, _) = try app.plan()
        let process = try Program.start(
            ["repair", path, "--apply"], in: app.path, isPaced: true)
        while fresh(process.output) < 5, try process.poll() == nil { usleep(1_000) }
        process.signal(SIGTERM)
        let result = try process.wait()
        #expect(result.status == 130, "\(result.told.suffix(500))")
        #expect(result.errors.contains("stopping after the step under way"))
        let moved = app.quarantined().count
        #expect((5..<count).contains(moved))
        let interrupted = try app.newest("repair")
        #expect(interrupted["status"].string == "interrupted")
        #expect(interrupted["repairs"]["done"].integer == moved)
        #expect(try app.openIntents() == 0)
        let rest = try app.expect(0, "repair", path, "--apply")
        #expect(rest.output.components(of: ": done before") == moved)
        #expect(app.quarantined().count == count)
        #expect(contents(app) == before)
        #expect(try entries(app) == count)
    }

    @Test("Killed at random points until it is done: nothing is lost, journal and stores agree")
    func killedAgainAndAgain() throws {
        let seed = Seed.one()
        var random = Seeded(state: seed)
        let app = try App()
        let count = 25
        for number in 0..<count {
            // No prefix turns these names into those of the references.
            try app.orphan("o\(number)x", "content \(number)")
            try app.dangling("d\(number)")
        }
        let before = contents(app)
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 2 * count)
        // Some references are healed while the repair is under way.
        let healed = ["d3", "d11", "d19"]
        var kills = 0
        while kills < 100 {
            let process = try Program.start(["repair", path, "--apply"], in: app.path)
            let wanted = Int(random.next() % 6)
            while try process.poll() == nil {
                if fresh(process.output) >= wanted {
                    usleep(UInt32(random.next() % 6_000))
                    process.signal(SIGKILL)
                    break
                }
                usleep(300)
            }
            let result = try process.wait()
            if result.status != 128 + SIGKILL {
                #expect([0, 5].contains(result.status), "seed \(seed): \(result.told)")
                break
            }
            kills += 1
            if kills == 2 { for id in healed { try heal(id, app) } }
        }
        #expect(kills > 0 && kills < 100, "seed \(seed): \(kills) kills")
        var after = contents(app)
        for id in healed { after[App.songKey(id)] = nil }
        #expect(after == before, "seed \(seed)")
        for number in 0..<count {
            let id = "d\(number)"
            guard try app.cover(of: id) == nil else { continue }
            #expect(!app.exists("files/" + App.songKey(id)), "seed \(seed): \(id)")
        }
        #expect(app.quarantined().count == count, "seed \(seed)")
        #expect(try app.openIntents() == 0, "seed \(seed)")
        #expect(try done(app, "quarantine") == count, "seed \(seed)")
        let nulled = try app.database.text(
            "SELECT count(*) FROM Song WHERE coverArtKey IS NULL")
        #expect(try "\(done(app, "nullify"))" == nulled, "seed \(seed)")
    }

    // Steps that this process carried out, and that changed something.
    private func fresh(_ output: String) -> Int {
        output.components(of: "\n  done ") - output.components(of: "done before")
    }

    // A device associates its upload, unless the reference was nulled before.
    private func heal(_ id: String, _ app: App) throws {
        if try app.cover(of: id) != nil { try app.put(App.songKey(id), "healed", age: 0) }
    }

    private func entries(_ app: App) throws -> Int {
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        return Int(try ledger.text("SELECT count(*) FROM journal") ?? "") ?? -1
    }

    private func done(_ app: App, _ strategy: String) throws -> Int {
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        let text = try ledger.text(
            """
            SELECT count(*) FROM journal WHERE outcome = 'done'
            AND instr(CAST(document AS TEXT), '"strategy":"\(strategy)"') > 0
            """)
        return Int(text ?? "") ?? -1
    }

    /// Every file's content by its key, in its place or in quarantine.
    private func contents(_ app: App) -> [String: String] {
        var all = app.quarantined()
        for (key, bytes) in app.files(below: "files")
        where !key.starts(with: Array(".mooring/".utf8)) {
            all[String(decoding: key, as: UTF8.self)] = String(decoding: bytes, as: UTF8.self)
        }
        return all
    }
}

/// A small generator whose seed a failure prints.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
