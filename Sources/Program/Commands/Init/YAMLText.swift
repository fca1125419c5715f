import MooringText

/// Writes names into YAML so that they are read back as they are.
enum YAMLText {
    private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off"]

    /// A scalar: plain where nothing can be misread, else in double quotes with escapes.
    static func scalar(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
        }
        let startsAsWord = text.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
        if isPlain, startsAsWord, !words.contains(text.lowercased()) { return text }
        return quoted(text)
    }

    /// A scalar in double quotes; `${` is doubled, since it would name a variable.
    static func quoted(_ text: String) -> String {
        var output = "\""
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\t": output += "\\t"
            case "{" where last == "$": output += "${"
            case _ where !scalar.isVisible: output += escaped(scalar)
            default: output.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return output + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let (mark, width) =
            scalar.value <= 0xFF ? ("x", 2) : scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
        return "\\" + mark + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Writes names into comments and messages: one line, and not longer than a person reads.
enum VisibleName {
    /// The name with `?` for what cannot be seen, cut where it is long.
    static func of(_ text: String) -> String { text.printable(longest: 80, mark: "?", end: "...") }

    /// The text with `?` for what cannot be seen, however long it is.
    static func whole(_ text: String) -> String { text.printable(mark: "?") }
}
