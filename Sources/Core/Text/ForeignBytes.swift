/// Bytes that somebody else chose, so escaped that each can be told and none can act.
///
/// `\xNN` is a control character or a byte that is not UTF-8, and `\u{N}` any other scalar without
/// a glyph of its own, such as the controls of writing direction.
package enum ForeignBytes {
    /// One scalar, or one byte that belongs to none.
    package enum Piece {
        /// A scalar that may be shown as itself.
        case plain(Unicode.Scalar)
        /// The escape that stands for it; of a backslash two of them.
        case escaped(String)
    }

    /// The bytes as a text of one line, in which a backslash stays one.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        scan(bytes) { piece in
            switch piece {
            case .plain(let scalar): text.unicodeScalars.append(scalar)
            case .escaped("\\\\"): text += "\\"
            case .escaped(let escape): text += escape
            }
        }
        return text
    }

    /// Splits bytes into scalars and escapes, from left to right.
    package static func scan(_ bytes: some Collection<UInt8>, _ receive: (Piece) -> Void) {
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var rest = bytes[...]
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return
            case .error(let length):
                for byte in rest.prefix(length) { receive(.escaped(escape(byte))) }
                rest = rest.dropFirst(length)
            case .valid(let encoded):
                receive(piece(UTF8.decode(encoded)))
                rest = rest.dropFirst(encoded.count)
            }
        }
    }

    /// `\xNN`.
    package static func escape(_ byte: UInt8) -> String { "\\x" + Hexadecimal.text([byte]) }

    /// `\u{N}`.
    package static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16) + "}"
    }

    private static func piece(_ scalar: Unicode.Scalar) -> Piece {
        if scalar == "\\" { return .escaped("\\\\") }
        if scalar.isASCII {
            return scalar.isVisible ? .plain(scalar) : .escaped(escape(UInt8(scalar.value)))
        }
        // Hangul fillers and variation selectors are letters and marks by category, yet show
        // nothing; nor do blanks of other widths.
        return scalar.isVisible && scalar.properties.generalCategory != .spaceSeparator
            && !scalar.properties.isDefaultIgnorableCodePoint
            ? .plain(scalar) : .escaped(escape(scalar))
    }
}
