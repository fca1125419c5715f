package import MooringModel

/// How far a service's clock is from this machine's, as the `Date` headers of its answers show.
///
/// A header names a whole second, and is written some time between the request and the answer; so
/// each answer gives an interval, and all of them together their intersection. It says nothing of
/// clocks that drift within a run by more than the intervals are wide.
package struct ClockEstimate: Sendable {
    /// The resolution of a `Date` header.
    package static let resolution = Duration.seconds(1)

    /// The service's time less this machine's, at least and at most; nil before the first answer.
    package private(set) var interval: ClosedRange<Duration>?

    /// No answer yet.
    package init() {}

    /// Takes an answer into account.
    package mutating func observe(date: Instant, sentAt: Instant, receivedAt: Instant) {
        let lowest = date - receivedAt
        let seen = lowest...max(lowest, date + Self.resolution - sentAt)
        guard let known = interval, known.overlaps(seen) else {
            // One of the clocks was set in between: what was known before is worth nothing now.
            interval = seen
            return
        }
        interval = known.clamped(to: seen)
    }

    /// The most that the clocks can differ by, in either direction; never less than the
    /// resolution. Nil before the first answer.
    package var difference: Duration? {
        interval.map { max(Self.resolution, max(.zero - $0.lowerBound, $0.upperBound)) }
    }
}
