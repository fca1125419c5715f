import MooringModel

/// Reads the times of a listing: ISO 8601, or a number of seconds or milliseconds since 1970.
struct TimeReader {
    // The day that was read last: neighbours in a listing mostly share it.
    private var day: [UInt8] = []
    private var dayStart = Instant(nanoseconds: 0)

    /// From here on a number counts milliseconds: as seconds it would be the year 5138, and as
    /// milliseconds a smaller one would lie before March 1973.
    private static let smallestMilliseconds: Int64 = 100_000_000_000

    /// The moment that a text names; nil when it names none.
    mutating func instant(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
        if let instant = commonForm(text) { return instant }
        if text.allSatisfy({
            Self.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }),
            text.dropFirst().allSatisfy({ $0 != UInt8(ascii: "-") })
        {
            return number(text)
        }
        return Instant(iso8601: String(decoding: text, as: UTF8.self))
    }

    // "2026-11-21T02:00:00Z", perhaps with three decimals, as stores write it.
    private mutating func commonForm(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
        guard text.count == 20 || text.count == 24, text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[text.count - 1] == UInt8(ascii: "Z"),
            let hour = Self.digits(text[11..<13]), let minute = Self.digits(text[14..<16]),
            let second = Self.digits(text[17..<19]), hour < 24, minute < 60, second < 60
        else { return nil }
        var milliseconds: Int64 = 0
        if text.count == 24 {
            guard text[19] == UInt8(ascii: "."), let value = Self.digits(text[20..<23]) else {
                return nil
            }
            milliseconds = value
        }
        if !day.elementsEqual(text[..<10]) {
            let date = String(decoding: text[..<10], as: UTF8.self)
            guard let start = Instant(iso8601: date) else { return nil }
            day = Array(text[..<10])
            dayStart = start
        }
        let seconds = hour * 3_600 + minute * 60 + second
        return dayStart + .nanoseconds(seconds * 1_000_000_000 + milliseconds * 1_000_000)
    }

    private func number(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
        let isNegative = text.first == UInt8(ascii: "-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let whole = Self.digits(first) else {
            return nil
        }
        let sign: Int64 = isNegative ? -1 : 1
        var nanoseconds: Int64 = 0
        if parts.count == 2 {
            guard let fraction = Self.digits(parts[1].prefix(9)), Self.areDigits(parts[1]) else {
                return nil
            }
            nanoseconds = fraction
            for _ in parts[1].prefix(9).count..<9 { nanoseconds *= 10 }
        }
        guard whole >= Self.smallestMilliseconds else {
            return Instant(seconds: sign * whole) + .nanoseconds(sign * nanoseconds)
        }
        let fraction = .nanoseconds(whole % 1_000 * 1_000_000 + nanoseconds / 1_000) as Duration
        let instant = Instant(seconds: sign * (whole / 1_000))
        return isNegative ? instant - fraction : instant + fraction
    }

    /// How many digits the seconds since 1970 have from March 1973 on.
    static let wholeDigits = 9

    /// Whether a text is a number so small that it may be the beginning of a cut-off time.
    static func mayBeCut(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count < wholeDigits && areDigits(text)
    }

    /// A whole number of at most 18 digits; nil when the bytes are anything else.
    static func digits(_ text: some RandomAccessCollection<UInt8>) -> Int64? {
        guard !text.isEmpty, text.count <= 18 else { return nil }
        var value: Int64 = 0
        for byte in text {
            guard isDigit(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func areDigits(_ text: some Collection<UInt8>) -> Bool {
        text.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
