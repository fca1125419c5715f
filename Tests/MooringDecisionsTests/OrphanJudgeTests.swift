import MooringDecisions
import MooringModel
import Testing

@Suite("Judging an orphan")
struct OrphanJudgeTests {
    private let race = Sample.standard
    private var judge: OrphanJudge { OrphanJudge(race: race, now: now) }

    @Test("it is explained until its birth is G old, then settled")
    func grace() throws {
        let old = Sample.version(born: now - race.grace)
        #expect(judge.judge(Sample.orphan(old)).verdict == .settled)
        let young = Sample.version(born: now - race.grace + .nanoseconds(1))
        let judgement = judge.judge(Sample.orphan(young))
        #expect(judgement.verdict == .explained)
        let explanation = try #require(judgement.explanation)
        #expect(explanation.until == now + .nanoseconds(1))
        #expect(explanation.workflow == "write back" && explanation.step == "write back")
    }

    @Test("an explained orphan names what fits its owner, and can list all that may still come")
    func explanations() throws {
        let young = Sample.version(born: now - .minutes(5))
        let owner = PossibleOwner(
            place: RecordPlace(identity: Sample.identity()),
            state: .present(holding: .otherKeys(3), changed: now - .days(9)), shape: .list)
        let judgement = judge.judge(Sample.orphan(young, owners: [owner]))
        let explanation = try #require(judgement.explanation)
        #expect(explanation.workflow == "append to list" && explanation.step == "associate")
        let all = judgement.explanations(under: race, at: now)
        #expect(all.map(\.until).max() == explanation.until)
        #expect(all.contains { $0.workflow == "replace in list" })
        #expect(all.last?.workflow == "write back")
    }

    @Test("an owner that changes every day does not keep an orphan explained")
    func busyOwner() {
        for holding in [FieldHolding.nothing, .otherKey, .otherKeys(1)] {
            let owner = Sample.present(holding, changed: now)
            #expect(judge.judge(Sample.orphan(owners: [owner])).verdict == .settled)
        }
    }

    @Test("a settled orphan says which crash points leave it, and last what its owner showed")
    func origin() {
        let owner = Sample.present(.otherKey, changed: now - .days(90))
        let evidence = judge.judge(Sample.orphan(owners: [owner])).evidence
        #expect(evidence.contains(.left(.ownerHoldsAnother, .superseded, shape: nil)))
        #expect(evidence.last == .ownerHoldsAnother)
    }

    @Test("its finding says first that no reference means it, and how many there are")
    func unmeant() {
        let facts = Sample.orphan()
        let finding = judge.finding(
            facts, judge.judge(facts), at: ObjectPlace(bucket: "media", key: ObjectKey("k")),
            references: 3)
        #expect(finding.evidence.first == "none of 3 references means it")
    }

    @Test("the clock difference is waited for too")
    func clock() {
        let race = RaceModel(bounds: RaceBounds(), clock: .seconds(60))
        let version = Sample.version(born: now - self.race.grace)
        let judgement = OrphanJudge(race: race, now: now).judge(Sample.orphan(version))
        #expect(judgement.verdict == .explained)
    }

    @Test("an object from the future is explained, never settled")
    func future() {
        let judgement = judge.judge(Sample.orphan(Sample.version(born: now + .days(1))))
        #expect(judgement.verdict == .explained)
    }

    @Test("a multipart object is born when it was first seen, not when its upload began")
    func multipart() {
        let version = Sample.version(born: now - .days(100), etag: "abc-12")
        #expect(judge.judge(Sample.orphan(version, firstSight: now)).verdict == .explained)
        let seen = Sample.orphan(version, firstSight: now - race.grace)
        #expect(judge.judge(seen).verdict == .settled)
        let single = Sample.version(born: now - .days(100), etag: "abc-x12")
        #expect(judge.judge(Sample.orphan(single, firstSight: now)).verdict == .settled)
    }

    @Test("a doubt leaves it undecided and is told")
    func doubts() {
        let judgement = judge.judge(Sample.orphan(doubts: ["a link points to it"]))
        #expect(judgement.verdict == .undecided)
        #expect(judgement.evidence.contains(.doubt("a link points to it")))
    }

    private static let birth = now - .days(50)
    private static let window = Sample.standard.uploadWindow

    @Test(
        "the cause follows from what its owner holds",
        arguments: [
            (FieldHolding.otherKey, .some(birth), FindingCause.superseded),
            (.otherKeys(2), birth, .detached),
            (.nothing, birth + window, .unassociated),
            (.nothing, birth + window + .nanoseconds(1), .cleared),
            (.nothing, birth - .days(9), .unassociated),
            (.nothing, nil, .unassociated),
        ] as [(FieldHolding, Instant?, FindingCause)])
    func causes(holding: FieldHolding, changed: Instant?, cause: FindingCause) {
        let facts = Sample.orphan(
            Sample.version(born: Self.birth),
            owners: [Sample.present(holding, changed: changed)])
        let judgement = judge.judge(facts)
        #expect(judgement.cause == cause)
        #expect(judgement.place?.identity == Sample.identity())
    }

    @Test("without an owner it is unattributed, with one that is gone ownerless")
    func gone() {
        #expect(judge.judge(Sample.orphan()).cause == .unattributed)
        let absent = judge.judge(Sample.orphan(owners: [Sample.owner(.absent(since: now))]))
        let dead = judge.judge(Sample.orphan(owners: [Sample.owner(.tombstone(since: now))]))
        #expect(absent.cause == .ownerless && dead.cause == .ownerless)
        #expect(absent.evidence != dead.evidence)
    }

    @Test("an owner that is there tells more than one that is gone, and a cleared one most")
    func severalOwners() {
        let gone = Sample.owner(.absent(since: now), id: "gone")
        let other = Sample.present(.otherKey, changed: now - .days(90), id: "other")
        let cleared = Sample.present(.nothing, changed: now - .days(4), id: "cleared")
        let version = Sample.version(born: now - .days(50))
        let two = judge.judge(Sample.orphan(version, owners: [gone, other]))
        #expect(two.cause == .superseded)
        #expect(two.place?.identity.id == RecordID("other"))
        let three = judge.judge(Sample.orphan(version, owners: [gone, other, cleared]))
        #expect(three.cause == .cleared)
        #expect(three.place?.identity.id == RecordID("cleared"))
    }
}
