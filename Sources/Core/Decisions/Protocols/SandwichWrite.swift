package import MooringModel

/// What a read of the record that is to be written found.
package enum ReferenceAnswer: Hashable, Sendable {
    /// It still is as it was judged; the token tells this row version from every other.
    case held(token: String)
    /// It does not, or is gone.
    case released(String)
    /// It could not be read; the reason names the doubt.
    case unknown(String)
}

/// What became of a write whose answer did not come, as a read of the record tells.
package enum WriteFate: Hashable, Sendable {
    /// The record is as the write leaves it.
    case written
    /// The record is as it was before the write, which may still come.
    case pending
    /// The record was written by somebody else since, and still lacks the key.
    case rewritten
    /// The record was written by somebody else and holds a key, or is gone: the write can come no
    /// more, and there is nothing to put back.
    case overtaken
    /// It could not be read; the reason names the doubt.
    case unknown(String)
}

/// What came of fencing a write off.
package enum FenceOutcome: Hashable, Sendable {
    /// The record has another version now: the late write can come no more.
    case fenced
    /// The record is not as it was before the write.
    case stale
    /// The record has neither a version nor a change time that could be moved on.
    case impossible
    /// The same, of a write that was sent so long ago that it comes no more.
    case outlived
}

/// What a look at that on which a write depends found.
package enum LookAnswer: Hashable, Sendable {
    /// It is as it was judged: the object is missing, or there, or the other record is gone.
    case asJudged
    /// It is not; the reason says how it is.
    case otherwise(String)
    /// It could not be looked at; the reason names the doubt.
    case unknown(String)
}

/// The protocol that writes one record because of something else, as a state machine: read → look
/// → read → conditional write → look, and the record is put back if what it depends on changed
/// meanwhile.
///
/// It nulls a reference whose object is missing, makes one mean the object that is there, gives an
/// orphan back to its owner, and removes a record whose object or parent is gone. The two equal
/// reads around the look prove that at that instant both sides were as judged. A write without an
/// answer may be carried out later, when they are not: so it is found out, and fenced off by a
/// write that only moves the record's version on. Behind a crash nobody can tell a write that was
/// never sent from one that is still under way, so that a record may be moved on once for nothing.
/// Putting back is part of the act: after a crash behind the intent it goes on with `resume`, from
/// what the journal holds. What cannot be put back, the removal of a record, has no second look
/// and wants an irreversible proof.
package struct SandwichWrite: PositionedMachine {
    /// What the caller looks at.
    package enum Question: Hashable, Sendable {
        /// Reads the record, before the look and behind it.
        case readRecord
        /// Looks at what the write depends on: the object, or another record.
        case look
        /// Reads the record to find out what became of the write.
        case findWrite
    }

    /// What the caller changes.
    package enum Act: Hashable, Sendable {
        /// Writes where the record still is as it was read.
        case write(ReversibleProof)
        /// Moves the record's version on where it still is as before the write.
        case fence
        /// Takes the write back where the record's field still is as it left it, whatever else of
        /// the record was written since; stale where the field holds another value or the record
        /// is gone.
        case putBack
    }

    /// The answer to what it wanted last.
    package enum Answer: StepAnswer {
        /// Of `readRecord`.
        case record(ReferenceAnswer)
        /// Of `look`.
        case look(LookAnswer)
        /// Of `write` and `putBack`.
        case written(UpdateOutcome)
        /// Of `write`: the store refused it before anything was done, and nothing comes later.
        case refused(String)
        /// Of `findWrite`.
        case fate(WriteFate)
        /// Of `fence`.
        case fence(FenceOutcome)
        /// An answer that did not come: the act may have been carried out or not.
        case failed(String)
    }

    /// Where the protocol stands; what it carries along beside that is in the machine.
    package enum Position: UInt8, StepPosition, Hashable, Sendable {
        case reading, looking, readingAgain, writing, findingWrite, fencing
        case lookingAgain, puttingBack, finished
    }

    /// How often a failing put back or fence is tried before the intent is left open.
    package static let attempts = 3

    /// What follows the write.
    private enum Kind: UInt8, Hashable, Sendable {
        /// A second look, behind which it may be put back.
        case puttingBack
        /// Nothing: it cannot be put back.
        case removing
        /// Nothing: it is right whenever it comes, so that nothing is fenced off either.
        case refreshing
    }

    private let proof: ReversibleProof
    private let kind: Kind
    /// Where it stands.
    package internal(set) var position: Position
    private var token = ""
    /// Which try of a put back or a fence is under way.
    package private(set) var attempt = 1
    /// Whether somebody else wrote the record since, so that nobody knows who took the key out.
    package private(set) var isRewritten = false
    private(set) var reason = ""

    /// A write that can be put back, from its first step.
    package init(proof: ReversibleProof) {
        self.init(proof, .puttingBack)
    }

    /// The removal of a record, from its first step.
    package init(removing proof: IrreversibleProof) {
        self.init(ReversibleProof(proof), .removing)
    }

    /// The refreshing of a copy, from its first step.
    package init(refreshing proof: ReversibleProof) {
        self.init(proof, .refreshing)
    }

    private init(_ proof: ReversibleProof, _ kind: Kind) {
        self.proof = proof
        self.kind = kind
        position = .reading
    }

    /// The same write, taken up after a crash behind its intent: the write is done, or not, or
    /// may still come.
    package func resume() -> SandwichWrite {
        var machine = SandwichWrite(proof, kind)
        machine.position = .findingWrite
        machine.reason = "interrupted"
        return machine
    }

    /// What it wants first.
    package var start: Move {
        .ask(position == .findingWrite ? .findWrite : .readRecord)
    }

    /// What follows an answer.
    package mutating func handle(_ answer: Answer) -> Move {
        switch (position, answer) {
        case (.reading, .record(.held(let token))):
            self.token = token
            return go(to: .looking, .look)
        case (.readingAgain, .record(.held(let token))):
            guard token == self.token else {
                return finish(.stale, "the record changed while it was looked at")
            }
            return go(to: .writing, .write(proof))
        case (.reading, .record(.released(let reason))),
            (.readingAgain, .record(.released(let reason))):
            return finish(.stale, reason)
        case (.reading, .record(.unknown(let reason))),
            (.readingAgain, .record(.unknown(let reason))):
            return finish(.failed, "the record could not be read: \(reason)")
        case (.looking, .look(.asJudged)):
            return go(to: .readingAgain, .readRecord)
        case (.looking, .look(.otherwise(let reason))):
            return finish(.stale, reason)
        case (.looking, .look(.unknown(let reason))):
            return finish(.failed, "it could not be looked at: \(reason)")
        case (.writing, .written(.written)):
            return lookAgain()
        case (.writing, .written(.stale(let reason))):
            return finish(.stale, reason)
        case (.writing, .refused(let reason)):
            return finish(.failed, reason)
        case (.writing, .failed(let error)):
            reason = error
            return go(to: .findingWrite, .findWrite)
        case (.writing, _):
            return leaveOpen(unaskedAnswer)
        case (.findingWrite, _), (.fencing, _):
            return found(answer)
        case (.lookingAgain, .look(.asJudged)):
            return isRewritten
                ? finish(.stale, "\(reason); the record was written by somebody else since")
                : finish(.done, nil)
        // Without a clear answer the reference is put back: a reference too many is harmless.
        case (.lookingAgain, _):
            return go(to: .puttingBack, .putBack)
        case (.puttingBack, _):
            return putBack(answer)
        case (.finished, _):
            return Self.ended
        case (_, .failed(let error)):
            return finish(.failed, error)
        default:
            return finish(.failed, unaskedAnswer)
        }
    }

    private mutating func found(_ answer: Answer) -> Move {
        switch (position, answer) {
        case (.findingWrite, .fate(.written)):
            return lookAgain()
        case (.findingWrite, .fate(.rewritten)) where kind == .puttingBack:
            isRewritten = true
            return go(to: .lookingAgain, .look)
        case (.findingWrite, .fate(.pending)) where kind == .refreshing:
            return finish(.stale, "\(reason); it may still be written, and is right then too")
        case (.findingWrite, .fate(.pending)):
            return go(to: .fencing, .fence)
        case (.findingWrite, .fate(.overtaken)), (.findingWrite, .fate(.rewritten)):
            return finish(.stale, "\(reason); the record was written by somebody else since")
        case (.fencing, .fence(.fenced)):
            return finish(.stale, "\(reason); nothing was written, nor can be any more")
        // It may still come, and then it is looked at what it was written because of.
        case (.fencing, .fence(.impossible)):
            return leaveOpen("\(reason); the record has no version to fence it off by")
        case (.fencing, .fence(.outlived)):
            return finish(.stale, "\(reason); nothing was written, and it is too late for it")
        case (.fencing, .fence(.stale)):
            guard attempt < Self.attempts else { return leaveOpen(reason) }
            attempt += 1
            return go(to: .findingWrite, .findWrite)
        default:
            return leaveOpen(reason)
        }
    }

    private mutating func lookAgain() -> Move {
        kind == .puttingBack ? go(to: .lookingAgain, .look) : finish(.done, nil)
    }

    private mutating func putBack(_ answer: Answer) -> Move {
        switch answer {
        case .written(.written):
            return finish(
                .putBack, "what it depends on changed meanwhile, or could not be looked at")
        // By somebody else, or by a put back whose answer did not come.
        case .written(.stale):
            return finish(.stale, "the record was written meanwhile, and is left as it is")
        default:
            guard attempt < Self.attempts else {
                return leaveOpen("the reference may be gone: it could not be put back")
            }
            attempt += 1
            return go(to: .puttingBack, .putBack)
        }
    }
}
