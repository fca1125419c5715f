import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

/// The filters that skip most objects which records reference, against what they must not skip.
@Suite("Filters of keys that values hold")
struct EnclosedFilterTests {
    private static let prefixes = [
        "public/", "private/{identity}/", "u/{identity}", "u-{identity}-", "all-", "a/b", "",
    ]
    private static let texts = [
        "a.png", "abcdef123.png", "album/abcdef123.png", "album/cover 01.jpeg", "abcdefgh", "x/y/",
        "Caf\u{E9}/abcdefgh.pdf", "abcdefgh/",
    ]

    private func resolver(_ random: inout SeededGenerator) -> KeyResolver {
        let levels = random.some(2) { $0.one(of: Self.prefixes) }.enumerated().map {
            AccessLevel(name: "l\($0.offset)", prefix: $0.element)
        }
        var field = FileField(field: "f", isList: false, level: .any, bucket: nil, template: nil)
        field.stored = random.one(of: [
            NaiveLayout.layout("img_{key}"), NaiveLayout.layout("thumbs/{key}"),
            NaiveLayout.drawn(&random),
        ])
        return KeyResolver(levels: levels, fields: random.bool() ? [field] : [])
    }

    private func key(_ text: [UInt8], _ resolver: KeyResolver, _ random: inout SeededGenerator)
        -> ObjectKey
    {
        let layout = random.one(of: [.plain] + resolver.layouts)
        let patterns = resolver.patterns(
            value: text, level: .any, identity: Array("eu:1".utf8), stored: layout)
        return random.one(of: patterns).shown
    }

    @Test("a key of which a value holds what a record would hold is never skipped")
    func enclosed() {
        var random = SeededGenerator("enclosed keys")
        var (held, skipped) = (0, 0)
        for round in 0..<3_000 {
            let resolver = resolver(&random)
            let values = random.some(3) { random in
                let text = random.one(of: Self.texts)
                return Array(random.bool() ? text.utf8 : "see \(text) there".utf8)
            }
            let keys = EnclosedKeys(
                values, forms: TextForms(foldsPaths: false), resolver: resolver)
            let key = key(Array(random.one(of: Self.texts).utf8), resolver, &random)
            let isHeld = resolver.readings(of: key).contains { reading in
                reading.relative.count >= NeedleIndex.freeLength
                    && values.contains { $0.firstRange(of: reading.relative) != nil }
            }
            let mayHold = key.bytes.withUnsafeBufferPointer(keys.filter.mayHold)
            #expect(mayHold || !isHeld, "round \(round): \(key.text) in \(resolver.levels)")
            held += isHeld ? 1 : 0
            skipped += mayHold ? 0 : 1
        }
        #expect(held > 300 && skipped > 300)
    }

    @Test("a key that ends in a short name which a value holds is never skipped")
    func shorts() {
        var random = SeededGenerator("short names in values")
        let signs = Array("ab1.".utf8)
        let resolver = KeyResolver(levels: [])
        func name(_ random: inout SeededGenerator) -> [UInt8] {
            (0...random.number(0...6)).map { _ in random.one(of: signs) }
        }
        var (held, skipped) = (0, 0)
        for round in 0..<2_000 {
            let names = random.some(4) { name(&$0) }
            let values = names.map { Array("see ".utf8) + $0 + Array(", please".utf8) }
            let keys = EnclosedKeys(
                values, forms: TextForms(foldsPaths: false), resolver: resolver)
            let other = name(&random)
            let key = random.one(of: names + [other])
            let mayHold = key.withUnsafeBufferPointer(keys.filter.mayHold)
            let isHeld = names.contains(key)
            #expect(
                mayHold || !isHeld,
                "round \(round): \(String(decoding: key, as: UTF8.self)) in \(names.count)")
            held += isHeld ? 1 : 0
            skipped += mayHold ? 0 : 1
        }
        #expect(held > 300 && skipped > 300, "\(held) held, \(skipped) skipped")
    }

    @Test("an object that a missing reference spells in another way is never skipped")
    func spelt() {
        var random = SeededGenerator("spelt keys")
        var found = 0
        for round in 0..<2_000 {
            let resolver = resolver(&random)
            let text = random.one(of: Self.texts)
            let other = random.one(of: [text.uppercased(), text + ".bak", text])
            let candidate = DanglingCandidate(
                model: 0,
                place: RecordPlace(
                    identity: RecordIdentity(
                        source: "app", model: "M", id: RecordID("1"))),
                field: 0, bucket: 0, foreignBucket: nil, value: Array(other.utf8),
                stored: .plain, patterns: [], indexes: [], changed: nil)
            let missing = MissingValues([candidate])
            var index = SpellingIndex(
                missing, [], resolver: resolver, forms: TextForms(foldsPaths: false))
            let key = key(Array(text.utf8), resolver, &random)
            let skips =
                index.filter.map { !key.bytes.withUnsafeBufferPointer($0.mayHold) } ?? true
            // Without the filter.
            let loose = Set(
                resolver.readings(of: key).filter { $0.identity == nil }
                    .compactMap { LoosePath($0.relative) })
            let isSpelt = !loose.isDisjoint(
                with: LoosePath.all(in: candidate.value, TextForms(foldsPaths: false)))
            #expect(!skips || !isSpelt, "round \(round): \(key.text) for \(other)")
            found += isSpelt ? 1 : 0
            _ = index.spelling(key)
        }
        #expect(found > 200)
    }
}
