/// What the links of one entry say that its row holds, as they are read from the first to the last.
package struct JournalExpectation: Hashable, Sendable {
    /// That what an entry said of a person was taken out of it, and what stands there since.
    package struct Erasure: Hashable, Sendable {
        /// The entry's number; nil where what stands there is no number.
        package var entry: Int64?
        /// The hash of the intent as it was before.
        package var before: [UInt8]
        /// The hashes of intent and outcome since; the outcome's is nil where there is none.
        package var intent: [UInt8]
        package var outcome: [UInt8]?
        /// The hash of what the erasure says, which its link has to have.
        package var digest: [UInt8]

        /// An erasure.
        package init(
            entry: Int64?, before: [UInt8], intent: [UInt8], outcome: [UInt8]?, digest: [UInt8]
        ) {
            self.entry = entry
            self.before = before
            self.intent = intent
            self.outcome = outcome
            self.digest = digest
        }
    }

    /// Whether a link says that a person was taken out of it.
    package private(set) var isErased = false
    private var intent: [UInt8]?
    private var outcome: [UInt8]?
    private var intentLink: Int64?
    private var outcomeLink: Int64?

    /// Nothing said yet.
    package init() {}

    /// Takes the next link of an entry, by its number in the chain, with the erasure where it is of
    /// one. Gives what is wrong with it, in words.
    package mutating func take(
        _ kind: JournalLink.Kind, of entry: Int64, content: [UInt8], number: Int64,
        erasure: Erasure?
    ) -> String? {
        switch kind {
        case .intent:
            defer { (intent, intentLink) = (content, number) }
            return intent == nil ? nil : "it has two intents"
        case .outcome:
            (outcome, outcomeLink) = (content, number)
        case .erasure:
            guard let erasure, erasure.digest == content, erasure.entry == entry,
                erasure.before == intent
            else { return "its erasure is not what was written" }
            isErased = true
            (intent, intentLink) = (erasure.intent, number)
            if let since = erasure.outcome { (outcome, outcomeLink) = (since, number) }
        }
        return nil
    }

    /// Compares a row's hashes with what the links said of it: what differs, in words, each with
    /// the link that said otherwise.
    package func differences(
        intent found: [UInt8], outcome foundOutcome: [UInt8]?
    ) -> [(link: Int64?, what: String)] {
        guard let intent else {
            return [(nil, "the entry was inserted: no link tells of its intent")]
        }
        var differences: [(link: Int64?, what: String)] = []
        if found != intent {
            differences.append((intentLink, "its intent is not what was written"))
        }
        guard foundOutcome != outcome else { return differences }
        switch (foundOutcome, outcome) {
        case (nil, _): differences.append((outcomeLink, "its outcome was taken away"))
        case (_, nil): differences.append((intentLink, "its outcome was inserted"))
        default: differences.append((outcomeLink, "its outcome is not what was written"))
        }
        return differences
    }
}
