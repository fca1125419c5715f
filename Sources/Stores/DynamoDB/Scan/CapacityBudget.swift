import Synchronization

/// The read capacity of a scan: what its pages consumed, and the rate that they keep to.
final class CapacityBudget: Sendable {
    private struct State {
        var bucket: CapacityBucket?
        var consumed = 0.0
        var isTold = true
        // About how many units an item takes; an item of 4 KB, read consistently, at first.
        var perItem = 1.0
    }

    private let state: Mutex<State>
    private let lanes: Int
    private let start = ContinuousClock.now

    /// A budget of so many units a second, none for no bound, that so many pages share.
    init(rate: Int?, lanes: Int) {
        self.lanes = max(1, lanes)
        state = Mutex(State(bucket: rate.map { CapacityBucket(rate: Double($0)) }))
    }

    /// What the service said was consumed; nil where it did not say.
    var consumed: Double? { state.withLock { $0.isTold ? $0.consumed : nil } }

    /// What one page may read.
    struct Page {
        /// The most items; nil for as many as the service gives.
        let limit: Int?
        /// What they are thought to consume.
        let estimate: Double
    }

    /// Waits until a page may be read. Throws `CancellationError`.
    func enter() async throws -> Page {
        let now = ContinuousClock.now - start
        let (page, delay): (Page, Duration) = state.withLock { state in
            guard let rate = state.bucket?.rate else {
                return (Page(limit: nil, estimate: 0), .zero)
            }
            let share = rate / Double(lanes)
            let limit = Int(max(1, min(share / state.perItem, 1_000_000)))
            let estimate = Double(limit) * state.perItem
            let delay = state.bucket?.take(estimate, at: now) ?? .zero
            return (Page(limit: limit, estimate: estimate), delay)
        }
        if delay > .zero { try await Task.sleep(for: delay) }
        return page
    }

    /// Counts what a page consumed; where the service does not say, it is taken from its size.
    func leave(_ page: Page, _ answer: ScanPage, bytes: Int, isConsistent: Bool) {
        let now = ContinuousClock.now - start
        let guess = max(0.5, Double(bytes) / 4_096 * (isConsistent ? 1 : 0.5))
        state.withLock { state in
            let actual = answer.capacity ?? guess
            state.consumed += actual
            if answer.capacity == nil { state.isTold = false }
            if answer.count > 0 {
                let seen = max(0.01, actual / Double(answer.count))
                // A page of large items makes the next one small at once.
                state.perItem = max(seen, state.perItem * 0.5)
            }
            state.bucket?.settle(page.estimate, actual: actual, at: now)
        }
    }

    /// Gives back what a page that did not come was thought to consume.
    func abandon(_ page: Page) {
        let now = ContinuousClock.now - start
        state.withLock { $0.bucket?.settle(page.estimate, actual: 0, at: now) }
    }
}
