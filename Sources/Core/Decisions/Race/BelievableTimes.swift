package import MooringModel

/// A change time as a record tells it.
package struct ChangeTime: Hashable, Comparable, Sendable {
    /// The moment; where nothing tells the zone, read as UTC.
    package let written: Instant
    /// Whether something tells the zone: a number, an offset beside the time, or the configuration.
    package let isZoned: Bool
    /// How much later than `written` it may be, in any zone: a date alone may mean its evening.
    package let precision: Duration

    /// A change time.
    package init(_ written: Instant, isZoned: Bool = true, precision: Duration = .zero) {
        self.written = written
        self.isZoned = isZoned
        self.precision = precision
    }

    /// The latest moment that may be meant: west of Greenwich it is up to 12 h later.
    package var latest: Instant {
        isZoned ? written + precision : written + precision + .hours(12)
    }

    /// The earliest moment that may be meant: east of Greenwich it is up to 14 h earlier.
    package var earliest: Instant { isZoned ? written : written - .hours(14) }

    /// Orders change times by the latest moment that they may mean.
    package static func < (left: ChangeTime, right: ChangeTime) -> Bool {
        left.latest == right.latest
            ? left.isZoned && !right.isZoned : left.latest < right.latest
    }
}

/// Which times of records and objects can be believed. One that cannot is not known: an app that
/// counts seconds from 2001 tells of a record it has just written that it is 31 years old, and a
/// clock that is ahead tells of tomorrow.
package struct BelievableTimes: Hashable, Sendable {
    /// 2005-01-01: no store that Mooring reads had been written before.
    package static let earliest = Instant(seconds: 1_104_537_600)

    private let now: Instant
    private let ahead: Duration

    /// The times that can be believed at a moment. Clocks may differ by C, or by the bound for it
    /// where it was not measured.
    package init(now: Instant, race: RaceModel) {
        self.now = now
        ahead = max(race.clock, race.bounds.clockBound)
    }

    /// Whether a moment can be believed.
    package func contains(_ instant: Instant) -> Bool {
        instant >= Self.earliest && instant <= now + ahead
    }

    /// The moment of a change; nil where it cannot be believed.
    ///
    /// One without a zone, or without a time of day, counts as the latest that it may mean, and
    /// never as later than now: one up to 14 h ahead is what clocks east of Greenwich show.
    package func moment(of change: ChangeTime?) -> Instant? {
        guard let change else { return nil }
        if change.isZoned, change.precision == .zero {
            return contains(change.written) ? change.written : nil
        }
        guard change.latest >= Self.earliest, change.earliest <= now + ahead else {
            return nil
        }
        return min(change.latest, now)
    }
}
