import MooringModel
import SeededNumbers
import StoreConformance
import Testing

@testable import MooringFiles

struct InventoryBucketTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func object(_ key: String, _ number: Int = 1) -> ListedObject {
        CopyConformance.object(ObjectKey(key), number)
    }

    private func list(
        _ inventory: MadeInventory, taken: Instant? = nil
    ) async throws -> Scanned<ListedObject> {
        let path = try inventory.write(to: sandbox)
        return try await InventoryBucket(name: "media", manifest: path, taken: taken).listed()
    }

    @Test("An inventory does what every copy of a bucket does")
    func conforms() async throws {
        try await CopyConformance { objects in
            let sandbox = try Sandbox()
            var inventory = MadeInventory()
            let half = objects.count / 2
            try inventory.add(objects[..<half].map { MadeInventory.Row(object: $0) })
            try inventory.add(objects[half...].map { MadeInventory.Row(object: $0) })
            let path = try inventory.write(to: sandbox)
            return HeldBucket(InventoryBucket(name: "m", manifest: path), sandbox)
        }.verify()
    }

    @Test("A moment to come is refused, and within what clocks differ it is now at most")
    func ahead() async throws {
        for (ahead, isRead) in [
            (Duration.hours(12), false), (.minutes(6), false), (.minutes(1), true),
        ] {
            var inventory = MadeInventory()
            try inventory.add([MadeInventory.Row(object: object("a"))])
            let moment = Instant.now + ahead
            inventory.members["creationTimestamp"] = "\"\(moment.nanoseconds / 1_000_000)\""
            let listing = try await list(inventory)
            #expect(listing.result.isComplete == isRead && listing.items.isEmpty != isRead)
            #expect(listing.result.window.from <= Instant.now)
            guard !isRead else { continue }
            let told = listing.problems.first?.reason ?? ""
            #expect(told.contains("which is still to come"), "\(told)")
            // Whoever says when it was taken may be wrong as well.
            let said = try await list(inventory, taken: moment)
            #expect(said.result.isComplete && said.result.window.from <= Instant.now)
        }
    }

    @Test("Columns stand in any order, and others are passed over")
    func columns() async throws {
        for columns in [
            ["ETag", "ChecksumAlgorithm", "Key", "LastModifiedDate", "Size", "NobodyKnowsThis"],
            ["Size", "LifecycleExpirationDate", "LastModifiedDate", "ETag", "Bucket", "Key"],
        ] {
            var inventory = MadeInventory()
            inventory.columns = columns
            let objects = [object("a b/c+d.png", 2), object("100%/\u{fc}\n\"", 3)]
            try inventory.add(objects.map { MadeInventory.Row(object: $0) })
            let listing = try await list(inventory)
            #expect(listing.result.isComplete && listing.items == objects)
            #expect(listing.result.notes.isEmpty)
        }
    }

    @Test("A key's encoding is undone once: %XX is a byte in either case, and a plus is a blank")
    func encoding() async throws {
        let keys: [(String, [UInt8])] = [
            ("a+b", Array("a b".utf8)), ("a%2Bb", Array("a+b".utf8)), ("a%20b", Array("a b".utf8)),
            ("%2f%2F/", Array("///".utf8)), ("%252F", Array("%2F".utf8)),
            ("%FF%c3(", [255, 195, 40]),
            ("%0A%0d%00%22", [10, 13, 0, 34]), ("%C3%BC", Array("ü".utf8)), ("%2B%2B", [43, 43]),
        ]
        var inventory = MadeInventory()
        try inventory.add(keys.map { row($0.0) }.joined())
        let listing = try await list(inventory)
        #expect(listing.result.isComplete)
        #expect(listing.items.map(\.key.bytes) == keys.map(\.1))
        var broken = MadeInventory()
        let bad = ["a%", "a%2", "%zz", "%+1", "a b", "ü", "a\nb", "\u{7f}", ""]
        try broken.add(bad.map { row($0) }.joined() + row("good"))
        let rest = try await list(broken)
        #expect(rest.items.map(\.key.text) == ["good"])
        #expect(rest.problems.map(\.line) == [1, 2, 3, 4, 5, 6, 7, 9, 10])
        #expect(rest.problems.allSatisfy { $0.reason.contains("column 2 (Key)") })
    }

    private func row(_ key: String, size: String = "1", time: String = "2026-01-01T00:00:00Z")
        -> String
    {
        "\"\(MadeInventory.source)\",\"\(key)\",\"\(size)\",\"\(time)\",\"d41d\"\n"
    }

    @Test("Only the latest version is an object, and none where that is a delete marker")
    func versions() async throws {
        var inventory = MadeInventory()
        inventory.columns = MadeInventory.versioned
        let rows = [
            MadeInventory.Row(object: object("a", 3)),
            MadeInventory.Row(object: object("a", 1), isLatest: false),
            MadeInventory.Row(object: object("gone", 5), isMarker: true),
            MadeInventory.Row(object: object("gone", 7), isLatest: false),
            MadeInventory.Row(object: object("back", 9)),
            MadeInventory.Row(object: object("back", 11), isLatest: false, isMarker: true),
        ]
        try inventory.add(rows)
        let listing = try await list(inventory)
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
        #expect(listing.items == [object("a", 3), object("back", 9)])
    }

    @Test(
        "Versions that nobody can tell from the present are refused",
        arguments: [
            (["VersionId"], "IsLatest"), (["VersionId", "IsDeleteMarker"], "IsLatest"),
            (["VersionId", "IsLatest"], "IsDeleteMarker"), (["IsLatest"], "IsDeleteMarker"),
        ])
    func halfVersions(more: [String], missing: String) async throws {
        var inventory = MadeInventory()
        inventory.columns += more
        try inventory.add([MadeInventory.Row(object: object("a"))])
        let listing = try await list(inventory)
        #expect(listing.items.isEmpty && listing.problems.count == 1)
        #expect(listing.problems.first?.reason.contains("column \(missing),") == true)
    }

    @Test("An object in parts is known by a column of its own, and each may be one without")
    func multipart() async throws {
        var inventory = MadeInventory()
        inventory.columns = ["Key", "Size", "LastModifiedDate", "IsMultipartUploaded"]
        try inventory.add([2, 3].map { MadeInventory.Row(object: object("k\($0)", $0)) })
        let listing = try await list(inventory)
        #expect(listing.items.map(\.version.isMultipart) == [true, false])
        #expect(listing.result.notes.isEmpty)
        inventory.columns = ["Key", "Size", "LastModifiedDate"]
        inventory.parts = []
        try inventory.add([3].map { MadeInventory.Row(object: object("k\($0)", $0)) })
        let unknown = try await list(inventory)
        #expect(unknown.items.map(\.version.isMultipart) == [true])
        #expect(unknown.result.isComplete)
        #expect(
            unknown.result.notes == [
                "the inventory has neither ETag nor IsMultipartUploaded, so that an object may be "
                    + "younger than its LastModifiedDate: each counts as young as its first sight"
            ])
    }

    @Test("The moment is the manifest's, or what the configuration says; the list is a moving one")
    func moment() async throws {
        var inventory = MadeInventory()
        try inventory.add([MadeInventory.Row(object: object("a"))])
        let own = try await list(inventory).result
        #expect(own.consistency == "moving")
        #expect(own.window == ScanWindow(from: MadeInventory.moment, to: MadeInventory.moment))
        let taken = Instant(seconds: 1_700_000_000)
        let given = try await list(inventory, taken: taken).result
        #expect(given.window == ScanWindow(from: taken, to: taken))
        inventory.members["creationTimestamp"] = MadeInventory.created
        #expect(try await list(inventory).result.window == own.window)
        let none =
            "has no creationTimestamp in milliseconds since 1970, so that nobody can tell of when "
            + "the inventory is; say it as 'taken'"
        let ahead =
            "says that the inventory is of 2100-01-01T00:00:00Z, which is still to come; say as "
            + "'taken' of when it is"
        for (bad, reason) in [
            ("\"yesterday\"", none), ("null", none), ("-1", none),
            ("\"99999999999999999\"", none), ("\"1763690400250000\"", none),
            ("\"4102444800000\"", ahead),
        ] {
            inventory.members["creationTimestamp"] = bad
            let listing = try await list(inventory)
            #expect(listing.items.isEmpty && listing.problems.count == 1, "\(bad)")
            let told = listing.problems.first?.reason ?? ""
            #expect(told.contains(reason), "\(told)")
            #expect(try await list(inventory, taken: taken).result.isComplete)
        }
    }

    @Test("Parts are found at their keys, beside the manifest, in data there or beside its folder")
    func layouts() async throws {
        let objects = [object("a"), object("b", 3)]
        let name = { (key: String) in String(key.split(separator: "/").last ?? "") }
        let layouts: [(folder: String, place: (String) -> String)] = [
            ("\(MadeInventory.config)/2026-11-21T01-00Z", { $0 }),
            ("copy/of/\(MadeInventory.config)/T", { "copy/of/" + $0 }),
            ("flat", { "flat/" + name($0) }), ("flat", { "flat/data/" + name($0) }),
            ("weekly/T", { "weekly/data/" + name($0) }),
        ]
        for layout in layouts {
            var inventory = MadeInventory()
            for object in objects { try inventory.add([MadeInventory.Row(object: object)]) }
            (inventory.folder, inventory.place) = layout
            let sandbox = try Sandbox()
            let path = try inventory.write(to: sandbox)
            let listing = try await InventoryBucket(name: "m", manifest: path).listed()
            #expect(listing.items == objects && listing.result.isComplete, "\(path)")
        }
        var old = MadeInventory()
        try old.add([MadeInventory.Row(object: objects[0])])
        old.parts[0].key = "\(MadeInventory.config)/part.csv.gz"
        #expect(try await list(old).items == [objects[0]])
    }

    @Test("A part that lies elsewhere is missing, though its name is right")
    func elsewhere() async throws {
        for place in [
            "part-0.csv.gz", "other/data/part-0.csv.gz",
            "\(MadeInventory.config)/x/part-0.csv.gz",
        ] {
            var inventory = MadeInventory()
            try inventory.add([MadeInventory.Row(object: object("a"))])
            inventory.place = { _ in place }
            let sandbox = try Sandbox()
            let path = try inventory.write(to: sandbox)
            let listing = try await InventoryBucket(name: "m", manifest: path).listed()
            #expect(listing.items.isEmpty && listing.problems.count == 1)
            #expect(listing.problems.first?.reason.contains("is missing") == true)
        }
    }

    @Test("Random hostile objects are listed as they are, in parts of any size")
    func randomObjects() async throws {
        let seed = Seed.one()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let sandbox = try Sandbox()
            var inventory = MadeInventory()
            inventory.columns = MadeInventory.versioned.shuffled(using: &random)
            var expected: [ListedObject] = []
            for _ in 0..<random.number(0...4) {
                let rows = random.some(40) { random in
                    MadeInventory.Row(
                        object: CopyConformance.object(
                            ObjectKey(Array("k/".utf8) + random.hostileBytes()),
                            random.number(0...9_999)),
                        isLatest: random.bool(), isMarker: random.number(0...3) == 0)
                }
                expected += rows.filter { $0.isLatest && !$0.isMarker }.map(\.object)
                try inventory.add(rows)
            }
            let path = try inventory.write(to: sandbox)
            let listing = try await InventoryBucket(name: "m", manifest: path).listed()
            #expect(listing.result.isComplete, "seed \(seed): \(listing.problems.map(\.text))")
            #expect(listing.items == expected, "seed \(seed)")
        }
    }
}

extension ListingBucketTests {
    @Test("A listing does what every copy of a bucket does")
    func conforms() async throws {
        try await CopyConformance { objects in
            let sandbox = try Sandbox()
            var content = Array("key,size,lastModified,etag\n".utf8)
            for object in objects {
                let key = object.key.bytes.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
                let rest =
                    "\",\(object.version.size),\(object.version.lastModified.iso8601),"
                    + "\(object.version.etag)\n"
                content += [UInt8(ascii: "\"")] + key + Array(rest.utf8)
            }
            try sandbox.write(Array("l.csv".utf8), content)
            return HeldBucket(ListingBucket(name: "m", file: sandbox.path + "/l.csv"), sandbox)
        }.verify()
    }
}
