import MooringDecisions
import MooringModel
import Testing

@Suite("What the policy would do")
struct PolicyChoiceTests {
    private let proven = Proofs.orphan(
        owners: [Sample.owner(.absent(since: now - .days(90)))], sighting: Sample.seen(3, .days(9)),
        race: Sample.standard, now: now)
    private let unproven = Proofs.orphan(
        owners: [], sighting: nil, race: Sample.standard, now: now)

    private func choice(
        _ policy: RepairPolicy = RepairPolicy(), _ race: RaceModel = Sample.standard
    ) -> PolicyChoice { PolicyChoice(policy: policy, race: race) }

    private func decided(
        _ finding: Finding, _ proofs: Proofs?, _ choice: PolicyChoice
    ) -> Finding {
        var copy = finding
        choice.decide(&copy, proofs: proofs)
        return copy
    }

    // What may be done about an orphan whose owner holds another key, beside looking again.
    private static let removals: [Strategy] = [.quarantine, .delete, .tag]

    @Test("every kind has its strategy, and kinds without one are kept")
    func kinds() {
        let choice = choice()
        #expect(choice.strategy(for: Sample.finding()) == .quarantine)
        #expect(choice.strategy(for: Sample.finding(.dangling, cause: .missing)) == .nullify)
        #expect(choice.strategy(for: Sample.finding(.shared, cause: nil)) == .keep)
    }

    @Test(
        "cleared and lost updates are kept by default",
        arguments: [FindingCause.cleared, .lostUpdate])
    func kept(cause: FindingCause) {
        #expect(choice().strategy(for: Sample.finding(cause: cause)) == .keep)
    }

    @Test("the last exception that fits wins, and all its conditions must fit")
    func overrides() {
        let policy = RepairPolicy(overrides: [
            .init(prefix: ObjectKey("media/"), strategies: [.orphan: .keep]),
            .init(model: "Song", cause: .superseded, strategies: [.orphan: .requery]),
            .init(model: "Song", source: "other", strategies: [.orphan: .delete]),
            .init(model: "Song", strategies: [.dangling: .keep]),
        ])
        let choice = choice(policy)
        #expect(choice.strategy(for: Sample.finding()) == .requery)
        #expect(choice.strategy(for: Sample.finding(cause: .detached)) == .keep)
        #expect(
            choice.strategy(for: Sample.finding(cause: .detached, key: "media")) == .quarantine)
        #expect(choice.strategy(for: Sample.finding(.dangling, cause: .missing)) == .keep)
    }

    @Test("a reference to an object in quarantine is never nulled, and nothing else is restored")
    func restore() {
        #expect(choice().strategy(for: Sample.finding(.dangling, cause: .quarantined)) == .restore)
        let held = Sample.finding(.dangling, cause: .quarantined)
        for strategy in [Strategy.keep, .requery] {
            let other = RepairPolicy(strategies: [.dangling: strategy])
            #expect(choice(other).strategy(for: held) == .restore)
            #expect(
                choice(other).strategy(for: Sample.finding(.dangling, cause: .missing))
                    == strategy)
        }
        let meant = RepairPolicy(overrides: [
            .init(cause: .quarantined, strategies: [.dangling: .keep])
        ])
        #expect(choice(meant).strategy(for: held) == .keep)
        let policy = RepairPolicy(strategies: [.dangling: .restore])
        #expect(choice(policy).strategy(for: Sample.finding(.dangling, cause: .missing)) == .keep)
    }

    @Test("an undecided finding is at most read again", arguments: Strategy.allCases)
    func undecided(strategy: Strategy) {
        let policy = RepairPolicy(strategies: [.orphan: strategy], overrides: [])
        let finding = decided(Sample.finding(verdict: .undecided), proven, choice(policy))
        #expect(finding.action == (strategy == .requery ? .requery : .keep))
        #expect(!Planner.acts(on: finding))
    }

    @Test("an explained finding says until when it waits", arguments: Strategy.allCases)
    func explained(strategy: Strategy) {
        let policy = RepairPolicy(strategies: [.orphan: strategy], overrides: [])
        var open = Sample.finding(verdict: .explained)
        open.explanation = Explanation(workflow: "create", step: "associate", until: now)
        let finding = decided(open, proven, choice(policy))
        #expect(!Planner.acts(on: finding))
        guard Self.removals.contains(strategy) else { return }
        #expect(finding.needs == ProofNeed(proof: "settled verdict", after: now))
    }

    @Test("every act but looking waits for its proof", arguments: Strategy.allCases)
    func settled(strategy: Strategy) {
        let policy = RepairPolicy(strategies: [.orphan: strategy], overrides: [])
        let race = Sample.noRelink
        let acts = Self.removals.contains(strategy)
        let waiting = decided(Sample.finding(), unproven, choice(policy, race))
        #expect((waiting.needs != nil) == acts)
        #expect((decided(Sample.finding(), nil, choice(policy, race)).needs != nil) == acts)
        #expect(decided(Sample.finding(), proven, choice(policy, race)).needs == nil)
    }

    @Test("delete needs relink: never, both proofs, and more than quarantine does")
    func delete() {
        let policy = RepairPolicy(strategies: [.orphan: .delete], overrides: [])
        let refused = decided(Sample.finding(), proven, choice(policy))
        #expect(refused.needs == ProofNeed(proof: "relink: never", after: nil))
        let half = Proofs.orphan(
            owners: [Sample.owner(.absent(since: now))], sighting: nil, race: Sample.standard,
            now: now)
        #expect(half.reversible == nil)
        #expect(
            decided(Sample.finding(), half, choice(policy, Sample.noRelink)).needs
                == half.irreversible)
        #expect(half.irreversible != nil)
    }

    @Test("tag needs what delete does, but where the bucket keeps versions")
    func tag() {
        let policy = RepairPolicy(strategies: [.orphan: .tag], overrides: [])
        let half = Proofs.orphan(
            owners: [Sample.owner(.absent(since: now))], sighting: nil, race: Sample.standard,
            now: now)
        for race in [Sample.standard, Sample.noRelink] {
            let kept = PolicyChoice(policy: policy, race: race, keepsVersions: true)
            #expect(decided(Sample.finding(), half, kept).needs == nil)
            let needs = decided(Sample.finding(), half, choice(policy, race)).needs
            #expect(
                needs
                    == (race.bounds.relinkPossible
                        ? ProofNeed(proof: "relink: never", after: nil) : half.irreversible))
        }
        #expect(decided(Sample.finding(), proven, choice(policy, Sample.noRelink)).needs == nil)
    }

    @Test("relink wants one possible owner, and an orphan that the owner may want")
    func relink() {
        let choice = choice(RepairPolicy(strategies: [.orphan: .relink], overrides: []))
        let lost = Sample.finding(cause: .lostUpdate)
        func proofs(_ owners: [PossibleOwner], changed: Instant = now - .days(90)) -> Proofs {
            .orphan(owners: owners, sighting: nil, race: Sample.standard, now: now)
        }
        let here = Sample.present(.otherKeys(2), changed: now - .days(90))
        let gone = Sample.owner(.absent(since: now - .days(90)))
        var copy = here
        copy.isCopy = true
        for owners in [[], [gone], [here, here], [copy]] {
            #expect(
                decided(lost, proofs(owners), choice).needs
                    == ProofNeed(proof: "one owner that is there", after: nil))
        }
        #expect(decided(lost, proofs([gone, here]), choice).action == .relink)
        #expect(decided(lost, proofs([gone, here, copy]), choice).needs == nil)
        let fresh = proofs([Sample.present(.otherKeys(2), changed: now)])
        #expect(decided(lost, fresh, choice).needs == fresh.reversible)
        #expect(decided(Sample.finding(cause: .superseded), proven, choice).action == .keep)
        #expect(decided(Sample.finding(cause: .ownerless), proven, choice).action == .keep)
    }

    @Test("repoint acts on an undecided reference with one target, and on nothing else")
    func repoint() {
        let choice = choice(RepairPolicy(strategies: [.dangling: .repoint], overrides: []))
        var twin = Sample.finding(.dangling, cause: .twin, verdict: .undecided)
        #expect(
            decided(twin, proven, choice).needs
                == ProofNeed(proof: "one object that the field can name", after: nil))
        twin.target = ObjectPlace(bucket: "media", key: ObjectKey("twin"))
        let repointed = decided(twin, proven, choice)
        #expect(repointed.action == .repoint && Planner.acts(on: repointed))
        #expect(
            Planner.step(for: repointed, quarantinedBy: nil)?.target == twin.target)
        #expect(!Planner.acts(on: decided(twin, unproven, choice)))
        let missing = Sample.finding(.dangling, cause: .missing)
        #expect(decided(missing, proven, choice).action == .keep)
    }

    @Test("a record goes only with the proof of an irreversible act")
    func deleteRecord() {
        let choice = choice(RepairPolicy(strategies: [.dangling: .deleteRecord], overrides: []))
        let half = Proofs.dangling(
            changed: now - .days(90), sighting: nil, race: Sample.standard, now: now)
        let missing = Sample.finding(.dangling, cause: .missing)
        #expect(half.reversible == nil && half.irreversible != nil)
        #expect(decided(missing, half, choice).needs == half.irreversible)
        #expect(decided(missing, proven, choice).needs == nil)
        let twin = Sample.finding(.dangling, cause: .twin)
        #expect(decided(twin, proven, choice).action == .keep)
    }

    @Test("a need that stood before is taken away with the decision")
    func needs() {
        var finding = Sample.finding()
        finding.needs = ProofNeed(proof: "old", after: nil)
        #expect(decided(finding, proven, choice()).needs == nil)
    }
}
