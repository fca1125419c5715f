import Glibc
import PlainS3
import TestServers
import SeededNumbers
import Testing

/// A repair on S3 that is killed again and again.
@Suite("Crashes on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3InterruptionTests {
    @Test(
        "Killed at random points until it is done: nothing is lost, journal and stores agree",
        arguments: S3Store.all.filter { $0 != .cephSecure && $0 != .cephThrottled })
    func killedAgainAndAgain(store: S3Store) async throws {
        let seed = Seed.one()
        var random = Seeded(state: seed)
        let app = try await StoreApp(store)
        let count = 12
        try app.healthy()
        for number in 0..<count {
            // No prefix turns these names into those of the references.
            try app.orphan("o\(number)x", "content \(number)")
            try app.dangling("d\(number)")
        }
        app.settle()
        let before = try app.objects()
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 2 * count)
        var kills = 0
        while kills < 60 {
            let process = try Program.start(
                ["repair", path, "--apply"], in: app.path, environment: app.environment)
            let wanted = Int(random.next() % 4)
            while try process.poll() == nil {
                if fresh(process.output) >= wanted {
                    usleep(UInt32(random.next() % 30_000))
                    process.signal(SIGKILL)
                    break
                }
                usleep(500)
            }
            let result = try process.wait()
            if result.status != 128 + SIGKILL {
                // A nulling that was broken off is fenced off, and then stale.
                #expect([0, 5].contains(result.status), "seed \(seed): \(result.told)")
                break
            }
            kills += 1
        }
        #expect(kills > 0 && kills < 60, "seed \(seed): \(kills) kills")
        let keys = (0..<count).map { App.songKey("o\($0)x") }.sorted()
        let held = try app.held()
        #expect(held == keys, "seed \(seed): \(held)")
        #expect(try app.objects() == before.filter { !keys.contains($0.key) }, "seed \(seed)")
        #expect(try app.openIntents() == 0, "seed \(seed)")
        // Every run's repairs come back.
        for run in try app.runs() where run["command"].string == "repair" {
            let id = try #require(run["id"].string)
            let undo = try app.mooring("undo", id, "--apply")
            #expect(undo.status == 0, "seed \(seed): \(undo.told)")
        }
        #expect(try app.objects() == before, "seed \(seed)")
        #expect(try app.held() == [], "seed \(seed)")
        #expect(try app.litter().filter { !$0.contains(".probe-") } == [], "seed \(seed)")
    }

    // Steps that this process carried out, and that changed something.
    private func fresh(_ output: String) -> Int {
        output.components(of: "\n  done ") - output.components(of: "done before")
    }
}
