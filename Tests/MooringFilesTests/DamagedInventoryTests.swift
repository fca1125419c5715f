import Glibc
import MooringModel
import StoreConformance
import Testing

@testable import MooringFiles

/// What is wrong with an inventory is a problem that names its place, and what can be read is
/// listed all the same.
struct DamagedInventoryTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private static func inventory(_ counts: [Int] = [3, 3]) throws -> MadeInventory {
        var inventory = MadeInventory()
        for (part, count) in counts.enumerated() {
            try inventory.add(
                (0..<count).map {
                    MadeInventory.Row(object: CopyConformance.object(ObjectKey("p\(part)/\($0)")))
                })
        }
        return inventory
    }

    private func list(
        _ inventory: MadeInventory, damage: (Int, [UInt8]) -> [UInt8]? = { $1 }
    ) async throws -> Scanned<ListedObject> {
        let path = try inventory.write(to: sandbox, damage: damage)
        return try await InventoryBucket(name: "media", manifest: path).listed()
    }

    private func path(part: Int) -> String {
        "\(sandbox.path)/inventory/\(MadeInventory.config)/data/part-\(part).csv.gz"
    }

    @Test("A manifest that its checksum does not fit is not read")
    func manifestChecksum() async throws {
        for said in ["0", "", String(repeating: "0", count: 32), String(repeating: "x", count: 32)]
        {
            var inventory = try Self.inventory()
            inventory.checksum = { _ in said }
            let listing = try await list(inventory)
            #expect(listing.items.isEmpty && listing.problems.count == 1)
            #expect(listing.problems.first?.place.hasSuffix("/manifest.json") == true)
            #expect(
                listing.problems.first?.reason
                    == "is not the file whose MD5 the manifest.checksum beside it tells: it is "
                    + "damaged, or of another inventory, and nothing is read by it; copy both "
                    + "again")
        }
        var upper = try Self.inventory()
        upper.checksum = { MadeInventory.md5($0).uppercased() }
        #expect(try await list(upper).result.notes.isEmpty)
        let bare = try Sandbox()
        upper.checksum = { _ in nil }
        let path = try upper.write(to: bare)
        let listing = try await InventoryBucket(name: "media", manifest: path).listed()
        #expect(listing.result.isComplete && listing.items.count == 6)
        #expect(
            listing.result.notes == [
                "no manifest.checksum stands beside the manifest, so that nobody can tell whether "
                    + "S3 had finished the inventory"
            ])
    }

    @Test(
        "A manifest that lacks something, or says what is not read, says so",
        arguments: [
            ("fileFormat", "\"ORC\"", "in ORC, and only CSV"),
            ("fileFormat", "\"Parquet\"", "choose CSV as the output format"),
            ("fileFormat", "\"Parquet\"", "'engine: spark' reads Parquet and ORC"),
            ("fileFormat", "\"Avro\"", "in Avro, and only CSV"),
            ("fileFormat", nil, "no fileFormat"), ("sourceBucket", nil, "no sourceBucket"),
            ("sourceBucket", "\"\"", "no sourceBucket"),
            ("destinationBucket", "7", "no destinationBucket"),
            (
                "version", "\"2030-01-01\"",
                "is no manifest of version 2016-11-30 of S3 Inventory; no other is read"
            ), ("version", nil, "2016-11-30"),
            (
                "fileSchema", "\"Bucket, Size, LastModifiedDate\"",
                "has a fileSchema without the column Key, and nothing is judged without it; choose "
                    + "it as an additional field of the inventory in S3"
            ),
            ("fileSchema", "\"bucket, key, size, last_modified_date\"", "without the column Key"),
            ("fileSchema", "\"Bucket, Key, LastModifiedDate\"", "without the column Size"),
            ("fileSchema", "\"Bucket, Key, Size\"", "without the column LastModifiedDate"),
            ("fileSchema", "\"Key, Size, LastModifiedDate, Key\"", "names a column twice"),
            ("fileSchema", "\"Key, Size, LastModifiedDate,\"", "names none"),
            ("fileSchema", "\"\"", "no fileSchema"), ("files", "{}", "names no files"),
            ("files", "[{}]", "names file 1 without its key, its size or its MD5checksum"),
            ("files", "[{\"key\": \"a\", \"size\": -1, \"MD5checksum\": \"\"}]", "file 1"),
            ("x", "}", "is no JSON"),
        ] as [(String, String?, String)])
    func manifests(member: String, value: String?, reason: String) async throws {
        var inventory = try Self.inventory()
        inventory.members[member] = value
        let listing = try await list(inventory)
        #expect(listing.items.isEmpty && listing.problems.count == 1)
        let told = listing.problems.first?.reason ?? ""
        #expect(told.contains(reason), "\(told)")
    }

    @Test("A manifest that is missing, a folder or a pipe is one problem")
    func unreadable() async throws {
        try #require(mkfifo(sandbox.path + "/pipe.json", 0o600) == 0)
        // As large as none is, and full of nothing.
        _ = try sandbox.write("large.json", "{")
        try #require(truncate(sandbox.path + "/large.json", (64 << 20) + 1) == 0)
        let irregular = "cannot be read: it is no regular file"
        for (name, reason) in [
            ("none.json", "cannot be opened: no such file or directory"), ("files", irregular),
            ("pipe.json", irregular), ("m\0.json", "the path holds NUL"),
            ("large.json", "has more than 64 MiB, which no inventory's manifest needs"),
        ] {
            let bucket = InventoryBucket(name: "media", manifest: sandbox.path + "/" + name)
            let listing = try await bucket.listed()
            #expect(listing.result.problemCount == 1)
            #expect(listing.problems.map { $0.reason.lowercased() } == [reason.lowercased()])
        }
    }

    @Test(
        "No key leads out of the inventory's own folders",
        arguments: [
            "../secret.csv.gz", "a/../../secret.csv.gz", "/etc/passwd", "a/..", "", "a/", ".",
            "./a", "a\0b",
        ])
    func hostileParts(key: String) async throws {
        var inventory = try Self.inventory()
        inventory.parts[1].key = key
        inventory.place = { $0 == key ? "secret.csv.gz" : $0 }
        let listing = try await list(inventory)
        #expect(listing.items.isEmpty && listing.problems.count == 1)
        let told = listing.problems.first?.reason ?? ""
        #expect(
            told.hasPrefix("names file 2 by the key '")
                && told.hasSuffix(
                    "', which may lead out of the inventory; S3 writes no such key, so nothing of "
                        + "it is read"),
            "\(told)")
    }

    @Test("A damaged key is told in a row of an older version too")
    func olderVersion() async throws {
        var inventory = MadeInventory()
        inventory.columns = ["Key", "VersionId", "IsLatest", "IsDeleteMarker", "Size"]
        inventory.columns.append("LastModifiedDate")
        for isLatest in ["true", "false"] {
            try inventory.add(
                #""a%2","v","\#(isLatest)","false","1","2025-01-01T00:00:00.000Z""# + "\n")
        }
        let listing = try await list(inventory)
        #expect(listing.items.isEmpty)
        let reason = "column 1 (Key) holds a key that is not URL-encoded as S3 does it"
        #expect(listing.problems.map(\.reason) == [reason, reason])
    }

    @Test("A part that is named twice would list its objects twice, and is refused")
    func twice() async throws {
        var inventory = try Self.inventory()
        inventory.parts[1] = inventory.parts[0]
        let listing = try await list(inventory)
        #expect(listing.items.isEmpty && listing.problems.count == 1)
        #expect(
            listing.problems.first?.reason
                == "names '\(inventory.parts[0].key)' twice in its files")
    }

    @Test("A missing part is a problem, and the others are listed")
    func missingPart() async throws {
        let listing = try await list(try Self.inventory([2, 2, 2])) { $0 == 1 ? nil : $1 }
        #expect(listing.items.map(\.key.text) == ["p0/0", "p0/1", "p2/0", "p2/1"])
        #expect(listing.problems.count == 1)
        let reason = listing.problems.first?.reason ?? ""
        #expect(
            reason.hasSuffix(
                "part-1.csv.gz' is missing; copy it from bucket 'reports' to beside the manifest"),
            "\(reason)")
    }

    @Test("A folder in a part's place is told by the part's key, and the others are listed")
    func folderAsPart() async throws {
        let inventory = try Self.inventory([2, 2])
        let manifest = try inventory.write(to: sandbox) { $0 == 1 ? nil : $1 }
        try sandbox.makeFolder("inventory/\(MadeInventory.config)/data/part-1.csv.gz")
        let listing = try await InventoryBucket(name: "media", manifest: manifest).listed()
        #expect(listing.items.map(\.key.text) == ["p0/0", "p0/1"])
        #expect(
            listing.problems.map(\.reason) == [
                "its part '\(inventory.parts[1].key)' cannot be read: it is no regular file"
            ])
    }

    @Test("A whole part of another content is told by its MD5, also of the same size")
    func otherContent() async throws {
        var inventory = try Self.inventory([3, 3])
        // A byte of the member's head that says when it was packed: nothing else can tell.
        let listing = try await list(inventory) { index, bytes in
            var bytes = bytes
            if index == 0 { bytes[4] ^= 1 }
            return bytes
        }
        #expect(listing.items.count == 6)
        #expect(listing.problems.map(\.place) == [path(part: 0)])
        #expect(listing.problems.first?.reason.contains("its MD5 is not the manifest's") == true)
        inventory = try Self.inventory([1, 2])
        let swapped = inventory.parts[1].bytes
        let other = try await list(inventory) { $0 == 0 ? swapped : $1 }
        #expect(other.items.count == 4 && other.problems.count == 1)
        #expect(other.problems.first?.reason.contains("and the manifest says") == true)
    }

    @Test("A part that is cut off, damaged or followed by more is told, and its beginning listed")
    func cutParts() async throws {
        let inventory = try Self.inventory([4_000, 1])
        let whole = inventory.parts[0].bytes
        for length in [0, 1, 2, 9, 10, whole.count / 2, whole.count - 8, whole.count - 1] {
            let listing = try await list(inventory) { $0 == 0 ? Array($1[..<length]) : $1 }
            #expect(!listing.result.isComplete, "cut at \(length)")
            #expect(listing.items.last?.key.text == "p1/0")
            #expect(listing.problems.allSatisfy { $0.place == path(part: 0) })
            #expect(listing.problems.first?.reason.contains("\(length) bytes") == true)
        }
        let cut = try await list(inventory) { $0 == 0 ? Array($1.dropLast()) : $1 }
        #expect(cut.items.count == 4_001)
        #expect(cut.problems.map(\.line) == [nil, 4_001])
        #expect(cut.problems.last?.reason.contains("cut off") == true)
        for tail in [[0], [1], Array("x,y\n".utf8)] as [[UInt8]] {
            let more = try await list(inventory) { $0 == 0 ? $1 + tail : $1 }
            #expect(!more.result.isComplete && more.items.count == 4_001)
        }
        let damaged = try await list(inventory) { index, bytes in
            var bytes = bytes
            if index == 0 { bytes[whole.count / 2] ^= 0xff }
            return bytes
        }
        #expect(!damaged.result.isComplete)
    }

    @Test("gzip that was cut before S3 summed it up is incomplete too")
    func cutBefore() async throws {
        var inventory = try Self.inventory([3_000])
        inventory.parts[0].bytes.removeLast(20)
        let listing = try await list(inventory)
        #expect(listing.problems.count == 1 && listing.items.count > 1_000)
        #expect(listing.problems.first?.reason.contains("cut off") == true)
        #expect(listing.problems.first?.line == listing.items.count + 1)
    }

    @Test("A cell that is malformed names file, line and column, and the rest is listed")
    func malformedRows() async throws {
        let bucket = MadeInventory.source
        let good = { (key: String) in
            "\"\(bucket)\",\"\(key)\",\"1\",\"2026-01-01T00:00:00Z\",\"e\"\n"
        }
        let bad: [(row: String, reason: String)] = [
            (
                "\"\(bucket)\",\"a\",\"1\"\n",
                "has 3 fields, and the manifest's fileSchema has 5: the row is malformed or cut off"
            ),
            (good("b").dropLast() + ",\"x\"\n", "6 fields"), ("\n", "1 fields"),
            (
                "\"else\",\"a\",\"1\",\"2026-01-01T00:00:00Z\",\"e\"\n",
                "column 1 (Bucket) names another bucket than the manifest's sourceBucket"
            ),
            ("\"\(bucket)\",\"%\",\"1\",\"2026-01-01T00:00:00Z\",\"e\"\n", "column 2 (Key)"),
            ("\"\(bucket)\",\"a\",\"\",\"2026-01-01T00:00:00Z\",\"e\"\n", "column 3 (Size)"),
            ("\"\(bucket)\",\"a\",\"-1\",\"2026-01-01T00:00:00Z\",\"e\"\n", "column 3 (Size)"),
            (
                "\"\(bucket)\",\"a\",\"1e3\",\"2026-01-01T00:00:00Z\",\"e\"\n",
                "column 3 (Size) holds no size in whole bytes"
            ),
            (
                "\"\(bucket)\",\"a\",\"1\",\"yesterday\",\"e\"\n",
                "column 4 (LastModifiedDate) holds no time in ISO 8601"
            ),
            ("\"\(bucket)\",\"a\",\"1\",\"1763690400\",\"e\"\n", "column 4 (LastModifiedDate)"),
            ("\"\(bucket)\",\"a\"x,\"1\",\"2026-01-01T00:00:00Z\",\"e\"\n", "closing quote"),
        ]
        var inventory = MadeInventory()
        try inventory.add(good("first"))
        try inventory.add(bad.map { $0.row + good("after") }.joined() + "\"\(bucket)\",\"open")
        let listing = try await list(inventory)
        #expect(listing.items.count == bad.count + 1)
        #expect(listing.problems.allSatisfy { $0.place == path(part: 1) })
        #expect(listing.problems.map(\.line) == (0...bad.count).map { 2 * $0 + 1 })
        for (problem, bad) in zip(listing.problems, bad) {
            #expect(problem.reason.contains(bad.reason), "\(problem.text)")
        }
    }

    @Test("What is neither true nor false in a column of versions is a problem")
    func flags() async throws {
        var inventory = MadeInventory()
        inventory.columns = MadeInventory.versioned
        let row = inventory.line(MadeInventory.Row(object: CopyConformance.object(ObjectKey("a"))))
        try inventory.add(
            row.split(separator: "\"true\"").joined(separator: "\"TRUE\"")
                + row.split(separator: "\"false\"").joined(separator: "\"\"") + row)
        let listing = try await list(inventory)
        #expect(listing.items.count == 1 && listing.problems.map(\.line) == [1, 2])
        #expect(
            listing.problems.map(\.reason) == [
                "column 4 (IsLatest) holds neither true nor false",
                "column 5 (IsDeleteMarker) holds neither true nor false",
            ])
    }
}
