/// A moment in UTC as texts name it.
package struct CivilTime: Hashable, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z.
    package let seconds: Int64
    /// Since the last full second, from 0 to 999,999,999.
    package let nanosecond: Int64
    /// Whether the text names a zone; one without means UTC.
    package let isZoned: Bool
    /// How much later it may be meant: the length of the day or the minute that the text stops at.
    package let precision: Duration

    /// A moment whose text names every second.
    package init(seconds: Int64, nanosecond: Int64 = 0, isZoned: Bool = true) {
        (self.seconds, self.nanosecond, self.isZoned) = (seconds, nanosecond, isZoned)
        precision = .zero
    }

    /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)`, or with a blank for the `T`; a missing
    /// zone means UTC and a missing time of day midnight. Nil when the text is anything else.
    package init?(iso8601 text: UnsafeBufferPointer<UInt8>) {
        if let (seconds, nanosecond) = Self.plain(text) {
            (self.seconds, self.nanosecond) = (seconds, nanosecond)
            (isZoned, precision) = (true, .zero)
            return
        }
        var reader = DigitReader(bytes: text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
            reader.take("-"), let number = reader.number(2),
            let day = CivilDay(year: year, month: month, day: number)
        else { return nil }
        var seconds = day.daysSince1970 * 86_400
        var (nanosecond, precision, isZoned) = (Int64(0), Duration.seconds(86_400), false)
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
                    guard let fraction = reader.fraction() else { return nil }
                    nanosecond = fraction
                }
            }
            isZoned = !reader.isAtEnd
            guard let offset = reader.zoneOffset() else { return nil }
            seconds -= offset
        }
        guard reader.isAtEnd else { return nil }
        (self.seconds, self.nanosecond) = (seconds, nanosecond)
        (self.precision, self.isZoned) = (precision, isZoned)
    }

    // What `2026-11-21T02:00:00Z` and `2026-11-21T02:00:00.000Z` say, which most texts are like;
    // nil of every other form.
    private static func plain(
        _ text: UnsafeBufferPointer<UInt8>
    ) -> (seconds: Int64, nanosecond: Int64)? {
        guard text.count == 20 || text.count == 24 && text[19] == UInt8(ascii: "."),
            text[text.count - 1] == UInt8(ascii: "Z"),
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":")
        else { return nil }
        var isPlain = true
        func digit(_ place: Int) -> Int64 {
            let digit = text[place] &- UInt8(ascii: "0")
            isPlain = isPlain && digit < 10
            return Int64(digit)
        }
        func pair(_ place: Int) -> Int64 { digit(place) * 10 + digit(place + 1) }
        let (year, month, number) = (pair(0) * 100 + pair(2), pair(5), pair(8))
        let (hour, minute, second) = (pair(11), pair(14), pair(17))
        let milli = text.count == 20 ? 0 : pair(20) * 10 + digit(22)
        guard isPlain, hour < 24, minute < 60, second < 61,
            let day = CivilDay(year: year, month: month, day: number)
        else { return nil }
        return (
            day.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second, milli * 1_000_000
        )
    }

    /// ISO 8601, `2026-11-21T02:00:00Z`, with as many of 3, 6 or 9 decimals as it needs to be read
    /// back unchanged; a year before 1 is followed by ` BC`.
    package var iso8601: [UInt8] {
        let (days, second) = seconds.floored(by: 86_400)
        let day = CivilDay(daysSince1970: days)
        var text = Self.empty
        text.append(day)
        text.append(UInt8(ascii: "T"))
        text.append(second / 3_600, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(second / 60 % 60, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(second % 60, width: 2)
        if nanosecond > 0 {
            var (fraction, width) = (nanosecond, 9)
            while fraction % 1_000 == 0 { (fraction, width) = (fraction / 1_000, width - 3) }
            text.append(UInt8(ascii: "."))
            text.append(fraction, width: width)
        }
        if isZoned { text.append(UInt8(ascii: "Z")) }
        return text + day.era
    }

    /// A day as ISO 8601 writes it, `2026-11-21`; a year before 1 is followed by ` BC`.
    package static func text(of day: CivilDay) -> [UInt8] {
        var text = empty
        text.append(day)
        return text + day.era
    }

    // Room for the longest: every row has such a text.
    private static var empty: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(40)
        return text
    }
}

extension CivilDay {
    fileprivate var era: [UInt8] { year > 0 ? [] : Array(" BC".utf8) }
}

extension [UInt8] {
    fileprivate mutating func append(_ day: CivilDay) {
        append(day.year > 0 ? day.year : 1 - day.year, width: 4)
        append(UInt8(ascii: "-"))
        append(day.month, width: 2)
        append(UInt8(ascii: "-"))
        append(day.day, width: 2)
    }

    // The digits of a number that is not negative, with zeros before it up to a width.
    fileprivate mutating func append(_ number: Int64, width: Int) {
        var least: Int64 = 1
        for _ in 1..<width { least *= 10 }
        while number / least >= 10 { least *= 10 }
        while least > 0 {
            append(UInt8(ascii: "0") + UInt8(number / least % 10))
            least /= 10
        }
    }
}

/// Reads the fixed-width numbers of a date from left to right.
private struct DigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
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
