import Synchronization

/// Keeps all requests of a client within its limit; who waits first goes first.
///
/// Nobody polls: a waiting request is woken by one that came back, or by the end of a pause.
package final class RequestLimiter: Sendable {
    /// What came of a request that went.
    package enum Ending: Sendable {
        /// The service did not ask to slow down.
        case settled
        /// It gave no answer.
        case abandoned
        /// It asked to slow down, perhaps naming for how long.
        case refused(Duration?)
    }

    /// The limiter was shut down while a request waited, or before.
    package struct ShutDown: Error {}

    private typealias Waiter = CheckedContinuation<AdaptiveLimit.Ticket, any Error>

    private struct State {
        var limit: AdaptiveLimit
        var waiting: [UInt64: Waiter] = [:]
        // Numbers are given in the order of arrival; those who left are skipped.
        var nextNumber: UInt64 = 0
        var nextServed: UInt64 = 0
        var timer: Task<Void, Never>?
        var isShutDown = false
        var mostInFlight = 0
    }

    private let state: Mutex<State>
    private let start = ContinuousClock.now

    /// A limiter for at most so many requests at a time.
    package init(most: Int) {
        state = Mutex(State(limit: AdaptiveLimit(most: most)))
    }

    deinit {
        state.withLock { $0.timer }?.cancel()
    }

    /// How many requests may be in flight now, and the most that ever were.
    package var widths: (now: Int, mostInFlight: Int) {
        state.withLock { ($0.limit.width, $0.mostInFlight) }
    }

    /// How many stand in line.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits for a turn. Throws `CancellationError` as soon as the task is cancelled, and
    /// `ShutDown`.
    package func enter() async throws -> AdaptiveLimit.Ticket {
        try Task.checkCancellation()
        let now = ContinuousClock.now - start
        let (ticket, number) = try state.withLock { state throws(ShutDown) in
            if state.isShutDown { throw ShutDown() }
            if state.waiting.isEmpty, let ticket = Self.admit(&state, now) {
                return (Optional(ticket), UInt64(0))
            }
            defer { state.nextNumber += 1 }
            return (nil, state.nextNumber)
        }
        if let ticket { return ticket }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, number) }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?
                .resume(throwing: CancellationError())
        }
    }

    /// Gives a turn back.
    package func leave(_ ticket: AdaptiveLimit.Ticket, _ ending: Ending) {
        serve { state, now in
            switch ending {
            case .settled: state.limit.settle(ticket)
            case .abandoned: state.limit.abandon(ticket)
            case .refused(let asked): state.limit.refuse(ticket, at: now, asked: asked)
            }
        }
    }

    /// Turns everybody away who waits or comes; waits for nothing.
    package func shutDown() {
        let waiting = state.withLock { state in
            state.isShutDown = true
            state.timer?.cancel()
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for waiter in waiting { waiter.resume(throwing: ShutDown()) }
    }

    private func wait(_ waiter: Waiter, _ number: UInt64) {
        let refusal: (any Error)? = state.withLock { state in
            // Whoever cancelled before this had nobody to wake, and will not come again.
            if Task.isCancelled { return CancellationError() }
            if state.isShutDown { return ShutDown() }
            state.waiting[number] = waiter
            // One with a higher number may have been here, and served, before it.
            state.nextServed = min(state.nextServed, number)
            return nil
        }
        if let refusal { waiter.resume(throwing: refusal) }
        // A turn may have come free since the first look.
        serve { _, _ in }
    }

    /// Changes the state, then lets go whoever may.
    private func serve(_ change: (inout State, Duration) -> Void) {
        let now = ContinuousClock.now - start
        let served = state.withLock { state in
            change(&state, now)
            var served: [(Waiter, AdaptiveLimit.Ticket)] = []
            while !state.waiting.isEmpty, let ticket = Self.admit(&state, now) {
                while state.waiting[state.nextServed] == nil { state.nextServed += 1 }
                let first = state.waiting.removeValue(forKey: state.nextServed)
                if let first { served.append((first, ticket)) }
            }
            setTimer(&state, now)
            return served
        }
        for (waiter, ticket) in served { waiter.resume(returning: ticket) }
    }

    private static func admit(_ state: inout State, _ now: Duration) -> AdaptiveLimit.Ticket? {
        guard let ticket = state.limit.admit(at: now) else { return nil }
        state.mostInFlight = max(state.mostInFlight, state.limit.inFlight)
        return ticket
    }

    // Outside a pause, whoever comes back wakes the next; in a pause it may be that nobody is left
    // to come back.
    private func setTimer(_ state: inout State, _ now: Duration) {
        guard !state.waiting.isEmpty, state.timer == nil, !state.isShutDown,
            now < state.limit.pauseEnd
        else { return }
        let end = start + state.limit.pauseEnd
        state.timer = Task { [weak self] in
            // Cancelled only when nobody waits any more.
            try? await Task.sleep(until: end, clock: .continuous)
            self?.serve { state, _ in state.timer = nil }
        }
    }
}
