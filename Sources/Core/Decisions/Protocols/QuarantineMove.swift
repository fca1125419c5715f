package import MooringModel

/// The protocol that gives an object back from quarantine, or removes it from there for good, as
/// a state machine: (owners →) conditional move, found out by looking where no answer came.
///
/// A restore reads no owners: a record references the object, or a person asked for it. After a
/// crash behind its intent it goes on with `resume`.
package struct QuarantineMove: Hashable, Sendable {
    /// What the caller does next.
    package enum Action: Hashable, Sendable {
        /// Reads every possible owner; only of a sweep.
        case readOwners
        /// Moves the object back to its key, never over what is there.
        case restore
        /// Removes the object from quarantine for good.
        case sweep(IrreversibleProof)
        /// Looks for the object in quarantine.
        case headQuarantined
        /// Nothing more; how the step ended, and why.
        case finish(StepOutcome, reason: String?)
        /// Nothing more for now: the intent stays open, and the next run resumes it.
        case leaveOpen(reason: String)
    }

    /// Where the protocol stands.
    package enum Position: UInt8, Hashable, Sendable {
        case checkingOwners, moving, finding, resuming, finished
    }

    // Nil of a restore.
    private let proof: IrreversibleProof?
    /// Where it stands.
    package private(set) var position: Position
    private var reason = ""

    /// A restore.
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

    /// The first action.
    package var start: Action {
        switch position {
        case .checkingOwners: .readOwners
        case .moving: .restore
        case .finding, .resuming: .headQuarantined
        case .finished: .finish(.failed, reason: Self.ended)
        }
    }

    /// The next action after an event; the events are those of `OrphanRemoval`.
    package mutating func handle(_ event: OrphanRemoval.Event) -> Action {
        switch (position, event) {
        case (.checkingOwners, .owners(.unreferenced)):
            guard let proof else { return finish(.failed, Self.unasked) }
            position = .moving
            return .sweep(proof)
        case (.checkingOwners, .owners(.sourceLives)):
            return finish(.stale, "the object it is derived from is there, or is referenced")
        case (.checkingOwners, .owners), (.checkingOwners, .failed):
            return finish(.stale, Self.referenced)
        case (.checkingOwners, _):
            return finish(.failed, Self.unasked)
        case (.finished, _):
            return .finish(.failed, reason: Self.ended)
        case (.moving, .moved(.done)), (.finding, .head(.absent)), (.resuming, .head(.absent)):
            return finish(.done, nil)
        case (.moving, .moved(.stale(let why))):
            return finish(.stale, why)
        case (.moving, .failed(let error)):
            position = .finding
            reason = error
            return .headQuarantined
        case (.finding, .head(.present)):
            return finish(.failed, reason)
        case (.resuming, .head(.present)):
            return finish(.stale, "interrupted before the move")
        case (_, .head(.unknown(let doubt))), (_, .failed(let doubt)):
            return leaveOpen(doubt)
        default:
            return leaveOpen(Self.unasked)
        }
    }

    /// Why a sweep leaves an object where it is.
    package static let referenced = "a record references the object, or could not be read"
    private static let unasked = "an answer came that nobody asked for"
    private static let ended = "the step had ended"

    private mutating func leaveOpen(_ doubt: String) -> Action {
        position = .finished
        return .leaveOpen(reason: reason.isEmpty ? doubt : reason)
    }

    private mutating func finish(_ outcome: StepOutcome, _ reason: String?) -> Action {
        position = .finished
        return .finish(outcome, reason: reason)
    }
}
