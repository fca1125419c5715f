import MooringModel
import MooringReporting
import SeededNumbers
import Testing

@testable import MooringPipeline

@Suite("Texts that may name an object")
struct SubjectNameTests {
    @Test("Whatever VisibleText shortens is known again, and no key that is shown otherwise")
    func shortened() throws {
        var numbers = SeededGenerator("shortened keys")
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 1...90, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            let width = Int.random(in: 10...80, using: &numbers)
            let shown = VisibleText.ascii(bytes, width: width)
            guard let key = ShortenedKey(Array(shown.utf8)) else {
                #expect(shown.utf8.elementsEqual(bytes) || shown.utf8.count < 12)
                continue
            }
            #expect(key.mayMean(ObjectKey(bytes)), "\(shown)")
            let others = [[0x21] + bytes, bytes + [0x21]].map { ObjectKey($0) }
            let isOpen = shown.contains(/^\.|\.$/)
            let isMonotone = bytes.allSatisfy { $0 == 0x21 }
            #expect(isOpen || isMonotone || !others.contains(where: key.mayMean))
        }
    }

    @Test("A middle part has to stand between the ends")
    func middle() throws {
        let key = try #require(ShortenedKey(Array("aaa...mmm...zzz".utf8)))
        #expect(key.mayMean(ObjectKey("aaa1mmm2zzz")))
        #expect(!key.mayMean(ObjectKey("aaa12zzz")))
        #expect(!key.mayMean(ObjectKey("aaammmzzz/")))
        #expect(ShortenedKey(Array("a...z".utf8)) == nil)
        #expect(ShortenedKey(Array("plain".utf8)) == nil)
    }

    @Test("The nearest keys come first, and what shares less than half is none")
    func nearest() {
        var near = NearKeys(Array("public/cover.png".utf8))
        for key in [
            "public/COVER.png", "public/other.png", "zzz", "public/cove.png", "x/cover.png",
        ] {
            near.add(ObjectPlace(bucket: "media", key: ObjectKey(key)))
        }
        #expect(
            near.places.map { String(decoding: $0.key.bytes, as: UTF8.self) } == [
                "public/COVER.png", "public/cove.png", "public/other.png",
            ])
        var none = NearKeys([])
        none.add(ObjectPlace(bucket: "media", key: ObjectKey("a")))
        #expect(none.places.isEmpty)
    }
}
