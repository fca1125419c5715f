import MooringModel
import MooringText
import StoreConformance
import Testing

@testable import MooringFiles

@Suite("Blob inventories of Azure")
struct AzureReportTests {
    private let sandbox: Sandbox
    private static let types = #""blobTypes": ["blockBlob", "appendBlob", "pageBlob"]"#

    init() throws { sandbox = try Sandbox() }

    private func list(
        _ report: MadeReport, prefixes: [ObjectKey] = [], without missing: Set<Int> = []
    ) async throws -> Scanned<ListedObject> {
        let path = try report.write(to: sandbox, without: missing)
        return try await InventoryBucket(name: "media", manifest: path, prefixes: prefixes)
            .listed()
    }

    private static func made(
        _ rows: [[String: String]] = [MadeReport.azure("media/a")]
    ) -> MadeReport {
        var report = MadeReport.azure
        report.add(MadeReport.azureColumns, rows)
        return report
    }

    @Test("Blobs of the container are listed as of the run's start, and others passed over")
    func lists() async throws {
        let rows = [
            MadeReport.azure("media/a", 1), MadeReport.azure("media2/b", 2),
            MadeReport.azure("media/x/ü, \"y\"\n", 3), MadeReport.azure("media//100%/a+b%20", 4),
        ]
        let listing = try await list(Self.made(rows))
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
        #expect(listing.items.map(\.key.text) == ["a", "x/ü, \"y\"\n", "/100%/a+b%20"])
        #expect(listing.items.map(\.version.etag) == ["0x8D91", "0x8D93", "0x8D94"])
        #expect(listing.items.map(\.version.size) == [1, 3, 4])
        #expect(listing.result.consistency == "moving" && listing.result.notes.isEmpty)
        #expect(
            listing.result.window == ScanWindow(from: MadeReport.moment, to: MadeReport.moment))
    }

    @Test("Snapshots, older versions, folders and what is deleted are no blobs of now")
    func past() async throws {
        func row(_ name: String, _ cells: [String: String]) -> [String: String] {
            MadeReport.azure("media/\(name)").merging(cells) { $1 }
        }
        var report = MadeReport.azure
        report.setRule(
            filters: Self.types
                + #", "includeSnapshots": true, "includeBlobVersions": true"#
                + #", "includeDeleted": true"#,
            fields: #""Name", "hdi_isfolder""#)
        report.add(
            MadeReport.azureColumns + [
                "Snapshot", "VersionId", "IsCurrentVersion", "Deleted", "DeletedTime",
                "hdi_isfolder",
            ],
            [
                row("now", ["VersionId": "2", "IsCurrentVersion": "true"]),
                row("now", ["VersionId": "1", "IsCurrentVersion": "false"]),
                row("now", ["VersionId": "0"]),
                row("plain", ["Deleted": "False"]), row("plain", ["Snapshot": "2026-01-01"]),
                row("gone", ["Deleted": "true", "Content-Length": ""]),
                row("gone2", ["DeletedTime": "2026-01-01T00:00:00Z"]),
                row("folder", ["hdi_isfolder": "True", "Content-Length": ""]),
            ])
        let listing = try await list(report)
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
        #expect(listing.items.map(\.key.text) == ["now", "plain"])
    }

    @Test(
        "Rows that nobody could tell from blobs need their columns",
        arguments: [
            ("includeSnapshots", "Snapshot"), ("includeBlobVersions", "VersionId"),
            ("includeDeleted", "Deleted"),
        ])
    func pastWithoutColumns(filter: String, column: String) async throws {
        var report = Self.made()
        report.setRule(filters: Self.types + ", \"\(filter)\": true")
        let listing = try await list(report)
        #expect(listing.items.isEmpty && !listing.result.isComplete)
        let told = listing.problems.first?.reason ?? ""
        #expect(told.contains("has no header row with the column \(column),"), "\(told)")
    }

    @Test(
        "A filter of another kind than documented is not taken for none",
        arguments: [
            (#""blobTypes": "blockBlob""#, "blobTypes"),
            (#""prefixMatch": "media/a""#, "prefixMatch"),
            (#""prefixMatch": [null]"#, "prefixMatch"),
            (#""excludePrefix": {"media/a": 1}"#, "excludePrefix"),
            (#""includeSnapshots": "true""#, "includeSnapshots"),
            (#""includeBlobVersions": 1"#, "includeBlobVersions"),
            (#""includeDeleted": [true]"#, "includeDeleted"),
        ])
    func oddFilters(filter: String, name: String) async throws {
        var report = Self.made()
        report.setRule(filters: Self.types + ", " + filter)
        let listing = try await list(report)
        #expect(listing.items.isEmpty && listing.problems.count == 1)
        let told = listing.problems.first?.reason ?? ""
        #expect(told.contains("holds '\(name)' in another form than is documented"), "\(told)")
    }

    @Test("Filters, or fields, that are no object or no list are refused, and null is none")
    func oddRules() async throws {
        for (filters, fields, name) in [
            (#"["x"]"#, "[]", "filters"), (#""all""#, "[]", "filters"),
            ("{\(Self.types)}", #""Name""#, "schemaFields"),
            (
                #"{\#(Self.types), "prefixMatch": null, "includeDeleted": null}"#, #"["Name"]"#,
                nil
            ),
        ] as [(String, String, String?)] {
            var report = Self.made()
            report.members["ruleDefinition"] =
                #"{"filters": \#(filters), "format": "csv", "objectType": "blob", "#
                + #""schemaFields": \#(fields)}"#
            let listing = try await list(report)
            #expect(listing.result.isComplete == (name == nil), "\(filters)")
            guard let name else { continue }
            let told = listing.problems.first?.reason ?? ""
            #expect(told.contains("holds '\(name)' in another form"), "\(told)")
        }
    }

    @Test("A run that is under way, failed, or is not summed up is not read")
    func unfinished() async throws {
        for (status, words) in [
            ("Pending", "says that its run is still under way"),
            ("Failed", "ended as 'Failed'"), ("PartiallySucceeded", "ended as"),
        ] {
            var report = Self.made()
            report.members["status"] = "\"\(status)\""
            let listing = try await list(report)
            #expect(listing.items.isEmpty && listing.problems.count == 1)
            let told = listing.problems.first?.reason ?? ""
            #expect(told.contains(words), "\(told)")
        }
        for (said, words) in [
            (nil, "which Azure writes last: the inventory is still being written"),
            ("0", "is not the file whose MD5 the Rule_1-manifest.checksum beside it tells"),
        ] {
            let bare = try Sandbox()
            var report = Self.made()
            report.checksum = { _ in said }
            let path = try report.write(to: bare)
            let listing = try await InventoryBucket(name: "media", manifest: path).listed()
            #expect(listing.items.isEmpty && listing.problems.count == 1)
            let told = listing.problems.first?.reason ?? ""
            #expect(told.contains(words), "\(told)")
        }
    }

    @Test("The checksum may stand in base64 too")
    func base64() async throws {
        var report = Self.made()
        report.checksum = { bytes in
            Hexadecimal.checksum(Array(MadeInventory.md5(bytes).utf8)).map(Base64.encode)
        }
        #expect(try await list(report).result.isComplete)
    }

    @Test(
        "A manifest that lacks something, or of another form, says so",
        arguments: [
            ("inventoryStartTime", "\"yesterday\"", "has no inventoryStartTime in ISO 8601"),
            ("summary", "{}", "has no objectCount in its summary"),
            ("files", "7", "names no files"),
            ("files", #"[{"blob": "a"}]"#, "names file 1 without its blob or its size"),
            ("files", #"[{"blob": "../a", "size": 1}]"#, "may lead out of the inventory"),
            (
                "files", #"[{"blob": "x/a", "size": 1}, {"blob": "y/a", "size": 1}]"#,
                "names 'a' twice in its files"
            ),
            ("ruleDefinition", #"{"format": "parquet"}"#, "is in parquet, and only CSV is read"),
            (
                "ruleDefinition", #"{"format": "csv", "objectType": "container"}"#,
                "says that the rule lists containers, and not blobs"
            ),
            ("reportConfig", #"{"a": 1}"#, "has members of an inventory report of Cloud Storage"),
        ])
    func refused(member: String, value: String, reason: String) async throws {
        var report = Self.made()
        report.members[member] = value
        let listing = try await list(report)
        #expect(listing.items.isEmpty && listing.problems.count == 1)
        let told = listing.problems.first?.reason ?? ""
        #expect(told.contains(reason), "\(told)")
    }

    @Test(
        "A rule that lists less than the bucket is told, and prefixes may say which part it is",
        arguments: [
            (#""prefixMatch": []"#, nil, []), (#""prefixMatch": ["med"]"#, nil, []),
            (#""prefixMatch": ["other", "media"]"#, nil, []),
            (#""prefixMatch": ["media/a"]"#, "lists only 'media/a'", []),
            (#""prefixMatch": ["media/a"]"#, nil, ["a/"]),
            (#""prefixMatch": ["media/a/"]"#, "lists only 'media/a/'", ["a/", "b/"]),
            (#""prefixMatch": ["other"]"#, "lists only 'other'", []),
            (#""excludePrefix": ["media/a"]"#, "leaves out 'media/a'", []),
            (#""excludePrefix": ["media/a"]"#, "leaves out 'media/a'", ["a/b/"]),
            (#""excludePrefix": ["media/a"]"#, nil, ["b/"]),
            (#""excludePrefix": ["other"]"#, nil, []), (#""excludePrefix": null"#, nil, []),
            (#""excludePrefix": ["med"]"#, "leaves out 'med'", []),
            (#""creationTime": {"lastNDays": 3}"#, "filters by 'creationTime'", []),
            (#""creationTime": 3"#, "filters by 'creationTime'", []),
            (#""newFilter": true"#, "filters by 'newFilter'", []),
        ] as [(String, String?, [String])])
    func filters(filter: String, reason: String?, prefixes: [String]) async throws {
        var report = Self.made()
        report.setRule(filters: Self.types + ", " + filter)
        let listing = try await list(report, prefixes: prefixes.map { ObjectKey($0) })
        #expect(listing.result.isComplete == (reason == nil), "\(listing.problems.map(\.text))")
        #expect(listing.items.count == (reason == nil ? 1 : 0))
        if let reason {
            #expect(listing.problems.first?.reason.contains(reason) == true)
        }
    }

    @Test("All types of blobs are wanted; page blobs where the account may hold some")
    func types() async throws {
        for (types, fields, isRead) in [
            (#""blockBlob""#, #""Name""#, false),
            (#""blockBlob", "appendBlob""#, #""Name""#, false),
            (#""blockBlob", "appendBlob""#, #""Name", "hdi_isfolder""#, true),
            ("", #""Name""#, false),
        ] {
            var report = Self.made()
            report.setRule(filters: #""blobTypes": [\#(types)]"#, fields: fields)
            let listing = try await list(report)
            #expect(listing.result.isComplete == isRead, "\(types) \(fields)")
        }
    }

    @Test("A blob in several files is one; as two versions it is a doubt")
    func overlap() async throws {
        var report = Self.made([MadeReport.azure("media/a", 1), MadeReport.azure("media/b", 2)])
        report.add(
            MadeReport.azureColumns, [MadeReport.azure("media/b", 2), MadeReport.azure("media/c")])
        let listing = try await list(report)
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
        #expect(listing.items.map(\.key.text) == ["a", "b", "c"])
        var moved = Self.made([MadeReport.azure("media/b", 2)])
        moved.add(MadeReport.azureColumns, [MadeReport.azure("media/b", 3)])
        let doubt = try await list(moved)
        #expect(doubt.items.map(\.key.text) == ["b"] && doubt.problems.count == 1)
        #expect(
            doubt.problems.first?.reason.hasPrefix("tells another version of a blob than a row")
                == true)
    }

    @Test("A row that stands twice in one file is none of those that were promised")
    func twice() async throws {
        func row(_ name: String, _ cells: [String: String]) -> [String: String] {
            MadeReport.azure("media/\(name)").merging(cells) { $1 }
        }
        for more in [[], [MadeReport.azure("media/c")]] {
            // Those that the manifest counts, with one of them twice and another one missing.
            var report = Self.made([
                MadeReport.azure("media/a", 1), MadeReport.azure("media/b", 2),
                MadeReport.azure("media/a", 1),
            ])
            if !more.isEmpty { report.add(MadeReport.azureColumns, more) }
            let listing = try await list(report)
            #expect(listing.items.map(\.key.text) == ["a", "b"] + more.map { _ in "c" })
            #expect(listing.problems.map(\.line) == [4], "\(listing.problems.map(\.text))")
            let told = listing.problems.first?.reason ?? ""
            #expect(told.hasPrefix("is the same as a row before: "), "\(told)")
        }
        var past = MadeReport.azure
        past.setRule(filters: Self.types + #", "includeSnapshots": true"#)
        past.add(
            MadeReport.azureColumns + ["Snapshot"],
            [
                row("a", [:]), row("a", ["Snapshot": "1"]), row("a", ["Snapshot": "2"]),
                row("a", ["Snapshot": "1"]), MadeReport.azure("other/x"),
                MadeReport.azure("other/x"),
            ])
        let listing = try await list(past)
        #expect(listing.items.map(\.key.text) == ["a"])
        #expect(listing.problems.map(\.line) == [5, 7], "\(listing.problems.map(\.text))")
    }

    @Test("A container under another name is not taken for an empty one")
    func otherContainer() async throws {
        let listing = try await list(Self.made([MadeReport.azure("photos/a")]))
        #expect(listing.items.isEmpty)
        #expect(
            listing.problems.map(\.reason) == [
                "lists no blob of container 'media', and some of 'photos': name the bucket as its "
                    + "container is named"
            ])
    }

    @Test("A file that is missing, cut off or of another size, and bad rows are told")
    func damaged() async throws {
        var report = Self.made()
        report.add(MadeReport.azureColumns, [MadeReport.azure("media/b")])
        #expect(
            try await list(report, without: [1]).problems.map(\.reason).contains {
                $0.contains("its part 'R1.csv' is missing")
            })
        report.members["files"] = #"[{"blob": "R0.csv", "size": 1}, {"blob": "R1.csv", "size": 2}]"#
        let sizes = try await list(report)
        #expect(sizes.problems.count == 2 && sizes.items.count == 2)
        #expect(sizes.problems.first?.reason.contains("and the manifest says 1") == true)
        let bad = [
            MadeReport.azure("media"), MadeReport.azure("/a"), MadeReport.azure("media/"),
            MadeReport.azure("media/x").merging(["Content-Length": "-1"]) { $1 },
            MadeReport.azure("media/x").merging(["Last-Modified": "1"]) { $1 },
        ]
        let rows = try await list(Self.made(bad + [MadeReport.azure("media/y")]))
        #expect(rows.items.map(\.key.text) == ["y"])
        #expect(rows.problems.map(\.line) == [2, 3, 4, 5, 6])
    }
}
