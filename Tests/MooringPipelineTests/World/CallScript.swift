import MooringModel
import Synchronization
import Testing

/// What a call to a fake store may be, and which side of it a script speaks of.
enum Operation: String, Hashable, Sendable {
    case scan, batch, rows, update
    case list, listQuarantine, head, headQuarantined, quarantine, restore, sweep
    case listUploads, parts, abort, deletion, undelete, deleteAgain, tag, untag, tagValue
    case listVersions, versions, removeVersion
}

/// Which side of a call: a fault before it hinders it, one behind it hides that it was done.
enum Side: Hashable, Sendable {
    case before, after
}

/// What happens at the borders of the calls that the pipeline makes to its stores, counted over
/// all fakes that share the script: an act of a device, a fault, or the death of the program.
///
/// What was planted and never met fails its test: without it the test would show nothing.
final class CallScript: Sendable {
    /// A border: the n-th call of an operation, from 1, and its side.
    struct Border: Hashable, Sendable {
        let operation: Operation
        let number: Int
        let side: Side
    }

    private struct State {
        var counts: [Operation: Int] = [:]
        var borders: [Border] = []
        var acts: [Border: @Sendable () -> Void] = [:]
        var actsByIndex: [Int: @Sendable () -> Void] = [:]
        var faults: [Border: StoreError] = [:]
        var deathAt: Int?
        var onDeath: (@Sendable () -> Void)?
        var stopsAll = false
        var dead: Set<Int> = []
        // Where what waits for its border was planted.
        var waiting: [Border: SourceLocation] = [:]
    }

    private let state = Mutex(State())

    deinit {
        for (border, location) in state.withLock({ $0.waiting }) {
            Issue.record(
                "no call came to \(border.side) \(border.operation) \(border.number)",
                sourceLocation: location)
        }
    }

    /// Lets what was planted go without a call: of courses that chance draws, or that the act of
    /// a device may end before the call.
    ///
    /// - Returns: whether something was not met.
    @discardableResult
    func mayMiss() -> Bool {
        state.withLock { state in
            defer { state.waiting = [:] }
            return !state.waiting.isEmpty
        }
    }

    /// The borders that were passed, in their order.
    var borders: [Border] { state.withLock { $0.borders } }

    /// Runs an act once at a border.
    func at(
        _ side: Side, _ operation: Operation, _ number: Int = 1,
        from location: SourceLocation = #_sourceLocation, _ act: @escaping @Sendable () -> Void
    ) {
        let border = Border(operation: operation, number: number, side: side)
        state.withLock {
            $0.acts[border] = act
            $0.waiting[border] = location
        }
    }

    /// Runs an act at the border of this index, from 0, whatever call it belongs to.
    func at(border index: Int, _ act: @escaping @Sendable () -> Void) {
        state.withLock { $0.actsByIndex[index] = act }
    }

    /// Makes a call fail; what it did behind its end is done all the same.
    func fail(
        _ side: Side, _ operation: Operation, _ number: Int = 1, isRefusal: Bool = false,
        from location: SourceLocation = #_sourceLocation
    ) {
        let border = Border(operation: operation, number: number, side: side)
        state.withLock {
            $0.faults[border] = StoreError(
                place: "\(operation)", reason: "a planted fault", isRefusal: isRefusal)
            $0.waiting[border] = location
        }
    }

    /// Ends the program at the border of this index: nothing after it is ever run.
    func die(atBorder index: Int, _ onDeath: @escaping @Sendable () -> Void) {
        state.withLock {
            $0.deathAt = index
            $0.onDeath = onDeath
        }
    }

    /// How many calls of a kind were made so far.
    func count(of operation: Operation) -> Int { state.withLock { $0.counts[operation] ?? 0 } }

    /// Which program calls: whatever it has under way at once bears its number.
    @TaskLocal static var program = 0

    /// Lets every call of the program that dies end with it.
    func stopAllAtDeath() { state.withLock { $0.stopsAll = true } }

    /// Passes the border before a call, and counts the call.
    func enter(_ operation: Operation) async throws(StoreError) -> Int {
        let number = state.withLock { state in
            state.counts[operation, default: 0] += 1
            return state.counts[operation] ?? 0
        }
        try await pass(Border(operation: operation, number: number, side: .before))
        return number
    }

    /// Passes the border behind a call.
    func leave(_ operation: Operation, _ number: Int) async throws(StoreError) {
        try await pass(Border(operation: operation, number: number, side: .after))
    }

    private func pass(_ border: Border) async throws(StoreError) {
        if state.withLock({ $0.dead.contains(Self.program) }) {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        let (acts, fault, death) = state.withLock { state in
            let index = state.borders.count
            state.borders.append(border)
            state.waiting[border] = nil
            if state.deathAt == index, state.stopsAll { state.dead.insert(Self.program) }
            return (
                [state.acts.removeValue(forKey: border), state.actsByIndex[index]],
                state.faults[border], state.deathAt == index ? state.onDeath : nil
            )
        }
        for act in acts { act?() }
        if let death {
            death()
            // A killed program runs nothing more, no cleaning up either: its task stays asleep.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        if let fault { throw fault }
    }
}

/// A clock that tests set; every look at it is a microsecond later, as no two moments are one.
final class TestClock: Sendable {
    private let state: Mutex<Instant>

    init(_ start: Instant) { state = Mutex(start) }

    var now: Instant {
        state.withLock { now in
            now = now + .microseconds(1)
            return now
        }
    }

    func advance(_ duration: Duration) { state.withLock { $0 = $0 + duration } }
}
