import GRDB
import MooringDecisions
import MooringModel
import MooringText

/// Where the journal is not what its chain says.
package struct JournalBreak: Hashable, Sendable {
    /// The link's number, from 1; nil where the journal has no link for it.
    package var link: Int64?
    /// The journal entry's number; nil where the link tells none that counts.
    package var entry: Int64?
    /// The run that wrote the entry; nil where that cannot be told.
    package var run: String?
    /// What differs, in words; never the content itself.
    package var what: String

    /// The place and what differs there, as one line.
    package var text: String {
        let places = [
            link.map { "link \($0)" }, entry.map { "entry \($0)" }, run.map { "run \($0)" },
        ].compactMap { $0 }
        let place = places.isEmpty ? "its end" : places.joined(separator: ", ")
        return "the journal is broken at \(place): \(what)"
    }
}

/// What a look at the whole journal and its chain found.
package struct JournalVerification: Hashable, Sendable {
    /// Entries in the journal.
    package var entries = 0
    /// Links in the chain.
    package var links: Int64 = 0
    /// Entries of which an erasure took the content.
    package var erased = 0
    /// The last link in hexadecimal; 64 zeros where there is none.
    package var head = Hexadecimal.text(JournalLink.origin)
    /// The broken places, the first link first, those without a link last; at most
    /// `breakLimit` of each sort.
    package var breaks: [JournalBreak] = []

    /// The most broken places that are kept of the chain, and of the entries.
    package static let breakLimit = 100

    /// Whether everything is as it was written.
    package var isSound: Bool { breaks.isEmpty }
}

extension Ledger {
    /// Compares every entry of the journal with its links, and every link with the one before.
    ///
    /// Reads the whole journal in bounded memory. Somebody who rewrites all of it, the chain, the
    /// heads and every run's copy of them, is not seen: compare the head with one kept elsewhere.
    package func verifyJournal() throws(LedgerError) -> JournalVerification {
        try read("verifying the journal") { db in
            var walk = ChainWalk()
            try walk.readLinks(db)
            var rows = EntryWalk()
            try rows.readEntries(db)
            try rows.findRemoved(db)
            var found = JournalVerification()
            found.entries = rows.entries
            found.erased = rows.erased
            found.links = walk.links
            found.head = Hexadecimal.text(walk.last)
            let broken = walk.breaks + rows.breaks
            let select = try db.cachedStatement(sql: "SELECT run FROM journal WHERE number = ?")
            found.breaks = try broken.map { broken in
                var broken = broken
                broken.run = try broken.entry.flatMap { entry in
                    try Row.fetchOne(select, arguments: [entry]).map { Stored.text($0[0]) }
                }
                return broken
            }.sorted { ($0.link ?? .max) < ($1.link ?? .max) }
            return found
        }
    }

    /// The chain's head, as receipts and evidence keep it: how many links, and the last one in
    /// hexadecimal.
    package func journalHead() throws(LedgerError) -> (links: Int64, hash: String) {
        try read("reading the head of the journal") { db in
            let head = try JournalChain.head(db)
            return (head.links, Hexadecimal.text(head.hash))
        }
    }
}

/// Follows the links, from the first to the last.
private struct ChainWalk {
    var breaks: [JournalBreak] = []
    var links: Int64 = 0
    var last = JournalLink.origin

    mutating func readLinks(_ db: Database) throws {
        var heads = try runHeads(db)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT number, kind, entry, content, hash FROM journalChain ORDER BY number")
        var expected: Int64 = 1
        while let row = try rows.next() {
            links += 1
            let (number, entry) = (row[0] as Int64, Stored.integer(row[2]))
            if number != expected {
                add(number, entry, "\(Measure.links(number - expected)) before it missing")
            }
            expected = number + 1
            let (content, hash) = (Stored.bytes(row[3]), Stored.bytes(row[4]))
            if let kind = JournalLink.Kind(rawValue: Stored.text(row[1])), let entry {
                let link = JournalLink(after: last, kind: kind, entry: entry, content: content)
                if link.hash != hash, number == expected - 1 {
                    add(number, entry, "the link does not follow from the one before it")
                }
            } else {
                add(number, entry, "the link is of no known sort")
            }
            last = hash
            if let known = heads.removeValue(forKey: number), known.hash != hash {
                add(number, entry, "the link is not the one that run \(known.run) ended with")
            }
        }
        try compareHead(db)
        if let cut = heads.filter({ $0.key > links }).max(by: { $0.key < $1.key }) {
            add(
                nil, nil,
                "run \(cut.value.run) ended with link \(cut.key), and the chain ends with "
                    + "link \(links)")
        }
    }

    private mutating func compareHead(_ db: Database) throws {
        guard
            let row = try Row.fetchOne(db, sql: "SELECT links, hash FROM journalHead"),
            let count = Stored.integer(row[0])
        else { return add(nil, nil, "the chain's head is missing") }
        guard count == links, Stored.bytes(row[1]) == last else {
            return add(
                nil, nil,
                count == links
                    ? "the chain's head is another link than its last one"
                    : "the chain ends with link \(links), and its head is link \(count)")
        }
    }

    // Several runs may have ended with the same link; any of them will do to name it.
    private func runHeads(_ db: Database) throws -> [Int64: (run: String, hash: [UInt8])] {
        var heads: [Int64: (run: String, hash: [UInt8])] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, journalLinks, journalHash FROM run
                WHERE journalLinks > 0 ORDER BY id DESC
                """)
        while let row = try rows.next() {
            guard let links = Stored.integer(row[1]) else { continue }
            heads[links] = (Stored.text(row[0]), Stored.bytes(row[2]))
        }
        return heads
    }

    private mutating func add(_ link: Int64?, _ entry: Int64?, _ what: String) {
        guard breaks.count < JournalVerification.breakLimit else { return }
        breaks.append(JournalBreak(link: link, entry: entry, run: nil, what: what))
    }
}

/// Compares the entries with what their links say of them.
private struct EntryWalk {
    var breaks: [JournalBreak] = []
    var entries = 0
    var erased = 0

    mutating func readEntries(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT number, \(EntryRow.columns) FROM journal ORDER BY number")
        while let row = try rows.next() {
            entries += 1
            let number: Int64 = row[0]
            let found = EntryRow(row, from: 1)
            let expected = try expected(of: number, db)
            if expected.isErased { erased += 1 }
            let differences = expected.differences(
                intent: found.intent, outcome: found.outcome)
            for difference in differences { add(difference.link, number, difference.what) }
        }
    }

    /// Finds entries of which only links are left, and entries that nothing tells of any more.
    mutating func findRemoved(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT min(number), entry FROM journalChain
                WHERE entry NOT IN (SELECT number FROM journal) GROUP BY entry ORDER BY 1
                """)
        while let row = try rows.next() {
            add(row[0], Stored.integer(row[1]), "the entry was removed")
        }
        let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM journal") ?? 0
        let given = try Int64.fetchOne(
            db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'journal'")
        if let given, given > last {
            add(nil, given, "entries \(last + 1) to \(given) were removed")
        }
    }

    private mutating func expected(
        of entry: Int64, _ db: Database
    ) throws -> JournalExpectation {
        let select = try db.cachedStatement(
            sql: "SELECT number, kind, content FROM journalChain WHERE entry = ? ORDER BY number")
        var expected = JournalExpectation()
        for row in try Row.fetchAll(select, arguments: [entry]) {
            let number: Int64 = row[0]
            // That it is of no known sort was told as the links were followed.
            guard let kind = JournalLink.Kind(rawValue: Stored.text(row[1])) else { continue }
            let erasure = kind == .erasure ? try erasure(number, db) : nil
            let fault = expected.take(
                kind, of: entry, content: Stored.bytes(row[2]), number: number,
                erasure: erasure)
            if let fault { add(number, entry, fault) }
        }
        return expected
    }

    private func erasure(
        _ link: Int64, _ db: Database
    ) throws -> JournalExpectation.Erasure? {
        let select = try db.cachedStatement(
            sql: """
                SELECT entry, run, erasedAt, before, intent, outcome FROM journalErasure
                WHERE number = ?
                """)
        return try Row.fetchOne(select, arguments: [link]).map { row in
            JournalExpectation.Erasure(
                entry: Stored.integer(row[0]), before: Stored.bytes(row[3]),
                intent: Stored.bytes(row[4]), outcome: Stored.bytesIfAny(row[5]),
                digest: EntryRow.digest((0..<6).map { row[$0] as DatabaseValue }))
        }
    }

    private mutating func add(_ link: Int64?, _ entry: Int64?, _ what: String) {
        guard breaks.count < JournalVerification.breakLimit else { return }
        breaks.append(JournalBreak(link: link, entry: entry, run: nil, what: what))
    }
}

extension Measure {
    fileprivate static func links(_ count: Int64) -> String {
        "\(count) link\(count == 1 ? " is" : "s are")"
    }
}
