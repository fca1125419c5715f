import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@Suite("Owners by key template")
struct TemplateMatchTests {
    private static let uuid = "123e4567-E89b-12d3-a456-426614174000"

    private func identifiers(_ template: String, _ value: String) throws -> [String] {
        try #require(KeyTemplate(template)).identifiers(in: [UInt8](value)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("a template names the owner of a key")
    func names() throws {
        #expect(try identifiers("{id}", "s1") == ["s1"])
        #expect(try identifiers("{id}-{uuid}", "s1-\(Self.uuid)") == ["s1"])
        #expect(try identifiers("{id}-{uuid}", "\(Self.uuid)-\(Self.uuid)") == [Self.uuid])
        #expect(
            try identifiers("{id}{uuid}", "s" + Self.uuid.filter { $0 != "-" }) == ["s"])
        #expect(try identifiers("songs/{id}.png", "songs/s1.png") == ["s1"])
        #expect(try identifiers("{id}/{field:name}.{*}", "s1/cover.") == ["s1"])
        #expect(try identifiers("{id}/{id}", "a/b/a/b") == ["a/b"])
    }

    @Test(
        "a key that does not fit names nobody",
        arguments: [
            ("{id}", ""), ("{id}-{uuid}", "s1-nothing"), ("{id}-{uuid}", "-\(uuid)"),
            ("songs/{id}", "song/s1"), ("{id}.png", "s1.jpg"), ("{id}/{id}", "a/b"),
            ("{id}-{field:x}", "s1-"),
        ])
    func nobody(template: String, value: String) throws {
        #expect(try identifiers(template, value) == [])
    }

    @Test("every way to cut a key names an owner, the longest first, each once")
    func several() throws {
        #expect(try identifiers("{id}-{*}", "a-b-c") == ["a-b", "a"])
        #expect(try Set(identifiers("{*}{id}{*}", "ab")) == ["ab", "a", "b"])
        #expect(try identifiers("{uuid}", Self.uuid) == [""])
    }

    @Test("a search that was given up says so")
    func cutOff() throws {
        let many = try #require(KeyTemplate("{id}-{*}"))
        let key = [UInt8](String(repeating: "a-", count: 40))
        #expect(many.owners(in: key).isCutOff)
        #expect(many.owners(in: key).identifiers.count == KeyTemplate.ownerLimit)
        let wild = try #require(KeyTemplate("{*}{*}{*}{id}!"))
        let hostile = [UInt8](repeating: UInt8(ascii: "a"), count: 900) + [UInt8(ascii: "!")]
        #expect(wild.owners(in: hostile).isCutOff)
        #expect(try #require(KeyTemplate("{id}")).owners(in: key).isCutOff == false)
    }

    @Test("a filled template names the identifier it was filled with")
    func filled() throws {
        var generator = SeededGenerator("a filled template names its identifier")
        let pieces = ["{id}", "{uuid}", "{field:n}", "{*}", "-", "/", "a", "cover.", "é"]
        for _ in 0..<3_000 {
            var words = generator.some(3) { $0.one(of: pieces) }
            words.insert("{id}", at: generator.number(0...words.count))
            let template = try #require(KeyTemplate(words.joined()))
            var id = generator.hostileBytes().prefix(12)
            if id.isEmpty { id = [0] }
            var value: [UInt8] = []
            for part in template.parts {
                switch part {
                case .literal(let bytes): value += bytes
                case .id: value += id
                case .uuid: value += [UInt8](Self.uuid)
                case .field: value += [UInt8]("n\(generator.number(0...99))")
                case .any: value += generator.hostileBytes().prefix(6)
                }
            }
            let match = template.owners(in: value)
            #expect(
                match.isCutOff || match.identifiers.contains(Array(id)), "\(words) \(value)")
            #expect(Set(match.identifiers).count == match.identifiers.count)
        }
    }
}
