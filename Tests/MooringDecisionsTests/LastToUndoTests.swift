import MooringDecisions
import MooringModel
import Testing

@Suite("Which repair of an object is taken back")
struct LastToUndoTests {
    private static func run(_ number: Int64) -> RunID {
        RunID(startingAt: Instant(seconds: 1_800_000_000 + number))
    }

    private static func entry(
        _ number: Int64, _ strategy: Strategy, undoes: Int64? = nil,
        outcome: StepOutcome? = .done, from quarantine: Int64? = nil
    ) -> JournalEntry {
        let step = PlanStep(
            id: "\(strategy.rawValue)-\(number)", hash: "", strategy: strategy, finding: "",
            bucket: "media", key: ObjectKey("a"), record: nil,
            precondition: Precondition(quarantinedBy: quarantine.map(run)))
        let at = Instant(seconds: 1_800_000_000 + number)
        var entry = JournalEntry(
            run: run(number), plan: nil, step: step, intendedAt: at, undoes: undoes)
        entry.number = number
        entry.outcome = outcome
        return entry
    }

    @Test("The newest that is done, reversible, and not taken back before")
    func newest() {
        let first = Self.entry(1, .quarantine)
        #expect([first].lastToUndo?.number == 1)
        #expect([first, Self.entry(2, .restore, undoes: 1)].lastToUndo == nil)
        let again = [
            first, Self.entry(2, .restore, undoes: 1), Self.entry(3, .quarantine),
        ]
        #expect(again.lastToUndo?.number == 3)
        #expect(
            [first, Self.entry(2, .restore, undoes: 1, outcome: .stale)].lastToUndo?.number == 1)
        #expect([Self.entry(1, .quarantine, outcome: .stale)].lastToUndo == nil)
        #expect([Self.entry(1, .quarantine, outcome: nil)].lastToUndo == nil)
        #expect([first, Self.entry(2, .keep)].lastToUndo?.number == 1)
    }

    @Test("Nothing is, where the object went for good behind it, or was erased on request")
    func gone() {
        let swept = [Self.entry(1, .quarantine), Self.entry(2, .delete, from: 1)]
        #expect(swept.lastToUndo == nil)
        #expect([Self.entry(1, .tag), Self.entry(2, .delete)].lastToUndo == nil)
        // A sweep removes the copy of one run, whenever it comes.
        let twice = [
            Self.entry(1, .quarantine), Self.entry(2, .quarantine),
            Self.entry(3, .delete, from: 1),
        ]
        #expect(twice.lastToUndo?.number == 2)
        var erased = Self.entry(1, .quarantine)
        erased.erasedBy = erased.run
        #expect([erased].lastToUndo == nil)
    }
}
