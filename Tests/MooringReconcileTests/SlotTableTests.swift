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
