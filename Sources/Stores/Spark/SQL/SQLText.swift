import MooringModel
import MooringText

/// Values as Spark SQL writes them. Text in a script is ASCII: bytes stand as hexadecimal digits.
enum SQLText {
    /// A literal of ASCII text, such as a path.
    static func text(_ text: String) -> String {
        var literal = "'"
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"):
                literal += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: literal += String(UnicodeScalar(byte))
            default: literal += "\\" + octal(byte)
            }
        }
        return literal + "'"
    }

    // Three digits.
    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// Bytes as hexadecimal digits.
    static func digits(_ bytes: some Sequence<UInt8>) -> String { Hexadecimal.text(bytes) }

    /// A literal of bytes.
    static func bytes(_ bytes: some Sequence<UInt8>) -> String { "X'" + digits(bytes) + "'" }

    /// Bytes as a text of which each character is one of them: all that is compared is compared so,
    /// and never as Unicode.
    static func latin(_ bytes: [UInt8]) -> String {
        let isPlain = bytes.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && !"'\\$".utf8.contains(byte)
        }
        return isPlain
            ? "'" + String(decoding: bytes, as: UTF8.self) + "'"
            : "decode(\(Self.bytes(bytes)), 'ISO-8859-1')"
    }

    /// A number that stands for a need: two of them may share one, and then more is handed on.
    static func need(_ kind: NarrowingNeed.Kind, _ number: String, _ text: String) -> String {
        "xxhash64('\(kind.rawValue)', \(number), \(text))"
    }

    /// Whether Spark reads a path as it stands: some characters are patterns to it.
    static func isPlain(path: String) -> Bool {
        !path.utf8.contains { byte in
            byte < 0x20 || byte >= 0x7F || "*?[]{}\\,".utf8.contains(byte)
        }
    }
}
