import MooringDecisions
import MooringModel
import Testing

@Suite("Sweeping the quarantine")
struct SweepRuleTests {
    private let race = Sample.standard
    private let retention = Duration.days(30)

    private func need(_ change: (inout SweepRule.Facts) -> Void = { _ in }) -> ProofNeed? {
        var facts = SweepRule.Facts(
            quarantinedAt: now - retention, isReferenced: false, cleanRuns: 2,
            firstCleanAt: now - race.grace,
            owners: [Sample.owner(.absent(since: now - .days(29)))])
        change(&facts)
        return SweepRule.need(facts, retention: retention, race: race, now: now)
    }

    @Test("past retention, twice seen clean, with settled owners, nothing is waited for")
    func ready() { #expect(need() == nil) }

    @Test("a reference keeps it, whatever else is said")
    func referenced() { #expect(need { $0.isReferenced = true }?.proof == "no reference") }

    @Test("retention runs to its end")
    func retentionEnd() {
        let need = need { $0.quarantinedAt = now - retention + .nanoseconds(1) }
        #expect(need == ProofNeed(proof: "retention", after: now + .nanoseconds(1)))
    }

    @Test("fewer than two complete runs without a reference are too few")
    func runs() {
        #expect(need { $0.cleanRuns = 1 } != nil)
        #expect(need { $0.cleanRuns = 0 } != nil)
        #expect(need { $0.firstCleanAt = nil } != nil)
    }

    @Test("the first clean run is at least G ago")
    func grace() {
        let need = need { $0.firstCleanAt = now - race.grace + .seconds(1) }
        #expect(need?.after == now + .seconds(1))
    }

    @Test("where no owner tells, a third run stands in for it")
    func unknownOwner() {
        for owners in [[], [Sample.present(.nothing, changed: nil)]] {
            #expect(need { $0.owners = owners } != nil)
            #expect(
                need {
                    $0.owners = owners
                    $0.cleanRuns = 3
                } == nil)
        }
    }

    @Test("an owner that changed, or vanished, less than S + U ago is waited for")
    func owners() {
        for owner in [
            Sample.owner(.absent(since: now)), Sample.owner(.tombstone(since: now)),
            Sample.present(.otherKey, changed: now),
        ] {
            #expect(
                need { $0.owners.append(owner) }
                    == ProofNeed(proof: "settled owner", after: now + race.ownerSettling))
        }
    }
}
