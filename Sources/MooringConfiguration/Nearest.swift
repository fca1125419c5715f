/// Finds what somebody may have meant by a word that is not known.
enum Nearest {
    /// The longest word that is compared, in bytes; longer ones are near to nothing.
    private static let longest = 64
    /// The most known words that are compared, so that a large file is refused in short time.
    private static let mostCompared = 1_000
    /// The most known words that are listed.
    private static let mostWords = 20

    /// The known word that needs the fewest edits, if their number is at most a third of its length
    /// and never more than three; the first one wins a tie. Letter case counts for nothing.
    static func match(_ word: String, among known: [String]) -> String? {
        var best: (word: String, edits: Int)?
        for candidate in known.prefix(mostCompared) {
            let allowed = min(3, max(1, candidate.utf8.count / 3))
            guard let edits = edits(word, candidate), edits <= allowed else { continue }
            if edits < best?.edits ?? Int.max { best = (candidate, edits) }
        }
        return best?.word
    }

    /// `unknown WHAT 'FOUND'`, with the nearest known word, or with all known words when none is
    /// near.
    static func unknown(_ what: String, _ found: String, among known: [String]) -> String {
        let start = "unknown \(what) '\(Shown.text(found))'; "
        if let near = match(found, among: known) {
            return start + "did you mean '\(Shown.text(near))'?"
        }
        if known.isEmpty { return start + "there is none" }
        let more = known.count > mostWords ? ", …" : ""
        let words = known.prefix(mostWords).map(Shown.text).joined(separator: ", ")
        return start + "known here: " + words + more
    }

    // Levenshtein's distance over lower-case bytes, where two bytes in each other's place count as
    // one edit; of its table only the last three rows are kept.
    private static func edits(_ left: String, _ right: String) -> Int? {
        let from = Array(left.lowercased().utf8)
        let to = Array(right.lowercased().utf8)
        guard from.count <= longest, to.count <= longest else { return nil }
        var before: [Int] = []
        var last = Array(0...to.count)
        for (index, byte) in from.enumerated() {
            var row = [index + 1]
            for place in to.indices {
                var least = min(
                    last[place] + (to[place] == byte ? 0 : 1), row[place] + 1, last[place + 1] + 1)
                if index > 0, place > 0, byte == to[place - 1], from[index - 1] == to[place] {
                    least = min(least, before[place - 1] + 1)
                }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[to.count]
    }
}

/// Makes texts of a configuration safe to print.
enum Shown {
    /// The most characters of one text that are printed.
    private static let longest = 80

    /// The text without control characters, cut when it is long.
    static func text(_ text: String) -> String { printable(text, longest: longest) }

    /// A path without control characters, in its whole length.
    static func path(_ path: String) -> String { printable(path, longest: .max) }

    private static func printable(_ text: String, longest: Int) -> String {
        var shown = ""
        for (count, scalar) in text.unicodeScalars.enumerated() {
            if count == longest { return shown + "…" }
            let isSafe = scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
            shown.unicodeScalars.append(isSafe ? scalar : "\u{FFFD}")
        }
        return shown
    }

    /// Words in a sentence: `a`, `a and b`, `a, b and c`.
    static func list(_ words: [String], _ conjunction: String = "and") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}
