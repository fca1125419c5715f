package import MooringModel

/// The protocol that tags one orphan for the bucket's lifecycle rule, as a state machine: owners →
/// head → its tag → conditional tag → owners again → untag where one references it by then.
///
/// The tag's value is the run that tags: one that is there already stays. A tag without an answer
/// is found out by reading it, and so is one after a crash.
package struct ObjectTagging: ObjectMachine, PositionedMachine {
    /// What the caller looks at.
    package typealias Question = ObjectQuestion

    /// What the caller changes.
    package enum Act: Hashable, Sendable {
        /// Tags the object where it still is the expected version.
        case tag(ReversibleProof)
        /// Takes the tag off again where it has this run's value.
        case untag
    }

    /// Where the protocol stands.
    package enum Position: UInt8, StepPosition, Hashable, Sendable {
        case checkingOwners, heading, reading, tagging, findingTag, checkingOwnersAgain
        case untagging, findingUntag, resuming, finished
    }

    private let expected: ObjectVersion
    private let run: RunID
    // Nil of a tag that is taken off because a person asked for it.
    private let proof: ReversibleProof?
    /// Where it stands.
    package internal(set) var position: Position
    // Why the tag goes off again, or which answer is missing.
    private(set) var reason = ""

    /// The tagging of an object of this version by a run.
    package init(expected: ObjectVersion, run: RunID, proof: ReversibleProof) {
        self.init(expected, run, proof, .checkingOwners)
    }

    /// The undo of a tagging by this run; it asks for no owner first.
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

    /// What it wants first.
    package var start: Move {
        switch position {
        case .resuming: .ask(.readTag)
        case .untagging: .act(.untag)
        default: .ask(.readOwners)
        }
    }

    /// What follows an answer.
    package mutating func handle(_ answer: ObjectAnswer) -> Move {
        switch position {
        case .checkingOwners, .heading, .reading: before(answer)
        case .tagging, .findingTag: tagged(answer)
        case .checkingOwnersAgain: ownersAgain(answer)
        case .untagging, .findingUntag: untagged(answer)
        case .resuming: resumed(answer)
        case .finished: Self.ended
        }
    }

    private mutating func before(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
        case (.checkingOwners, .owners(let owners)):
            return owners.obstacle.map { end($0) } ?? go(to: .heading, .head)
        case (.heading, .head(let head)):
            return head.obstacle(expecting: expected).map { end($0) }
                ?? go(to: .reading, .readTag)
        case (.reading, .value(nil)):
            guard let proof else { return finish(.failed, unaskedAnswer) }
            return go(to: .tagging, .tag(proof))
        case (.reading, .value(let value?)):
            return finish(.confirmed, "it has the tag of run \(value) already")
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, unaskedAnswer)
        }
    }

    private mutating func tagged(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
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

    private mutating func ownersAgain(_ answer: ObjectAnswer) -> Move {
        guard let objection = answer.objection else { return finish(.done, nil) }
        reason = objection
        return go(to: .untagging, .untag)
    }

    private mutating func untagged(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
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

    private mutating func offAgain() -> Move {
        proof == nil ? finish(.done, nil) : finish(.putBack, reason)
    }

    private mutating func resumed(_ answer: ObjectAnswer) -> Move {
        switch answer {
        case .value(run.text):
            return proof == nil
                ? finish(.stale, Self.interrupted) : go(to: .checkingOwnersAgain, .readOwners)
        case .value:
            return proof == nil ? finish(.done, nil) : finish(.stale, Self.interrupted)
        case .failed(let error):
            return leaveOpen(error)
        default:
            return leaveOpen()
        }
    }

    private static let interrupted = "interrupted before the act"
}
