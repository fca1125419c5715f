package import MooringModel

/// What a run's findings say of the run itself, such as how many references it read: it changes
/// each night though nothing about the findings did, so that it is kept once for the run.
package struct RunWords: Sendable {
    /// A sentence of evidence that every finding of the run says alike.
    package struct Sentence: Sendable {
        /// What it is called in every run; not empty.
        package let name: String
        /// What it says in this run.
        package let text: String

        /// A sentence of a run.
        package init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    /// A moment that is counted from when the run looked, and that findings may wait for.
    package struct Moment: Sendable {
        /// What it is called in every run; not empty.
        package let name: String
        /// When it is in this run.
        package let at: Instant
        /// The kind that it is for; nil for every one.
        package let kind: FindingKind?
        /// The bucket of the findings that it is for; nil for every one.
        package let bucket: String?

        /// A moment of a run.
        package init(
            _ name: String, at: Instant, kind: FindingKind? = nil, bucket: String? = nil
        ) {
            self.name = name
            self.at = at
            self.kind = kind
            self.bucket = bucket
        }

        fileprivate func fits(_ finding: Finding) -> Bool {
            at == finding.needs?.after && (kind == nil || kind == finding.kind)
                && (bucket == nil || bucket == finding.bucket)
        }
    }

    /// The sentences; no name stands twice, also not among the moments.
    package var sentences: [Sentence] = []
    /// The moments; of several that fit a finding the first one counts.
    package var moments: [Moment] = []

    /// What the sentence is called that tells how many references a run read.
    package static let references = "references"

    /// No words.
    package init() {}

    // Stands before a name, and before any text that begins so itself.
    private static let mark = "\u{0}"

    /// The finding as a row holds it: names in place of the run's words, and not the number of
    /// runs, which grows with each one.
    func stored(_ finding: Finding, noting used: inout Set<String>) -> Finding {
        var stored = finding
        stored.runs = 0
        for (index, text) in finding.evidence.enumerated() {
            if let sentence = sentences.first(where: { $0.text == text }) {
                stored.evidence[index] = Self.mark + sentence.name
                used.insert(sentence.name)
            } else if text.utf8.first == 0 {
                stored.evidence[index] = Self.mark + text
            }
        }
        guard let needs = finding.needs else { return stored }
        if let moment = moments.first(where: { $0.fits(finding) }) {
            stored.needs = ProofNeed(proof: needs.proof + Self.mark + moment.name, after: nil)
            used.insert(moment.name)
        } else if needs.proof.utf8.contains(0) {
            stored.needs?.proof += Self.mark
        }
        return stored
    }

    /// The words of these names, as a recording keeps them.
    func document(of names: Set<String>) -> Blob {
        var texts: [String: String] = [:]
        for sentence in sentences where names.contains(sentence.name) {
            texts[sentence.name] = sentence.text
        }
        for moment in moments where names.contains(moment.name) {
            texts[moment.name] = String(moment.at.nanoseconds)
        }
        return Blob(JSONValue.texts(texts).rendered)
    }

    /// The finding as its run recorded it; throws where a word is missing.
    static func restored(
        _ stored: Finding, runs: Int, words: [String: String]
    ) throws -> Finding {
        var finding = stored
        finding.runs = runs
        for (index, text) in stored.evidence.enumerated() where text.utf8.first == 0 {
            let name = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
            finding.evidence[index] = name.utf8.first == 0 ? name : try word(name, words)
        }
        guard let needs = stored.needs, let end = needs.proof.utf8.lastIndex(of: 0) else {
            return finding
        }
        finding.needs?.proof = String(decoding: needs.proof.utf8[..<end], as: UTF8.self)
        let name = String(
            decoding: needs.proof.utf8[end...].dropFirst(), as: UTF8.self)
        if !name.isEmpty {
            finding.needs?.after = Int64(try word(name, words)).map(Instant.init(nanoseconds:))
        }
        return finding
    }

    private static func word(_ name: String, _ words: [String: String]) throws -> String {
        guard let word = words[name] else {
            throw DocumentError("a run lacks a word of its findings")
        }
        return word
    }
}
