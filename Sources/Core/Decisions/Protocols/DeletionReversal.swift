package import MooringModel

/// The protocol that takes back a deletion that somebody made in a bucket with versions, as a state
/// machine: the record still references the object → the same delete marker still hides it →
/// conditional removal of the marker; or, as its undo, that hides the object again.
///
/// An act without an answer is found out by a look at the object, and so is one after a crash.
package struct DeletionReversal: ObjectMachine, PositionedMachine {
    /// What the caller looks at.
    package typealias Question = ObjectQuestion

    /// What the caller changes.
    package enum Act: Hashable, Sendable {
        /// Removes the marker where it still is the newest.
        case undelete(Deletion)
        /// Hides the object again where it still is the expected version.
        case deleteAgain
    }

    /// Where the protocol stands.
    package enum Position: UInt8, StepPosition, Hashable, Sendable {
        case checkingOwner, reading, acting, finding, resuming, finished
    }

    private let expected: ObjectVersion
    private let marker: String
    // Whether the object is hidden again.
    private let isUndo: Bool
    /// Where it stands.
    package internal(set) var position: Position
    private(set) var reason = ""

    /// The return of the version that this marker hides.
    package init(expected: ObjectVersion, marker: String, proof: ReversibleProof) {
        self.init(expected, marker, isUndo: false, .checkingOwner)
    }

    /// The undo of such a return.
    package static func undo(expected: ObjectVersion) -> DeletionReversal {
        DeletionReversal(expected, "", isUndo: true, .acting)
    }

    /// Either, taken up after a crash behind its intent; it only finds out what was done.
    package static func resume(expected: ObjectVersion, isUndo: Bool) -> DeletionReversal {
        DeletionReversal(expected, "", isUndo: isUndo, .resuming)
    }

    private init(
        _ expected: ObjectVersion, _ marker: String, isUndo: Bool, _ position: Position
    ) {
        self.expected = expected
        self.marker = marker
        self.isUndo = isUndo
        self.position = position
    }

    /// What it wants first.
    package var start: Move {
        switch position {
        case .acting: .act(.deleteAgain)
        case .resuming: .ask(.head)
        default: .ask(.readOwner)
        }
    }

    /// What follows an answer.
    package mutating func handle(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
        case (.checkingOwner, .owners(.referenced)):
            return go(to: .reading, .readDeletion)
        case (.checkingOwner, .owners(.unknown(let why))):
            return finish(.failed, "its record could not be read: \(why)")
        case (.checkingOwner, .owners):
            return finish(.stale, "the record does not reference the object any more")
        case (.reading, .deletion(nil)):
            return finish(.stale, "no delete marker hides the object any more")
        case (.reading, .deletion(let found?)):
            guard found.marker == marker, found.hidden == expected else {
                return finish(.stale, "another delete marker or version lies on top now")
            }
            return go(to: .acting, .undelete(found))
        case (.acting, .moved(.done)):
            return finish(.done, nil)
        case (.acting, .moved(.stale(let why))):
            return finish(.stale, why)
        case (.acting, .failed(let error)):
            reason = error
            return go(to: .finding, .head)
        case (.finding, .head), (.resuming, .head):
            return found(answer)
        case (.finding, _), (.resuming, _), (.acting, _):
            return leaveOpen()
        case (.finished, _):
            return Self.ended
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, unaskedAnswer)
        }
    }

    private mutating func found(_ answer: ObjectAnswer) -> Move {
        let isResumed = position == .resuming
        switch answer {
        case .head(.present(expected)) where !isUndo, .head(.absent) where isUndo:
            return finish(.done, nil)
        case .head(.present(expected)), .head(.absent):
            return isResumed
                ? finish(.stale, "interrupted before the act") : finish(.failed, reason)
        case .head(.present):
            return finish(.stale, "an object has this key again")
        case .head(.unknown(let why)):
            return leaveOpen(for: why)
        default:
            return leaveOpen()
        }
    }
}
