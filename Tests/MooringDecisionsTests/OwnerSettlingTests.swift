import MooringDecisions
import MooringModel
import Testing

@Suite("Settled owners")
struct OwnerSettlingTests {
    private let race = Sample.standard

    private func settling(_ owners: [PossibleOwner], irreversible: Bool = false) -> OwnerSettling {
        .of(owners, race: race, now: now, irreversible: irreversible)
    }

    @Test("no owner, or one that does not tell when it changed, is unknown")
    func unknown() {
        #expect(settling([]) == .unknown)
        #expect(settling([Sample.present(.nothing, changed: nil)]) == .unknown)
        let settled = Sample.present(.nothing, changed: now - .days(90))
        #expect(settling([settled, Sample.present(.nothing, changed: nil)]) == .unknown)
    }

    @Test("it is settled S + U after the last change, to the nanosecond")
    func bound() {
        let changed = now - race.ownerSettling
        #expect(settling([Sample.present(.otherKey, changed: changed)]) == .settled)
        let later = changed + .nanoseconds(1)
        #expect(
            settling([Sample.present(.otherKey, changed: later)])
                == .waiting(until: now + .nanoseconds(1)))
    }

    @Test("the last of several owners counts")
    func last() {
        let owners = [now - .days(2), now - .days(1), now - .days(90)].map {
            Sample.present(.otherKey, changed: $0)
        }
        #expect(settling(owners) == .waiting(until: now - .days(1) + race.ownerSettling))
    }

    @Test("where no run ever saw one of the owners, their absence proves nothing at once")
    func neverSeen() {
        var never = Sample.owner(.absent(since: now - .days(90)))
        never.wasSeen = false
        #expect(settling([never]) == .unknown)
        #expect(settling([never, never]) == .unknown)
        #expect(settling([never], irreversible: true) == .settled)
        // One that is known tells that its template reads keys as the app means them.
        for known in [
            Sample.owner(.absent(since: now)), Sample.owner(.tombstone(since: now)),
            Sample.present(.nothing, changed: now - .days(90)),
        ] {
            #expect(settling([never, known]) == .settled)
        }
        let proofs = Proofs.orphan(owners: [never], sighting: nil, race: race, now: now)
        #expect(proofs.reversible == ProofNeed(proof: "second sighting", after: now + race.grace))
        let again = Sample.seen(1, race.grace)
        #expect(
            Proofs.orphan(owners: [never], sighting: again, race: race, now: now).reversible
                == nil)
    }

    @Test("an absent owner is settled at once, unless the act cannot be undone")
    func absent() {
        for state in [PossibleOwner.State.absent(since: now), .tombstone(since: now)] {
            #expect(settling([Sample.owner(state)]) == .settled)
            #expect(
                settling([Sample.owner(state)], irreversible: true)
                    == .waiting(until: now + race.ownerSettling))
        }
    }
}
