import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("What an undo writes down")
struct UndoEntryTests {
    @Test("a restore names the entry that it takes back, and what is back is not taken back again")
    func restored() async throws {
        let world = try World()
        world.song("k", cover: "keeper")
        world.object("keeper")
        world.object("k")
        try await world.auditAndRepair()
        let repaired = try world.lastRun()
        let done = try #require(try world.ledger().journal(run: repaired).first)
        #expect(done.step.strategy == .quarantine && done.undoes == nil && !world.has("k"))
        #expect(try await world.undo(repaired).map(\.outcome) == [.done])
        let undone = try world.ledger().journal(run: try world.lastRun("undo"))
        #expect(undone.map(\.undoes) == [done.number] && world.has("k"))
        #expect(try await world.undo(repaired).filter { $0.outcome == .done }.isEmpty)
        #expect(world.has("k"))
    }
}
