package import MooringModel

/// What a read of the record that holds a reference found.
package enum ReferenceAnswer: Hashable, Sendable {
    /// It still holds the reference; the token tells this row version from every other.
    case held(token: String)
    /// It does not, or is gone.
    case released(String)
    /// It could not be read; the reason names the doubt.
    case unknown(String)
}

/// The protocol that nulls one dangling reference, as a state machine: get → head → get →
/// conditional write → head, and the reference is put back if the object appeared meanwhile.
///
/// Event in, action out; no I/O and no clock. The two equal reads around the head prove that at
/// that instant the record referenced a missing object. Putting back is part of the act: after a
/// crash behind the write it is resumed with `resumeAfterWrite`, from what the journal holds.
package struct ReferenceNulling: Sendable {
    /// What the caller does next.
    package enum Action: Hashable, Sendable {
        /// Reads the record that holds the reference.
        case readRecord
        /// Looks at the object.
        case head
        /// Writes null where the record still is as it was read.
        case write
        /// Writes the reference back where the record still is as `write` left it.
        case putBack
        /// Nothing more; how the step ended, and why.
        case finish(StepOutcome, reason: String?)
    }

    /// What came of the last action.
    package enum Event: Hashable, Sendable {
        case record(ReferenceAnswer)
        case head(HeadAnswer)
        case written(UpdateOutcome)
        case failed(String)
    }

    private enum State {
        case reading
        case heading(token: String)
        case readingAgain(token: String)
        case writing, headingAgain
        case puttingBack(because: Reason, attempt: Int)
        case finished
    }

    private enum Reason {
        case object
        case failedWrite(String)
    }

    /// How often putting back is tried while the store fails.
    package static let putBackAttempts = 3

    private var state: State

    /// A nulling from its first step.
    package init() {
        state = .reading
    }

    private init(state: State) {
        self.state = state
    }

    /// A nulling whose write is done, or may be, as the journal tells after a crash; its next
    /// action is `head`.
    package static func resumeAfterWrite() -> ReferenceNulling {
        ReferenceNulling(state: .headingAgain)
    }

    /// The first action.
    package var start: Action {
        if case .headingAgain = state { return .head }
        return .readRecord
    }

    /// The next action after an event.
    package mutating func handle(_ event: Event) -> Action {
        switch (state, event) {
        case (.reading, .record(.held(let token))):
            return go(to: .heading(token: token), .head)
        case (.readingAgain(let before), .record(.held(let token))):
            guard token == before else {
                return finish(.stale, "the record changed while it was looked at")
            }
            return go(to: .writing, .write)
        case (.reading, .record(.released(let reason))),
            (.readingAgain, .record(.released(let reason))):
            return finish(.stale, reason)
        case (.reading, .record(.unknown(let reason))),
            (.readingAgain, .record(.unknown(let reason))):
            return finish(.failed, "the record could not be read: \(reason)")
        case (.heading(let token), .head(.absent)):
            return go(to: .readingAgain(token: token), .readRecord)
        case (.heading, .head(.present)):
            return finish(.stale, "the object is there")
        case (.heading, .head(.unknown(let reason))):
            return finish(.failed, "the object could not be looked at: \(reason)")
        case (.writing, .written(.written)):
            return go(to: .headingAgain, .head)
        case (.writing, .written(.stale(let reason))):
            return finish(.stale, reason)
        case (.headingAgain, .head(.absent)):
            return finish(.done, nil)
        // Without a clear answer the reference is put back: a reference too many is harmless.
        case (.headingAgain, _):
            return go(to: .puttingBack(because: .object, attempt: 1), .putBack)
        // A write without an answer may have been carried out, or may be later.
        case (.writing, .failed(let error)):
            return go(to: .puttingBack(because: .failedWrite(error), attempt: 1), .putBack)
        case (.puttingBack(let reason, let attempt), let event):
            return putBack(because: reason, attempt: attempt, event)
        case (.finished, _):
            return .finish(.failed, reason: "the step had ended")
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, "an answer came that nobody asked for")
        }
    }

    private mutating func putBack(
        because reason: Reason, attempt: Int, _ event: Event
    ) -> Action {
        switch (reason, event) {
        case (.object, .written(.written)):
            return finish(.putBack, "the object appeared meanwhile, or could not be looked at")
        case (.object, .written(.stale)):
            return finish(.stale, "the record was written by somebody else meanwhile")
        case (.failedWrite(let error), .written(.written)):
            return finish(.putBack, "the write gave no answer: \(error)")
        case (.failedWrite(let error), .written(.stale)):
            return finish(.failed, error)
        default:
            guard attempt < Self.putBackAttempts else {
                return finish(.failed, "the reference may be gone: it could not be put back")
            }
            return go(to: .puttingBack(because: reason, attempt: attempt + 1), .putBack)
        }
    }

    private mutating func go(to next: State, _ action: Action) -> Action {
        state = next
        return action
    }

    private mutating func finish(_ outcome: StepOutcome, _ reason: String?) -> Action {
        go(to: .finished, .finish(outcome, reason: reason))
    }
}
