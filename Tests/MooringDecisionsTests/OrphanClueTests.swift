import MooringDecisions
import MooringModel
import Testing

@Suite("What tells of an orphan beside its owner's field")
struct OrphanClueTests {
    private let race = Sample.standard
    private let birth = now - .days(50)
    private var judge: OrphanJudge { OrphanJudge(race: race, now: now) }

    private func list(
        changed: Instant?, siblings: [Instant], id: String = "s1"
    ) -> PossibleOwner {
        PossibleOwner(
            place: RecordPlace(identity: Sample.identity(id), field: "keys"),
            state: .present(holding: .otherKeys(siblings.count), changed: changed), shape: .list,
            siblings: siblings.map { ListedSibling(key: ObjectKey("k"), birth: $0) })
    }

    private func cause(_ owners: [PossibleOwner]) -> FindingCause {
        judge.judge(Sample.orphan(Sample.version(born: birth), owners: owners)).cause
    }

    @Test("two appends at once: the sibling a second to U away, the list a second to U after both")
    func lostUpdate() {
        let (second, window) = (Duration.seconds(1), race.uploadWindow)
        let nano = Duration.nanoseconds(1)
        let wanted: [(Duration, Duration, FindingCause)] = [
            (second, second, .lostUpdate), (second - nano, second, .detached),
            (window, second, .lostUpdate), (window + nano, second, .detached),
            (second, second - nano, .detached), (second, window, .lostUpdate),
            (second, window + nano, .detached),
        ]
        for (apart, after, cause) in wanted {
            for sibling in [birth + apart, birth - apart] {
                let changed = max(birth, sibling) + after
                #expect(self.cause([list(changed: changed, siblings: [sibling])]) == cause)
            }
        }
        #expect(cause([list(changed: nil, siblings: [birth + second])]) == .detached)
        #expect(cause([list(changed: birth + second, siblings: [])]) == .detached)
    }

    @Test("a lost update names its sibling, and is told before another owner that is there")
    func sibling() {
        let sibling = birth + .seconds(5)
        let lost = list(changed: sibling + .seconds(5), siblings: [birth, sibling], id: "s2")
        let plain = Sample.present(.otherKey, changed: now - .days(9))
        for owners in [[plain, lost], [lost, plain]] {
            let judgement = judge.judge(
                Sample.orphan(Sample.version(born: birth), owners: owners))
            #expect(judgement.cause == .lostUpdate && judgement.verdict == .settled)
            #expect(judgement.place?.identity.id.text == "s2")
            let wanted = ListedSibling(key: ObjectKey("k"), birth: sibling)
            #expect(judgement.evidence.last == .ownerListsRival(wanted))
            #expect(
                judgement.evidence.contains(.left(.ownerListsOthers, .lostUpdate, shape: .list)))
        }
        let cleared = Sample.present(.nothing, changed: now - .days(9), id: "s3")
        #expect(cause([lost, cleared]) == .cleared)
    }

    @Test("what may be a lost update is looked at, and errs to yes")
    func possible() {
        let version = Sample.version(born: birth)
        func isPossible(_ changed: Instant?, _ clock: ChangeClock = .server) -> Bool {
            LostUpdateRule.isPossible(version, changed: changed, setBy: clock, race: race)
        }
        let most = birth + race.uploadWindow + race.uploadWindow
        #expect(isPossible(birth + .seconds(1)) && isPossible(most))
        #expect(!isPossible(birth) && !isPossible(most + .nanoseconds(1)) && !isPossible(nil))
        #expect(isPossible(birth, .device))
        let parts = Sample.version(born: birth, etag: "e-2")
        #expect(LostUpdateRule.isPossible(parts, changed: birth, setBy: .server, race: race))
    }

    @Test("an identity that no record knows comes before an absent owner, and after all others")
    func unknownIdentity() {
        func cause(_ owners: [PossibleOwner]) -> FindingCause {
            var facts = Sample.orphan(owners: owners)
            facts.unknownIdentity = Array("eu:9".utf8)
            let judgement = judge.judge(facts)
            let isTold = judgement.evidence.contains(.identityUnknownToRecords(Array("eu:9".utf8)))
            #expect(isTold == (judgement.cause == .unknownIdentity))
            if isTold {
                #expect(judgement.evidence.contains { $0.text.contains("'sign-in'") })
            }
            return judgement.cause
        }
        let absent = Sample.owner(.absent(since: now - .days(9)))
        let tombstone = Sample.owner(.tombstone(since: now - .days(9)))
        #expect(cause([]) == .unknownIdentity)
        #expect(cause([absent]) == .unknownIdentity)
        #expect(cause([absent, tombstone]) == .ownerless)
        #expect(cause([tombstone]) == .ownerless)
        #expect(cause([absent, Sample.present(.otherKey, changed: now)]) == .superseded)
    }

    @Test("a record that may mean it leaves it undecided, also within the windows")
    func claims() {
        for born in [now - .days(90), now - .minutes(1)] {
            var facts = Sample.orphan(Sample.version(born: born))
            facts.claims = ["a record may mean it"]
            let judgement = judge.judge(facts)
            #expect(judgement.verdict == .undecided && judgement.explanation == nil)
            #expect(judgement.cause == .unattributed)
            #expect(judgement.evidence.last == .doubt("a record may mean it"))
        }
    }

    @Test("a list that became empty long after the object's birth was cleared, and so a null one")
    func clearedLists() {
        for shape in FieldShape.allCases {
            let owner = PossibleOwner(
                place: RecordPlace(identity: Sample.identity()),
                state: .present(holding: .nothing, changed: birth + .days(2)), shape: shape)
            #expect(cause([owner]) == .cleared)
        }
    }

    @Test("of a derived object's key its sources are read back")
    func sources() {
        func sources(_ key: String, _ patterns: String...) -> [String] {
            DerivedKey.sources(of: ObjectKey(key), patterns: patterns).map(\.text)
        }
        #expect(sources("thumbs/a/b.png", "thumbs/{key}", "{key}.webp") == ["a/b.png"])
        #expect(sources("a.webp", "thumbs/{key}", "{key}.webp") == ["a"])
        #expect(sources("thumbs/", "thumbs/{key}").isEmpty)
        #expect(sources("x", "no token").isEmpty)
    }

    @Test("an object whose source lives stays, goes back, and is not swept")
    func sourceLives() {
        typealias Event = ObjectAnswer
        var removal = OrphanRemoval(expected: Sample.version(), proof: Sample.reversible)
        guard case .end(.finish(.stale, _)) = removal.handle(.owners(.sourceLives)) else {
            Issue.record("the object was taken")
            return
        }
        removal = OrphanRemoval(expected: Sample.version(), proof: Sample.reversible)
        let before: [Event] = [
            .owners(.unreferenced), .head(.present(Sample.version())), .moved(.done),
        ]
        for event in before { _ = removal.handle(event) }
        #expect(removal.handle(.owners(.sourceLives)) == .act(.restore(Sample.version())))
        var sweep = QuarantineMove.sweep(Sample.irreversible)
        guard case .end(.finish(.stale, let reason)) = sweep.handle(.owners(.sourceLives)) else {
            Issue.record("the object was swept")
            return
        }
        #expect(reason?.contains("derived") == true)
    }
}
