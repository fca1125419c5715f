import Foundation

/// Words with a neighbour in the vocabulary; one meaning has one word.
enum Vocabulary {
    /// A word that is not used, and the one that is.
    static let synonyms: [(banned: String, right: String)] = [
        ("trash", "quarantine"), ("trashed", "quarantined"), ("recycle", "quarantine"),
        ("garbage", "orphan"), ("zombie", "orphan"), ("stray", "orphan"),
        ("leaked file", "orphan"), ("unreferenced file", "orphan"),
        ("broken link", "dangling reference"), ("broken reference", "dangling reference"),
        ("soft delete", "tombstone"), ("soft-delete", "tombstone"), ("purge", "sweep"),
        ("dry-run", "dry run"), ("whitelist", "allow list"), ("blacklist", "deny list"),
    ]

    /// Breaches in any text, by line.
    static func breaches(path: String, text: String) -> [String] {
        // Nearly all files hold none of the words; the C library finds that out fast.
        let lowered = text.lowercased()
        guard synonyms.contains(where: { strstr(lowered, firstWord($0.banned)) != nil }) else {
            return []
        }
        var breaches: [String] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let words = Token.all(in: [Array(line.lowercased().utf8)])
            guard !words.isEmpty else { continue }
            let prose =
                " "
                + words.filter { $0.isWord || $0.text == "-" }
                .map { $0.text == "-" ? "-" : " \($0.text) " }.joined() + " "
            for (banned, right) in synonyms where prose.contains(spaced(banned)) {
                breaches.append("\(path):\(number + 1): say '\(right)', not '\(banned)'")
            }
        }
        return breaches
    }

    private static func firstWord(_ phrase: String) -> String {
        String(phrase.prefix { $0 != " " && $0 != "-" })
    }

    /// The form in which `breaches` compares: each word between blanks.
    private static func spaced(_ phrase: String) -> String {
        Token.all(in: [Array(phrase.utf8)])
            .map { $0.text == "-" ? "-" : " \($0.text) " }.joined()
    }
}
