import MooringDecisions
import MooringModel
import Testing

@Suite("Judging a reference whose object may lie elsewhere")
struct MeantObjectTests {
    private let race = Sample.standard
    private let key = ObjectKey("private/eu:2/a.png")

    private func object(
        _ difference: MeantObject.Difference, isSpelledAlike: Bool = true,
        version: ObjectVersion? = Sample.version(), quarantinedBy: RunID? = nil
    ) -> MeantObject {
        MeantObject(
            difference, bucket: "media", key: key, level: "private",
            identity: Array("eu:2".utf8), isSpelledAlike: isSpelledAlike, version: version,
            quarantinedBy: quarantinedBy)
    }

    private func judge(
        _ meant: [MeantObject], beside: Int = 0, changed: Instant? = now - .days(90),
        _ change: (inout DanglingFacts) -> Void = { _ in }
    ) -> Judgement {
        var facts = DanglingFacts(
            patterns: [.exact(ObjectKey("private/eu:1/a.png"))], head: .absent,
            changed: changed, meant: meant, meantBeside: beside)
        change(&facts)
        return DanglingJudge(race: race, now: now).judge(facts)
    }

    @Test("below a prefix that vanished, an object of the same name elsewhere decides nothing")
    func vanished() {
        let judgement = judge([object(.level)]) { $0.vanished = "33 are gone at once" }
        #expect(judgement.cause == .vanished && judgement.verdict == .undecided)
        #expect(judgement.evidence.contains(.meant(object(.level))))
        #expect(judge([object(.level)]).cause == .misplaced)
    }

    @Test("it is undecided, however long ago or short ago its record changed")
    func undecided() {
        for changed in [now, now - .days(900), nil] {
            for difference in [MeantObject.Difference.twin, .level, .identity, .bucket] {
                let judgement = judge([object(difference)], changed: changed)
                #expect(judgement.verdict == .undecided && judgement.explanation == nil)
                #expect(judgement.cause == (difference == .twin ? .twin : .misplaced))
                #expect(judgement.explanations(under: race, at: now).isEmpty)
            }
        }
        #expect(judge([]).verdict == .settled && judge([]).cause == .missing)
    }

    @Test("quarantined and foreign come first, the closest object names the cause")
    func precedence() {
        let twin = object(.twin, isSpelledAlike: false)
        let held = QuarantinedObject(
            key: ObjectKey("private/eu:1/a.png"), run: RunID(startingAt: now),
            version: Sample.version())
        #expect(judge([twin]) { $0.quarantined = held }.cause == .quarantined)
        #expect(judge([twin]) { $0.foreignBucket = "else" }.cause == .foreign)
        let far = object(.level, isSpelledAlike: false)
        let near = object(.level)
        #expect([far, twin, near].sorted { $0.rank < $1.rank } == [near, twin, far])
    }

    @Test("its evidence names every object, where it lies, and how many more there are")
    func evidence() {
        let run = RunID(startingAt: now)
        let meant = [
            object(.twin), object(.identity), object(.bucket, isSpelledAlike: false),
            object(.level, quarantinedBy: run),
        ]
        let texts = judge(meant, beside: 3).evidence.map(\.text)
        let shown = "'private/eu:2/a.png'"
        let place = "under level 'private' and the identity 'eu:2'"
        #expect(texts.contains("its twin \(shown) is there"))
        #expect(texts.contains("\(shown) lies \(place)"))
        #expect(
            texts.contains("\(shown) lies in the bucket 'media', \(place), spelled another way"))
        #expect(texts.contains("\(shown) lies \(place), in quarantine since run \(run.text)"))
        let held = Evidence.meant(object(.twin, quarantinedBy: run)).text
        #expect(held == "its twin \(shown) lies in quarantine since run \(run.text)")
        #expect(texts.last == "3 more objects may be meant")
        var hostile = object(.level)
        (hostile.key, hostile.level, hostile.identity) = (ObjectKey("a\n\u{7F}"), nil, nil)
        #expect(Evidence.meant(hostile).text == "'a\\u{a}\\u{7f}' lies at the root")
    }

    @Test("how it lies is told by what differs, and by its spelling")
    func relation() {
        #expect(object(.twin, isSpelledAlike: false).relation == "its twin")
        for (difference, place) in [
            (MeantObject.Difference.level, "under another level"),
            (.identity, "under another identity"), (.bucket, "in another bucket"),
        ] {
            #expect(object(difference).relation == "the same key \(place)")
            #expect(
                object(difference, isSpelledAlike: false).relation
                    == "a twin of its key \(place)")
        }
    }

    @Test("one object that was looked at may be handed over")
    func target() {
        #expect([object(.twin)].onlyTarget == object(.twin))
        #expect([object(.identity)].onlyTarget != nil)
        #expect([object(.bucket)].onlyTarget != nil)
        #expect([object(.twin), object(.level)].onlyTarget == nil)
        #expect([object(.twin, version: nil)].onlyTarget == nil)
        var taken = object(.twin)
        taken.isTaken = true
        #expect([taken].onlyTarget == nil)
        #expect(
            Evidence.meant(taken).text
                == "its twin \(Quoted.key(taken.key)) is there, "
                + "and another reference means it, or may")
        #expect([object(.twin, quarantinedBy: RunID(startingAt: now))].onlyTarget == nil)
    }
}
