package import MooringModel

/// What a read of an orphan's possible owners found.
package enum OwnersAnswer: Hashable, Sendable {
    /// None of them references the object.
    case unreferenced
    /// One does.
    case referenced
    /// They could not be read; the reason names the doubt.
    case unknown(String)
}

/// The protocol that removes one orphan, as a state machine: owners → head → conditional
/// quarantine → owners again → restore, or (for `delete`) removal from quarantine.
///
/// Event in, action out; no I/O and no clock. After a crash it begins again at its first
/// precondition: the object then either is where it was, or lies in quarantine, from where the
/// watch gives it back when a record references it.
package struct OrphanRemoval: Sendable {
    /// What the caller does next.
    package enum Action: Hashable, Sendable {
        /// Reads every possible owner.
        case readOwners
        /// Looks at the object.
        case head
        /// Moves the object into quarantine where it still is the expected version.
        case quarantine
        /// Moves the object back to its key.
        case restore
        /// Removes the object from quarantine for good; only of `delete`.
        case remove
        /// Nothing more; how the step ended, and why.
        case finish(StepOutcome, reason: String?)
    }

    /// What came of the last action.
    package enum Event: Hashable, Sendable {
        case owners(OwnersAnswer)
        case head(HeadAnswer)
        case moved(MoveOutcome)
        case failed(String)
    }

    private enum State {
        case checkingOwners, heading, quarantining, checkingOwnersAgain
        case restoring(because: String)
        case removing, finished
    }

    private let expected: ObjectVersion
    private let removesForGood: Bool
    private var state = State.checkingOwners

    /// The removal of an object of this version, into quarantine or for good.
    package init(expected: ObjectVersion, removesForGood: Bool) {
        self.expected = expected
        self.removesForGood = removesForGood
    }

    /// The first action.
    package var start: Action { .readOwners }

    /// The next action after an event.
    package mutating func handle(_ event: Event) -> Action {
        switch (state, event) {
        case (.checkingOwners, .owners(.unreferenced)):
            return go(to: .heading, .head)
        case (.checkingOwners, .owners(.referenced)):
            return finish(.stale, "a record references the object now")
        case (.checkingOwners, .owners(.unknown(let reason))):
            return finish(.failed, "its possible owners could not be read: \(reason)")
        case (.heading, .head(.present(let found))):
            guard found == expected else {
                return finish(.stale, "the object is another version now")
            }
            return go(to: .quarantining, .quarantine)
        case (.heading, .head(.absent)):
            return finish(.stale, "the object is gone already")
        case (.heading, .head(.unknown(let reason))):
            return finish(.failed, "the object could not be looked at: \(reason)")
        case (.quarantining, .moved(.done)):
            return go(to: .checkingOwnersAgain, .readOwners)
        case (.quarantining, .moved(.stale(let reason))):
            return finish(.stale, reason)
        case (.checkingOwnersAgain, .owners(.unreferenced)):
            return removesForGood ? go(to: .removing, .remove) : finish(.done, nil)
        case (.checkingOwnersAgain, .owners(.referenced)):
            return restore(because: "a record referenced the object meanwhile")
        case (.checkingOwnersAgain, .owners(.unknown(let reason))):
            return restore(because: "its possible owners could not be read again: \(reason)")
        // Without a clear answer the object goes back: an object too many is harmless.
        case (.checkingOwnersAgain, .failed(let error)):
            return restore(because: "its possible owners could not be read again: \(error)")
        case (.checkingOwnersAgain, _):
            return restore(because: "an answer came that nobody asked for")
        case (.restoring(let reason), .moved(.done)):
            return finish(.putBack, reason)
        case (.restoring(let reason), .moved(.stale(let obstacle))):
            return finish(.failed, "\(reason), and it stays in quarantine: \(obstacle)")
        case (.restoring(let reason), .failed(let error)):
            return finish(.failed, "\(reason), and it stays in quarantine: \(error)")
        case (.removing, .moved(.done)):
            return finish(.done, nil)
        case (.removing, .moved(.stale(let reason))):
            return finish(.failed, "it stays in quarantine: \(reason)")
        case (.finished, _):
            return .finish(.failed, reason: "the step had ended")
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, "an answer came that nobody asked for")
        }
    }

    private mutating func go(to next: State, _ action: Action) -> Action {
        state = next
        return action
    }

    private mutating func restore(because reason: String) -> Action {
        go(to: .restoring(because: reason), .restore)
    }

    private mutating func finish(_ outcome: StepOutcome, _ reason: String?) -> Action {
        go(to: .finished, .finish(outcome, reason: reason))
    }
}
