import GRDB
import MooringDecisions
import MooringModel
import Testing

@testable import MooringLedger

@Suite("Excerpts of the journal")
struct ExcerptTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    /// An excerpt in memory, as lines of JSON.
    private struct Lines: JournalExcerptTaker {
        var entries: [JournalExcerptEntry] = []
        var place: JournalPlace?
        var links: [JournalExcerptLink] = []

        mutating func take(_ entry: JournalExcerptEntry) throws {
            entries.append(try JournalExcerptEntry(json: JSONNode(parsing: entry.json.rendered)))
        }
        mutating func begin(at place: JournalPlace) throws {
            self.place = try JournalPlace(json: JSONNode(parsing: place.json.rendered))
        }
        mutating func take(_ link: JournalExcerptLink) throws {
            links.append(try JournalExcerptLink(json: JSONNode(parsing: link.json.rendered)))
        }

        func breaks(_ head: JournalPlace) -> [String] {
            var check = ExcerptCheck()
            for entry in entries { check.take(entry) }
            if let place { check.begin(at: place) }
            for link in links { check.take(link) }
            check.finish(head: head)
            return check.breaks
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
        for hour: Int64 in 1...6 {
            try ledger.record(run: hour, command: "repair")
            // The first and the fifth act on one object.
            let key = Array("p/x/\(hour == 5 ? 1 : hour)".utf8)
            let number = try ledger.intend(
                JournalEntry(
                    run: Sample.run(hour), plan: hour == 2 ? nil : "p\(hour)",
                    step: Sample.step("\(hour)", key: key), intendedAt: Sample.hour(hour))
            ).number
            guard hour < 6 else { break }
            try ledger.conclude(
                number, outcome: .done, reason: hour == 3 ? nil : "r\(hour)",
                at: Sample.hour(hour) + .minutes(1))
        }
        try ledger.conclude(1, outcome: .undone, reason: nil, at: Sample.hour(9))
    }

    private func excerpt(_ scope: JournalScope) throws -> (Lines, JournalPlace) {
        var lines = Lines()
        let head = try ledger.excerpt(of: scope, into: &lines)
        return (lines, head)
    }

    @Test("A run's excerpt holds its entries, what was done to its objects later, and the chain")
    func run() throws {
        let (first, head) = try excerpt(.run(Sample.run(1)))
        #expect(first.entries.map(\.number) == [1, 5])
        #expect(first.place == .origin)
        #expect(first.links.map(\.number) == Array(1...head.links))
        #expect(first.breaks(head) == [])
        #expect(head.hashText == (try ledger.verifyJournal().head))
        // What was done before is another run's.
        let (fifth, _) = try excerpt(.run(Sample.run(5)))
        #expect(fifth.entries.map(\.number) == [5])
        #expect(fifth.links.first?.number == 9)
        #expect(fifth.place?.links == 8)
        #expect(fifth.breaks(head) == [])
        let (open, _) = try excerpt(.run(Sample.run(6)))
        #expect(open.entries.first?.outcome == nil)
        #expect(open.breaks(head) == [])
        let (none, _) = try excerpt(.run(Sample.run(30)))
        #expect(none.entries.isEmpty && none.links.isEmpty && none.place == head)
        #expect(none.breaks(head) == [])
    }

    @Test("An object's excerpt holds every entry about it, and no other's")
    func object() throws {
        let (lines, head) = try excerpt(.object(bucket: "photos", key: ObjectKey("p/x/1")))
        #expect(lines.entries.map(\.number) == [1, 5])
        #expect(lines.breaks(head) == [])
    }

    @Test("What somebody changed, left out or added in an excerpt is told")
    func changed() throws {
        let (whole, head) = try excerpt(.run(Sample.run(1)))
        func breaks(_ change: (inout Lines) -> Void) -> [String] {
            var lines = whole
            change(&lines)
            return lines.breaks(head)
        }
        #expect(
            breaks { $0.entries[0].document[9] ^= 1 }
                == ["entry 1: its intent is not what was written"])
        #expect(
            breaks { $0.entries[0].plan = nil } == ["entry 1: its intent is not what was written"])
        #expect(
            breaks { $0.entries[0].outcome = "done" }
                == ["entry 1: its outcome is not what was written"])
        #expect(
            breaks { $0.entries[1].reason = nil }
                == ["entry 5: its outcome is not what was written"])
        #expect(breaks { $0.entries[1].outcome = nil } == ["entry 5: its outcome was taken away"])
        #expect(
            breaks { $0.entries[1].number = 50 }
                == ["entry 50: the entry was inserted: no link tells of its intent"])
        #expect(breaks { $0.entries.append($0.entries[1]) } == ["entry 5 stands twice"])
        #expect(breaks { $0.links.removeLast() }.first == "the chain does not end with the head")
        #expect(breaks { $0.links.remove(at: 3) } == ["link 4 is missing before link 5"])
        #expect(
            breaks { $0.links.swapAt(2, 3) }.first == "link 3 is missing before link 4")
        #expect(
            breaks { $0.links[2].content[0] ^= 1 }
                == ["link 3 does not follow from the one before it"])
        #expect(breaks { $0.links[2].kind = "other" } == ["link 3 is of no known sort"])
        #expect(breaks { $0.place = nil }.first == "the chain does not say where it begins")
        #expect(
            breaks { $0.place?.hash[0] ^= 1 }.first
                == "the chain begins with another link than the first")
    }

    @Test("A number behind which no other can stand is a fault and no end of the program")
    func greatestNumber() {
        let hash = [UInt8](repeating: 7, count: 32)
        func link(_ number: Int64) -> JournalExcerptLink {
            JournalExcerptLink(
                number: number, kind: "intent", entry: 1, content: hash, hash: hash)
        }
        var check = ExcerptCheck()
        check.begin(at: JournalPlace(links: .max, hash: hash))
        check.take(link(1))
        #expect(check.breaks == ["link 1 follows the last number that there is"])
        check = ExcerptCheck()
        check.begin(at: JournalPlace(links: 0, hash: JournalLink.origin))
        check.take(link(.max))
        check.take(link(2))
        #expect(
            check.breaks == [
                "link 1 is missing before link \(Int64.max)",
                "link 2 follows the last number that there is",
            ])
    }

    @Test("An entry that was erased verifies as erased, and its erasure cannot be changed")
    func erased() throws {
        let scope = try ErasureScope(
            .prefix(Array("p/x/1".utf8)), bucket: nil, levels: [], buckets: [])
        _ = try ledger.erase(scope, by: Sample.run(20), at: Sample.hour(20))
        let (lines, head) = try excerpt(.run(Sample.run(1)))
        #expect(lines.entries.first?.erasures.count == 1)
        #expect(lines.breaks(head) == [])
        var changed = lines
        changed.entries[0].erasures[0].run = Sample.run(21).text
        #expect(
            changed.breaks(head).contains {
                $0.hasSuffix("its erasure is not what was written")
            })
        changed = lines
        changed.entries[0].erasures = []
        #expect(!changed.breaks(head).isEmpty)
    }

    @Test("Bytes that are no text come back")
    func bytes() throws {
        var entry = JournalExcerptEntry(
            number: 1, run: "r", plan: [0xFF, 0], intendedAt: .min, document: [0xC3, 0x28],
            outcome: "done", reason: [0x80], endedAt: .max)
        entry.erasures = [
            .init(
                link: 4, run: "s", erasedAt: 1, before: [UInt8](repeating: 1, count: 32),
                intent: [UInt8](repeating: 2, count: 32), outcome: nil)
        ]
        let back = try JournalExcerptEntry(json: JSONNode(parsing: entry.json.rendered))
        #expect(back == entry)
    }
}
