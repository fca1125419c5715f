import MooringDecisions
import MooringModel
import Testing

@Suite("What stands against a look at quarantine")
struct SweepDoubtsTests {
    @Test("each doubt alone keeps an object, and the run's own lack is told first")
    func each() {
        #expect(SweepDoubts().missing == nil)
        let alone: [(SweepDoubts, String)] = [
            (SweepDoubts(run: "r"), "r"), (SweepDoubts(origin: "o"), "o"),
            (SweepDoubts(place: "p"), "p"), (SweepDoubts(object: "d"), "d"),
            (
                SweepDoubts(isChanged: true), "an object that is as it was when it was judged"
            ),
            (SweepDoubts(isListedInParts: true), "a listing of one run alone"),
            (SweepDoubts(hasUnreadTables: true), "a source without unread tables"),
        ]
        for (doubts, missing) in alone { #expect(doubts.missing == missing) }
        let all = SweepDoubts(
            run: "r", origin: "o", place: "p", isChanged: true, isListedInParts: true, object: "d",
            hasUnreadTables: true)
        #expect(all.missing == "r")
    }

    @Test("a run proves nothing without live stores, a confirm scan, the known store and its end")
    func run() {
        var run = RunSummary(
            id: RunID(startingAt: now), command: "audit", programVersion: "", startedAt: now,
            configuration: "")
        run.status = .incomplete
        run.guards = [
            RunSummary.Guard(name: IdentityRule.name, limit: "", value: "", refused: true)
        ]
        #expect(run.missingProof(isLive: false) == "live stores")
        #expect(run.missingProof(isLive: true) == "a confirm scan")
        run.confirmedAt = now
        #expect(run.missingProof(isLive: true) == "the store that the ledger knows")
        run.guards = []
        #expect(run.missingProof(isLive: true) == "a complete run")
        run.status = .complete
        #expect(run.missingProof(isLive: true) == nil)
    }
}
