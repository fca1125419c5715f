import MooringText

/// A row of the journal as an excerpt holds it: every column byte for byte, so that whoever has the
/// excerpt can reckon its hashes anew.
package struct JournalExcerptEntry: Hashable, Sendable {
    /// The entry's number.
    package var number: Int64
    /// The columns, times in nanoseconds since 1970.
    package var run: String
    package var plan: [UInt8]?
    package var intendedAt: Int64
    package var document: [UInt8]
    package var outcome: String?
    package var reason: [UInt8]?
    package var endedAt: Int64?
    /// What was taken out of it, the first erasure first.
    package var erasures: [Erasure] = []

    /// An erasure as the ledger keeps it.
    package struct Erasure: Hashable, Sendable {
        /// The number of its link.
        package var link: Int64
        /// The run that erased, and when.
        package var run: String
        package var erasedAt: Int64
        /// The hashes of the intent before, and of intent and outcome since.
        package var before: [UInt8]
        package var intent: [UInt8]
        package var outcome: [UInt8]?

        /// An erasure.
        package init(
            link: Int64, run: String, erasedAt: Int64, before: [UInt8], intent: [UInt8],
            outcome: [UInt8]?
        ) {
            self.link = link
            self.run = run
            self.erasedAt = erasedAt
            self.before = before
            self.intent = intent
            self.outcome = outcome
        }
    }

    /// An entry.
    package init(
        number: Int64, run: String, plan: [UInt8]?, intendedAt: Int64, document: [UInt8],
        outcome: String?, reason: [UInt8]?, endedAt: Int64?
    ) {
        self.number = number
        self.run = run
        self.plan = plan
        self.intendedAt = intendedAt
        self.document = document
        self.outcome = outcome
        self.reason = reason
        self.endedAt = endedAt
    }

    /// The hash of what it intends.
    package var intentDigest: [UInt8] {
        JournalCell.digest([
            .init(text: run), .init(blob: plan), .integer(intendedAt), .blob(document),
        ])
    }

    /// The hash of how it ended; nil while it has not.
    package var outcomeDigest: [UInt8]? {
        guard let outcome else { return nil }
        return JournalCell.digest([
            .init(text: outcome), .init(blob: reason), endedAt.map { .integer($0) } ?? .null,
        ])
    }

    /// The erasures as the entry's links are compared with them, by the numbers of their links.
    package var expectedErasures: [Int64: JournalExpectation.Erasure] {
        Dictionary(
            erasures.map { erasure in
                let digest = JournalCell.digest([
                    .integer(number), .init(text: erasure.run), .integer(erasure.erasedAt),
                    .blob(erasure.before), .blob(erasure.intent), .init(blob: erasure.outcome),
                ])
                return (
                    erasure.link,
                    JournalExpectation.Erasure(
                        entry: number, before: erasure.before, intent: erasure.intent,
                        outcome: erasure.outcome, digest: digest)
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}

/// A link of the chain and its number, as an excerpt holds it.
package struct JournalExcerptLink: Hashable, Sendable {
    /// Its place in the chain, from 1.
    package var number: Int64
    /// What it is of; in a ledger that somebody changed perhaps of no known sort.
    package var kind: String
    package var entry: Int64
    /// The hash of what its event says, and the link itself.
    package var content: [UInt8]
    package var hash: [UInt8]

    /// A link.
    package init(
        number: Int64, kind: String, entry: Int64, content: [UInt8], hash: [UInt8]
    ) {
        self.number = number
        self.kind = kind
        self.entry = entry
        self.content = content
        self.hash = hash
    }
}

/// A place in the chain: how many links there are up to it, and the last of them.
package struct JournalPlace: Hashable, Sendable {
    /// How many links.
    package var links: Int64
    /// The last one; 32 zeros where there is none.
    package var hash: [UInt8]

    /// A place.
    package init(links: Int64, hash: [UInt8]) {
        self.links = links
        self.hash = hash
    }

    /// The last one in hexadecimal.
    package var hashText: String { Hexadecimal.text(hash) }

    /// Before the first link.
    package static let origin = JournalPlace(links: 0, hash: JournalLink.origin)
}
