import MooringDecisions
import MooringModel
import Testing

@Suite("What an open upload may still lead to")
struct UploadRuleTests {
    private let rule = UploadRule(race: Sample.standard, now: now)

    private func upload(
        _ begun: Duration, newest: Duration? = nil, doubt: String? = nil
    ) -> UploadFacts {
        UploadFacts(
            upload: OpenUpload(key: ObjectKey("k"), id: "u", begunAt: now - begun),
            parts: UploadParts(count: 1, bytes: 1, newestAt: newest.map { now - $0 }),
            doubt: doubt)
    }

    @Test("M runs from the newest part, and from the beginning where there is none")
    func abandoned() {
        #expect(rule.isAbandoned(upload(.days(8))))
        #expect(!rule.isAbandoned(upload(.days(7) - .seconds(1))))
        #expect(!rule.isAbandoned(upload(.days(30), newest: .days(6))))
        #expect(rule.isAbandoned(upload(.days(30), newest: .days(7))))
        // Whose parts are not known may have got one just now.
        #expect(!rule.isAbandoned(upload(.days(30), doubt: "no answer")))
        #expect(rule.partsUntil(upload(.days(9), newest: .days(1))) == now + .days(6))
    }

    @Test("it is worth a word past the upload window")
    func reported() {
        #expect(rule.isReported(upload(.hours(1)).upload))
        #expect(!rule.isReported(upload(.minutes(59)).upload))
    }

    @Test("an orphan waits for the last part and the association behind it")
    func orphan() {
        var judgement = OrphanJudge(race: Sample.standard, now: now).judge(Sample.orphan())
        #expect(judgement.verdict == .settled)
        rule.explain(
            orphan: &judgement, by: [upload(.days(8)), upload(.days(9), newest: .days(2))])
        #expect(judgement.verdict == .explained)
        #expect(
            judgement.explanation
                == Explanation(
                    workflow: "multipart upload", step: "associate",
                    until: now + .days(5) + .hours(1)))
        var late = OrphanJudge(race: Sample.standard, now: now).judge(Sample.orphan())
        rule.explain(orphan: &late, by: [upload(.days(8))])
        #expect(late.verdict == .settled)
        // Between M and M + U the object may be there already, and its association still come.
        rule.explain(orphan: &late, by: [upload(.days(7) + .minutes(30))])
        #expect(late.verdict == .explained)
    }

    @Test("a dangling reference waits for the last part alone; what is in doubt stays so")
    func dangling() {
        func judged(_ doubts: [String] = []) -> Judgement {
            DanglingJudge(race: Sample.standard, now: now).judge(
                DanglingFacts(
                    patterns: [.exact(ObjectKey("k"))], head: .absent,
                    changed: now - .days(90), doubts: doubts))
        }
        var judgement = judged()
        #expect(judgement.verdict == .settled)
        rule.explain(dangling: &judgement, by: [upload(.days(1))])
        #expect(judgement.verdict == .explained && judgement.explanation?.step == "complete")
        #expect(judgement.explanation?.until == now + .days(6))
        var done = judged()
        rule.explain(dangling: &done, by: [upload(.days(7) + .minutes(30))])
        #expect(done.verdict == .settled)
        var doubtful = judged(["why"])
        rule.explain(dangling: &doubtful, by: [upload(.days(1))])
        #expect(doubtful.verdict == .undecided)
    }

    @Test("a delete marker names the cause, and a fresh one waits for the record's own end")
    func deleted() {
        func judged(_ ago: Duration) -> Judgement {
            DanglingJudge(race: Sample.standard, now: now).judge(
                DanglingFacts(
                    patterns: [.exact(ObjectKey("k"))], head: .absent,
                    deletion: Deletion(marker: "m", at: now - ago, hidden: Sample.version()),
                    changed: now - .days(90)))
        }
        #expect(judged(.days(1)).cause == .deleted && judged(.days(1)).verdict == .settled)
        let fresh = judged(.minutes(10))
        #expect(fresh.verdict == .explained)
        #expect(fresh.explanation?.workflow == "delete both, file first")
        #expect(fresh.explanation?.until == now + .minutes(50))
    }
}
