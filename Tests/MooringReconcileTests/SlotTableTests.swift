import Glibc
import SeededNumbers
import Testing

@testable import MooringReconcile

/// Places by their fingerprints, and the fingerprints themselves.
@Suite("Places by their fingerprints")
struct SlotTableTests {
    @Test(
        "a table knows what a dictionary does, also where one part holds everything",
        arguments: [
            UInt64.max, 0x03FF_FFFF_FFFF_FFFF, 0xFF,
        ])
    func table(mask: UInt64) {
        var generator = SeededGenerator("a table of places")
        var table = SlotTable()
        var known: [Fingerprint: SlotMarks] = [:]
        let places = (0..<3_000).map { _ in
            // Of the lower half eight bits are not compared.
            Fingerprint(high: generator.next() & mask, low: (generator.next() & mask) << 8)
        }
        for _ in 0..<12_000 {
            let place = generator.one(of: places)
            let before = known[place] ?? []
            if generator.bool() {
                let said = generator.one(
                    of: [[], .live, [.live, .ownerOnly], [.live, .signedInOnly]] as [SlotMarks])
                table.insert(place, said)
                known[place] = before.union(.referenced).union(said)
                if said.contains(.live) && before.contains(.live) {
                    known[place]?.insert(.mayBeShared)
                }
            } else {
                #expect(table.mark(place, .present) == before)
                if !before.isEmpty { known[place] = before.union(.present) }
            }
        }
        for place in places { #expect(table.marks(of: place) == known[place] ?? []) }
        #expect(table.count == known.count)
    }

    @Test(
        "places that come together are noted and marked as if they came one by one",
        arguments: [1, 700, 5_000, Int.max], [UInt64.max, 0x03FF_FFFF_FFFF_FFFF, 0xFF])
    func together(places: Int, mask: UInt64) {
        var generator = SeededGenerator("places that come together")
        let room = JoinRoom(places: places, folder: "/tmp")
        var (single, table) = (SlotTable(room), SlotTable(room))
        let drawn = (0..<(places == 1 ? 60 : 2_000)).map { _ in
            Fingerprint(high: generator.next() & mask, low: generator.next() & mask << 8)
        }
        let sets = [[], .live, [.live, .ownerOnly], [.live, .signedInOnly]] as [SlotMarks]
        for size in places == 1 ? [1, 30, 60] : [1, 255, 256, 3_000, 2] {
            let rows = (0..<size).map { _ in
                generator.one(of: drawn).with(generator.one(of: sets))
            }
            for row in rows { single.insert(row, row.marks) }
            table.insert(rows)
            #expect(table.count == single.count)
        }
        single.endInsertions()
        table.endInsertions()
        for size in [3, 256, 1_500] {
            // Of a place that comes twice the second is told what the first one did.
            let listed = (0..<size).map { _ in generator.one(of: drawn) }
            let before = listed.map { single.mark($0, .present) }
            #expect(table.mark(listed, .present) == before)
        }
        for place in drawn { #expect(table.marks(of: place) == single.marks(of: place)) }
    }

    @Test("what was listed can be taken back behind the closing", arguments: [1, 50, Int.max])
    func unlists(places: Int) {
        let drawn = (0..<100).map { number in
            Fingerprint(
                high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number) << 8)
        }
        var table = SlotTable(JoinRoom(places: places, folder: "/tmp"))
        for place in drawn { table.insert(place, .live) }
        table.endInsertions()
        for place in drawn { _ = table.mark(place, .present) }
        table.close()
        for place in drawn.prefix(10) { table.unlist(place) }
        for (number, place) in drawn.enumerated() {
            let isListed = number >= 10
            let marks: SlotMarks = [.referenced, .live]
            #expect(table.marks(of: place) == (isListed ? marks.union(.present) : marks))
            #expect(table.marks(ofReferenced: place).contains(.present) == isListed)
        }
    }

    @Test(
        "a table beyond its room knows what one in memory does, before and behind its closing",
        arguments: [1, 10, 999, 5_000], [UInt64.max, 0x03FF_FFFF_FFFF_FFFF, 0xFF])
    func room(places: Int, mask: UInt64) {
        var generator = SeededGenerator("a table beyond its room")
        let folder = "/tmp"
        let drawn = (0..<(places == 1 ? 60 : 1_500)).map { _ in
            Fingerprint(high: generator.next() & mask, low: generator.next() & mask << 8)
        }
        // What nobody references has other bits than all that is referenced.
        let strangers = drawn.map { Fingerprint(high: ~$0.high, low: $0.low) }
        var (whole, table) = (SlotTable(), SlotTable(JoinRoom(places: places, folder: folder)))
        for _ in 0..<(drawn.count * 2) {
            let place = generator.one(of: drawn)
            let said = generator.one(
                of: [[], .live, [.live, .ownerOnly], [.live, .signedInOnly]] as [SlotMarks])
            whole.insert(place, said)
            table.insert(place, said)
            #expect(table.marks(of: place) == whole.marks(of: place))
        }
        table.endInsertions()
        #expect(table.count == whole.count)
        #expect((table.run != nil) == (whole.count >= places))
        for place in drawn + strangers where generator.number(0...9) > 3 {
            let marks = generator.one(of: [.present, [.present, .kept]] as [SlotMarks])
            #expect(table.mark(place, marks) == whole.mark(place, marks))
        }
        // In their order and some of them twice, many at once and few.
        for share in [9, 0] {
            let some = (drawn + strangers + drawn.prefix(20)).filter { _ in
                generator.number(0...9) <= share && (share > 0 || generator.number(0...30) == 0)
            }.sorted { $0.precedes($1) }
            var before: [SlotMarks] = []
            table.mark(sorted: some, .present) { before.append($0) }
            #expect(before == some.map { whole.mark($0, .present) })
        }
        table.close()
        for place in drawn where generator.number(0...9) == 0 {
            #expect(table.mark(place, .kept) == whole.mark(place, .kept))
        }
        for place in drawn {
            let marks = whole.marks(of: place)
            #expect(table.marks(of: place).contains(.mayBeShared) || !marks.contains(.mayBeShared))
            #expect(table.marks(of: place).union(.mayBeShared) == marks.union(.mayBeShared))
            guard !marks.isEmpty else { continue }
            let known = table.marks(ofReferenced: place)
            #expect(known.contains(.present) == marks.contains(.present))
            #expect(known.contains(.kept) == marks.contains(.kept))
        }
        for place in strangers { #expect(table.marks(of: place).isEmpty) }
        #expect(table.failure == nil && table.unspilled == nil)
    }

    @Test("where the folder takes nothing, a table stays in memory and says why")
    func noFolder() {
        var table = SlotTable(JoinRoom(places: 2, folder: "/tmp/mooring-no-such-folder"))
        for number: UInt64 in 1...100 { table.insert(Fingerprint(high: number, low: 0), .live) }
        table.endInsertions()
        table.close()
        #expect(table.unspilled == "No such file or directory")
        #expect(table.run == nil && table.count == 100)
        #expect(table.marks(of: Fingerprint(high: 7, low: 0)) == [.referenced, .live])
    }

    @Test("of a file that is cut short everything counts as referenced and listed, and is told")
    func cutShort() throws {
        var table = SlotTable(JoinRoom(places: 50, folder: "/tmp"))
        for number: UInt64 in 1...100 { table.insert(Fingerprint(high: number, low: 0), .live) }
        table.endInsertions()
        let run = try #require(table.run)
        #expect(ftruncate(run.file.descriptor, 16) == 0)
        #expect(table.mark(Fingerprint(high: 7, low: 0), .present) == [.referenced, .live])
        var together: [SlotMarks] = []
        table.mark(sorted: (1...100).map { Fingerprint(high: $0, low: 0) }, .present) {
            together.append($0)
        }
        #expect(together == Array(repeating: [.referenced, .live], count: 100))
        table.close()
        for number: UInt64 in [1, 7, 1_000] {
            let place = Fingerprint(high: number, low: 0)
            #expect(table.marks(of: place) == [.referenced, .live, .present])
            #expect(table.marks(ofReferenced: place).contains(.present))
        }
        #expect(table.failure == "Input/output error")
    }

    @Test("other bytes, another length, another tag or another secret is another fingerprint")
    func fingerprints() {
        var generator = SeededGenerator("fingerprints")
        let makers = [FingerprintMaker(), FingerprintMaker()]
        var seen: [Fingerprint: String] = [:]
        for length in 0..<200 {
            var texts = [[UInt8](repeating: 0, count: length)]
            texts += (0..<8).map { _ in (0..<length).map { _ in UInt8(generator.number(0...1)) } }
            for text in Set(texts) {
                for (number, maker) in makers.enumerated() {
                    for tag in [
                        SlotTag.exact(0), SlotTag.exact(1), SlotTag.anyIdentity(0, head: 3),
                    ] {
                        let found = text.withUnsafeBufferPointer { maker.make($0, tag: tag) }
                        let again = Array(text + [7]).withUnsafeBufferPointer {
                            maker.make(UnsafeBufferPointer(rebasing: $0.dropLast()), tag: tag)
                        }
                        #expect(found == again)
                        let name = "\(number) \(tag) \(text)"
                        #expect(seen.updateValue(name, forKey: found) == nil, "\(name)")
                    }
                }
            }
        }
    }
}
