package import MooringModel

/// What a possible owner's field holds in place of the orphan's key.
package enum FieldHolding: Hashable, Sendable {
    /// Null, absent, or an empty list.
    case nothing
    /// One key, which is not the orphan's.
    case otherKey
    /// A list of so many other keys.
    case otherKeys(Int)
}

/// A record that may own an object by its key, as the confirm scan found it.
package struct PossibleOwner: Hashable, Sendable {
    /// Whether and how the record is there.
    package enum State: Hashable, Sendable {
        /// There is no such record; since our first sight of that.
        case absent(since: Instant)
        /// A tombstone; since its change time, or our first sight of it.
        case tombstone(since: Instant)
        /// There is; `changed` is its effective change, nil when the record does not tell.
        case present(holding: FieldHolding, changed: Instant?)

        /// The state of an orphan that such an owner leaves.
        package var leaves: DifferenceState {
            switch self {
            case .absent: .ownerIsAbsent
            case .tombstone: .ownerIsTombstone
            case .present(.nothing, _): .ownerHoldsNothing
            case .present(.otherKey, _): .ownerHoldsAnother
            case .present(.otherKeys, _): .ownerListsOthers
            }
        }
    }

    /// The record and the field whose template fits.
    package let place: RecordPlace
    /// Whether and how it is there.
    package let state: State
    /// The shape of that field; nil when it is not known.
    package let shape: FieldShape?
    /// Of a list, objects whose keys stand in it, where they were looked at.
    package let siblings: [ListedSibling]

    /// Whether the record is there, and no tombstone.
    package var isPresent: Bool {
        if case .present = state { return true }
        return false
    }

    /// Whether there is no such record, and no tombstone of it.
    package var isAbsent: Bool {
        if case .absent = state { return true }
        return false
    }

    /// Whether something tells since when it has been as it is: a change time, or a tombstone.
    package var tellsItsChange: Bool {
        switch state {
        case .absent: false
        case .tombstone: true
        case .present(_, let changed): changed != nil
        }
    }

    /// Of one that is absent, whether an earlier run saw it there: else nothing tells that its
    /// name was read as the app means it.
    package var wasSeen = false

    /// One text for its row as it was read, where it has no version of its own.
    package var rowToken: String?

    /// Whether it is a copy of a record, to which nothing is given back.
    package var isCopy = false

    /// Whether a key can be given back to it: no copy, and no complex object, of which nothing
    /// tells the region.
    package var takesKey: Bool { isPresent && !isCopy && shape != .complex }

    /// A possible owner.
    package init(
        place: RecordPlace, state: State, shape: FieldShape? = nil,
        siblings: [ListedSibling] = []
    ) {
        self.place = place
        self.state = state
        self.shape = shape
        self.siblings = siblings
    }
}

/// Whether all possible owners are settled: none references the object (the caller knows that),
/// and each has been as it is for S + U.
package enum OwnerSettling: Hashable, Sendable {
    /// All are: no act has to wait for them.
    case settled
    /// All will be, unless they change again.
    case waiting(until: Instant)
    /// No template names an owner, or an owner's change time is not known.
    case unknown

    /// The settling for a reversible act, for which an absent owner is settled at once, or for an
    /// irreversible one, for which it must have been absent for S + U.
    ///
    /// Where all are absent and no run ever saw one of them, nothing tells that they are the right
    /// ones: only what is irreversible counts the time of their absence, beside two sightings.
    package static func of(
        _ owners: [PossibleOwner], race: RaceModel, now: Instant, irreversible: Bool
    ) -> OwnerSettling {
        guard !owners.isEmpty else { return .unknown }
        if !irreversible, owners.allSatisfy({ $0.isAbsent && !$0.wasSeen }) { return .unknown }
        var until = Instant.distantPast
        for owner in owners {
            switch owner.state {
            case .absent(let since), .tombstone(let since):
                if irreversible { until = max(until, since + race.ownerSettling) }
            case .present(_, let changed):
                guard let changed else { return .unknown }
                until = max(until, changed + race.ownerSettling)
            }
        }
        return until <= now ? .settled : .waiting(until: until)
    }
}
