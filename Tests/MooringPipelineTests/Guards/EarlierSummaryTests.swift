import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// A ledger of a version that kept no counts by place: its summaries tell what is usual until
/// counts stand.
@Suite("Guards and an earlier version's summaries")
struct EarlierSummaryTests {
    // Writes a complete run down as such a version did: without numbers of fields.
    private func remember(_ world: World, _ audited: RunSummary, daysAgo days: Int64) throws {
        let start = World.start - .days(days)
        var summary = audited
        summary.id = RunID(startingAt: start)
        summary.startedAt = start
        summary.status = .complete
        summary.fields = []
        let ledger = try world.ledger()
        try ledger.begin(summary)
        try ledger.update(summary)
    }

    @Test("a refused first run under counts by place is no usual count of the second one")
    func refusedFirst() async throws {
        let full = try PlaceGuardTests.world(cover: "level: root")
        PlaceGuardTests.fill(full, 300)
        let audited = try await full.audit().summary
        let world = try PlaceGuardTests.world(cover: "level: root")
        try remember(world, audited, daysAgo: 1)
        PlaceGuardTests.fill(world, 100)
        for _ in 0..<3 {
            world.clock.advance(.hours(1))
            let refused = PlaceGuardTests.refused(try await world.audit())
            #expect(refused.contains("objectDrop:media"))
            #expect(refused.contains("referenceDrop:app"))
        }
    }
}
