import MooringDecisions
import MooringModel
import Testing

@Suite("Judging a dangling reference")
struct DanglingJudgeTests {
    private let race = Sample.standard
    private let key = KeyPattern.exact(ObjectKey("public/a"))
    private var judge: DanglingJudge { DanglingJudge(race: race, now: now) }

    private func facts(_ change: (inout DanglingFacts) -> Void = { _ in }) -> DanglingFacts {
        var facts = DanglingFacts(patterns: [key], head: .absent, changed: now - .days(90))
        change(&facts)
        return facts
    }

    @Test("an absent object and a record at rest are settled")
    func settled() {
        let judgement = judge.judge(facts())
        #expect(judgement.verdict == .settled)
        #expect(judgement.cause == .missing)
        #expect(judgement.proofs.reversible == nil)
    }

    @Test("a record that changed less than G ago explains it")
    func explained() throws {
        #expect(judge.judge(facts { $0.changed = now - race.grace }).verdict == .settled)
        let judgement = judge.judge(
            facts { $0.changed = now - race.grace + .nanoseconds(1) })
        #expect(judgement.verdict == .explained)
        let explanation = try #require(judgement.explanation)
        #expect(explanation.until == now + .nanoseconds(1))
        #expect(explanation.workflow == "delete both, file first")
        #expect(explanation.step == "delete record")
    }

    @Test("a settled one says which crash points leave it; one in quarantine is nobody's crash")
    func origin() {
        let left = Evidence.left(.objectIsAbsent, .missing, shape: .list)
        #expect(judge.judge(facts { $0.shape = .list }).evidence.contains(left))
        let held = QuarantinedObject(
            key: ObjectKey("public/a"), run: RunID(startingAt: now), version: Sample.version())
        let judgement = judge.judge(facts { $0.quarantined = held })
        #expect(judgement.evidence == [.inQuarantine(held.run)])
    }

    @Test("a record without a change time is settled and waits for a second sighting")
    func unknownChange() {
        let judgement = judge.judge(facts { $0.changed = nil })
        #expect(judgement.verdict == .settled)
        #expect(judgement.proofs.reversible?.proof == "second sighting")
    }

    @Test("below a prefix that vanished no window settles it; one in quarantine comes back")
    func vanished() {
        let judgement = judge.judge(facts { $0.vanished = "33 are gone at once" })
        #expect(judgement.verdict == .undecided && judgement.cause == .vanished)
        #expect(judgement.evidence.contains(.doubt("33 are gone at once")))
        let recent = judge.judge(
            facts {
                $0.vanished = "33 are gone at once"
                $0.changed = now
            })
        #expect(recent.verdict == .undecided && recent.explanation == nil)
        let held = QuarantinedObject(
            key: ObjectKey("public/a"), run: RunID(startingAt: now), version: Sample.version())
        let quarantined = judge.judge(
            facts {
                $0.vanished = "33 are gone at once"
                $0.quarantined = held
            })
        #expect(quarantined.cause == .quarantined)
    }

    @Test("only a look that says so is absence")
    func heads() {
        #expect(judge.judge(facts { $0.head = .unknown("403") }).verdict == .undecided)
        #expect(judge.judge(facts { $0.head = .present(Sample.version()) }).verdict == .undecided)
        #expect(judge.judge(facts { $0.head = nil }).verdict == .settled)
    }

    @Test("a reference that may mean several keys is undecided")
    func severalKeys() {
        let several = facts { $0.patterns.append(.exact(ObjectKey("a"))) }
        #expect(judge.judge(several).verdict == .undecided)
        let anyone = facts { $0.patterns = [.anyIdentity(head: [], rest: [1])] }
        #expect(judge.judge(anyone).verdict == .undecided)
    }

    @Test("a doubt leaves it undecided, however long ago the record changed")
    func doubts() {
        let judgement = judge.judge(facts { $0.doubts = ["its twin is there"] })
        #expect(judgement.verdict == .undecided)
        #expect(judgement.evidence.contains(.doubt("its twin is there")))
    }

    @Test("a bucket that nobody configured is foreign and undecided")
    func foreign() {
        let judgement = judge.judge(facts { $0.foreignBucket = "elsewhere" })
        #expect(judgement.verdict == .undecided)
        #expect(judgement.cause == .foreign)
    }

    @Test("what lies in quarantine is given back without further proof")
    func quarantined() throws {
        let run = RunID(startingAt: now - .days(2))
        let judgement = judge.judge(
            facts {
                $0.quarantined = QuarantinedObject(
                    key: ObjectKey("public/a"), run: run, version: Sample.version())
                $0.changed = now
            })
        #expect(judgement.cause == .quarantined)
        #expect(judgement.verdict == .settled)
        #expect(judgement.proofs.reversible == nil)
        #expect(judgement.proofs.irreversible != nil)
    }

    private func version(_ id: String) -> ObjectVersion {
        ObjectVersion(size: 17, etag: "e", lastModified: now - .days(100), versionID: id)
    }

    @Test("what was deleted once more after its quarantine is deleted, and waits as deleted does")
    func deletedAfterQuarantine() {
        let (hidden, later) = (version("v1"), version("v2"))
        let held = QuarantinedObject(
            key: ObjectKey("public/a"), run: RunID(startingAt: now - .days(20)), version: hidden,
            marker: "m")
        func cause(
            _ deletion: Deletion, _ held: QuarantinedObject = held
        ) -> (FindingCause?, Verdict) {
            let judgement = judge.judge(
                facts {
                    $0.quarantined = held
                    $0.deletion = deletion
                })
            return (judgement.cause, judgement.verdict)
        }
        let old = now - .days(19)
        #expect(cause(Deletion(marker: "m", at: old, hidden: hidden)) == (.quarantined, .settled))
        let again = Deletion(marker: "n", at: old, hidden: hidden, coversMarker: true)
        #expect(cause(again) == (.deleted, .settled))
        #expect(cause(Deletion(marker: "n", at: old, hidden: later)) == (.deleted, .settled))
        let fresh = Deletion(marker: "n", at: now, hidden: hidden, coversMarker: true)
        #expect(cause(fresh) == (.deleted, .explained))
        // Below our own marker an older version may come to lie, which nobody deleted.
        #expect(cause(Deletion(marker: "m", at: old, hidden: later)) == (.quarantined, .settled))
        // A copy in quarantine can be given back whatever lies at its key.
        let copy = QuarantinedObject(
            key: held.key, run: held.run, version: Sample.version())
        #expect(cause(again, copy) == (.quarantined, .settled))
    }
}
