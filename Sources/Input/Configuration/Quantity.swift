import MooringText

/// A text that is not the quantity it should be.
package struct QuantityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wanted, with examples: it follows the name of the key or flag.
    package let needs: String
    /// The text that was found.
    package let found: String

    /// An error about a text.
    package init(needs: String, found: String) {
        self.needs = needs
        self.found = found
    }

    /// `needs a duration …; found '5'`.
    package var description: String { "\(needs); found '\(found.printable)'" }
}

/// Numbers with a unit, as the configuration and the flags write them.
///
/// A number without its unit is always an error: a bare `1` would be one per cent to one reader
/// and everything to another.
package enum Quantity {
    /// Reads `50m`, `3d`, `1h30m`, `500ms`, `0s`: whole numbers with the units d, h, m, s and ms,
    /// the largest first, each at most once; at most 36,500 days.
    package static func duration(_ text: String) throws(QuantityError) -> Duration {
        let error = QuantityError(
            needs: "needs a duration with its unit, such as 50m, 3d or 1h30m", found: text)
        var rest = Array(text.utf8)[...]
        var total: Int64 = 0
        var units = durationUnits[...]
        repeat {
            guard let number = takeNumber(&rest) else { throw error }
            let unit = String(decoding: rest.prefix { !isDigit($0) }, as: UTF8.self)
            guard let index = units.firstIndex(where: { $0.name == unit }) else { throw error }
            let (value, overflow) = number.multipliedReportingOverflow(
                by: units[index].milliseconds)
            let (sum, carried) = total.addingReportingOverflow(value)
            guard !overflow, !carried, sum <= longestMilliseconds else {
                throw QuantityError(needs: "needs a duration of at most 36500d", found: text)
            }
            total = sum
            rest = rest.dropFirst(unit.utf8.count)
            units = units[(index + 1)...]
        } while !rest.isEmpty
        return .milliseconds(total)
    }

    /// Reads `17B`, `1GB`, `256MiB`, `1.5 GiB`: bytes, or powers of 1,000 (kB, MB, GB, TB) or of
    /// 1,024 (KiB, MiB, GiB, TiB); a fraction of a byte is dropped.
    package static func size(_ text: String) throws(QuantityError) -> Int64 {
        let error = QuantityError(
            needs: "needs a size with its unit, such as 17B, 1GB or 256MiB", found: text)
        var rest = Array(text.utf8)[...]
        guard let decimal = takeDecimal(&rest) else { throw error }
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        guard let unit = sizeUnits[String(decoding: rest, as: UTF8.self)] else { throw error }
        let bytes = Int128(decimal.digits) * Int128(unit) / Int128(decimal.scale)
        guard let held = Int64(exactly: bytes) else {
            throw QuantityError(needs: "needs a size below 9223372 TB", found: text)
        }
        return held
    }

    /// Reads `1%`, `0.5%`, `100%` as a share from 0 to 1.
    package static func share(_ text: String) throws(QuantityError) -> Double {
        let error = QuantityError(
            needs: "needs a share from 0% to 100%, such as 1% or 0.5%", found: text)
        var rest = Array(text.utf8)[...]
        guard let decimal = takeDecimal(&rest), rest.elementsEqual([UInt8(ascii: "%")]) else {
            throw error
        }
        let percent = Double(decimal.digits) / Double(decimal.scale)
        guard percent <= 100 else { throw error }
        return percent / 100
    }

    private static let durationUnits: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]
    private static let longestMilliseconds: Int64 = 36_500 * 86_400_000
    private static let sizeUnits: [String: Int64] = [
        "B": 1, "kB": 1_000, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000,
        "TB": 1_000_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let digits = rest.prefix(while: isDigit)
        rest = rest.dropFirst(digits.count)
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    // A decimal as whole digits over a power of ten, so that nothing is rounded on the way.
    private static func takeDecimal(
        _ rest: inout ArraySlice<UInt8>
    ) -> (digits: Int64, scale: Int64)? {
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: isDigit)
            rest = rest.dropFirst(1 + fraction.count)
            guard (1...6).contains(fraction.count) else { return nil }
        }
        let text = String(decoding: whole + fraction, as: UTF8.self)
        guard !whole.isEmpty, let digits = Int64(text) else { return nil }
        return (digits, fraction.reduce(1) { scale, _ in scale * 10 })
    }
}
