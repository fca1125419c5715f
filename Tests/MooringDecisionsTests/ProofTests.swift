import MooringDecisions
import MooringModel
import Testing

/// The table "What each act needs" of Docs/SAFETY.md, row by row.
@Suite("Proofs")
struct ProofTests {
    private let race = Sample.standard
    private var long: Duration { race.grace }

    private func orphan(_ owners: [PossibleOwner], _ sighting: PriorSighting?) -> Proofs {
        Proofs.orphan(owners: owners, sighting: sighting, race: race, now: now)
    }

    private func dangling(
        _ changed: Instant?, _ sighting: PriorSighting?, _ race: RaceModel = Sample.standard
    ) -> Proofs {
        Proofs.dangling(changed: changed, sighting: sighting, race: race, now: now)
    }

    // MARK: Reversible

    @Test("a settled owner is proof enough for what can be taken back")
    func settledOwner() {
        let owner = Sample.present(.otherKey, changed: now - race.ownerSettling)
        #expect(orphan([owner], nil).reversible == nil)
        #expect(orphan([Sample.owner(.absent(since: now))], nil).reversible == nil)
        #expect(orphan([Sample.owner(.tombstone(since: now))], nil).reversible == nil)
    }

    @Test("an owner that changed a moment too late is waited for, until it is settled")
    func unsettledOwner() {
        let changed = now - race.ownerSettling + .seconds(1)
        let need = orphan([Sample.present(.otherKey, changed: changed)], nil).reversible
        #expect(need == ProofNeed(proof: "settled owner", after: now + .seconds(1)))
    }

    @Test("every possible owner must be settled")
    func everyOwner() {
        let owners = [
            Sample.owner(.absent(since: now)),
            Sample.present(.nothing, changed: now - .days(1), id: "s2"),
        ]
        #expect(orphan(owners, nil).reversible != nil)
    }

    @Test("two sightings at least G apart do instead, whoever owns it")
    func twoSightings() {
        for owners in [[], [Sample.present(.otherKey, changed: now)]] {
            #expect(orphan(owners, Sample.seen(1, long)).reversible == nil)
            #expect(orphan(owners, Sample.seen(1, long - .seconds(1))).reversible != nil)
        }
    }

    @Test("without an owner and a sighting it waits for the second one, G from now")
    func firstSighting() {
        let need = orphan([], nil).reversible
        #expect(need == ProofNeed(proof: "second sighting", after: now + race.grace))
        let again = orphan([], Sample.seen(1, .days(1))).reversible
        #expect(again?.after == now - .days(1) + race.grace)
    }

    // MARK: Irreversible

    @Test("what cannot be undone needs two sightings and settled owners")
    func irreversible() {
        let settled = [Sample.present(.otherKey, changed: now - .days(10))]
        #expect(orphan(settled, Sample.seen(1, long)).irreversible == nil)
        #expect(orphan(settled, nil).irreversible?.proof == "second sighting")
        #expect(orphan(settled, Sample.seen(5, .days(1))).irreversible != nil)
        let fresh = [Sample.present(.otherKey, changed: now)]
        #expect(orphan(fresh, Sample.seen(5, long)).irreversible?.proof == "settled owner")
    }

    @Test("an absent owner must have been absent for S + U before anything is gone for good")
    func absentOwner() {
        let seen = Sample.seen(4, .days(30))
        for state in [
            PossibleOwner.State.absent(since: now - .days(1)), .tombstone(since: now - .days(1)),
        ] {
            #expect(orphan([Sample.owner(state)], seen).irreversible?.proof == "settled owner")
        }
        let long = Sample.owner(.absent(since: now - race.ownerSettling))
        #expect(orphan([long], seen).irreversible == nil)
    }

    @Test("where nothing tells about the owner, one more sighting stands in for it")
    func unknownOwner() {
        for owners in [[], [Sample.present(.otherKey, changed: nil)]] {
            #expect(orphan(owners, Sample.seen(1, long)).irreversible != nil)
            #expect(orphan(owners, Sample.seen(2, long)).irreversible == nil)
        }
    }

    // MARK: Dangling references

    @Test("a record that is unchanged for S + U lets its reference be nulled")
    func settledRecord() {
        #expect(dangling(now - race.ownerSettling, nil).reversible == nil)
        let need = dangling(now - race.ownerSettling + .seconds(1), nil).reversible
        #expect(need == ProofNeed(proof: "settled record", after: now + .seconds(1)))
        #expect(dangling(now, Sample.seen(1, long)).reversible == nil)
    }

    @Test("a record that does not tell when it changed needs a second sighting")
    func unknownChange() {
        #expect(dangling(nil, nil).reversible?.proof == "second sighting")
        #expect(dangling(nil, Sample.seen(1, long)).reversible == nil)
        #expect(dangling(nil, Sample.seen(1, long)).irreversible?.proof == "second sighting")
        #expect(dangling(nil, Sample.seen(2, long)).irreversible == nil)
    }

    @Test("under optimistic conflict detection only a second sighting lets it be nulled")
    func optimistic() {
        let race = Sample.optimistic
        #expect(dangling(now - .days(900), nil, race).reversible?.proof == "second sighting")
        #expect(dangling(now, Sample.seen(1, race.grace), race).reversible == nil)
    }

    @Test("deleting a record needs two sightings and a settled record")
    func deleteRecord() {
        #expect(dangling(now - .days(9), nil).irreversible != nil)
        #expect(dangling(now, Sample.seen(1, long)).irreversible?.proof == "settled record")
        #expect(dangling(now - .days(9), Sample.seen(1, long)).irreversible == nil)
    }

    // MARK: Tokens

    private func step(_ strategy: Strategy, quarantinedBy: RunID? = nil) -> PlanStep {
        PlanStep(
            id: "s", hash: "", strategy: strategy, finding: "f", bucket: "media",
            key: ObjectKey("k"), record: nil,
            precondition: Precondition(object: Sample.version(), quarantinedBy: quarantinedBy)
        ).sealed()
    }

    @Test("a token is made exactly where the proof is there")
    func tokens() {
        let settled = [Sample.present(.otherKey, changed: now - .days(10))]
        for (owners, seen) in [
            (settled, nil), (settled, Sample.seen(1, long)), ([], nil), ([], Sample.seen(1, long)),
            ([], Sample.seen(2, long)), ([Sample.present(.otherKey, changed: now)], nil),
        ] as [([PossibleOwner], PriorSighting?)] {
            let proofs = orphan(owners, seen)
            #expect((ReversibleProof(proofs) != nil) == (proofs.reversible == nil))
            #expect((IrreversibleProof(proofs) != nil) == (proofs.irreversible == nil))
        }
        // A second sighting alone proves nothing for ever where the record tells its change.
        let fresh = dangling(now, Sample.seen(1, long))
        #expect(ReversibleProof(fresh) != nil && IrreversibleProof(fresh) == nil)
        // Under optimistic conflict detection a settled record alone proves nothing at all.
        let optimistic = dangling(now - .days(900), nil, Sample.optimistic)
        #expect(ReversibleProof(optimistic) == nil && IrreversibleProof(optimistic) == nil)
    }

    @Test("of a saved plan, only an unchanged step of a strategy that needs it gives a token")
    func plannedTokens() {
        for strategy in Strategy.allCases {
            let reversible = ReversibleProof(planned: step(strategy)) != nil
            let own: [Strategy] = [.quarantine, .nullify, .relink, .repoint, .requery, .tag]
            #expect(reversible == own.contains(strategy))
            #expect(
                (IrreversibleProof(planned: step(strategy)) != nil)
                    == [.delete, .deleteRecord, .abort].contains(strategy))
        }
        // A restore from quarantine needs none; one that takes a deletion back names its marker.
        var undelete = step(.restore)
        undelete.precondition.basis.marker = "m"
        #expect(ReversibleProof(planned: undelete) == nil)
        #expect(ReversibleProof(planned: undelete.sealed()) != nil)
        for strategy in [Strategy.quarantine, .nullify, .relink, .repoint, .delete, .deleteRecord] {
            var changed = step(strategy)
            changed.key = ObjectKey("another")
            #expect(ReversibleProof(planned: changed) == nil)
            #expect(IrreversibleProof(planned: changed) == nil)
        }
    }

    @Test("a sweep's step proves nothing: its token comes from this run's own facts")
    func sweepToken() {
        let sweep = step(.delete, quarantinedBy: RunID(startingAt: now))
        #expect(IrreversibleProof(planned: sweep) == nil)
        for runs in 0...3 {
            let facts = SweepRule.Facts(
                quarantinedAt: now - .days(40), isReferenced: false, cleanRuns: runs,
                firstCleanAt: now - race.grace, looks: CleanLooks(), scan: CleanLook(at: now),
                owners: [Sample.owner(.tombstone(since: now - .days(29)))], mayBeLinked: false)
            let proof = IrreversibleProof(
                sweeping: facts, retention: .days(30), race: race, now: now)
            #expect((proof != nil) == (runs >= 2))
        }
    }
}
