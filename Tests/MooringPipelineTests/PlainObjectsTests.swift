import MooringModel
import SeededNumbers
import Testing

@testable import MooringPipeline

/// Keys that are taken without a closer look are those of which no rule but the join speaks.
@Suite("Keys that need no closer look")
struct PlainObjectsTests {
    private static let run = "20260101T000000Z-abcdef"

    @Test("a part as long as a run's name, and a beginning as an own key's, are looked at")
    func closerLooks() {
        #expect(Self.run.utf8.count == RunID.length)
        let plain = PlainObjects(BucketMapping(name: "media"), holdsFolders: false)
        func holds(_ key: String) -> Bool { Array(key.utf8).withUnsafeBufferPointer(plain.holds) }
        #expect(holds("covers/a/b.jpg"))
        #expect(!holds(""))
        #expect(!holds(".mooring/quarantine/\(Self.run)/covers/a.jpg"))
        #expect(!holds("covers/\(Self.run)/a.jpg"))
        #expect(!holds("covers/deep/\(Self.run)"))
        #expect(!holds(Self.run))
    }

    @Test("no key with a run's name in it is plain, at whatever place of a block it stands")
    func places() {
        var generator = SeededGenerator("plain keys")
        let plain = PlainObjects(BucketMapping(name: "media"), holdsFolders: false)
        var (held, looked) = (0, 0)
        for _ in 0..<20_000 {
            let parts = (0...generator.number(0...6)).map { _ -> String in
                switch generator.number(0...12) {
                case 0: Self.run
                case 1: String(repeating: "b", count: RunID.length + generator.number(-1...1))
                default: String(repeating: "a", count: generator.number(0...20))
                }
            }
            let key = ObjectKey(Array(("k" + parts.joined(separator: "/")).utf8))
            let isPlain = key.bytes.withUnsafeBufferPointer(plain.holds)
            let long = key.bytes.split(separator: 0x2F, omittingEmptySubsequences: false)
                .contains { $0.count == RunID.length }
            #expect(isPlain == !long, "\(key.text)")
            #expect(!isPlain || key.behindRun == nil, "\(key.text)")
            if isPlain { held += 1 } else { looked += 1 }
        }
        #expect(held > 1_000 && looked > 1_000)
    }

    @Test("prefixes, globs and folders leave nothing plain")
    func rules() {
        var mappings = [BucketMapping(name: "media"), BucketMapping(name: "media")]
        mappings[0].prefixes = [ObjectKey("public/")]
        mappings[1].ignore = [Glob("public/static/**")]
        let key = Array("covers/a.jpg".utf8)
        for mapping in mappings {
            let plain = PlainObjects(mapping, holdsFolders: false)
            #expect(!key.withUnsafeBufferPointer(plain.holds))
        }
        let folder = PlainObjects(BucketMapping(name: "media"), holdsFolders: true)
        #expect(!key.withUnsafeBufferPointer(folder.holds))
    }
}
