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
    // nil of every other form. Eight bytes are read at once, some of them twice.
    private static func plain(
        _ text: UnsafeBufferPointer<UInt8>
    ) -> (seconds: Int64, nanosecond: Int64)? {
        guard text.count == 20 || text.count == 24 else { return nil }
        let (day, hour, second) = (
            PlainDigits(text, at: 0, like: "0000-00-"), PlainDigits(text, at: 8, like: "00T00:00"),
            PlainDigits(text, at: 12, like: text.count == 20 ? "0:00:00Z" : "0:00:00.")
        )
        var isPlain = day.isLike && hour.isLike && second.isLike
        var milli: Int64 = 0
        if text.count == 24 {
            let fraction = PlainDigits(text, at: 16, like: ":00.000Z")
            isPlain = isPlain && fraction.isLike
            milli = fraction.pair(4) * 10 + fraction.digit(6)
        }
        guard isPlain, hour.pair(3) < 24, hour.pair(6) < 60, second.pair(5) < 61,
            let date = CivilDay(
                year: day.pair(0) * 100 + day.pair(2), month: day.pair(5), day: hour.pair(0))
        else { return nil }
        return (
            date.daysSince1970 * 86_400 + hour.pair(3) * 3_600 + hour.pair(6) * 60
                + second.pair(5), milli * 1_000_000
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
        if day.year <= 0 { text += day.era }
        return text
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
        if width == 2, number < 100 {
            append(UInt8(ascii: "0") + UInt8(number / 10))
            append(UInt8(ascii: "0") + UInt8(number % 10))
            return
        }
        var least: Int64 = 1
        for _ in 1..<width { least *= 10 }
        while number / least >= 10 { least *= 10 }
        while least > 0 {
            append(UInt8(ascii: "0") + UInt8(number / least % 10))
            least /= 10
        }
    }
}

/// Eight bytes of a text in which digits have fixed places.
private struct PlainDigits {
    // By bytes, what each has in another way than a pattern, which of a digit is its number; and
    // the same with ten times the number of the digit before.
    private let numbers, pairs: UInt64
    /// Whether digits stand where a pattern has zeros, and elsewhere what it has itself.
    let isLike: Bool

    private static let tops: UInt64 = 0x8080_8080_8080_8080
    // What takes more than nine to the top bit.
    private static let aboveNine: UInt64 = 0x7676_7676_7676_7676

    /// The bytes of a text from a place on.
    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>, at place: Int, like pattern: StaticString) {
        let bytes = UnsafeRawBufferPointer(text).loadUnaligned(
            fromByteOffset: place, as: UInt64.self)
        let wanted = UnsafeRawPointer(pattern.utf8Start).loadUnaligned(as: UInt64.self)
        numbers = UInt64(littleEndian: bytes ^ wanted)
        let isDigit = ByteWord.places(of: UInt8(ascii: "0"), in: UInt64(littleEndian: wanted))
        let high = (numbers & ~Self.tops) &+ Self.aboveNine | numbers
        let others = ~(isDigit &- (isDigit >> 7) | isDigit)
        isLike = high & Self.tops == 0 && numbers & others == 0
        pairs = numbers &* 10 &+ numbers >> 8
    }

    /// The number of two digits, of which the first stands here.
    @inline(__always)
    func pair(_ place: Int) -> Int64 { Int64(pairs >> UInt64(8 * place) & 0xFF) }

    /// The number of one digit.
    @inline(__always)
    func digit(_ place: Int) -> Int64 { Int64(numbers >> UInt64(8 * place) & 0xFF) }
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
