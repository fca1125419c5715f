import MooringText

/// Foreign bytes as one line of text in the escape of `VisibleText`, for formats in which more
/// characters than the hidden ones act.
struct ShownBytes {
    /// The ASCII characters that are written as `\xNN` beside the hidden ones.
    let active: Set<Unicode.Scalar>
    /// The most bytes that are shown of one value; of a longer one the middle is left out.
    var limit = 1_024

    /// Bytes, without any character that acts. In `ascii`, two spellings of one text look
    /// different.
    func text(_ bytes: [UInt8], ascii: Bool = false) -> String {
        guard bytes.count > limit else { return escaped(bytes[...], ascii) }
        return escaped(bytes.prefix(limit / 2), ascii) + "..."
            + escaped(bytes.suffix(limit / 2), ascii)
    }

    /// A text of somebody else, without any character that acts.
    func text(_ text: String) -> String { self.text(Array(text.utf8)) }

    // Where a brace acts, the bytes of a scalar stand for its number.
    private func withoutBraces(_ escape: String) -> String {
        guard active.contains("{"), escape.hasPrefix("\\u{") else { return escape }
        let scalar = UInt32(escape.dropFirst(3).dropLast(), radix: 16).flatMap(Unicode.Scalar.init)
        return scalar.map { String($0).utf8.map(ForeignBytes.escape).joined() } ?? escape
    }

    private func escaped(_ bytes: ArraySlice<UInt8>, _ ascii: Bool) -> String {
        // Nearly all of what is shown stands for itself, and a page may show 500,000 findings.
        let isPlain = bytes.allSatisfy {
            (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\")
        }
        if active.isEmpty, isPlain { return String(decoding: bytes, as: UTF8.self) }
        var text = ""
        ForeignBytes.scan(bytes) { piece in
            switch piece {
            case .plain(let scalar) where active.contains(scalar):
                text += ForeignBytes.escape(UInt8(truncatingIfNeeded: scalar.value))
            case .plain(let scalar) where ascii && !scalar.isASCII:
                text += withoutBraces(ForeignBytes.escape(scalar))
            case .plain(let scalar): text.unicodeScalars.append(scalar)
            case .escaped(let escape): text += withoutBraces(escape)
            }
        }
        return text
    }
}
