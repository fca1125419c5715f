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
            let (from, to) = (Array(word.lowercased().utf8), Array(candidate.lowercased().utf8))
            guard from.count <= longest, to.count <= longest else { continue }
            let edits = edits(from, to)
            guard edits <= allowed else { continue }
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

    /// `; the nearest are "a", "b"`: at most three names of a database, by edit distance without
    /// regard to ASCII case; empty when there are none.
    package static func names(to name: [UInt8], among known: [[UInt8]]) -> String {
        // Bounded: names of hostile length must not cost quadratic time.
        let comparable = { (name: [UInt8]) in
            name.prefix(longest).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        }
        let wanted = comparable(name)
        let ranked = known.map { (edits: edits(wanted, comparable($0)), name: $0) }
        let nearest = ranked.sorted {
            ($0.edits, $0.name.count) < ($1.edits, $1.name.count)
                || ($0.edits, $0.name.count) == ($1.edits, $1.name.count)
                    && $0.name.lexicographicallyPrecedes($1.name)
        }
        guard !nearest.isEmpty else { return "" }
        return "; the nearest are "
            + nearest.prefix(3).map { quotedName($0.name) }.joined(separator: ", ")
    }

    // Levenshtein's distance, where two bytes in each other's place count as one edit; of its table
    // only the last three rows are kept.
    private static func edits(_ from: [UInt8], _ to: [UInt8]) -> Int {
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
