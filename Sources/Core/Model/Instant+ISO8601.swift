extension Instant {
    /// The moment as ISO 8601 in UTC, `2026-11-21T02:00:00Z`, with as many of 3, 6 or 9 decimals
    /// as it needs to be read back unchanged.
    package var iso8601: String {
        var seconds = nanoseconds / 1_000_000_000
        var fraction = nanoseconds % 1_000_000_000
        if fraction < 0 {
            fraction += 1_000_000_000
            seconds -= 1
        }
        var text = Self.calendarText(seconds: seconds, separators: true)
        if fraction % 1_000_000 == 0, fraction > 0 {
            text += "." + Self.padded(fraction / 1_000_000, 3)
        } else if fraction % 1_000 == 0, fraction > 0 {
            text += "." + Self.padded(fraction / 1_000, 6)
        } else if fraction > 0 {
            text += "." + Self.padded(fraction, 9)
        }
        return text + "Z"
    }

    /// The second of the moment in ISO 8601's basic form, `20261121T020000Z`.
    package var basicISO8601: String {
        // Not `nanoseconds - nanosecondOfSecond`, which overflows in the first second there is.
        let whole = nanoseconds / 1_000_000_000
        let seconds = nanoseconds % 1_000_000_000 < 0 ? whole - 1 : whole
        return Self.calendarText(seconds: seconds, separators: false) + "Z"
    }

    /// Nanoseconds since the last full second, from 0 to 999,999,999.
    package var nanosecondOfSecond: Int64 {
        let fraction = nanoseconds % 1_000_000_000
        return fraction < 0 ? fraction + 1_000_000_000 : fraction
    }

    /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)`, or with a blank for the `T`; a missing
    /// zone means UTC and a missing time of day midnight. Nil when the text is anything else.
    package init?(iso8601 text: some StringProtocol) {
        guard let read = Self.read(iso8601: text) else { return nil }
        self = read.instant
    }

    /// The same, whether the text names a zone, and how much later it may be meant: the length of
    /// the day or the minute that it stops at.
    package static func read(
        iso8601 text: some StringProtocol
    ) -> (instant: Instant, isZoned: Bool, precision: Duration)? {
        var isZoned = false
        var precision = Duration.hours(24)
        var reader = DigitReader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
            reader.take("-"), let day = reader.number(2), (1...12).contains(month),
            (1...Self.daysInMonth(year: year, month: month)).contains(day),
            (1677...2262).contains(year)
        else { return nil }
        var seconds = Self.days(year: year, month: month, day: day) * 86_400
        var fraction: Int64 = 0
        if reader.take("T") || reader.take(" ") {
            guard let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
                hour < 24, minute < 60
            else { return nil }
            seconds += hour * 3_600 + minute * 60
            precision = .seconds(60)
            if reader.take(":") {
                precision = .zero
                guard let second = reader.number(2), second < 61 else { return nil }
                seconds += second
                if reader.take(".") || reader.take(",") {
                    guard let value = reader.fraction() else { return nil }
                    fraction = value
                }
            }
            isZoned = !reader.isAtEnd
            guard let offset = reader.zoneOffset() else { return nil }
            seconds -= offset
        }
        guard reader.isAtEnd else { return nil }
        // The first and the last year are held in part only.
        let wide = Int128(seconds) * 1_000_000_000 + Int128(fraction)
        guard let nanoseconds = Int64(exactly: wide) else { return nil }
        return (Instant(nanoseconds: nanoseconds), isZoned, precision)
    }

    private static func calendarText(seconds: Int64, separators: Bool) -> String {
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        let (year, month, day) = date(days: days)
        let dash = separators ? "-" : ""
        let colon = separators ? ":" : ""
        return padded(year, 4) + dash + padded(month, 2) + dash + padded(day, 2) + "T"
            + padded(rest / 3_600, 2) + colon + padded(rest / 60 % 60, 2) + colon
            + padded(rest % 60, 2)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func daysInMonth(year: Int64, month: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Days since 1970-01-01 in the proleptic Gregorian calendar, counted in eras of 400 years
    // that begin on March 1st, so that the leap day is the last day of its year.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth + (marchMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

/// Reads the fixed-width numbers of a date from left to right.
private struct DigitReader {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    mutating func number(_ width: Int) -> Int64? {
        guard index + width <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[index..<index + width] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        index += width
        return value
    }

    mutating func fraction() -> Int64? {
        var value: Int64 = 0
        var digits = 0
        while let digit = number(1) {
            if digits < 9 { value = value * 10 + digit }
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in min(digits, 9)..<9 { value *= 10 }
        return value
    }

    mutating func zoneOffset() -> Int64? {
        if isAtEnd || take("Z") || take("z") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(2) else { return nil }
        _ = take(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
