import MooringModel

/// Reads the times of a listing: ISO 8601, or a number of seconds or milliseconds since 1970.
enum TimeReader {
    /// From here on a number counts milliseconds: as seconds it would be the year 5138, and as
    /// milliseconds a smaller one would lie before March 1973.
    private static let smallestMilliseconds: Int64 = 100_000_000_000

    /// The moment that a text names; nil when it names none.
    static func instant(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
        if let instant = Instant(iso8601: text) { return instant }
        if text.allSatisfy({
            isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        }),
            text.dropFirst().allSatisfy({ $0 != UInt8(ascii: "-") })
        {
            return number(text)
        }
        return nil
    }

    private static func number(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
        let isNegative = text.first == UInt8(ascii: "-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let whole = digits(first) else {
            return nil
        }
        let sign: Int64 = isNegative ? -1 : 1
        var nanoseconds: Int64 = 0
        if parts.count == 2 {
            guard let fraction = digits(parts[1].prefix(9)), areDigits(parts[1]) else {
                return nil
            }
            nanoseconds = fraction
            for _ in parts[1].prefix(9).count..<9 { nanoseconds *= 10 }
        }
        guard whole >= smallestMilliseconds else {
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

    /// Whether a byte is a digit.
    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
