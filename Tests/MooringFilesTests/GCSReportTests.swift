import MooringModel
import StoreConformance
import Testing

@testable import MooringFiles

@Suite("Inventory reports of Cloud Storage")
struct GCSReportTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func list(
        _ report: MadeReport, without missing: Set<Int> = []
    ) async throws -> Scanned<ListedObject> {
        let path = try report.write(to: sandbox, without: missing)
        return try await InventoryBucket(name: "m", manifest: path).listed()
    }

    private static func made(_ rows: [[String: String]] = [MadeReport.gcs("a")]) -> MadeReport {
        var report = MadeReport.gcs
        report.add(MadeReport.gcsColumns, rows)
        return report
    }

    @Test("Objects are listed as they were at the snapshot, in shards of any number")
    func lists() async throws {
        var report = Self.made([MadeReport.gcs("a", 1), MadeReport.gcs("x/ü, \"y\"\n", 2)])
        report.add(MadeReport.gcsColumns, [MadeReport.gcs("100%/a+b%20", 3)])
        let listing = try await list(report)
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
        #expect(listing.items.map(\.key.text) == ["a", "x/ü, \"y\"\n", "100%/a+b%20"])
        #expect(listing.items.map(\.version.size) == [1, 2, 3])
        #expect(listing.items.map(\.version.etag) == ["171", "172", "173"])
        #expect(
            listing.items[1].version.lastModified == Instant(iso8601: "2026-01-01T00:00:02Z"))
        #expect(listing.items.allSatisfy { !$0.version.isMultipart })
        #expect(listing.result.consistency == "snapshot" && listing.result.notes.isEmpty)
        #expect(
            listing.result.window == ScanWindow(from: MadeReport.moment, to: MadeReport.moment))
    }

    @Test("Details of a report are a manifest too, in either spelling")
    func details() async throws {
        for members in [
            [
                "snapshot_time": "\"2026-11-20T06:35:00Z\"", "shards_count": "1",
                "report_path_prefix": "\"gs://reports/d/u_2026-11-20T06:35_\"",
                "report_metrics": #"{"processed_records_count": 1}"#, "status": "{}",
            ],
            [
                "snapshotTime": "\"2026-11-20T06:35:00Z\"", "shardsCount": "\"1\"",
                "reportPathPrefix": "\"gs://reports/d/u_2026-11-20T06:35_\"",
                "reportMetrics": #"{"processedRecordsCount": "1"}"#, "status": #"{"code": 0}"#,
            ],
        ] {
            var report = Self.made()
            report.members = members
            for name in ["records_processed", "shard_count", "report_shards_file_names"] {
                report.members[name] = ""
            }
            let listing = try await list(report)
            #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
            #expect(listing.items.map(\.key.text) == ["a"])
            report.members["status"] = #"{"code": 13, "message": "secret"}"#
            let failed = try await list(report)
            #expect(failed.items.isEmpty && failed.problems.count == 1)
            let told = failed.problems.first?.reason ?? ""
            #expect(told.contains("says that the report failed (status 13)"), "\(told)")
            #expect(!told.contains("secret"))
        }
    }

    @Test("What was deleted or overwritten is no object, and counts as a row")
    func past() async throws {
        var older = MadeReport.gcs("a", 2)
        older["timeDeleted"] = "2026-03-01T00:00:00Z"
        var gone = MadeReport.gcs("gone", 3)
        gone["timeDeleted"] = "2026-03-01T00:00:00Z"
        var soft = MadeReport.gcs("soft", 4)
        soft["softDeleteTime"] = "2026-03-01T00:00:00Z"
        var report = MadeReport.gcs
        report.add(
            MadeReport.gcsColumns + ["softDeleteTime"], [older, MadeReport.gcs("a"), gone, soft])
        let listing = try await list(report)
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
        #expect(listing.items.map(\.key.text) == ["a"] && listing.items[0].version.size == 1)
    }

    @Test(
        "A report that is not finished, of another form or of a part of the bucket is not read",
        arguments: [
            ("shard_count", "2", "names 1 shards and says that there are 2"),
            ("records_processed", "", "does not say how many records"),
            ("records_processed", "-1", "does not say how many records"),
            ("report_shards_file_names", "[7]", "names 0 shards"),
            ("report_shards_file_names", "", "names no shards of the report"),
            ("report_shards_file_names", #"["a.csv", "a.csv"]"#, "names 2 shards"),
            ("report_shards_file_names", #"["a.parquet"]"#, "in Parquet, and only CSV is read"),
            ("report_shards_file_names", #"[".."]"#, "may lead out of the inventory"),
            ("snapshot_time", "\"yesterday\"", "has no snapshot_time in ISO 8601"),
            ("snapshot_time", "\"2100-01-01T00:00:00Z\"", "which is still to come"),
            ("report_config", #"{"parquet_options": {}}"#, "in Parquet, and only CSV is read"),
            ("report_config", #""csv""#, "holds 'report_config' in another form than is"),
            (
                "report_config", #"{"object_metadata_report_options": "all"}"#,
                "holds 'object_metadata_report_options' in another form"
            ),
            (
                "report_config",
                #"{"objectMetadataReportOptions": {"storageFilters": [{"prefix": "a/"}]}}"#,
                "holds 'storage_filters' in another form"
            ),
            (
                "report_config",
                #"{"object_metadata_report_options": {"storage_filters": {"bucket": ["m"]}}}"#,
                "filtered by a bucket that is no text"
            ),
            ("report_config", #"{"csv_options": [1]}"#, "holds 'csv_options' in another form"),
            (
                "report_config",
                #"{"object_metadata_report_options": {"storage_filters": {"prefix": "a/"}}}"#,
                "is filtered by 'prefix', so that it lists a part of the bucket"
            ),
            (
                "report_config", #"{"csv_options": {"delimiter": "ab"}}"#,
                "fields are separated by 'ab', which is not read"
            ),
            ("report_config", #"{"csvOptions": {"delimiter": "\""}}"#, "which is not read"),
            (
                "report_config", #"{"csv_options": {"record_separator": ";"}}"#,
                "records are separated by ';', and only line breaks are read"
            ),
            ("fileSchema", "\"Key\"", "has members of S3 Inventory and of an inventory report"),
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
        "A shard without a column that an object needs is not judged",
        arguments: [
            ("name", "there are no keys"), ("size", "nothing is judged"),
            ("timeDeleted", "nobody can tell an object from what was deleted or overwritten"),
        ])
    func columns(missing: String, reason: String) async throws {
        var report = MadeReport.gcs
        report.add(MadeReport.gcsColumns.filter { $0 != missing }, [MadeReport.gcs("a")])
        let listing = try await list(report)
        #expect(listing.items.isEmpty && !listing.result.isComplete)
        let told = listing.problems.first?.reason ?? ""
        #expect(
            told.contains("has no header row with the column \(missing), without which \(reason)"),
            "\(told)")
    }

    @Test("A shard whose header is another than the first one's is not read by its own")
    func otherHeader() async throws {
        var swapped = MadeReport.gcsColumns
        swapped.swapAt(2, 7)
        for columns in [
            swapped, MadeReport.gcsColumns + ["crc32c"], Array(MadeReport.gcsColumns.dropLast()),
        ] {
            var report = Self.made()
            report.add(columns, [MadeReport.gcs("b", 2)])
            let listing = try await list(report)
            #expect(listing.items.map(\.key.text) == ["a"] && !listing.result.isComplete)
            let problem = try #require(listing.problems.first)
            #expect(problem.place.hasSuffix("_1.csv") && problem.line == 1, "\(problem.text)")
            #expect(problem.reason.hasPrefix("its header is not that of the first file:"))
        }
    }

    @Test("A header that is not what the manifest says of the columns is not read either")
    func otherThanTheManifest() async throws {
        func listing(_ fields: [String]) async throws -> Scanned<ListedObject> {
            var report = Self.made()
            let names = fields.map { "\"\($0)\"" }.joined(separator: ", ")
            report.members["report_config"] =
                #"{"object_metadata_report_options": {"metadata_fields": [\#(names)]}}"#
            return try await list(report)
        }
        #expect(try await listing(MadeReport.gcsColumns).result.isComplete)
        var swapped = MadeReport.gcsColumns
        swapped.swapAt(2, 7)
        for fields in [swapped, MadeReport.gcsColumns.dropLast()] {
            let listing = try await listing(Array(fields))
            #expect(listing.items.isEmpty && !listing.result.isComplete)
            let problem = try #require(listing.problems.first)
            #expect(problem.place.hasSuffix("_0.csv") && problem.line == 1, "\(problem.text)")
            #expect(problem.reason.hasPrefix("its header is not what the manifest says"))
        }
    }

    @Test("A row that stands twice counts as none of those that were promised")
    func twice() async throws {
        var gone = MadeReport.gcs("gone", 3)
        gone["timeDeleted"] = "2026-03-01T00:00:00Z"
        var report = Self.made([MadeReport.gcs("a"), gone, gone])
        report.add(MadeReport.gcsColumns, [gone])
        let listing = try await list(report)
        #expect(listing.items.map(\.key.text) == ["a"])
        #expect(listing.problems.map(\.line) == [4, 2], "\(listing.problems.map(\.text))")
        #expect(
            listing.problems.allSatisfy { $0.reason.hasPrefix("is the same as a row before: ") })
    }

    @Test("Without a header the order of columns is not guessed")
    func headless() async throws {
        for (row, words) in [
            ("p,media,a,1,2026-01-01T00:00:00Z,e,x", "a header, in the report's configuration"),
            ("p,media,a,1,2026-01-01T00:00:00Z,,,e,1,c", "the header names a column twice"),
        ] {
            var report = MadeReport.gcs
            report.add(row + "\n", rows: 1)
            let listing = try await list(report)
            #expect(listing.items.isEmpty && !listing.result.isComplete)
            let told = listing.problems.first?.reason ?? ""
            #expect(told.contains(words), "\(told)")
        }
    }

    @Test("A missing shard, and a count that differs, make it incomplete")
    func counts() async throws {
        var report = Self.made()
        report.add(MadeReport.gcsColumns, [MadeReport.gcs("b"), MadeReport.gcs("c")])
        let listing = try await list(report, without: [1])
        #expect(listing.items.map(\.key.text) == ["a"] && !listing.result.isComplete)
        #expect(
            listing.problems.map(\.reason).contains {
                $0.contains("_1.csv' is missing; copy it from bucket 'reports'")
            })
        var less = Self.made()
        less.members["records_processed"] = "2"
        let counted = try await list(less)
        #expect(
            counted.problems.map(\.reason) == [
                "says that the report has 2 rows, and 1 could be read: files are cut off, or of "
                    + "another report; copy them again"
            ])
    }

    @Test("Rows that cannot be read, or are of another bucket, are told with their lines")
    func rows() async throws {
        func changed(_ column: String, _ value: String) -> [String: String] {
            var row = MadeReport.gcs("b")
            row[column] = value
            return row
        }
        let bad = [
            (changed("name", ""), "column 3 (name) holds no name"),
            (changed("size", "1e3"), "column 4 (size) holds no size in whole bytes"),
            (changed("timeCreated", "today"), "column 5 (timeCreated) holds no time in ISO 8601"),
            (changed("timeCreated", "2026-01-01"), "(timeCreated) holds a time without its"),
            (changed("timeCreated", "2026-01-01T00:00:00"), "without its seconds or its zone"),
            (changed("timeCreated", "2026-01-01T00:00Z"), "without its seconds or its zone"),
            (changed("bucket", "other"), "column 2 (bucket) names another bucket than the"),
            (changed("timeDeleted", "STANDARD"), "(timeDeleted) holds no time in ISO 8601"),
            (changed("timeDeleted", "-"), "column 6 (timeDeleted) holds no time"),
        ]
        let listing = try await list(Self.made([MadeReport.gcs("a")] + bad.map(\.0)))
        #expect(listing.items.map(\.key.text) == ["a"])
        #expect(listing.problems.map(\.line) == Array(3...11))
        for (problem, bad) in zip(listing.problems, bad) {
            #expect(problem.reason.contains(bad.1), "\(problem.text)")
        }
        var several = MadeReport.gcs
        several.members["report_config"] = ""
        several.add(MadeReport.gcsColumns, [MadeReport.gcs("a"), changed("bucket", "other")])
        #expect(
            try await list(several).problems.map(\.reason) == [
                "names another bucket than the rows before"
            ])
    }

    @Test("A shard that may be cut off in its last row is incomplete, where the cut matters")
    func cut() async throws {
        for (columns, isTold) in [
            (["bucket", "size", "timeCreated", "timeDeleted", "contentType", "name"], true),
            (["bucket", "size", "timeCreated", "timeDeleted", "name", "contentType"], false),
        ] {
            var report = Self.made()
            report = MadeReport.gcs
            report.add(columns, [MadeReport.gcs("a"), MadeReport.gcs("bcd")])
            report.files[0].text.removeLast(isTold ? 2 : 1)
            let listing = try await list(report)
            #expect(listing.result.isComplete != isTold, "\(listing.problems.map(\.text))")
            #expect(listing.items.map(\.key.text) == (isTold ? ["a"] : ["a", "bcd"]))
        }
    }

    @Test("Options of Parquet that are null are none")
    func noParquet() async throws {
        var report = Self.made()
        report.members["report_config"] =
            #"{"parquet_options": null, "csv_options": {}, "object_metadata_report_options": null}"#
        let listing = try await list(report)
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
    }

    @Test("Names that differ in case alone are no two columns")
    func doubled() async throws {
        var report = MadeReport.gcs
        report.add(MadeReport.gcsColumns + ["Name"], [MadeReport.gcs("a")])
        let listing = try await list(report)
        #expect(listing.items.isEmpty && !listing.result.isComplete)
        let told = listing.problems.first?.reason ?? ""
        #expect(told.contains("names the column Name twice, in letters of another"), "\(told)")
    }

    @Test("Another delimiter is the configuration's")
    func delimiter() async throws {
        var report = MadeReport.gcs
        report.members["report_config"] =
            #"{"csv_options": {"delimiter": "|", "record_separator": "\r\n"}}"#
        let header = MadeReport.gcsColumns.joined(separator: "|")
        report.add("\(header)\r\np|media|a,b|1|2026-01-01T00:00:00Z||||7|c\r\n", rows: 1)
        let listing = try await list(report)
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
        #expect(listing.items.map(\.key.text) == ["a,b"])
        #expect(listing.items.first?.version.etag == "7")
    }

    @Test("Beside a live bucket of S3 no other report is read")
    func live() async throws {
        let path = try Self.made().write(to: sandbox)
        let listing = try await InventoryBucket(
            name: "m", manifest: path, demands: InventoryDemands(bucket: "media")
        ).listed()
        #expect(listing.items.isEmpty)
        #expect(
            listing.problems.first?.reason.contains("beside 's3' only an inventory of S3") == true)
    }

    @Test("What is a manifest of nobody says so")
    func unknown() async throws {
        let path = sandbox.path + "/none.json"
        _ = try sandbox.write("none.json", "{\"files\": []}")
        let listing = try await InventoryBucket(name: "m", manifest: path).listed()
        let told = listing.problems.first?.reason ?? ""
        #expect(told.hasPrefix("is no manifest of S3 Inventory, "), "\(told)")
    }
}
