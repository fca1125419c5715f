import MooringText

/// Words of commands that people paste into a shell.
package enum ShellWord {
    /// The text as one word: with anything but plain characters it stands in quotes, and control
    /// characters are question marks.
    ///
    /// `plain` are the characters besides letters and digits that need no quotes.
    package static func quoting(_ text: String, plain: String = "/._-") -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || plain.utf8.contains(byte)
        }
        if isPlain, !text.isEmpty, text.utf8.first != UInt8(ascii: "-") { return text }
        // By scalars: with a mark behind it a quote is another character, and a quote to a shell.
        var word = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'": word.append(contentsOf: "'\\''".unicodeScalars)
            case "\u{0}"..."\u{1F}", "\u{7F}": word.append("?")
            default: word.append(scalar)
            }
        }
        return "'" + String(word) + "'"
    }

    /// The text of bytes that a person can read and paste: UTF-8 without control characters, marks
    /// of direction or other characters that are not seen; else nil.
    package static func printable(_ bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.unicodeScalars.allSatisfy(\.isVisible) ? text : nil
    }
}
