import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

/// The join and pass B against searches that are too slow to be wrong.
@Suite("The join and pass B against naive ones")
struct JoinPropertyTests {
    private struct Held {
        let record: Int
        let id: [UInt8]
        let bucket: Int
        let places: [NaivePlace]
        let value: [UInt8]
        let isLongEnough: Bool
        let isTombstone: Bool
    }

    private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
        switch generator.number(0...6) {
        case 0: Array("caf\u{E9}".utf8)
        case 1: Array("cafe\u{301}".utf8)
        case 2: [UInt8](repeating: 0x61, count: generator.number(1_020...1_030))
        case 3: generator.hostileBytes()
        default: Array("k\(generator.number(0...12))".utf8)
        }
    }

    private static let choices: [LevelChoice] = [
        .root, .any, .named("guest"), .named("protected"), .named("private"),
    ]

    private static func world(_ generator: inout SeededGenerator) -> World {
        let buckets = ["a", "b", "c"].prefix(generator.number(1...3))
        let models = (0...generator.number(0...1)).map { number in
            ModelMapping(
                model: "M\(number)", table: "T\(number)", deleted: "gone", identity: "who",
                files: (0...generator.number(0...1)).map { field in
                    var file = FileField(
                        field: "f\(field)", level: generator.one(of: choices),
                        bucket: generator.one(of: Array(buckets)))
                    file.stored = NaiveLayout.drawn(&generator)
                    return file
                })
        }
        return World(models, buckets: Array(buckets))
    }

    private static func rows(
        _ world: World, _ generator: inout SeededGenerator
    ) -> (batches: [RecordBatch], held: [Held]) {
        var batches: [RecordBatch] = []
        var held: [Held] = []
        for (model, source) in world.models.enumerated() {
            var rows: [[String: FieldValue]] = []
            for _ in 0..<generator.number(0...12) {
                let id = Array("\(generator.number(0...8))".utf8)
                let identity = generator.maybe { Array("eu:\($0.number(0...2))".utf8) }
                let isTombstone = generator.number(0...4) == 0
                var row: [String: FieldValue] = [
                    "id": .text(id), "gone": .integer(isTombstone ? 1 : 0),
                    "who": identity.map { .text($0) } ?? .null,
                ]
                for file in source.mapping.files {
                    let value = key(&generator)
                    row[file.field] = generator.bool() ? .text(value) : .blob(value)
                    guard !value.isEmpty else { continue }
                    let layout = NaiveLayout.of(file)
                    held.append(
                        Held(
                            record: model, id: id,
                            bucket: world.buckets.firstIndex { $0.name == file.bucket } ?? -1,
                            places: NaivePlace.all(layout.lay(value), file.level, identity),
                            value: value, isLongEnough: value.count >= layout.shortest,
                            isTombstone: isTombstone))
                }
                rows.append(row)
            }
            batches.append(World.batch(source.mapping.table, rows))
        }
        return (batches, held)
    }

    private static func listing(
        _ world: World, _ generator: inout SeededGenerator
    ) -> [(bucket: Int, object: ListedObject)] {
        var seen: Set<WantedKey> = []
        return (0..<generator.number(0...40)).compactMap { _ in
            let heads = ["", "public/", "private/eu:0/", "protected/eu:1/", "private/x/"]
            let layout = generator.one(of: NaiveLayout.all)
            let key = ObjectKey(
                Array(generator.one(of: heads).utf8) + layout.lay(key(&generator)))
            let bucket = generator.number(0...(world.buckets.count - 1))
            guard seen.insert(WantedKey(bucket: bucket, key: key)).inserted else { return nil }
            let version = ObjectVersion(
                size: Int64(generator.number(0...2)), etag: "e", lastModified: Instant(seconds: 0))
            return (bucket, ListedObject(key: key, version: version))
        }
    }

    @Test("orphans, dangling references, shared and empty objects are the naive join's")
    func join() {
        var generator = SeededGenerator("the join against a naive one")
        for _ in 0..<400 {
            var world = Self.world(&generator)
            world.room = .drawn(&generator)
            let (batches, held) = Self.rows(world, &generator)
            let listing = Self.listing(world, &generator)
            let (reconciler, found, missed) = world.join(
                batches, objects: listing.map { ($0.bucket, $0.object) })
            let orphans = Set(found.map { WantedKey(bucket: $0.bucket, key: $0.object.key) })
            func holders(_ bucket: Int, _ key: ObjectKey) -> [Held] {
                held.filter { $0.bucket == bucket && $0.places.contains { $0.holds(key.bytes) } }
            }
            let expected = listing.filter { holders($0.bucket, $0.object.key).isEmpty }
            #expect(
                orphans == Set(expected.map { WantedKey(bucket: $0.bucket, key: $0.object.key) }))

            let dangling = Set(
                missed.map { Array("\($0.model)/\($0.place.identity.id.text)/".utf8) + $0.value })
            let missing = held.filter { reference in
                !reference.isTombstone && NaivePlace.isKey(reference.value)
                    && reference.isLongEnough
                    && !listing.contains { entry in
                        entry.bucket == reference.bucket
                            && reference.places.contains { $0.holds(entry.object.key.bytes) }
                    }
            }
            #expect(
                dangling
                    == Set(missing.map { Array("\($0.record)/".utf8) + $0.id + [0x2F] + $0.value }))

            let live = listing.map { entry in
                (
                    entry,
                    Set(
                        holders(entry.bucket, entry.object.key).filter { !$0.isTombstone }
                            .map { [UInt8($0.record)] + $0.id })
                )
            }
            #expect(
                Set(reconciler.empty().map { WantedKey(bucket: $0.bucket, key: $0.object.key) })
                    == Set(
                        live.filter { $0.0.object.version.size == 0 && !$0.1.isEmpty }
                            .map { WantedKey(bucket: $0.0.bucket, key: $0.0.object.key) }))
        }
    }

    @Test("a reference that is there in pass B protects its object, whatever its form")
    func mapped() {
        var generator = SeededGenerator("pass B against a naive search of references")
        for _ in 0..<400 {
            var world = Self.world(&generator)
            world.room = .drawn(&generator)
            let (batches, held) = Self.rows(world, &generator)
            let listing = Self.listing(world, &generator)
            var scan = ConfirmScan(
                models: world.models, buckets: world.buckets, resolver: world.resolver,
                wanted: listing.map { WantedKey(bucket: $0.bucket, key: $0.object.key) },
                dangling: [])
            for batch in batches { scan.read(batch, source: "app", searchesText: false) }
            let expected = listing.indices.filter { number in
                held.contains {
                    $0.bucket == listing[number].bucket
                        && $0.places.contains { $0.holds(listing[number].object.key.bytes) }
                }
            }
            // What is too short for its layout protects by the names that stand in it as well.
            if held.allSatisfy(\.isLongEnough) {
                #expect(scan.referenced == Set(expected))
            } else {
                #expect(scan.referenced.isSuperset(of: expected))
            }
        }
    }

    private static func wrapped(_ key: [UInt8], _ generator: inout SeededGenerator) -> FieldValue {
        var json: [UInt8] = []
        for byte in key {
            if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                json += Array("\\u00".utf8) + hexadecimal(byte)
            } else {
                json.append(byte)
            }
        }
        let encoded = key.flatMap { byte -> [UInt8] in
            let plain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2F
            return plain ? [byte] : [0x25] + hexadecimal(byte)
        }
        switch generator.number(0...5) {
        case 0: return .text(key)
        case 1: return .blob(key)
        case 2: return .json(Array(#"{"a": [1, {"b": ""#.utf8) + json + Array(#""}]}"#.utf8))
        case 3: return .text(Array("https://host/bucket/".utf8) + encoded + Array("?a=b".utf8))
        case 4: return .text(Array("see <a href=\"/".utf8) + encoded + Array("\">this</a>".utf8))
        default:
            let isPlain = key.allSatisfy {
                (0x2D...0x7A).contains($0) && !"/<>=?:;@[]\\^`".utf8.contains($0)
            }
            return .text(isPlain ? Array("the file (".utf8) + key + Array("), as said".utf8) : key)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
        let text = String(byte, radix: 16)
        return Array((text.count == 1 ? "0" + text : text).utf8)
    }

    @Test("a wanted key that stands in any cell of any table is protected, in every form")
    func texts() {
        var generator = SeededGenerator("pass B against keys hidden in cells")
        for _ in 0..<3_000 {
            let key = Self.key(&generator)
            guard !key.isEmpty else { continue }
            let layout = generator.one(of: NaiveLayout.all)
            let world = World([
                ModelMapping(
                    model: "M", version: "v",
                    files: [FileField(field: "f", level: .named("guest")).laid(layout.text)])
            ])
            let full = ObjectKey(Array("public/".utf8) + layout.lay(key))
            let held = generator.bool() ? full.bytes : key
            let value = Self.wrapped(held, &generator)
            let isMapped = generator.bool()
            let column = isMapped ? generator.one(of: ["f", "note"]) : "anything"
            let row: [String: FieldValue] = ["id": .integer(1), column: value]
            let batch = World.batch(isMapped ? "M" : "Elsewhere", [row])
            let dangling = world.join([batch], []).dangling
            var scan = ConfirmScan(
                models: world.models, buckets: world.buckets, resolver: world.resolver,
                wanted: [WantedKey(bucket: 0, key: full)], dangling: dangling)
            scan.read(batch, source: "app", searchesText: true)
            #expect(scan.protected == [0], "\(full) in \(column): \(value)")
        }
    }
}
