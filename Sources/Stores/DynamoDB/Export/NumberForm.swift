/// The one form of a number that equal numbers share, however they are written.
enum NumberForm {
    private static let point = UInt8(ascii: ".")
    private static let zero = UInt8(ascii: "0")

    /// The form of a decimal text such as `1`, `-1.50` or `15E-1`: its digits without zeros at
    /// either end, and their exponent; nil where it is no number, or one with an exponent of more
    /// than nine digits.
    static func of(_ text: [UInt8]) -> [UInt8]? {
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        var exponent = 0
        if let mark = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let power = power(rest[(mark + 1)...]) else { return nil }
            exponent = power
            rest = rest[..<mark]
        }
        let parts = rest.split(separator: point, omittingEmptySubsequences: false)
        guard parts.count <= 2, rest.contains(where: { $0 != point }),
            parts.allSatisfy({ $0.allSatisfy(isDigit) })
        else { return nil }
        var digits = Array(parts.joined())
        exponent -= parts.count == 2 ? parts[1].count : 0
        while digits.last == zero {
            digits.removeLast()
            exponent += 1
        }
        digits = Array(digits.drop { $0 == zero })
        guard !digits.isEmpty else { return [zero] }
        return (isNegative ? [UInt8(ascii: "-")] : []) + digits + Array("e\(exponent)".utf8)
    }

    private static func power(_ text: ArraySlice<UInt8>) -> Int? {
        let digits = "+-".utf8.contains(text.first ?? 0) ? text.dropFirst() : text
        guard (1...9).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }
}
