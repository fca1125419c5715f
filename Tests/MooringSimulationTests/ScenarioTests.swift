import MooringDecisions
import MooringModel
import MooringSimulation
import Testing

/// The losses beyond the tables, and every safeguard taken out alone.
@Suite("The scenarios beyond the tables")
struct ScenarioTests {
    @Test("the full protocol keeps every promise", arguments: Scenario.all.map(\.name))
    func full(name: String) throws {
        let result = try #require(Scenario.named(name)).explore(.full)
        #expect(result.violation == nil)
        #expect(result.isComplete)
        #expect(result.states > 5)
    }

    @Test("without one of its safeguards it breaks one", arguments: Scenario.all.map(\.name))
    func weakened(name: String) throws {
        let scenario = try #require(Scenario.named(name))
        for (safeguards, word) in scenario.breaks {
            let result = scenario.explore(without: safeguards, word: word)
            #expect(result.violation?.word == word)
            #expect(!result.trace.isEmpty)
        }
    }

    @Test("every safeguard is missed somewhere when it alone is taken out")
    func everySafeguard() {
        for (name, safeguard) in Safeguards.names where safeguard != .watch {
            #expect(
                Scenario.all.contains { $0.breaks.contains { $0.without == safeguard } },
                "nothing notices that '\(name)' is missing")
        }
    }

    @Test("without the watch, an object that is referenced again stays in quarantine for ever")
    func watch() throws {
        let audit = try #require(AuditProtocol.named("full-without-watch"))
        let words = (1...60).compactMap { seed in
            SeededSimulation(seed: seed, audit: audit).run().violation?.word
        }
        #expect(words.contains("left"))
    }

    @Test("an owner that is written every day is never settled: two sightings do")
    func busyOwner() throws {
        var setting = Setting()
        setting.programs = [DeviceProgram("touch", [.touch])]
        func taken(_ proof: AuditProtocol.Proof) -> Bool {
            setting.audit.proof = proof
            var world = World(
                records: [SimulatedRecord(.present)],
                objects: [SimulatedObject(serial: 1, content: 1, born: 0)], owners: [0],
                devices: 1, setting: setting)
            for _ in 0..<100 {
                world.devices[0] = Device(program: 0, record: 0, key: 0)
                for choice in [Choice.tick, .device(0), .auditor(0)] {
                    let happened = world.apply(choice, setting)
                    #expect(happened)
                }
                while world.auditors[0].phase != .idle { _ = world.apply(.auditor(0), setting) }
            }
            return world.objects[0] == nil
        }
        #expect(!taken(.settledOwner))
        #expect(taken(.either))
    }

    @Test(
        "of old copies a chain that the looks are spread for never passes, one more may",
        arguments: [1, 2])
    func chains(length: Int) {
        for (copies, word) in [(length, nil), (length + 1, "lost")] {
            var scenario = Scenario.chain("chain", "", copies: copies)
            scenario.setting.chain = length
            let result = scenario.explore(.full)
            #expect(result.violation?.word == word, "\(copies) copies")
            #expect(word != nil || result.isComplete)
        }
    }

    @Test("a known limit is still one: when it is not, the pages have to say so")
    func limits() throws {
        for scenario in Scenario.limits {
            #expect(scenario.explore(.full).violation?.word == "lost", "\(scenario.name)")
        }
    }
}
