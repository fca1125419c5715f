extension Unicode.Scalar {
    /// Whether it shows as itself on its line: it is no control character, mark of direction, break
    /// of a line, or character without a meaning, none of which may reach a terminal.
    package var isVisible: Bool {
        if isASCII { return (0x20..<0x7F).contains(value) }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            return false
        default: return true
        }
    }
}

extension String {
    /// Foreign text, safe to print, and cut after 80 characters.
    package var printable: String { printable(longest: 80) }

    /// The same in its whole length, of a path.
    package var printablePath: String { printable(longest: .max) }

    /// The text with a mark for each scalar that does not show; of one with more scalars than
    /// `longest` their beginning and `end`.
    package func printable(
        longest: Int = .max, mark: Unicode.Scalar = "\u{FFFD}", end: String = "…"
    ) -> String {
        var shown = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == longest { return shown + end }
            shown.unicodeScalars.append(scalar.isVisible ? scalar : mark)
        }
        return shown
    }
}

extension [String] {
    /// Words in a sentence: `a`, `a and b`, `a, b and c`.
    package func inWords(_ conjunction: String = "and") -> String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}

/// A name of a database between quotes, with control characters escaped and its end left out
/// after 100 bytes.
package func quotedName(_ name: [UInt8]) -> String {
    let text = String(decoding: name.prefix(100), as: UTF8.self).debugDescription
    return name.count > 100 ? text + "…" : text
}
