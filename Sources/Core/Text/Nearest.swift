/// Finds what somebody may have meant by a word that is not known.
package enum Nearest {
    /// The longest word that is compared, in bytes; longer ones are near to nothing.
    private static let longest = 64
    /// The most known words that are compared, so that a large file is refused in short time.
    private static let mostCompared = 1_000
    /// The most known words that are listed.
    private static let mostWords = 20

    /// The known word that needs the fewest edits, if their number is at most a third of its length
    /// and never more than three; the first one wins a tie. Letter case counts for nothing.
    package static func match(_ word: String, among known: [String]) -> String? {
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
    package static func unknown(_ what: String, _ found: String, among known: [String]) -> String {
        let start = "unknown \(what) '\(found.printable)'; "
        if let near = match(found, among: known) {
            return start + "did you mean '\(near.printable)'?"
        }
        if known.isEmpty { return start + "there is none" }
        let more = known.count > mostWords ? ", …" : ""
        let words = known.prefix(mostWords).map(\.printable).joined(separator: ", ")
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
