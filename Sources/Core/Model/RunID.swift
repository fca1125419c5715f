/// A run's name: `20261121T020000Z-xxxxxx`, which sorts by time even within a second.
///
/// The last six characters are the nanoseconds of the second in base 32, so two runs that follow
/// one another in time also do so in byte order; the ledger's lock keeps two from one instant.
package struct RunID: Hashable, Comparable, Sendable {
    /// The name as it stands in folders, in the quarantine and in the ledger.
    package let text: String

    /// How many bytes a name has.
    package static let length = 23

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The name of a run that starts at this moment.
    package init(startingAt instant: Instant) {
        var rest = instant.nanosecondOfSecond
        var suffix: [UInt8] = []
        for _ in 0..<6 {
            suffix.append(Self.alphabet[Int(rest & 31)])
            rest >>= 5
        }
        let tail = String(decoding: suffix.reversed(), as: UTF8.self)
        self.text = instant.basicISO8601 + "-" + tail
    }

    /// A run's name read back; nil when the text has another form.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length, bytes[8] == UInt8(ascii: "T"),
            bytes[15] == UInt8(ascii: "Z"),
            bytes[16] == UInt8(ascii: "-"), bytes[17...].allSatisfy(Self.alphabet.contains)
        else { return nil }
        for index in [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
        }
        self.text = String(text)
    }

    /// When the run started, to the nanosecond; nil when the name holds no real date.
    package var startedAt: Instant? {
        let bytes = Array(text.utf8)
        func digits(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let date = "\(digits(0..<4))-\(digits(4..<6))-\(digits(6..<8))"
        let time = "\(digits(9..<11)):\(digits(11..<13)):\(digits(13..<15))Z"
        guard let second = Instant(iso8601: date + "T" + time) else { return nil }
        var fraction: Int64 = 0
        for byte in bytes[17...] {
            fraction = fraction << 5 | Int64(Self.alphabet.firstIndex(of: byte) ?? 0)
        }
        return second + .nanoseconds(fraction)
    }

    /// Byte order, which is the order in time.
    package static func < (left: RunID, right: RunID) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
