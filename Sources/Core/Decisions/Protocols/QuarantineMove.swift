import MooringModel

/// The protocol that gives an object back from quarantine, or removes it from there for good, as
/// a state machine: (owners →) conditional move, found out by looking where no answer came.
///
/// A restore reads no owners: a record references the object, or a person asked for it. After a
/// crash behind its intent it goes on with `resume`.
package struct QuarantineMove: ObjectMachine, PositionedMachine {
    /// What the caller looks at.
    package typealias Question = ObjectQuestion

    /// What the caller changes.
    package enum Act: Hashable, Sendable {
        /// Moves the object back to its key, never over what is there.
        case restore
        /// Removes the object from quarantine for good.
        case sweep(IrreversibleProof)
    }

    /// Where the protocol stands.
    package enum Position: UInt8, StepPosition, Hashable, Sendable {
        case checkingOwners, moving, finding, resuming, finished
    }

    // Nil of a restore.
    private let proof: IrreversibleProof?
    /// Where it stands.
    package internal(set) var position: Position
    private(set) var reason = ""

    /// A restore, which asks for no owner first: an object too many is harmless.
    package static func restore() -> QuarantineMove {
        QuarantineMove(proof: nil, position: .moving)
    }

    /// A sweep, which takes the proof that nothing needs the object.
    package static func sweep(_ proof: IrreversibleProof) -> QuarantineMove {
        QuarantineMove(proof: proof, position: .checkingOwners)
    }

    /// A move taken up after a crash behind its intent; it only finds out what was done.
    package static func resume() -> QuarantineMove {
        QuarantineMove(proof: nil, position: .resuming)
    }

    private init(proof: IrreversibleProof?, position: Position) {
        self.proof = proof
        self.position = position
    }

    /// What it wants first.
    package var start: Move {
        switch position {
        case .checkingOwners: .ask(.readOwners)
        case .moving: .act(.restore)
        case .finding, .resuming: .ask(.headQuarantined)
        case .finished: Self.ended
        }
    }

    /// What follows an answer.
    package mutating func handle(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
        case (.checkingOwners, .owners(.unreferenced)):
            guard let proof else { return finish(.failed, unaskedAnswer) }
            return go(to: .moving, .sweep(proof))
        case (.checkingOwners, .owners(.sourceLives)):
            return finish(.stale, OwnersAnswer.living)
        case (.checkingOwners, .owners), (.checkingOwners, .failed):
            return finish(.stale, Self.referenced)
        case (.checkingOwners, _):
            return finish(.failed, unaskedAnswer)
        case (.finished, _):
            return Self.ended
        case (.moving, .moved(.done)), (.finding, .head(.absent)), (.resuming, .head(.absent)):
            return finish(.done, nil)
        case (.moving, .moved(.stale(let why))):
            return finish(.stale, why)
        case (.moving, .failed(let error)):
            reason = error
            return go(to: .finding, .headQuarantined)
        case (.finding, .head(.present)):
            return finish(.failed, reason)
        case (.resuming, .head(.present)):
            return finish(.stale, "interrupted before the move")
        case (_, .head(.unknown(let doubt))), (_, .failed(let doubt)):
            return leaveOpen(for: doubt)
        default:
            return leaveOpen()
        }
    }

    /// Why a sweep leaves an object where it is.
    package static let referenced = "a record references the object, or could not be read"
}
