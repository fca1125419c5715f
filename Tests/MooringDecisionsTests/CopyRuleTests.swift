import MooringDecisions
import MooringModel
import Testing

@Suite("Judging a stale copy")
struct CopyRuleTests {
    private func state(
        _ version: Int64? = nil, _ changed: Instant? = nil, _ content: UInt64 = 0,
        deleted: Bool = false
    ) -> CopyState {
        CopyState(
            version: version, changed: changed.map { ChangeTime($0) }, content: content,
            isTombstone: deleted)
    }

    @Test("versions decide, then change times, then what the columns hold")
    func order() {
        #expect(CopyRule.order(of: state(3, now, 1), to: state(5, now - .days(1), 1)) == .behind)
        #expect(CopyRule.order(of: state(5, now), to: state(3, now + .days(1))) == .ahead)
        #expect(CopyRule.order(of: state(3, now, 1), to: state(3, now + .days(1), 2)) == .same)
        #expect(CopyRule.order(of: state(nil, now), to: state(3, now + .seconds(1))) == .behind)
        #expect(CopyRule.order(of: state(nil, now + .seconds(1)), to: state(3, now)) == .ahead)
        #expect(CopyRule.order(of: state(nil, now, 1), to: state(nil, now, 2)) == .same)
        #expect(CopyRule.order(of: state(nil, nil, 1), to: state(nil, now, 2)) == .behind)
        #expect(CopyRule.order(of: state(nil, nil, 1), to: state(nil, nil, 1)) == .same)
    }

    @Test("where one side tells its zone, or a date alone, only what no reading undoes is behind")
    func toldInDifferentWays() {
        func order(_ copy: ChangeTime, _ authority: ChangeTime, _ content: UInt64 = 1)
            -> CopyRule.Order
        {
            CopyRule.order(
                of: CopyState(version: nil, changed: copy, content: content, isTombstone: false),
                to: CopyState(version: nil, changed: authority, content: 2, isTombstone: false))
        }
        let zoned = ChangeTime(now)
        func unzoned(_ moment: Instant) -> ChangeTime { ChangeTime(moment, isZoned: false) }
        #expect(order(unzoned(now - .hours(11)), zoned) == .ahead)
        #expect(order(unzoned(now - .hours(13)), zoned) == .behind)
        #expect(order(zoned, unzoned(now + .hours(13))) == .ahead)
        #expect(order(zoned, unzoned(now + .hours(15))) == .behind)
        #expect(order(unzoned(now - .hours(11)), zoned, 2) == .same)
        let day = ChangeTime(now - .hours(23), precision: .hours(24))
        #expect(order(day, zoned) == .ahead)
    }

    @Test("what one side rounds off to milliseconds is no difference, before 1970 either")
    func rounding() {
        for start in [Instant(seconds: 1_700_000_000), Instant(seconds: -1_700_000_000)] {
            #expect(
                CopyRule.order(
                    of: state(nil, start), to: state(nil, start + .nanoseconds(999_999))) == .same)
            #expect(
                CopyRule.order(
                    of: state(nil, start), to: state(nil, start + .milliseconds(1))) == .behind)
            #expect(
                CopyRule.order(
                    of: state(nil, start - .nanoseconds(1)), to: state(nil, start)) == .behind)
        }
    }

    @Test("a copy is behind or deleted upstream; one that is ahead or deleted itself is neither")
    func causes() {
        #expect(CopyRule.cause(of: state(3), authority: state(5)) == .behind)
        #expect(CopyRule.cause(of: state(5), authority: state(5)) == nil)
        #expect(CopyRule.cause(of: state(6), authority: state(5)) == nil)
        #expect(CopyRule.cause(of: state(3), authority: nil) == .deletedUpstream)
        #expect(
            CopyRule.cause(of: state(3), authority: state(4, deleted: true)) == .deletedUpstream)
        #expect(
            CopyRule.cause(of: state(3), authority: state(3, deleted: true)) == .deletedUpstream)
        #expect(CopyRule.cause(of: state(5), authority: state(4, deleted: true)) == nil)
        #expect(CopyRule.cause(of: state(3, deleted: true), authority: state(5)) == nil)
        #expect(CopyRule.cause(of: state(3, deleted: true), authority: nil) == nil)
    }

    @Test("a copy that tells of a later change, or may, can hold a write that was not sent")
    func unsent() {
        func isDoubt(_ copy: ChangeTime?, _ authority: ChangeTime?) -> Bool {
            CopyRule.mayHoldUnsent(
                CopyState(version: 1, changed: copy, content: 1, isTombstone: false),
                authority: CopyState(version: 2, changed: authority, content: 2, isTombstone: true))
        }
        let zoned = ChangeTime(now)
        #expect(isDoubt(ChangeTime(now + .milliseconds(1)), zoned))
        #expect(!isDoubt(zoned, zoned) && !isDoubt(ChangeTime(now - .seconds(1)), zoned))
        #expect(isDoubt(ChangeTime(now - .hours(11), isZoned: false), zoned))
        #expect(!isDoubt(ChangeTime(now - .hours(13), isZoned: false), zoned))
        #expect(!isDoubt(nil, zoned) && !isDoubt(zoned, nil))
        #expect(!CopyRule.mayHoldUnsent(state(1, now), authority: nil))
    }

    @Test("several rows of a record are as new as the newest, and deleted when all are")
    func merging() {
        let merged = state(3, nil, 1, deleted: true).merging(state(5, now, 2))
        #expect(merged == state(5, now, 3))
        #expect(state(1, deleted: true).merging(state(2, deleted: true)).isTombstone)
    }

    // MARK: Verdicts

    private let race = RaceModel(bounds: RaceBounds(), clock: .seconds(2))
    private var judge: CopyJudge { CopyJudge(race: race, now: now) }
    private var holding: Duration { .days(3) + .seconds(2) }

    @Test("a device may hold an old copy for S and C, to the last instant")
    func held() {
        let settled = CopyFacts(cause: .behind, authority: .changed(now - holding))
        #expect(judge.judge(settled).verdict == .settled)
        let explained = CopyFacts(
            cause: .behind, authority: .changed(now - holding + .nanoseconds(1)))
        let judgement = judge.judge(explained)
        #expect(judgement.verdict == .explained)
        #expect(
            judgement.explanation
                == Explanation(
                    workflow: "synchronise", step: "refresh copy", until: now + .nanoseconds(1)))
    }

    @Test("no window ends the doubt of a copy that may hold a write of its own")
    func doubt() {
        for changed in [now, now - .days(300)] {
            var facts = CopyFacts(cause: .behind, authority: .changed(changed))
            facts.mayHoldUnsent = true
            #expect(judge.judge(facts).verdict == .undecided)
            #expect(judge.judge(facts).explanation == nil)
        }
    }

    @Test("a store that refuses old copies does not keep a device from holding one")
    func optimistic() {
        let judge = CopyJudge(
            race: RaceModel(bounds: RaceBounds(conflicts: .optimistic)), now: now)
        let facts = CopyFacts(cause: .behind, authority: .changed(now - .hours(1)))
        #expect(judge.judge(facts).verdict == .explained)
    }

    @Test("a record that its authority never had may still be sent, for U and S")
    func offline() {
        let gone = now - .days(30)
        let young = CopyFacts(
            cause: .deletedUpstream,
            authority: .absent(since: gone, copyChanged: now - .days(3)))
        let judgement = judge.judge(young)
        #expect(judgement.explanation?.workflow == "create offline")
        #expect(judgement.explanation?.until == now - .days(3) + .hours(1) + holding)
        let both = CopyFacts(
            cause: .deletedUpstream,
            authority: .absent(since: now, copyChanged: now - .days(3)))
        #expect(judge.judge(both).explanation?.until == now + holding)
        let old = CopyFacts(
            cause: .deletedUpstream, authority: .absent(since: gone, copyChanged: gone))
        #expect(judge.judge(old).verdict == .settled)
    }
}
