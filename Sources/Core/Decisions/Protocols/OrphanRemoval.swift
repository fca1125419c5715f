package import MooringModel

/// The protocol that removes one orphan, as a state machine: owners → head → conditional
/// quarantine → owners again → restore, or (for `delete`) removal from quarantine.
///
/// A move without an answer is found out by looking into the quarantine. After a crash behind its
/// intent it goes on with `resume`: the object then is where it was, or lies in quarantine and its
/// owners are read again, or, where a move is a copy and a deletion, is in both places and the
/// removal begins again.
package struct OrphanRemoval: ObjectMachine, PositionedMachine {
    /// What the caller looks at.
    package typealias Question = ObjectQuestion

    /// What the caller changes.
    package enum Act: Hashable, Sendable {
        /// Moves the object into quarantine where it still is the expected version.
        case quarantine(ReversibleProof)
        /// Moves this version back from quarantine to its key.
        case restore(ObjectVersion)
        /// Removes the object from quarantine for good; only of `delete`.
        case remove(IrreversibleProof)
    }

    /// Where the protocol stands; what it carries along beside that is in the machine.
    package enum Position: UInt8, StepPosition, Hashable, Sendable {
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
    package internal(set) var position: Position
    // What lies in quarantine, where that was looked for.
    private var held: ObjectVersion?
    /// Once behind a crash, where the object may be found in both places.
    package private(set) var mayBeginAgain = false
    // Why the object goes back, or which answer is missing.
    private(set) var reason = ""

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

    /// What it wants first.
    package var start: Move {
        .ask(position == .resuming ? .headQuarantined : .readOwners)
    }

    /// What follows an answer.
    package mutating func handle(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
        case (.checkingOwners, .owners(let owners)):
            return owners.obstacle.map { end($0) } ?? go(to: .heading, .head)
        case (.heading, .head(let head)):
            return head.obstacle(expecting: expected).map { end($0) }
                ?? go(to: .quarantining, .quarantine(proof))
        case (.quarantining, .moved(.done)):
            return go(to: .checkingOwnersAgain, .readOwners)
        case (.quarantining, .moved(.stale(let reason))):
            return finish(.stale, reason)
        case (.quarantining, .failed(let error)):
            return find(.findingQuarantine, error)
        case (.quarantining, _):
            return leaveOpen()
        case (.findingQuarantine, _):
            return foundQuarantine(answer)
        case (.checkingOwnersAgain, _):
            return ownersAgain(answer)
        case (.restoring, _), (.findingRestore, _):
            return restored(answer)
        case (.removing, _), (.findingRemoval, _):
            return removed(answer)
        case (.resuming, _), (.resumingHead, _), (.findingOriginal, _):
            return resumed(answer)
        case (.finished, _):
            return Self.ended
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, unaskedAnswer)
        }
    }

    private mutating func foundQuarantine(_ answer: ObjectAnswer) -> Move {
        switch answer {
        case .head(.present(let found)): lookForOriginal(beside: found)
        case .head(.absent): finish(.failed, reason)
        default: leaveOpen()
        }
    }

    // Where a move is a copy, what lies in quarantine has another time, and the original may be
    // there still.
    private mutating func lookForOriginal(beside found: ObjectVersion) -> Move {
        held = found
        return go(to: .findingOriginal, .head)
    }

    private mutating func ownersAgain(_ answer: ObjectAnswer) -> Move {
        guard let objection = answer.objection else {
            guard let deletion else { return finish(.done, nil) }
            return go(to: .removing, .remove(deletion))
        }
        reason = objection
        return go(to: .restoring, .restore(held ?? expected))
    }

    private mutating func restored(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
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

    private mutating func removed(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
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

    private mutating func resumed(_ answer: ObjectAnswer) -> Move {
        let interrupted = "interrupted before the move"
        switch (position, answer) {
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
            return leaveOpen("what an interrupted step did could not be found out: \(doubt)")
        default:
            return leaveOpen()
        }
    }

    private mutating func find(_ next: Position, _ missing: String) -> Move {
        reason = missing
        return go(to: next, .headQuarantined)
    }

}
