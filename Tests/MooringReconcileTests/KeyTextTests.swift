import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

/// A key is found wherever it stands: as the only trace of an object in an attribute that nobody
/// mapped, and as the only reference in a field that is. Under a sanitizer that takes long.
@Suite("Keys in texts", .timeLimit(.minutes(60)))
struct KeyTextTests {
    private static let home = "private/eu-west-1:0a1b2c3d-0000-4000-8000-0123456789ab/"
    private static let names = [
        "cover art (1).jpg", "caf\u{E9} & \"friends\" [2].png", "s1-0a1b2c3d", "it's 100%+1.txt",
    ]
    private static let keys = names.map { home + $0 }
    private static let forms = KeyTexts.prose + KeyTexts.slashed

    private func world(_ level: LevelChoice = .root) -> World {
        World([
            ModelMapping(
                model: "Song", identity: "who", files: [FileField(field: "key", level: level)]),
            ModelMapping(
                model: "Own", identity: "who",
                files: [FileField(field: "key", level: .named("private"))]),
        ])
    }

    private func isText(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil && !bytes.contains { $0 < 0x20 }
    }

    @Test("the lists are as long as what was seen to be lost")
    func counts() {
        #expect(KeyTexts.prose.count >= 58)
        #expect(KeyTexts.slashed.count >= 31)
    }

    @Test("in an attribute that nobody mapped, as the whole key and as what a record holds of it")
    func unmapped() {
        for (name, key) in zip(Self.names, Self.keys) {
            for form in Self.forms {
                for text in [key, name] {
                    let bytes = form.make(text)
                    for value in [FieldValue.text(bytes), .blob(bytes)] {
                        let scan = world().confirm(
                            [World.batch("Notes", [["id": "n1", "body": value]])],
                            wanted: [(0, key)])
                        #expect(scan.protected == [0], "\(form.name): \(text)")
                    }
                }
            }
        }
    }

    @Test("as the only reference to an orphan, in a mapped field: both ends are in doubt")
    func mapped() {
        for key in Self.keys {
            for form in Self.forms {
                let bytes = form.make(key)
                let batch = World.batch("Song", [["id": "s", "key": .text(bytes), "who": "eu:1"]])
                let (_, orphans, dangling) = world().join([batch], [(0, key)])
                guard !orphans.isEmpty else { continue }
                let scan = world().confirm([batch], wanted: [(0, key)], dangling: dangling)
                #expect(scan.protected == [0], "\(form.name): \(key)")
                guard isText(bytes), let number = dangling.indices.first else { continue }
                #expect(
                    scan.doubtful.contains(number) || !scan.meant(by: number).objects.isEmpty,
                    "\(form.name): \(key)")
            }
        }
    }

    @Test("of an object that another record references: the missing reference is in doubt")
    func referenced() {
        for (name, key) in zip(Self.names, Self.keys) {
            let own = World.batch(
                "Own",
                [
                    [
                        "id": "o", "key": .text(Array(name.utf8)),
                        "who": "eu-west-1:0a1b2c3d-0000-4000-8000-0123456789ab",
                    ]
                ])
            for form in Self.forms {
                let batch = World.batch(
                    "Song", [["id": "s", "key": .text(form.make(key)), "who": "eu:1"]])
                let world = world()
                let (reconciler, orphans, dangling) = world.join([own, batch], [(0, key)])
                #expect(orphans.isEmpty)
                guard let number = dangling.indices.first else { continue }
                var scan = ConfirmScan(
                    models: world.models, buckets: world.buckets, resolver: world.resolver,
                    wanted: [], dangling: dangling, known: reconciler)
                for batch in [own, batch] { scan.compareReferenced(batch, source: "app") }
                scan.closeReferenced()
                #expect(
                    scan.doubtful.contains(number) || !scan.meant(by: number).objects.isEmpty,
                    "\(form.name): \(key)")
            }
        }
    }

    @Test("with chance bytes around it, and chance encodings one in the other")
    func chance() {
        var random = SeededGenerator("KeyTextTests.chance")
        let encodings: [(String) -> String] = [
            { $0 }, { KeyTexts.percent($0) }, { KeyTexts.percent($0, keeping: "") },
            { KeyTexts.entities($0) }, { KeyTexts.entities($0, hexadecimal: true) },
            { KeyTexts.entities($0, hexadecimal: false) }, { KeyTexts.json($0) },
            { KeyTexts.json($0, escapesAll: true) }, { KeyTexts.doubled($0, "\"") },
            { $0.replacing(" ", with: "+") },
        ]
        for _ in 0..<1_500 {
            let letters = ["a", "7", " ", "(", ")", "\u{E9}", "\"", "&", "+", "%", "'", "_", ":"]
            let key =
                "private/eu-west-1:0a1b/" + random.some(12) { $0.one(of: letters) }.joined() + "end"
            var text = key
            for _ in 0..<random.number(0...3) {
                // A plus is one of the texts' own, so that none is made of a blank beside it.
                let encoding = random.one(of: encodings)
                let next = encoding(text)
                if next.contains("+"), key.contains("+") { continue }
                text = next
            }
            let bytes = random.hostileBytes() + Array(text.utf8) + random.hostileBytes()
            let scan = world().confirm(
                [World.batch("Notes", [["id": "n1", "body": .blob(bytes)]])], wanted: [(0, key)])
            #expect(scan.protected == [0], "\(key) in \(bytes)")
        }
    }
}
