package import MooringModel

/// What a read of an orphan's possible owners found.
package enum OwnersAnswer: Hashable, Sendable {
    /// None of them references the object.
    case unreferenced
    /// One does.
    case referenced
    /// None does, but the object is derived from one that is there, or that is referenced.
    case sourceLives
    /// They could not be read; the reason names the doubt.
    case unknown(String)
}

/// The protocol that removes one orphan, as a state machine: owners → head → conditional
/// quarantine → owners again → restore, or (for `delete`) removal from quarantine.
///
/// Event in, action out; no I/O and no clock. A move without an answer is found out by looking
/// into the quarantine. After a crash behind its intent it goes on with `resume`: the object then
/// is where it was, or lies in quarantine and its owners are read again, or, where a move is a
/// copy and a deletion, is in both places and the removal begins again.
package struct OrphanRemoval: Hashable, Sendable {
    /// What the caller does next.
    package enum Action: Hashable, Sendable {
        /// Reads every possible owner.
        case readOwners
        /// Looks at the object.
        case head
        /// Moves the object into quarantine where it still is the expected version.
        case quarantine(ReversibleProof)
        /// Looks for the object in quarantine.
        case headQuarantined
        /// Moves this version back from quarantine to its key.
        case restore(ObjectVersion)
        /// Removes the object from quarantine for good; only of `delete`.
        case remove(IrreversibleProof)
        /// Nothing more; how the step ended, and why.
        case finish(StepOutcome, reason: String?)
        /// Nothing more for now: the intent stays open, and the next run resumes it.
        case leaveOpen(reason: String)
    }

    /// What came of the last action.
    package enum Event: Hashable, Sendable {
        /// Of `readOwners`.
        case owners(OwnersAnswer)
        /// Of `head` and `headQuarantined`.
        case head(HeadAnswer)
        /// Of `quarantine`, `restore` and `remove`.
        case moved(MoveOutcome)
        /// An answer that did not come: the act may have been carried out or not.
        case failed(String)
    }

    /// Where the protocol stands; what it carries along beside that is in the machine.
    package enum Position: UInt8, Hashable, Sendable {
        case checkingOwners, heading, quarantining, findingQuarantine
        case checkingOwnersAgain, restoring, findingRestore
        case removing, findingRemoval, resuming, resumingHead, findingOriginal
        case finished
    }

    private let expected: ObjectVersion
    private let proof: ReversibleProof
    // Only of `delete`.
    private let deletion: IrreversibleProof?
    /// Where it stands.
    package private(set) var position: Position
    // What lies in quarantine, where that was looked for.
    private var held: ObjectVersion?
    /// Once behind a crash, where the object may be found in both places.
    package private(set) var mayBeginAgain = false
    // Why the object goes back, or which answer is missing.
    private var reason = ""

    /// The removal of an object of this version into quarantine.
    package init(expected: ObjectVersion, proof: ReversibleProof) {
        self.init(expected, proof, nil, .checkingOwners)
    }

    /// The removal of an object of this version for good, by way of the quarantine.
    package init(expected: ObjectVersion, deleting proof: IrreversibleProof) {
        self.init(expected, ReversibleProof(proof), proof, .checkingOwners)
    }

    private init(
        _ expected: ObjectVersion, _ proof: ReversibleProof, _ deletion: IrreversibleProof?,
        _ position: Position
    ) {
        self.expected = expected
        self.proof = proof
        self.deletion = deletion
        self.position = position
    }

    /// The same removal, taken up after a crash behind its intent.
    package func resume() -> OrphanRemoval {
        var machine = OrphanRemoval(expected, proof, deletion, .resuming)
        machine.mayBeginAgain = true
        return machine
    }

    /// The first action.
    package var start: Action { position == .resuming ? .headQuarantined : .readOwners }

    /// The next action after an event.
    package mutating func handle(_ event: Event) -> Action {
        switch (position, event) {
        case (.checkingOwners, .owners(.unreferenced)):
            return go(to: .heading, .head)
        case (.checkingOwners, .owners(.referenced)):
            return finish(.stale, "a record references the object now")
        case (.checkingOwners, .owners(.sourceLives)):
            return finish(.stale, Self.living)
        case (.checkingOwners, .owners(.unknown(let reason))):
            return finish(.failed, "its possible owners could not be read: \(reason)")
        case (.heading, .head(.present(let found))):
            guard expected.means(found) else {
                return finish(.stale, "the object is another version now")
            }
            return go(to: .quarantining, .quarantine(proof))
        case (.heading, .head(.absent)):
            return finish(.stale, "the object is gone already")
        case (.heading, .head(.unknown(let reason))):
            return finish(.failed, "the object could not be looked at: \(reason)")
        case (.quarantining, .moved(.done)):
            return go(to: .checkingOwnersAgain, .readOwners)
        case (.quarantining, .moved(.stale(let reason))):
            return finish(.stale, reason)
        case (.quarantining, .failed(let error)):
            return find(.findingQuarantine, error)
        case (.quarantining, _):
            return leaveOpen()
        case (.findingQuarantine, _):
            return foundQuarantine(event)
        case (.checkingOwnersAgain, _):
            return ownersAgain(event)
        case (.restoring, _), (.findingRestore, _):
            return restored(event)
        case (.removing, _), (.findingRemoval, _):
            return removed(event)
        case (.resuming, _), (.resumingHead, _), (.findingOriginal, _):
            return resumed(event)
        case (.finished, _):
            return .finish(.failed, reason: "the step had ended")
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, Self.unasked)
        }
    }

    private static let living = "the object it is derived from is there, or is referenced"
    private static let unasked = "an answer came that nobody asked for"

    private mutating func foundQuarantine(_ event: Event) -> Action {
        switch event {
        case .head(.present(let found)): lookForOriginal(beside: found)
        case .head(.absent): finish(.failed, reason)
        default: leaveOpen()
        }
    }

    // Where a move is a copy, what lies in quarantine has another time, and the original may be
    // there still.
    private mutating func lookForOriginal(beside found: ObjectVersion) -> Action {
        held = found
        return go(to: .findingOriginal, .head)
    }

    // Without a clear answer the object goes back: an object too many is harmless.
    private mutating func ownersAgain(_ event: Event) -> Action {
        switch event {
        case .owners(.unreferenced):
            guard let deletion else { return finish(.done, nil) }
            return go(to: .removing, .remove(deletion))
        case .owners(.referenced):
            return restore(because: "a record referenced the object meanwhile")
        case .owners(.sourceLives):
            return restore(because: Self.living)
        case .owners(.unknown(let doubt)), .failed(let doubt):
            return restore(because: "its possible owners could not be read again: \(doubt)")
        default:
            return restore(because: Self.unasked)
        }
    }

    private mutating func restored(_ event: Event) -> Action {
        switch (position, event) {
        case (.restoring, .moved(.done)):
            return finish(.putBack, reason)
        case (.restoring, .moved(.stale(let obstacle))):
            return finish(.failed, "\(reason), and it stays in quarantine: \(obstacle)")
        case (.restoring, .failed(let error)):
            return find(.findingRestore, "\(reason), but putting it back failed: \(error)")
        case (.findingRestore, .head(.absent)):
            return finish(.putBack, reason)
        default:
            return leaveOpen()
        }
    }

    private mutating func removed(_ event: Event) -> Action {
        switch (position, event) {
        case (.removing, .moved(.done)), (.findingRemoval, .head(.absent)):
            finish(.done, nil)
        case (.removing, .moved(.stale(let reason))):
            finish(.failed, "it stays in quarantine: \(reason)")
        case (.removing, .failed(let error)):
            find(.findingRemoval, error)
        case (.findingRemoval, .head(.present)):
            finish(.failed, "it stays in quarantine: \(reason)")
        default:
            leaveOpen()
        }
    }

    private mutating func resumed(_ event: Event) -> Action {
        let interrupted = "interrupted before the move"
        switch (position, event) {
        case (.resuming, .head(.present(let held))):
            if deletion != nil {
                return finish(.failed, "interrupted; the object stays in quarantine")
            }
            return lookForOriginal(beside: held)
        // Copied, and not yet deleted: the next run begins again, and its move finds the copy.
        case (.findingOriginal, .head(.present(let found))) where expected.means(found):
            guard mayBeginAgain else { return leaveOpen() }
            mayBeginAgain = false
            held = nil
            return go(to: .checkingOwners, .readOwners)
        case (.findingOriginal, .head(.present)), (.findingOriginal, .head(.absent)):
            return go(to: .checkingOwnersAgain, .readOwners)
        case (.resuming, .head(.absent)):
            if deletion != nil { return go(to: .resumingHead, .head) }
            return finish(.stale, interrupted)
        case (.resumingHead, .head(.present)):
            return finish(.stale, interrupted)
        case (.resumingHead, .head(.absent)):
            return finish(.done, nil)
        case (_, .head(.unknown(let doubt))), (_, .failed(let doubt)):
            reason = "what an interrupted step did could not be found out: \(doubt)"
            return leaveOpen()
        default:
            return leaveOpen()
        }
    }

    private mutating func go(to next: Position, _ action: Action) -> Action {
        position = next
        return action
    }

    private mutating func find(_ next: Position, _ missing: String) -> Action {
        reason = missing
        return go(to: next, .headQuarantined)
    }

    private mutating func restore(because why: String) -> Action {
        reason = why
        return go(to: .restoring, .restore(held ?? expected))
    }

    private mutating func leaveOpen() -> Action {
        go(to: .finished, .leaveOpen(reason: reason.isEmpty ? Self.unasked : reason))
    }

    private mutating func finish(_ outcome: StepOutcome, _ reason: String?) -> Action {
        go(to: .finished, .finish(outcome, reason: reason))
    }
}
