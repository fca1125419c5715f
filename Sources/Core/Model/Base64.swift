/// RFC 4648 base64 with padding, for bytes that JSON cannot hold as text.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The padded base64 text of the bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let rest = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < rest ? UInt32(bytes[index + offset]) : 0)
            }
            for place in 0..<4 {
                let symbol = alphabet[Int(group >> (18 - 6 * UInt32(place)) & 63)]
                output.append(place <= rest ? symbol : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of a padded base64 text; nil when it is not one.
    package static func decode(_ text: String) -> [UInt8]? {
        let symbols = Array(text.utf8)
        guard symbols.count % 4 == 0 else { return nil }
        let padding = symbols.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(symbols.count / 4 * 3)
        var group: UInt32 = 0
        for (index, symbol) in symbols.enumerated() {
            if index < symbols.count - padding {
                guard let value = alphabet.firstIndex(of: symbol) else { return nil }
                group = group << 6 | UInt32(value)
            } else {
                group <<= 6
            }
            if index % 4 == 3 {
                output.append(UInt8(truncatingIfNeeded: group >> 16))
                output.append(UInt8(truncatingIfNeeded: group >> 8))
                output.append(UInt8(truncatingIfNeeded: group))
                group = 0
            }
        }
        output.removeLast(padding)
        return output
    }
}
