import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@Suite("Stored values and keys")
struct KeyResolverTests {
    private let resolver = KeyResolver(levels: AccessLevel.amplify)

    private func patterns(
        _ level: LevelChoice, identity: String? = nil, _ value: String = "a.png"
    ) -> [KeyPattern] {
        resolver.patterns(
            value: [UInt8](value), level: level, identity: identity.map { [UInt8]($0) })
    }

    @Test("a value means one key where level and identity are known")
    func exact() {
        #expect(patterns(.root) == [.exact(ObjectKey("a.png"))])
        #expect(patterns(.named("guest")) == [.exact(ObjectKey("public/a.png"))])
        #expect(
            patterns(.named("private"), identity: "eu:1")
                == [.exact(ObjectKey("private/eu:1/a.png"))])
    }

    @Test("an identity that is not known, or empty, is any one segment", arguments: [nil, ""])
    func anyIdentity(identity: String?) throws {
        let pattern = try #require(patterns(.named("protected"), identity: identity).first)
        #expect(pattern.matches(ObjectKey("protected/eu:1/a.png")))
        #expect(!pattern.matches(ObjectKey("protected/a.png")))
        #expect(!pattern.matches(ObjectKey("protected//a.png")))
        #expect(!pattern.matches(ObjectKey("protected/eu:1/x/a.png")))
        #expect(!pattern.matches(ObjectKey("private/eu:1/a.png")))
        #expect(pattern.shown == ObjectKey("protected/{identity}/a.png"))
    }

    @Test("a level that is not known is every level, the root included")
    func any() {
        let patterns = patterns(.any, identity: "eu:1")
        #expect(
            patterns.map(\.shown.text)
                == [
                    "a.png", "public/a.png", "protected/eu:1/a.png", "private/eu:1/a.png",
                ])
    }

    @Test("a level whose prefix goes on without a slash gives every identity that fits")
    func everySplit() {
        let resolver = KeyResolver(levels: [AccessLevel(name: "u", prefix: "u/{identity}-")])
        let readings = resolver.readings(of: ObjectKey("u/eu-west-1-a.png/b-c"))
        #expect(
            readings.compactMap { $0.identity.map { String(decoding: $0, as: UTF8.self) } }
                == ["eu", "eu-west", "eu-west-1"])
        #expect(readings.contains { $0.relative == [UInt8]("a.png/b-c") })
    }

    @Test("what a record would hold, read back, means the key")
    func inverse() {
        var generator = SeededGenerator("readings are the inverse of patterns")
        let prefixes = [
            "", "public/", "p/{identity}/", "{identity}/", "u/{identity}-", "x{identity}",
        ]
        for _ in 0..<2_000 {
            let levels = prefixes.shuffled(using: &generator).prefix(3).enumerated().map {
                AccessLevel(name: "l\($0)", prefix: $1)
            }
            let resolver = KeyResolver(levels: levels)
            let value = generator.hostileBytes()
            let identity = generator.maybe { [UInt8]("eu-\($0.number(1...99)):x") }
            var choices: [LevelChoice] = [.root, .any]
            choices += levels.map { .named($0.name) }
            let level = generator.one(of: choices)
            for pattern in resolver.patterns(value: value, level: level, identity: identity) {
                let key: ObjectKey
                switch pattern {
                case .exact(let exact): key = exact
                case .anyIdentity(let head, let rest):
                    key = ObjectKey(head + [UInt8]("some-one") + rest)
                    #expect(pattern.matches(key))
                }
                #expect(
                    resolver.readings(of: key).contains { $0.relative == value },
                    "\(key) under \(levels)")
            }
            let key = ObjectKey(generator.hostileBytes())
            for reading in resolver.readings(of: key) {
                let choice = reading.level.map { LevelChoice.named($0) } ?? .root
                #expect(
                    resolver.patterns(
                        value: reading.relative, level: choice, identity: reading.identity)
                        == [.exact(key)])
            }
        }
    }
}
