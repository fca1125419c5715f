package import MooringModel

/// How a step ends, or why it does not begin.
package enum StepEnd: Error, Hashable, Sendable {
    /// Nothing more is to be done; how the step ended, and why.
    case finish(StepOutcome, reason: String?)
    /// Nothing more for now: the intent stays open, and the next run resumes it.
    case leaveOpen(reason: String)
}

/// What a machine wants next: an answer, or an act and what came of it, or to end.
package enum StepMove<Question: Hashable & Sendable, Act: Hashable & Sendable>: Hashable, Sendable {
    /// Changes nothing.
    case ask(Question)
    /// Changes a store: the journal holds the step's intent before the first of them.
    case act(Act)
    case end(StepEnd)
}

/// The protocol of a step that is carried out, as a state machine: one move out, its answer in; no
/// I/O and no clock.
package protocol StepMachine: Hashable, Sendable {
    /// What it has looked at.
    associatedtype Question: Hashable, Sendable
    /// What it has changed.
    associatedtype Act: Hashable, Sendable
    /// What it is told of either.
    associatedtype Answer: StepAnswer
    /// What it wants.
    typealias Move = StepMove<Question, Act>

    /// What it wants first.
    var start: Move { get }
    /// What it wants behind an answer.
    mutating func handle(_ answer: Answer) -> Move
}

/// What a machine is told.
package protocol StepAnswer: Hashable, Sendable {
    /// No answer came: an act may have been carried out or not.
    static func failed(_ error: String) -> Self
}

/// A machine about one object.
package protocol ObjectMachine: StepMachine
where Question == ObjectQuestion, Answer == ObjectAnswer {}

/// What a machine about an object asks.
package enum ObjectQuestion: Hashable, Sendable {
    /// Every possible owner.
    case readOwners
    /// The record that references the object.
    case readOwner
    /// The object at its key.
    case head
    /// The object in quarantine.
    case headQuarantined
    /// Mooring's tag on the object.
    case readTag
    /// The delete marker that hides the object.
    case readDeletion
}

/// What a machine about an object is told.
package enum ObjectAnswer: StepAnswer {
    /// Of `readOwners` and `readOwner`.
    case owners(OwnersAnswer)
    /// Of `head` and `headQuarantined`.
    case head(HeadAnswer)
    /// Of `readDeletion`; nil where nothing hides the object.
    case deletion(Deletion?)
    /// Of `readTag`; nil where the object has none.
    case value(String?)
    /// What has arrived of an upload; nil where it is not open any more.
    case parts(UploadParts?)
    /// Of an act.
    case moved(MoveOutcome)
    case failed(String)
}

/// What a read of an orphan's possible owners found.
package enum OwnersAnswer: Hashable, Sendable {
    /// None of them references the object.
    case unreferenced
    /// One of them does.
    case referenced
    /// None does, but the object is derived from one that is there, or that is referenced.
    case sourceLives
    /// They could not be read; the reason names the doubt.
    case unknown(String)

    /// How a step ends that takes an orphan away, or tags it; nil where it may.
    var obstacle: StepEnd? {
        switch self {
        case .unreferenced: nil
        case .referenced: .finish(.stale, reason: "a record references the object now")
        case .sourceLives: .finish(.stale, reason: Self.living)
        case .unknown(let why):
            .finish(.failed, reason: "its possible owners could not be read: \(why)")
        }
    }

    /// Why an object stays that is derived from another.
    static let living = "the object it is derived from is there, or is referenced"
}

extension ObjectAnswer {
    /// Why an act is taken back, as a second read of the owners behind it tells; nil where none of
    /// them references the object. Without a clear answer too: an object too many is harmless.
    var objection: String? {
        switch self {
        case .owners(.unreferenced): nil
        case .owners(.referenced): "a record referenced the object meanwhile"
        case .owners(.sourceLives): OwnersAnswer.living
        case .owners(.unknown(let doubt)), .failed(let doubt):
            "its possible owners could not be read again: \(doubt)"
        default: unaskedAnswer
        }
    }
}

extension HeadAnswer {
    /// How a step ends that acts on this version of an object; nil where it is there.
    package func obstacle(expecting expected: ObjectVersion) -> StepEnd? {
        switch self {
        case .present(let found) where expected.means(found): nil
        case .present: .finish(.stale, reason: "the object is another version now")
        case .absent: .finish(.stale, reason: "the object is gone already")
        case .unknown(let why):
            .finish(.failed, reason: "the object could not be looked at: \(why)")
        }
    }
}

/// Why a machine ends that was driven wrongly.
let unaskedAnswer = "an answer came that nobody asked for"

/// A machine that keeps where it stands.
protocol PositionedMachine: StepMachine {
    /// The places at which it waits for an answer, and the one behind its end.
    associatedtype Position: StepPosition
    /// Where it stands.
    var position: Position { get set }
    /// Which answer is missing, or why an act is taken back; empty where there is nothing to say.
    var reason: String { get }
}

/// A place of a machine.
protocol StepPosition {
    /// Behind the end.
    static var finished: Self { get }
}

extension PositionedMachine {
    /// What follows the end, whatever the answer.
    static var ended: Move {
        .end(.finish(.failed, reason: "the step had ended"))
    }

    /// Asks, and waits for the answer at a place.
    mutating func go(to next: Position, _ question: Question) -> Move {
        position = next
        return .ask(question)
    }

    /// Acts, and waits for the answer at a place.
    mutating func go(to next: Position, _ act: Act) -> Move {
        position = next
        return .act(act)
    }

    /// Ends; nothing follows.
    mutating func end(_ end: StepEnd) -> Move {
        position = .finished
        return .end(end)
    }

    /// Ends with an outcome.
    mutating func finish(_ outcome: StepOutcome, _ reason: String?) -> Move {
        end(.finish(outcome, reason: reason))
    }

    /// Ends without an outcome.
    mutating func leaveOpen(_ reason: String) -> Move { end(.leaveOpen(reason: reason)) }

    /// Leaves the intent open for the reason that there is, or else for a doubt.
    mutating func leaveOpen(for doubt: String = unaskedAnswer) -> Move {
        leaveOpen(reason.isEmpty ? doubt : reason)
    }
}
