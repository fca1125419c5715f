import MooringModel
import SeededNumbers
import Testing

@testable import MooringS3

@Suite struct KeyRangeTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func narrowsToWhatAllItsKeysBeginWith() {
        let range = KeyRange(prefix: bytes("private/id/"))
        #expect(
            range.prefix == bytes("private/id/") && range.startAfter(below: range.prefix) == nil)
        let tail = KeyRange(from: bytes("private/id/k") + [0], to: range.to)
        #expect(tail.prefix == bytes("private/id/"))
        #expect(tail.startAfter(below: tail.prefix) == bytes("private/id/k"))
        #expect(KeyRange(from: bytes("ab"), to: bytes("ad")).prefix == bytes("a"))
    }

    @Test func leavesAHoleOut() {
        let parts = KeyRange().without(bytes(".m/"))
        #expect(parts == [KeyRange(from: [], to: bytes(".m/")), KeyRange(from: bytes(".m0"))])
        #expect(KeyRange(prefix: bytes("a")).without([]).isEmpty)
        #expect(KeyRange(prefix: bytes("a")).without(bytes("b")) == [KeyRange(prefix: bytes("a"))])
    }

    @Test func provesTiles() {
        for seed in Seed.several(200) {
            var random = SeededRandom(seed)
            var cuts: [[UInt8]] = (0..<random.below(20)).map { _ in
                (0...random.below(3)).map { _ in UInt8(random.below(256)) }
            }
            cuts = Set(cuts).sorted { $0.lexicographicallyPrecedes($1) }
            var parts: [KeyRange] = []
            var from: [UInt8] = []
            for cut in cuts {
                parts.append(KeyRange(from: from, to: cut))
                from = cut
            }
            parts.append(KeyRange(from: from))
            parts.shuffle(using: &random)
            var ledger = RangeLedger()
            let missing = random.below(parts.count)
            for (index, part) in parts.enumerated() where index != missing { ledger.close(part) }
            #expect(ledger.gaps(in: [KeyRange()]) == [parts[missing]], "seed \(seed)")
            ledger.close(parts[missing])
            #expect(ledger.gaps(in: [KeyRange()]).isEmpty && !ledger.hasOverlap, "seed \(seed)")
            #expect(ledger.listed == [KeyRange()], "seed \(seed)")
            ledger.close(parts[missing])
            #expect(ledger.hasOverlap, "seed \(seed)")
        }
    }

    @Test func cutsInsideTheRange() throws {
        let range = KeyRange(from: bytes("0014") + [0])
        let guess = RangeSplit.guess(
            range, last: bytes("0014"), anchor: bytes("0000"), bytes: Set("0123456789abcdef".utf8),
            asksFolders: true)
        #expect(guess == .cuts([bytes("009"), bytes("01")]))
        let folders = RangeSplit.guess(
            KeyRange(from: bytes("p/a/1")), last: bytes("p/a/1"), anchor: bytes("p/a/0"), bytes: [],
            asksFolders: true)
        #expect(folders == .folders(of: [], behind: bytes("p0")))
        let inner = RangeSplit.guess(
            KeyRange(from: bytes("p/a/1"), to: bytes("p0")), last: bytes("p/a/1"),
            anchor: bytes("p/a/0"), bytes: [], asksFolders: true)
        #expect(inner == .folders(of: bytes("p/"), behind: bytes("p/a0")))
    }

    @Test func asksFolderByFolderWhereThatIsFaster() {
        var pace = FolderPace()
        for _ in 0..<4 { pace.noteWhole(keys: 1_000, seconds: 0.15) }
        #expect(pace.prefersFolders == nil)
        for _ in 0..<4 { pace.noteFolder(keys: 100, seconds: 0.05) }
        #expect(pace.prefersFolders == false)
        for _ in 0..<100 { pace.noteFolder(keys: 100, seconds: 0.001) }
        #expect(pace.prefersFolders == true)
    }
}
