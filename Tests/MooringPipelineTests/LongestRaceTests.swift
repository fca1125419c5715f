import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// The bounds that objects wait for, where several sources may reference them, and C.
@Suite("The longest bounds of several sources, and their clocks")
struct LongestRaceTests {
    private func configuration(_ first: String, _ second: String) throws -> Configuration {
        try Configuration.parse(
            """
            version: 1
            ledger: ./ledger
            records:
              - {name: a, sqlite: ./a.sqlite, race: {\(first)}, models: [{model: Song}]}
              - {name: b, sqlite: ./b.sqlite, race: {\(second)}, models: [{model: Post}]}
            buckets: [{name: media, directory: ./media}]
            """, file: "/tmp/mooring.yaml", environment: [:])
    }

    @Test("each bound is the longest of any source, whoever has it")
    func longest() throws {
        let two = [
            "uploadWindow: 9h, staleWindow: 1h, multipartWindow: 1d",
            "uploadWindow: 1h, staleWindow: 8d, multipartWindow: 9d",
        ]
        for (first, second) in [(two[0], two[1]), (two[1], two[0])] {
            let race = try configuration(first, second).longestRace(clock: .seconds(7))
            #expect(race.uploadWindow == .hours(9))
            #expect(race.staleWindow == .days(8))
            #expect(race.multipartWindow == .days(9))
            #expect(race.grace == .hours(9) + .days(8) + .seconds(7))
        }
    }

    @Test("outboxes, conflict modes and relinks count of the weakest source")
    func weakest() throws {
        let strong = "conflicts: optimistic, relink: never, offlineWindow: 0s"
        for weak in ["none", "automerge", "lambda"] {
            let race = try configuration(
                strong, "conflicts: \(weak), relink: possible, offlineWindow: 5d"
            ).longestRace()
            #expect(race.bounds.conflicts.rawValue == weak)
            #expect(race.staleWindow == .days(5) && race.uploadWindow == .days(5))
            #expect(race.bounds.relinkPossible)
        }
        let both = try configuration(strong, strong).longestRace()
        #expect(both.bounds.conflicts == .optimistic && both.staleWindow == .zero)
        #expect(!both.bounds.relinkPossible)
    }

    @Test("C is the largest difference of buckets, and of sources that date their records")
    func clocks() async throws {
        let world = try World()
        #expect(try await world.job().measureClock() < .minutes(2))
        world.source.setClock(.minutes(3))
        #expect(try await world.job().measureClock() == .minutes(3))
        let devices = try World(Sample.file(changedBy: "device"))
        devices.source.setClock(.minutes(3))
        // Notes and pages are dated by their server still.
        #expect(try await devices.job().measureClock() == .minutes(3))
        let copy = try World(sourcesAreLive: false)
        copy.source.setClock(.minutes(3))
        #expect(try await copy.job().measureClock() < .minutes(2))
    }
}
