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
            firstCleanAt: now - race.grace, looks: CleanLooks(), scan: CleanLook(at: now),
            owners: [Sample.owner(.tombstone(since: now - .days(29)))], mayBeLinked: false)
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

    @Test("where nothing tells of a change, looks without a wide gap stand in for it")
    func unknownOwner() {
        var looks = CleanLooks()
        for day in 0..<15 { looks.add(CleanLook(at: now - .days(Int64(15 - day)))) }
        let told = Sample.present(.nothing, changed: now - .days(90))
        let changes: [(inout SweepRule.Facts) -> Void] = [
            { $0.owners = [] }, { $0.owners = [Sample.present(.nothing, changed: nil)] },
            { $0.owners = [told, Sample.owner(.absent(since: now - .days(29)))] },
            { $0.mayBeLinked = true },
        ]
        for change in changes {
            #expect(
                need(change)?.proof
                    == "looks so close that no chain of 3 old copies passes unseen between them")
            #expect(
                need {
                    change(&$0)
                    $0.cleanRuns = 90
                } != nil)
            #expect(
                need {
                    change(&$0)
                    $0.looks = looks
                } == nil)
        }
        #expect(need { $0.owners = [told] } == nil)
    }

    @Test("what is waited for of the looks has an end, and that end is enough")
    func lookEnd() throws {
        var looks = CleanLooks()
        for day in 0..<5 { looks.add(CleanLook(at: now - .days(Int64(5 - day)))) }
        let need = try #require(
            need {
                $0.owners = []
                $0.looks = looks
            })
        #expect(need.after == now - .days(5) + .days(11) + .hours(1) + .nanoseconds(1))
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
