import SeededNumbers
import Testing

@testable import MooringReconcile

@Suite("Needles")
struct NeedleIndexTests {
    private func found(
        _ needles: [String], in text: String, endsWithNumber: Bool = true
    ) -> Set<String> {
        var found: Set<String> = []
        NeedleIndex(needles.map { ArraySlice($0.utf8) })
            .search(Array(text.utf8), endsWithNumber: endsWithNumber) { needle, range in
                let text = Array(text.utf8)
                #expect(text[range].elementsEqual(needles[needle].utf8))
                found.insert(needles[needle])
            }
        return found
    }

    @Test("a long one is found wherever it stands, with those that it begins with")
    func long() {
        let needles = ["covers/a.png", "covers/a", "covers/a.png.old", "covers/b"]
        #expect(found(needles, in: "xcovers/a.pngy") == ["covers/a.png", "covers/a"])
        #expect(found(needles, in: "covers/a.png.old").count == 3)
        #expect(found(needles, in: "covers/") == [])
    }

    @Test(
        "a short one is found between delimiters",
        arguments: [
            ("k1", true), ("see k1.", true), ("a/k1", true), ("k1?v", true),
            ("\u{E9}k1\u{E9}", true),
            ("xk1", false), ("k12", false), ("k1.png", false), ("a-k1", false), ("k1...", true),
        ])
    func short(text: String, isFound: Bool) {
        #expect(found(["k1"], in: text) == (isFound ? ["k1"] : []))
    }

    @Test("a number that goes on is another one, in texts")
    func numbers() {
        #expect(found(["photos/12"], in: "photos/123") == [])
        #expect(found(["photos/12"], in: "photos/12-3") == ["photos/12"])
        #expect(found(["photos/12"], in: "photos/123", endsWithNumber: false) == ["photos/12"])
        #expect(found(["photos/a"], in: "photos/a1") == ["photos/a"])
    }

    @Test("the same as a search for each needle")
    func model() {
        var random = SeededGenerator("NeedleIndexTests.model")
        for _ in 0..<200 {
            func word(_ length: Int) -> String {
                (0..<length).map { _ in random.one(of: ["a", "b", "/"]) }.joined()
            }
            let needles = Array(Set((0..<30).map { _ in word(random.number(8...12)) }))
            let text = word(200)
            let bytes = Array(text.utf8)
            let expected = needles.filter { needle in
                bytes.indices.contains { bytes[$0...].starts(with: needle.utf8) }
            }
            #expect(found(needles, in: text) == Set(expected))
        }
    }

    @Test("many needles with one beginning, and texts full of it, take time for their sum")
    func growth() {
        let needles = (0..<50_000).map { ArraySlice("private/eu-west-1:\($0)/avatar.png".utf8) }
        let text = Array(
            (0..<50_000).map { "private/eu-west-1:\($0)x/avatar.png" }.joined(separator: ",").utf8)
        var count = 0
        let time = processorTime {
            NeedleIndex(needles).search(text, endsWithNumber: true) { _, _ in count += 1 }
        }
        #expect(count == 0 && time < .seconds(60))
    }
}
