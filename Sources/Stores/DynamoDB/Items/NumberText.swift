/// The texts in which DynamoDB writes its numbers.
enum NumberText {
    /// The 64-bit integer that a text is the only spelling of; nil for any other number.
    static func integer(_ text: some BidirectionalCollection<UInt8>) -> Int64? {
        guard (1...20).contains(text.count), let first = text.first else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text.dropFirst(0)
        guard let leading = digits.first, leading != UInt8(ascii: "0") || text.count == 1 else {
            return nil
        }
        var value: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            let (tens, isOver) = value.multipliedReportingOverflow(by: 10)
            let (sum, isFar) = tens.subtractingReportingOverflow(Int64(digit - 0x30))
            // Negative numbers reach one further than positive ones.
            if isOver || isFar { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == Int64.min ? nil : -value
    }

    /// Whether a text is a number as JSON writes one, so that it can stand in JSON as it is.
    static func isJSON(_ text: some Collection<UInt8>) -> Bool {
        var rest = text[...]
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        func take(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take("-")
        let hasZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !hasZero || whole == 1 else { return false }
        if take("."), digits() == 0 { return false }
        if take("eE") {
            _ = take("+-")
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }
}
