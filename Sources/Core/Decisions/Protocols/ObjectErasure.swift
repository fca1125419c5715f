package import MooringModel

/// That a person ordered an object to be removed for good: only a request that means it makes one,
/// or the journal's own intent behind a crash.
package struct ErasureOrder: Hashable, Sendable {
    /// The order for a step that a request means; nil for any other.
    package init?(_ step: PlanStep, under scope: ErasureScope) {
        guard step.strategy == .delete, step.isIntact, let bucket = step.bucket,
            let key = step.key, scope.covers(bucket: bucket, key: key)
        else { return nil }
    }

    /// The order behind an intent that a crash left; nil for any other entry.
    package init?(resuming entry: JournalEntry) {
        guard Self.plan(of: entry.run) == entry.plan, entry.step.strategy == .delete,
            entry.step.isIntact
        else { return nil }
    }

    /// What stands for the plan in the journal entries of a run that erases.
    package static func plan(of run: RunID) -> String { "erase-" + run.text }
}

/// The protocol that removes one object for good because a person asked for it, as a state
/// machine: conditional quarantine → conditional removal from there; what lies in quarantine
/// already is removed from there.
///
/// No record is asked: the request stands whatever references the object. Another version than the
/// one that was listed is left, or moved back.
package struct ObjectErasure: ObjectMachine, PositionedMachine {
    /// What the caller looks at.
    package typealias Question = ObjectQuestion

    /// What the caller changes.
    package enum Act: Hashable, Sendable {
        /// Moves the object into quarantine where it still is the expected version.
        case quarantine(ErasureOrder)
        /// Removes this version from quarantine for good.
        case sweep(ErasureOrder, ObjectVersion)
        /// Moves this version back from quarantine to its key, never over what is there.
        case restore(ObjectVersion)
    }

    /// Where the protocol stands.
    package enum Position: UInt8, StepPosition, Hashable, Sendable {
        case quarantining, finding, sweeping, findingSwept, holding, restoring, findingRestored
        case resuming, original, finished
    }

    private let order: ErasureOrder
    private let expected: ObjectVersion
    // Whether the object lay in quarantine when it was listed.
    private let isHeld: Bool
    private let isResumed: Bool
    /// Where it stands.
    package internal(set) var position: Position
    private(set) var reason = ""

    /// The removal of an object that lies at its key, or in quarantine where `isHeld`.
    package init(_ order: ErasureOrder, expected: ObjectVersion, isHeld: Bool) {
        self.init(order, expected, isHeld: isHeld, isResumed: false)
    }

    /// The same removal, taken up after a crash behind its intent.
    package static func resume(
        _ order: ErasureOrder, expected: ObjectVersion, isHeld: Bool
    ) -> ObjectErasure {
        ObjectErasure(order, expected, isHeld: isHeld, isResumed: true)
    }

    private init(
        _ order: ErasureOrder, _ expected: ObjectVersion, isHeld: Bool, isResumed: Bool
    ) {
        self.order = order
        self.expected = expected
        self.isHeld = isHeld
        self.isResumed = isResumed
        position = isResumed ? .resuming : isHeld ? .sweeping : .quarantining
    }

    /// What it wants first.
    package var start: Move {
        switch position {
        case .sweeping: .act(.sweep(order, expected))
        case .resuming: .ask(.headQuarantined)
        default: .act(.quarantine(order))
        }
    }

    /// What follows an answer.
    package mutating func handle(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
        case (.quarantining, .moved(.done)):
            return go(to: .sweeping, .sweep(order, expected))
        case (.finding, .head(.present(let found))), (.resuming, .head(.present(let found))):
            // Of a copy the time is another one; what differs otherwise was not listed.
            let isMeant = found.size == expected.size && found.etag == expected.etag
            return go(to: .sweeping, .sweep(order, isMeant ? found : expected))
        case (.quarantining, .moved(.stale(let why))):
            return finish(.stale, why)
        case (.quarantining, .failed(let error)):
            reason = error
            return go(to: .finding, .headQuarantined)
        case (.finding, .head(.absent)):
            return finish(.failed, reason)
        case (.sweeping, _), (.findingSwept, _):
            return swept(answer)
        case (.holding, _), (.restoring, _), (.findingRestored, _):
            return restored(answer)
        case (.resuming, .head(.absent)), (.original, _):
            return resumed(answer)
        case (.finished, _):
            return Self.ended
        default:
            return leaveOpen(answer)
        }
    }

    private mutating func swept(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
        case (.sweeping, .moved(.done)), (.findingSwept, .head(.absent)):
            // Where a move is a copy and a deletion, a crash may have left both.
            return isResumed && !isHeld ? go(to: .original, .head) : finish(.done, nil)
        case (.sweeping, .moved(.stale(let why))):
            reason = why
            return isHeld ? finish(.stale, why) : go(to: .holding, .headQuarantined)
        case (.sweeping, .failed(let error)):
            reason = error
            return go(to: .findingSwept, .headQuarantined)
        case (.findingSwept, .head(.present)):
            return finish(.failed, "it stays in quarantine: \(reason)")
        default:
            return leaveOpen(answer)
        }
    }

    // Another version than was listed lies in quarantine: it goes back to its key.
    private mutating func restored(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
        case (.holding, .head(.present(let held))):
            return go(to: .restoring, .restore(held))
        case (.holding, .head(.absent)):
            return finish(.stale, reason)
        case (.restoring, .moved(.done)), (.findingRestored, .head(.absent)):
            return finish(.stale, "\(reason); it was moved back")
        case (.restoring, .moved(.stale(let why))):
            return finish(.failed, "\(reason), and it stays in quarantine: \(why)")
        case (.restoring, .failed(let error)):
            reason += ", and moving it back failed: \(error)"
            return go(to: .findingRestored, .headQuarantined)
        case (.findingRestored, .head(.present)):
            return finish(.failed, "\(reason); it stays in quarantine")
        default:
            return leaveOpen(answer)
        }
    }

    private mutating func resumed(_ answer: ObjectAnswer) -> Move {
        switch (position, answer) {
        case (.resuming, .head(.absent)):
            return isHeld ? finish(.done, nil) : go(to: .original, .head)
        case (.original, .head(.absent)):
            return finish(.done, nil)
        case (.original, .head(.present)):
            return finish(.stale, "interrupted, and an object lies at its key")
        default:
            return leaveOpen(answer)
        }
    }

    private mutating func leaveOpen(_ answer: ObjectAnswer) -> Move {
        var doubt = unaskedAnswer
        if case .head(.unknown(let why)) = answer { doubt = why }
        if case .failed(let why) = answer { doubt = why }
        return leaveOpen(reason.isEmpty ? doubt : "\(reason); then: \(doubt)")
    }
}
