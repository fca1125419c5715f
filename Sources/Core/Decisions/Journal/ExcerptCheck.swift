import MooringModel
import MooringText

/// Follows an excerpt of the journal: first its entries, then the links from the one before the
/// first of them to the head, and tells where it is not what was written.
///
/// It holds the hashes of each entry, about 300 bytes. That somebody rewrote everything, the head
/// too, is seen only by comparing that head with one that was kept elsewhere.
package struct ExcerptCheck: Sendable {
    private struct Row {
        let intent: [UInt8]
        let outcome: [UInt8]?
        let erasures: [Int64: JournalExpectation.Erasure]
        var expectation = JournalExpectation()

        mutating func take(_ link: JournalExcerptLink, _ kind: JournalLink.Kind) -> String? {
            expectation.take(
                kind, of: link.entry, content: link.content, number: link.number,
                erasure: erasures[link.number])
        }
    }

    private var rows: [Int64: Row] = [:]
    private var place: JournalPlace?
    /// What is broken, in words without any content; at most `breakLimit`.
    package private(set) var breaks: [String] = []

    /// The most broken places that are told.
    package static let breakLimit = 20

    /// A check that has read nothing.
    package init() {}

    /// How many entries were read.
    package var entries: Int { rows.count }

    /// Takes the next entry.
    package mutating func take(_ entry: JournalExcerptEntry) {
        let row = Row(
            intent: entry.intentDigest, outcome: entry.outcomeDigest,
            erasures: entry.expectedErasures)
        if rows.updateValue(row, forKey: entry.number) != nil {
            add("entry \(entry.number) stands twice")
        }
    }

    /// Takes the place before the first link.
    package mutating func begin(at place: JournalPlace) {
        self.place = place
        if place.links == 0, place.hash != JournalLink.origin {
            add("the chain begins with another link than the first")
        }
    }

    /// Takes the next link.
    package mutating func take(_ link: JournalExcerptLink) {
        guard let before = place else { return add("the chain does not say where it begins") }
        place = JournalPlace(links: link.number, hash: link.hash)
        guard before.links < Int64.max else {
            return add("link \(link.number) follows the last number that there is")
        }
        guard link.number == before.links + 1 else {
            return add("link \(before.links + 1) is missing before link \(link.number)")
        }
        guard let kind = JournalLink.Kind(rawValue: link.kind) else {
            return add("link \(link.number) is of no known sort")
        }
        let own = JournalLink(
            after: before.hash, kind: kind, entry: link.entry, content: link.content)
        if own.hash != link.hash {
            add("link \(link.number) does not follow from the one before it")
        }
        if let fault = rows[link.entry]?.take(link, kind) {
            add("entry \(link.entry), link \(link.number): \(fault)")
        }
    }

    /// Compares the end of the chain with the head, and every entry with its links.
    package mutating func finish(head: JournalPlace) {
        if place != head { add("the chain does not end with the head") }
        for (number, row) in rows.sorted(by: { $0.key < $1.key }) {
            let found = row.expectation.differences(intent: row.intent, outcome: row.outcome)
            for difference in found { add("entry \(number): \(difference.what)") }
        }
    }

    private mutating func add(_ what: String) {
        if breaks.count < Self.breakLimit { breaks.append(what) }
    }
}
