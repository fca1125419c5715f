extension String {
    /// Foreign text, safe to print: without control characters, and cut after 80 characters.
    package var printable: String { printable(longest: 80) }

    /// The same in its whole length, of a path.
    package var printablePath: String { printable(longest: .max) }

    private func printable(longest: Int) -> String {
        var shown = ""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == longest { return shown + "…" }
            let isSafe = scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
            shown.unicodeScalars.append(isSafe ? scalar : "\u{FFFD}")
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
