import MooringText

/// Moments and days as texts that both Mooring and the server read.
enum CalendarText {
    // 2000-01-01, from which the server counts, in days since 1970.
    private static let epoch: Int64 = 10_957

    /// A moment in so many microseconds since 2000: ISO 8601 in UTC, with as many of 3 or 6
    /// decimals as it needs; `infinity` and `-infinity` as the server spells them. Of a column that
    /// knows no zone the text names none either.
    static func timestamp(_ microseconds: Int64, isZoned: Bool = true) -> [UInt8] {
        if let endless = endless(microseconds, .min, .max) { return endless }
        let (seconds, fraction) = microseconds.floored(by: 1_000_000)
        return CivilTime(
            seconds: seconds + epoch * 86_400, nanosecond: fraction * 1_000, isZoned: isZoned
        ).iso8601
    }

    /// A day, so many days after 2000-01-01: `2026-11-22`.
    static func date(_ days: Int64) -> [UInt8] {
        endless(days, Int64(Int32.min), Int64(Int32.max))
            ?? CivilTime.text(of: CivilDay(daysSince1970: days + epoch))
    }

    private static func endless(_ number: Int64, _ least: Int64, _ most: Int64) -> [UInt8]? {
        if number == most { return Array("infinity".utf8) }
        return number == least ? Array("-infinity".utf8) : nil
    }
}
