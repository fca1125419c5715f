import MooringDecisions
import MooringModel
import MooringText
import SeededNumbers
import Testing

@testable import MooringReconcile

/// A join that compares fingerprints of both sides first, and rows that are read in place, against
/// the exact join over values of their own.
@Suite("A join by fingerprints against an exact one")
struct FingerprintJoinTests {
    /// One app: the same rows and objects for both joins.
    private struct App {
        let world: World
        let batches: [RecordBatch]
        let objects: [(bucket: Int, object: ListedObject)]
        let columns: [String]

        /// The rows in slabs.
        var slabs: [RecordBatch] {
            batches.map { RecordBatch(table: $0.table, columns: $0.columns, slab: $0.packed) }
        }
    }

    private struct Joined {
        var join: Reconciler
        var forms: FieldForms
        var orphans: [OrphanCandidate] = []
        var withoutID = 0

        var dangling: [DanglingCandidate] {
            var found: [DanglingCandidate] = []
            join.dangling { found.append($0) }
            return found
        }
    }

    private static let columns = ["id", "gone", "who", "at", "v", "f0", "f1", "note"]
    private static let choices: [LevelChoice] = [
        .root, .root, .root, .any, .named("guest"), .named("protected"), .named("private"),
    ]

    private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
        switch generator.number(0...11) {
        case 0: Array("caf\u{E9}/\(generator.number(0...3)).jpg".utf8)
        case 1: Array("cafe\u{301}/\(generator.number(0...3)).jpg".utf8)
        case 2: [UInt8](repeating: 0x61, count: generator.number(1_020...1_030))
        case 3: generator.hostileBytes()
        case 4: Array("a%20b+c/\(generator.number(0...3)).png".utf8)
        case 5: Array("/lead/\(generator.number(0...2))".utf8)
        case 6: Array("picture-of-\(generator.number(0...5)).jpeg".utf8)
        default: Array("lost/folder-\(generator.number(0...40))/file.jpg".utf8)
        }
    }

    private static func value(_ isList: Bool, _ generator: inout SeededGenerator) -> FieldValue {
        if generator.number(0...9) == 0 { return generator.bool() ? .null : .absent }
        guard isList else {
            let bytes = key(&generator)
            return generator.number(0...4) == 0 ? .blob(bytes) : .text(bytes)
        }
        if generator.number(0...9) == 0 { return .text(Array("[1, null]".utf8)) }
        let elements = (0..<generator.number(0...3)).map { _ in
            let text = String(decoding: key(&generator), as: UTF8.self)
            return "\"" + text.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline } + "\""
        }
        return .text(Array(("[" + elements.joined(separator: ", ") + "]").utf8))
    }

    private static func row(_ mapping: ModelMapping, _ generator: inout SeededGenerator)
        -> [FieldValue]
    {
        let ids: [FieldValue] = [
            .text(Array("rec-\(generator.number(0...25))".utf8)), .null, .integer(7),
            .text(Array("REC-\(generator.number(0...25))".utf8)),
        ]
        let gone: [FieldValue] = [.null, .integer(0), .text([0x30]), .integer(1), .text([0x74])]
        let times: [FieldValue] = [
            .text(Array("2025-01-0\(generator.number(1...9))T00:00:00Z".utf8)), .null,
            .integer(1_700_000_000_000), .text(Array("1700000001".utf8)), .text([0x78]),
        ]
        let list = { (number: Int) in
            mapping.files.count > number && mapping.files[number].isList
        }
        return [
            ids[generator.number(0...9) == 0 ? generator.number(1...3) : 0],
            gone[generator.number(0...3) == 0 ? generator.number(0...4) : 0],
            generator.bool() ? .text(Array("eu:\(generator.number(0...2))".utf8)) : .null,
            generator.one(of: times), generator.bool() ? .integer(3) : .text(Array("4".utf8)),
            value(list(0), &generator), value(list(1), &generator),
            generator.number(0...3) == 0
                ? .text(Array("see ".utf8) + key(&generator) + Array(" there".utf8)) : .null,
        ]
    }

    // Some are so large that several cores look at their parts.
    private static func count(_ generator: inout SeededGenerator) -> Int {
        generator.number(0...15) == 0
            ? generator.number(500...900) : generator.number(0...60)
    }

    private static func batches(
        _ models: [ModelMapping], _ generator: inout SeededGenerator
    ) -> [RecordBatch] {
        Set(models.map(\.table)).sorted().map { table in
            let mapping = models.first { $0.table == table } ?? models[0]
            return RecordBatch(
                table: table, columns: columns,
                rows: (0..<count(&generator)).map { _ in row(mapping, &generator) })
        }
    }

    private static func app(_ generator: inout SeededGenerator) -> App {
        let buckets = Array(["a", "b"].prefix(generator.number(1...2)))
        let models = (0...generator.number(0...1)).map { number in
            ModelMapping(
                model: "M\(number)", table: generator.number(0...5) == 0 ? "T0" : "T\(number)",
                version: "v", changed: "at", deleted: "gone",
                identity: generator.bool() ? "who" : nil,
                files: (0...generator.number(0...1)).map { field in
                    var file = FileField(
                        field: "f\(field)", isList: generator.number(0...3) == 0,
                        level: generator.one(of: choices), bucket: generator.one(of: buckets),
                        template: generator.bool() ? KeyTemplate("{id}-{any}") : nil)
                    file.stored = generator.bool() ? .plain : NaiveLayout.drawn(&generator)
                    return file
                })
        }
        var world = World(models, buckets: buckets)
        world.room = .drawn(&generator)
        let batches = batches(models, &generator)
        let heads = ["", "", "", "public/", "private/eu:0/", "protected/eu:1/", "private/x/"]
        let share = generator.number(1...12)
        let objects = (0..<count(&generator)).map { _ in
            let layout = generator.one(of: generator.bool() ? NaiveLayout.all : [.plain])
            var bytes = Array(generator.one(of: heads).utf8) + layout.lay(key(&generator))
            if bytes.isEmpty || generator.number(0...12) > share { bytes = Array("rec-3-x".utf8) }
            return (
                generator.number(0...(buckets.count - 1)),
                ListedObject(
                    key: ObjectKey(bytes),
                    version: ObjectVersion(
                        size: Int64(generator.number(0...3)), etag: "e",
                        lastModified: Instant(seconds: 0)))
            )
        }
        return App(world: world, batches: batches, objects: objects, columns: columns)
    }

    private static func join(_ app: App) -> Joined {
        let world = app.world
        var joined = Joined(
            join: Reconciler(
                models: world.models, buckets: world.buckets, resolver: world.resolver,
                room: world.room),
            forms: FieldForms(world.models))
        for batch in app.slabs {
            joined.withoutID += joined.join.read(batch, source: "app", forms: &joined.forms)
        }
        joined.join.beginListing()
        if app.objects.count % 2 == 0 {
            for entry in app.objects {
                joined.orphans += joined.join.match([entry.object], bucket: entry.bucket)
            }
        } else if app.objects.count % 4 == 1, joined.join.waitingRoom > 0 {
            matchWaiting(app.objects[...], &joined)
        } else {
            matchTogether(app.objects[...], &joined)
        }
        joined.join.beginReplay()
        for batch in app.slabs { joined.join.replay(batch, source: "app") }
        let isSame = joined.join.endReplay()
        #expect(isSame)
        return joined
    }

    // As a bucket's listing gives its objects: those of one bucket that follow one another.
    private static func matchTogether(
        _ objects: ArraySlice<(bucket: Int, object: ListedObject)>, _ joined: inout Joined
    ) {
        var rest = objects
        while let bucket = rest.first?.bucket {
            let own = rest.prefix { $0.bucket == bucket }.map(\.object)
            rest = rest.dropFirst(own.count)
            let slab = slab(of: own)
            // Every other one is left to others, and comes by itself.
            let leaves = own.count % 2 == 0
            let match = joined.join.match(slab, bucket: bucket) { !leaves || $0.count % 2 == 0 }
            var orphans: [(number: Int, orphan: OrphanCandidate)] = []
            for found in match.found {
                if found.isKept { joined.join.keep(own[found.number], bucket: bucket) }
                guard !found.isReferenced else { continue }
                let orphan = OrphanCandidate(bucket: bucket, object: own[found.number])
                orphans.append((found.number, orphan))
            }
            for number in match.others {
                orphans += joined.join.match([own[number]], bucket: bucket).map { (number, $0) }
            }
            joined.orphans += orphans.sorted { $0.number < $1.number }.map(\.orphan)
        }
    }

    private static func slab(of objects: [ListedObject]) -> ObjectSlab {
        var slab = ObjectSlab()
        for object in objects {
            let etag = Array(object.version.etag.utf8)
            object.key.bytes.withUnsafeBufferPointer { key in
                etag.withUnsafeBufferPointer {
                    slab.append(
                        key: key, etag: $0, size: object.version.size,
                        lastModified: object.version.lastModified)
                }
            }
        }
        return slab
    }

    // As a bucket's listing does where places lie in a file, of which every other slab holds one
    // object, and the others two; what is left out of a slab stands beside it.
    private static func matchWaiting(
        _ objects: ArraySlice<(bucket: Int, object: ListedObject)>, _ joined: inout Joined
    ) {
        var (rest, waiting) = (objects, WaitingObjects())
        while let bucket = rest.first?.bucket {
            let own = rest.prefix { $0.bucket == bucket }.map(\.object)
            rest = rest.dropFirst(own.count)
            for part in own.chunks(of: own.count % 2 + 1) {
                // The first object of each is left to others: it came already, or comes later.
                var isFirst = true
                let others = joined.join.add(
                    slab(of: [own[0]] + part), bucket: bucket, to: &waiting
                ) { _ in
                    defer { isFirst = false }
                    return !isFirst
                }
                #expect(others == [0])
            }
            var kept: [ListedObject] = []
            joined.join.match(&waiting, bucket: bucket) { object, isReferenced, isKept in
                if isKept { kept.append(object) }
                guard !isReferenced else { return }
                joined.orphans.append(OrphanCandidate(bucket: bucket, object: object))
            }
            for object in kept { joined.join.keep(object, bucket: bucket) }
        }
    }

    @Test("the same is left over, whatever the app holds")
    func join() {
        var generator = SeededGenerator("a join by fingerprints against an exact one")
        for round in 0..<300 {
            let app = Self.app(&generator)
            let exact = ExactJoin(app.world, app.batches, app.objects)
            let other = Self.join(app)
            let place = "round \(round)"
            #expect(exact.orphans == other.orphans, "\(place)")
            #expect(exact.dangling == other.dangling, "\(place)")
            #expect(exact.join.rewritable() == other.join.rewritable(), "\(place)")
            #expect(exact.join.shared() == other.join.shared(), "\(place)")
            #expect(exact.join.empty() == other.join.empty(), "\(place)")
            #expect(exact.join.invalid == other.join.invalid, "\(place)")
            #expect(exact.join.referenceCount == other.join.referenceCount, "\(place)")
            #expect(exact.withoutID == other.withoutID, "\(place)")
            #expect(exact.forms.sentences == other.forms.sentences, "\(place)")
            #expect(exact.join.presentForms() == other.join.presentForms(), "\(place)")
            let (counts, others) = (exact.join.referenceCounts(), other.join.referenceCounts())
            #expect(counts.fields == others.fields && counts.buckets == others.buckets, "\(place)")
            #expect(
                exact.join.knownIdentities(atMost: 9) == other.join.knownIdentities(atMost: 9))
            for entry in app.objects {
                let key = entry.object.key
                for bucket in app.world.buckets.indices {
                    #expect(
                        exact.join.isReferenced(key, bucket: bucket)
                            == other.join.isReferenced(key, bucket: bucket), "\(place)")
                    #expect(
                        exact.join.isListed(key, bucket: bucket)
                            == other.join.isListed(key, bucket: bucket), "\(place)")
                }
            }
            Self.compareVanished(app, exact, other, place)
        }
    }

    private static func compareVanished(
        _ app: App, _ exact: ExactJoin, _ other: Joined, _ place: String
    ) {
        let search = VanishedPrefixSearch(
            levels: app.world.resolver.levels, buckets: app.world.buckets)
        let expected = search.collect(
            search.count(exact.dangling, in: exact.join) { _, _ in false })
        var count = search.count(other.dangling, in: other.join) { _, _ in false }
        for batch in app.slabs where count.isOpen {
            _ = other.join.eachMatched(in: batch, source: "app") {
                search.add($1, bucket: $0, to: &count)
            }
        }
        let found = search.collect(count)
        #expect(expected.prefixes == found.prefixes, "\(place)")
        #expect(expected.gone == found.gone && expected.places == found.places, "\(place)")
    }

    // Of several ways to hold a key chance tells one.
    private static func places(_ scan: ConfirmScan) -> Set<[RecordPlace: Int]> {
        Set(scan.unmapped.map { [$0.place: $0.wanted] })
    }

    @Test("pass B finds the same in rows that are read in place, also where all have changed")
    func confirm() {
        var generator = SeededGenerator("pass B over rows in place")
        for round in 0..<300 {
            let app = Self.app(&generator)
            let exact = ExactJoin(app.world, app.batches, app.objects)
            let other = Self.join(app)
            let wanted = exact.orphans.map { WantedKey(bucket: $0.bucket, key: $0.object.key) }
            func scan(
                _ join: Reconciler, _ batches: [RecordBatch],
                _ compare: (inout ConfirmScan) -> Void
            ) -> ConfirmScan {
                var scan = ConfirmScan(
                    models: app.world.models, buckets: app.world.buckets,
                    resolver: app.world.resolver, wanted: wanted, dangling: exact.dangling,
                    known: join)
                compare(&scan)
                for batch in batches { scan.read(batch, source: "app", searchesText: true) }
                scan.closeReferenced()
                return scan
            }
            // What the records say meanwhile: a reference that was not there protects as well.
            let isChanged = round % 4 == 3
            let rows =
                isChanged ? Self.batches(app.world.models.map(\.mapping), &generator) : app.batches
            let slabs = rows.map {
                RecordBatch(table: $0.table, columns: $0.columns, slab: $0.packed)
            }
            let expected = scan(exact.join, rows) { scan in
                for place in exact.present { scan.add(referenced: place.key, bucket: place.bucket) }
            }
            // What is referenced is met by the pass itself, or had once more before it.
            let isMet = round % 2 == 0 && !isChanged
            let found = scan(other.join, slabs) { scan in
                scan.comparesReferenced = isMet
                scan.readsAsBefore = !isChanged && round % 3 > 0
                // The rows are looked at in one part, or in several.
                scan.leastRows = round % 3 == 0 ? 125 : 4
                for batch in app.slabs where !isMet {
                    scan.compareReferenced(batch, source: "app")
                }
            }
            Self.compare(
                expected, found, wanted: wanted.count, dangling: exact.dangling.count,
                "round \(round)")
        }
    }

    private static func compare(
        _ expected: ConfirmScan, _ found: ConfirmScan, wanted: Int, dangling: Int, _ place: String
    ) {
        #expect(expected.referenced == found.referenced, "\(place)")
        #expect(places(expected) == places(found), "\(place)")
        #expect(expected.remembered == found.remembered, "\(place)")
        #expect(expected.standing == found.standing, "\(place)")
        #expect(expected.doubtful == found.doubtful, "\(place)")
        #expect(expected.named == found.named, "\(place)")
        #expect(expected.owners == found.owners, "\(place)")
        #expect(expected.counts == found.counts, "\(place)")
        #expect(expected.rowsWithoutID == found.rowsWithoutID, "\(place)")
        #expect(expected.inside.values == found.inside.values, "\(place)")
        for number in 0..<dangling {
            #expect(
                expected.meant(by: number).objects.map(\.object)
                    == found.meant(by: number).objects.map(\.object), "\(place)")
        }
        for number in 0..<wanted {
            #expect(expected.claim(on: number)?.place == found.claim(on: number)?.place)
            #expect(expected.nearOwner(of: number) == found.nearOwner(of: number))
        }
    }
}
