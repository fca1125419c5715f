/// What a client has sent and received so far.
package struct RequestTraffic: Hashable, Sendable {
    /// How a service charges for a request.
    package enum CostClass: Hashable, Sendable {
        /// Writes and listings.
        case a
        /// Reads of single things.
        case b
        /// Removals.
        case free

        /// The class of a call of S3.
        package init(call: String, method: String) {
            if method == "DELETE" || call == "DeleteObjects" {
                self = .free
            } else if method == "PUT" || method == "POST" || call.hasPrefix("List") {
                self = .a
            } else {
                self = .b
            }
        }
    }

    /// Requests by the names of their calls, repetitions included.
    package private(set) var calls: [String: Int] = [:]
    /// Of these, the repetitions.
    package private(set) var repetitions = 0
    /// How often the service asked to slow down.
    package private(set) var slowDowns = 0
    /// Bytes of all bodies that were received.
    package private(set) var bytesReceived = 0
    /// Requests of each class.
    package private(set) var classA = 0
    package private(set) var classB = 0
    package private(set) var free = 0
    /// The most requests that may be under way at a time; 0 where nobody says.
    package private(set) var allowed: Int
    /// The times that requests were under way, added up; those that have not ended do not count.
    package private(set) var busy = Duration.zero
    // From the first request's sending to the last one's end.
    private var window: Range<ContinuousClock.Instant>?

    /// Nothing yet, of a client that may have so many requests under way.
    package init(allowed: Int = 0) { self.allowed = allowed }

    /// The time from the first request's sending to the last one's end.
    package var span: Duration {
        window.map { $0.upperBound - $0.lowerBound } ?? .zero
    }

    /// How many requests were under way on average of the span; nil where nothing was sent.
    package var atATime: Double? { span > .zero ? busy / span : nil }

    /// Counts a request as it is sent.
    package mutating func countSending(
        _ call: String, method: String, isRepetition: Bool = false
    ) {
        calls[call, default: 0] += 1
        if isRepetition { repetitions += 1 }
        switch CostClass(call: call, method: method) {
        case .a: classA += 1
        case .b: classB += 1
        case .free: free += 1
        }
    }

    /// Counts an answer.
    mutating func countAnswer(bytes: Int, asksToSlowDown: Bool) {
        bytesReceived += bytes
        if asksToSlowDown { slowDowns += 1 }
    }

    /// Counts the time that a request took, also one without an answer.
    package mutating func countTime(
        from start: ContinuousClock.Instant, to end: ContinuousClock.Instant
    ) {
        guard start <= end else { return }
        busy += end - start
        widen(to: start..<end)
    }

    private mutating func widen(to other: Range<ContinuousClock.Instant>?) {
        guard let other else { return }
        let known = window ?? other
        window =
            min(known.lowerBound, other.lowerBound)..<max(known.upperBound, other.upperBound)
    }

    /// Adds another client's.
    package mutating func add(_ other: RequestTraffic) {
        // Where nothing was sent, nothing was kept waiting either.
        if calls.isEmpty { allowed = 0 }
        if !other.calls.isEmpty { allowed += other.allowed }
        calls.merge(other.calls, uniquingKeysWith: +)
        repetitions += other.repetitions
        slowDowns += other.slowDowns
        bytesReceived += other.bytesReceived
        classA += other.classA
        classB += other.classB
        free += other.free
        busy += other.busy
        widen(to: other.window)
    }
}
