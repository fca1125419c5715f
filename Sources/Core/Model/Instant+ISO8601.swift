import MooringText

extension Instant {
    /// The moment as ISO 8601 in UTC, `2026-11-21T02:00:00Z`, with as many of 3, 6 or 9 decimals
    /// as it needs to be read back unchanged.
    package var iso8601: String {
        let (seconds, nanosecond) = nanoseconds.floored(by: 1_000_000_000)
        let time = CivilTime(seconds: seconds, nanosecond: nanosecond)
        return String(decoding: time.iso8601, as: UTF8.self)
    }

    /// The second of the moment in ISO 8601's basic form, `20261121T020000Z`.
    package var basicISO8601: String {
        let time = CivilTime(seconds: nanoseconds.floored(by: 1_000_000_000).quotient)
        return String(decoding: time.iso8601.filter { !"-:".utf8.contains($0) }, as: UTF8.self)
    }

    /// Nanoseconds since the last full second, from 0 to 999,999,999.
    package var nanosecondOfSecond: Int64 { nanoseconds.floored(by: 1_000_000_000).remainder }

    /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)`, or with a blank for the `T`; a missing
    /// zone means UTC and a missing time of day midnight. Nil when the text is anything else.
    package init?(iso8601 text: some StringProtocol) {
        guard let read = Self.read(iso8601: text) else { return nil }
        self = read.instant
    }

    /// The same of bytes.
    package init?(iso8601 text: UnsafeBufferPointer<UInt8>) {
        guard let instant = CivilTime(iso8601: text)?.instant else { return nil }
        self = instant
    }

    /// The same, whether the text names a zone, and how much later it may be meant: the length of
    /// the day or the minute that it stops at.
    package static func read(
        iso8601 text: some StringProtocol
    ) -> (instant: Instant, isZoned: Bool, precision: Duration)? {
        Array(text.utf8).withUnsafeBufferPointer { read(iso8601: $0) }
    }

    /// The same of bytes.
    package static func read(
        iso8601 text: UnsafeBufferPointer<UInt8>
    ) -> (instant: Instant, isZoned: Bool, precision: Duration)? {
        guard let time = CivilTime(iso8601: text), let instant = time.instant else { return nil }
        return (instant, time.isZoned, time.precision)
    }
}

extension CivilTime {
    // The first and the last year are held in part only.
    fileprivate var instant: Instant? {
        Int64(exactly: Int128(seconds) * 1_000_000_000 + Int128(nanosecond))
            .map { Instant(nanoseconds: $0) }
    }
}
