/// A moment in UTC: whole nanoseconds since 1970-01-01T00:00:00Z.
///
/// Holds the years 1678 to 2262; arithmetic stops at those ends instead of overflowing.
package struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the epoch.
    package let nanoseconds: Int64

    /// The moment so many nanoseconds after the epoch.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The moment so many seconds after the epoch, held at the ends of the range.
    package init(seconds: Int64) {
        let (value, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.nanoseconds = overflow ? (seconds < 0 ? Int64.min : Int64.max) : value
    }

    /// Earlier than every other moment.
    package static let distantPast = Instant(nanoseconds: Int64.min)
    /// Later than every other moment.
    package static let distantFuture = Instant(nanoseconds: Int64.max)

    /// Orders moments by time.
    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The moment a duration later.
    package static func + (left: Instant, right: Duration) -> Instant {
        let (value, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        guard overflow else { return Instant(nanoseconds: value) }
        return right < .zero ? .distantPast : .distantFuture
    }

    /// The moment a duration earlier.
    package static func - (left: Instant, right: Duration) -> Instant {
        left + (.zero - right)
    }

    /// The time from the right moment to the left one, negative when that is later.
    package static func - (left: Instant, right: Instant) -> Duration {
        let (value, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        if overflow { return .nanoseconds(left < right ? Int64.min : Int64.max) }
        return .nanoseconds(value)
    }
}

extension Duration {
    /// Whole nanoseconds, held at the ends of `Int64`.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? Int64.min : Int64.max }
        let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (seconds < 0 ? Int64.min : Int64.max) : sum
    }

    /// Days of 24 hours.
    package static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }
    /// Hours of 60 minutes.
    package static func hours(_ count: Int64) -> Duration { .seconds(count * 3_600) }
    /// Minutes of 60 seconds.
    package static func minutes(_ count: Int64) -> Duration { .seconds(count * 60) }

    /// The duration as the configuration writes it: the largest units first, such as `3d1h`.
    package var label: String {
        var rest = components.seconds
        if rest < 0 { return "-" + (Duration.zero - self).label }
        guard rest > 0 else { return self == .zero ? "0s" : "\(nanoseconds / 1_000_000)ms" }
        var text = ""
        for (unit, seconds) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60), ("s", 1)] {
            if rest >= seconds {
                text += "\(rest / seconds)\(unit)"
                rest %= seconds
            }
        }
        return text
    }
}
