import MooringModel
import MooringSimulation
import Testing

/// Many devices, records and runs, by seed.
@Suite("Simulations by seed")
struct SeedTests {
    /// CI runs so many; a soak runs as many as it has time for.
    private static let seeds: UInt64 = 2_000

    @Test("2,000 seeds keep every promise")
    func full() {
        var steps = 0
        for seed in 1...Self.seeds {
            let simulation = SeededSimulation(seed: seed)
            let result = simulation.run()
            steps += result.steps
            guard let violation = result.violation else { continue }
            // The seed first: it is all that a replay needs.
            let narrator = Narrator(simulation.world, simulation.setting)
            let lines = narrator.tell(simulation.failingTrace() ?? [])
            Issue.record(
                """
                seed \(seed): \(narrator.describe(violation))
                replay: mooring simulate --seed \(seed) --trace
                \(lines.joined(separator: "\n"))
                """)
            break
        }
        #expect(steps > 1_000_000)
    }

    @Test("an object that a device removed behind a nulling is missed by nobody")
    func removedBehindNulling() {
        // A device uploads while the auditor nulls, and another detaches and deletes.
        #expect(SeededSimulation(seed: 1_795_599_929_926).run().violation == nil)
    }

    @Test("what another step gave back, and a device replaced, is no lie of the journal")
    func replacedBehindRestore() {
        // An intent stays open while the watch restores its object, until a device uploads again.
        #expect(SeededSimulation(seed: 1_795_599_949_103).run().violation == nil)
    }

    @Test("a field that is no list holds one key at most, whatever is merged")
    func oneKey() {
        // Two keys in one would be a reference that nobody can give back.
        var merging = 0
        for seed: UInt64 in 1...60 {
            let simulation = SeededSimulation(seed: seed)
            let setting = simulation.setting
            guard setting.bounds.conflicts == .automerge else { continue }
            merging += 1
            var world = simulation.world
            var isOne = true
            _ = simulation.run { choice in
                _ = world.apply(choice, setting)
                for place in world.records.indices where !setting.lists.contains(place) {
                    if world.records[place].keys.count > 1 { isOne = false }
                }
            }
            #expect(isOne, "seed \(seed)")
        }
        #expect(merging > 3)
    }

    @Test("the same seed takes the same course")
    func determinism() {
        for seed: UInt64 in [3, 77, 1_000_003] {
            var courses: [[Choice]] = []
            for _ in 0..<2 {
                var choices: [Choice] = []
                _ = SeededSimulation(seed: seed).run { choices.append($0) }
                courses.append(choices)
            }
            #expect(courses[0] == courses[1])
            #expect(courses[0].count > 1_000)
        }
    }

    @Test(
        "a weakened protocol loses within a few hundred seeds",
        arguments: [
            "list-scan-delete", "conditional", "quarantine", "list-scan-null",
            "full-without-condition", "full-without-quarantine", "full-without-no-overwrite",
            "full-without-pass-b", "full-without-every-table",
        ])
    func weakened(name: String) throws {
        let audit = try #require(AuditProtocol.named(name))
        let words = Set(
            (1...300).compactMap { seed in
                SeededSimulation(seed: seed, audit: audit).run().violation?.word
            })
        #expect(!words.isDisjoint(with: ["lost", "nulled"]))
    }

    @Test("a failing seed is shrunk to a trace that fails in the same way")
    func shrinking() throws {
        let audit = try #require(AuditProtocol.named("full-without-no-overwrite"))
        let simulation = SeededSimulation(seed: 1, audit: audit)
        var course: [Choice] = []
        let violation = try #require(simulation.run { course.append($0) }.violation)
        let trace = try #require(simulation.failingTrace())
        #expect(trace.count < course.count)
        var world = simulation.world
        for choice in trace {
            let happened = world.apply(choice, simulation.setting)
            #expect(happened)
        }
        #expect(world.violation?.word == violation.word)
        let lines = Narrator(simulation.world, simulation.setting).tell(trace)
        #expect(lines.count < 60)
        #expect(lines.last?.contains("lost: record") == true)
    }
}
