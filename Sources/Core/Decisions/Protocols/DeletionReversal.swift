package import MooringModel

/// The protocol that takes back a deletion that somebody made in a bucket with versions, as a state
/// machine: the record still references the object → the same delete marker still hides it →
/// conditional removal of the marker; or, as its undo, that hides the object again.
///
/// Event in, action out. An act without an answer is found out by a look at the object, and so is
/// one after a crash.
package struct DeletionReversal: Hashable, Sendable {
    /// What the caller does next.
    package enum Action: Hashable, Sendable {
        /// Reads the record that references the object.
        case readOwners
        /// Asks for the delete marker that hides the object.
        case readDeletion
        /// Removes the marker where it still is the newest.
        case undelete(Deletion)
        /// Hides the object again where it still is the expected version.
        case deleteAgain
        /// Looks at the object.
        case head
        /// Nothing more; how the step ended, and why.
        case finish(StepOutcome, reason: String?)
        /// Nothing more for now: the intent stays open, and the next run resumes it.
        case leaveOpen(reason: String)
    }

    /// What came of the last action.
    package enum Event: Hashable, Sendable {
        /// Of `readOwners`.
        case owners(OwnersAnswer)
        /// Of `readDeletion`; nil where nothing hides the object.
        case deletion(Deletion?)
        /// Of `undelete` and `deleteAgain`.
        case moved(MoveOutcome)
        /// Of `head`.
        case head(HeadAnswer)
        /// An answer that did not come: the act may have been carried out or not.
        case failed(String)
    }

    /// Where the protocol stands.
    package enum Position: UInt8, Hashable, Sendable {
        case checkingOwner, reading, acting, finding, resuming, finished
    }

    private let expected: ObjectVersion
    private let marker: String
    // Whether the object is hidden again.
    private let isUndo: Bool
    /// Where it stands.
    package private(set) var position: Position
    private var reason = ""

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

    /// The first action.
    package var start: Action {
        switch position {
        case .acting: .deleteAgain
        case .resuming: .head
        default: .readOwners
        }
    }

    /// The next action after an event.
    package mutating func handle(_ event: Event) -> Action {
        switch (position, event) {
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
            return found(event)
        case (.finding, _), (.resuming, _), (.acting, _):
            return leaveOpen("an answer came that nobody asked for")
        case (.finished, _):
            return .finish(.failed, reason: "the step had ended")
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, "an answer came that nobody asked for")
        }
    }

    private mutating func found(_ event: Event) -> Action {
        let isResumed = position == .resuming
        switch event {
        case .head(.present(expected)) where !isUndo, .head(.absent) where isUndo:
            return finish(.done, nil)
        case .head(.present(expected)), .head(.absent):
            return isResumed
                ? finish(.stale, "interrupted before the act") : finish(.failed, reason)
        case .head(.present):
            return finish(.stale, "an object has this key again")
        case .head(.unknown(let why)):
            return leaveOpen(why)
        default:
            return leaveOpen("an answer came that nobody asked for")
        }
    }

    private mutating func go(to next: Position, _ action: Action) -> Action {
        position = next
        return action
    }

    private mutating func leaveOpen(_ doubt: String) -> Action {
        go(to: .finished, .leaveOpen(reason: reason.isEmpty ? doubt : reason))
    }

    private mutating func finish(_ outcome: StepOutcome, _ reason: String?) -> Action {
        go(to: .finished, .finish(outcome, reason: reason))
    }
}
