package import MooringModel

/// The protocol that tags one orphan for the bucket's lifecycle rule, as a state machine: owners →
/// head → its tag → conditional tag → owners again → untag where one references it by then.
///
/// Event in, action out. The tag's value is the run that tags: one that is there already stays. A
/// tag without an answer is found out by reading it, and so is one after a crash.
package struct ObjectTagging: Hashable, Sendable {
    /// What the caller does next.
    package enum Action: Hashable, Sendable {
        /// Reads every possible owner.
        case readOwners
        /// Looks at the object.
        case head
        /// Reads Mooring's tag on the object.
        case readTag
        /// Tags the object where it still is the expected version.
        case tag(ReversibleProof)
        /// Takes the tag off again where it has this run's value.
        case untag
        /// Nothing more; how the step ended, and why.
        case finish(StepOutcome, reason: String?)
        /// Nothing more for now: the intent stays open, and the next run resumes it.
        case leaveOpen(reason: String)
    }

    /// What came of the last action.
    package enum Event: Hashable, Sendable {
        /// Of `readOwners`.
        case owners(OwnersAnswer)
        /// Of `head`.
        case head(HeadAnswer)
        /// Of `readTag`; nil where the object has none.
        case value(String?)
        /// Of `tag` and `untag`.
        case moved(MoveOutcome)
        /// An answer that did not come: the act may have been carried out or not.
        case failed(String)
    }

    /// Where the protocol stands.
    package enum Position: UInt8, Hashable, Sendable {
        case checkingOwners, heading, reading, tagging, findingTag, checkingOwnersAgain
        case untagging, findingUntag, resuming, finished
    }

    private let expected: ObjectVersion
    private let run: RunID
    // Nil of a tag that is taken off because a person asked for it.
    private let proof: ReversibleProof?
    /// Where it stands.
    package private(set) var position: Position
    // Why the tag goes off again, or which answer is missing.
    private var reason = ""

    /// The tagging of an object of this version by a run.
    package init(expected: ObjectVersion, run: RunID, proof: ReversibleProof) {
        self.init(expected, run, proof, .checkingOwners)
    }

    /// The undo of a tagging by this run.
    package static func undo(expected: ObjectVersion, run: RunID) -> ObjectTagging {
        ObjectTagging(expected, run, nil, .untagging)
    }

    private init(
        _ expected: ObjectVersion, _ run: RunID, _ proof: ReversibleProof?, _ position: Position
    ) {
        self.expected = expected
        self.run = run
        self.proof = proof
        self.position = position
    }

    /// The same, taken up after a crash behind its intent.
    package func resume() -> ObjectTagging { ObjectTagging(expected, run, proof, .resuming) }

    /// The first action.
    package var start: Action {
        switch position {
        case .resuming: .readTag
        case .untagging: .untag
        default: .readOwners
        }
    }

    /// The next action after an event.
    package mutating func handle(_ event: Event) -> Action {
        switch position {
        case .checkingOwners, .heading, .reading: before(event)
        case .tagging, .findingTag: tagged(event)
        case .checkingOwnersAgain: ownersAgain(event)
        case .untagging, .findingUntag: untagged(event)
        case .resuming: resumed(event)
        case .finished: .finish(.failed, reason: "the step had ended")
        }
    }

    private mutating func before(_ event: Event) -> Action {
        switch (position, event) {
        case (.checkingOwners, .owners(.unreferenced)):
            return go(to: .heading, .head)
        case (.checkingOwners, .owners(.referenced)):
            return finish(.stale, "a record references the object now")
        case (.checkingOwners, .owners(.sourceLives)):
            return finish(.stale, Self.living)
        case (.checkingOwners, .owners(.unknown(let why))):
            return finish(.failed, "its possible owners could not be read: \(why)")
        case (.heading, .head(.present(let found))) where expected.means(found):
            return go(to: .reading, .readTag)
        case (.heading, .head(.present)):
            return finish(.stale, "the object is another version now")
        case (.heading, .head(.absent)):
            return finish(.stale, "the object is gone already")
        case (.heading, .head(.unknown(let why))):
            return finish(.failed, "the object could not be looked at: \(why)")
        case (.reading, .value(nil)):
            guard let proof else { return finish(.failed, Self.unasked) }
            return go(to: .tagging, .tag(proof))
        case (.reading, .value(let value?)):
            return finish(.confirmed, "it has the tag of run \(value) already")
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, Self.unasked)
        }
    }

    private mutating func tagged(_ event: Event) -> Action {
        switch (position, event) {
        case (.tagging, .moved(.done)): return go(to: .checkingOwnersAgain, .readOwners)
        case (.tagging, .moved(.stale(let why))): return finish(.stale, why)
        case (.tagging, .failed(let error)):
            reason = error
            return go(to: .findingTag, .readTag)
        case (.findingTag, .value(run.text)): return go(to: .checkingOwnersAgain, .readOwners)
        case (.findingTag, .value): return finish(.failed, reason)
        default: return leaveOpen()
        }
    }

    // Without a clear answer the tag goes off: an object too many is harmless.
    private mutating func ownersAgain(_ event: Event) -> Action {
        switch event {
        case .owners(.unreferenced): return finish(.done, nil)
        case .owners(.referenced): reason = "a record referenced the object meanwhile"
        case .owners(.sourceLives): reason = Self.living
        case .owners(.unknown(let why)), .failed(let why):
            reason = "its possible owners could not be read again: \(why)"
        default: reason = Self.unasked
        }
        return go(to: .untagging, .untag)
    }

    private mutating func untagged(_ event: Event) -> Action {
        switch (position, event) {
        case (.untagging, .moved(.done)):
            return offAgain()
        case (.untagging, .moved(.stale(let why))):
            guard !reason.isEmpty else { return finish(.stale, why) }
            // What was tagged is not the object of this key any more.
            return finish(.putBack, "\(reason); \(why)")
        case (.untagging, .failed(let error)):
            reason += (reason.isEmpty ? "" : ", but ") + "taking the tag off failed: \(error)"
            return go(to: .findingUntag, .readTag)
        case (.findingUntag, .value(let value)) where value != run.text:
            return offAgain()
        case (.findingUntag, .value) where proof == nil:
            return finish(.failed, reason)
        default:
            return leaveOpen()
        }
    }

    private mutating func offAgain() -> Action {
        proof == nil ? finish(.done, nil) : finish(.putBack, reason)
    }

    private mutating func resumed(_ event: Event) -> Action {
        switch event {
        case .value(run.text):
            return proof == nil
                ? finish(.stale, Self.interrupted) : go(to: .checkingOwnersAgain, .readOwners)
        case .value:
            return proof == nil ? finish(.done, nil) : finish(.stale, Self.interrupted)
        case .failed(let error):
            reason = error
            return leaveOpen()
        default:
            return leaveOpen()
        }
    }

    private static let living = "the object it is derived from is there, or is referenced"
    private static let unasked = "an answer came that nobody asked for"
    private static let interrupted = "interrupted before the act"

    private mutating func go(to next: Position, _ action: Action) -> Action {
        position = next
        return action
    }

    private mutating func leaveOpen() -> Action {
        go(to: .finished, .leaveOpen(reason: reason.isEmpty ? Self.unasked : reason))
    }

    private mutating func finish(_ outcome: StepOutcome, _ reason: String?) -> Action {
        go(to: .finished, .finish(outcome, reason: reason))
    }
}
