import MooringSchema
import SeededNumbers
import Testing

/// A schema of any bytes is read or refused, in short time, and nothing else happens.
struct SchemaFuzzTests {
    @Test(
        "nesting is bounded",
        arguments: [("type A @a(b: ", "["), ("type A @a(b: ", "{c:"), ("type A {a: ", "[")])
    func nesting(head: String, mark: String) {
        for count in [64, 65, 100_000] {
            let refusal = SchemaSample.refusal(head + String(repeating: mark, count: count))
            #expect(
                refusal.contains("over 64 levels deep") == (count > 64), "\(count): \(refusal)")
        }
    }

    @Test("a text over 4 MiB is refused")
    func size() {
        let comment = [UInt8](repeating: UInt8(ascii: "#"), count: (4 << 20) + 1)
        #expect(
            SchemaSample.refusal(comment) == "s.graphql:1:1: over 4 MiB, which no schema needs")
    }

    // A time that grows with the square takes an hour of this.
    @Test(
        "many relations and many types take no longer for each of them", .timeLimit(.minutes(10)))
    func many() throws {
        let count = 20_000
        let relations = (0..<count).map { "f\($0): A @belongsTo" }.joined(separator: "\n")
        let types = (0..<count).map {
            "type T\($0) @model { aKey: String b: [T\($0)] @hasMany }"
        }
        let text = "type A @model {\n\(relations)\n}\n" + types.joined(separator: "\n")
        #expect(try SchemaSample.read(text).models.count == count + 1)
    }

    @Test("a schema with random damage is read or refused with a place")
    func damage() throws {
        let seed = Seed.one()
        var state = seed
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let whole = Array(SchemaSample.amplify.utf8)
        let tokens =
            [
                "type ", "@model ", "@hasMany", "@belongsTo(fields: [\"", "{", "}", "[", "]", "(",
                ")",
            ]
            + [":", "!", "\"", "\"\"\"", "\\", "\\u{", "#", "$", "...", "-", "1.", "\u{FEFF}", "é"]
            + [
                "extend ", "@manyToMany(relationName: \"x\")",
                "@primaryKey(sortKeyFields: [\"id\"])",
            ]
        var read = 0
        for _ in 0..<3_000 {
            var bytes = whole
            for _ in 0...draw(4) {
                let place = draw(bytes.count)
                switch draw(3) {
                case 0: bytes.removeSubrange(place..<min(bytes.count, place + draw(12)))
                case 1: bytes.insert(contentsOf: tokens[draw(tokens.count)].utf8, at: place)
                default: bytes[place] = UInt8(draw(256))
                }
            }
            let refusal = SchemaSample.refusal(bytes)
            if refusal == "accepted" { read += 1 }
            let isTold = refusal == "accepted" || refusal.hasPrefix("s.graphql:")
            let isSafe = refusal.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
            #expect(isTold && isSafe, "seed \(seed): \(refusal)")
        }
        #expect(read > 0)
    }

    @Test("random bytes are read or refused with a place")
    func randomBytes() {
        let seed = Seed.one()
        var state = seed
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let common = Array("type A {}[]():!@\"\\#\n ".utf8)
        for _ in 0..<3_000 {
            let bytes = (0..<draw(60)).map { _ in
                draw(4) == 0 ? UInt8(draw(256)) : common[draw(common.count)]
            }
            let refusal = SchemaSample.refusal(bytes)
            #expect(
                refusal == "accepted" || refusal.hasPrefix("s.graphql:"),
                "seed \(seed): \(bytes)")
        }
    }
}
