import Foundation
import MooringConfiguration
import MooringFiles
import MooringModel
import Testing

@testable import MooringSpark

/// Records in Parquet, which nobody but Spark reads.
@Suite("Records in Parquet")
struct ParquetRecordsTests {
    private let home: TemporaryFolder
    private var folder: String { home.path }

    init() throws {
        home = try TemporaryFolder()
        for name in ["rows", "data"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        let columns = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "MooringFilesTests/Columns").path
        for (name, copy) in [
            ("two.parquet", "songs.parquet"), ("two.parquet", "rows/a.parquet"),
            ("two.parquet", "rows/b.parquet"), ("records.parquet", "nested.parquet"),
        ] {
            try FileManager.default.copyItem(
                atPath: columns + "/" + name, toPath: folder + "/" + copy)
        }
        try write("key,size,lastModified\nkey:a,3,1577836800\nb,4,1577836800\n", "media.csv")
    }

    @Test(arguments: ["songs.parquet", "rows"])
    func theyAreReadByTheirColumns(_ path: String) throws {
        let plan = try plan(path)
        #expect(plan.rest.isEmpty, "\(plan.rest)")
        #expect(plan.tables[0].file.form == .attributes)
        #expect(plan.tables[0].file.parts.count == (path == "rows" ? 2 : 1))
        #expect(plan.tables[0].file.cells["last_modified_date"] == .moment)
        #expect(plan.alone == ["records 'app'"])
    }

    @Test func whatIsHandedOnIsReadAsLinesOfJSON() async throws {
        let line = #"{"bucket":"b","key":"\u0001x","images":["a",null]}"#.utf8
            .map { String(format: "%02x", $0) }.joined()
        let engine = try engine(
            "songs.parquet",
            try writing(
                [
                    "lines 0 0 2", "rows 0 0 2", "closed 0 0 1", "listed 0 53 3", "objects 0 0 2",
                    "gone 0 0 1", "bytes 0 0 4", "matched 0 0 1", "references 0 0 1", "held 0 0 1",
                ], ["songs.parquet"]) + """

                    write handed-records '0 \(line)'
                    write handed-objects '0 622c342c31353737383336383030'
                    """)
        let source = try await engine.begin().records[0]
        var values: [[FieldValue]] = []
        let result = try await source.scan(
            .columns([TableColumns(table: "Song", columns: ["key"])])
        ) { batch in
            values += batch.rows
        }
        #expect(result.isComplete, "\(result.problems)")
        #expect(values == [[.text(Array("\u{1}x".utf8))]])
        await engine.end()
    }

    @Test(
        "Where nothing can be left out, all is handed on",
        arguments: [
            ("{field: key}", "{field: key, level: any}"),
            ("./media.csv", "./media.jsonl"), ("{field: key}", "{field: key, list: false}"),
        ])
    func theyAreHandedOnWhole(_ old: String, _ new: String) throws {
        let plan = try plan("songs.parquet", old, new)
        #expect(plan.isNeeded && plan.tables.count == 1)
        #expect(plan.tables[0].isWhole == !new.contains("false"))
        let script = SparkScript(
            tables: plan.tables, listings: plan.listings, levels: plan.levels, work: "/srv")
        #expect(
            script.first.contains { $0.contains("false AS plain FROM fields_r0") }
                == plan.tables[0].isWhole)
        let unread = plan.rest.filter { !$0.isRead }
        #expect(unread.isEmpty)
    }

    @Test func aJobThatReadOtherRowsIsTold() async throws {
        let engine = try engine(
            "rows", try writing(["lines 0 0 3", "rows 0 0 3", "listed 0 53 3", "objects 0 0 2"]))
        await #expect {
            _ = try await engine.begin()
        } throws: { error in
            (error as? NarrowingFailure)?.found.contains("which have 4") == true
        }
    }

    @Test(
        "What Spark does not read is read by nobody, and says so",
        arguments: [
            ("songs.parquet", "id: bucket", "id: nothing", "have no column 'nothing'"),
            ("songs.parquet", "field: key", "field: size", "'size' is of another type"),
            ("songs.parquet", "field: key", "field: images", "'images' is of another type"),
            ("songs.parquet", "files:", "changed: is_latest, files:", "'is_latest' is of another"),
            ("nested.parquet", "id: bucket", "id: id", "'nested' is of a type that is not read"),
            ("none.parquet", "id: bucket", "id: id", "cannot be opened"),
            ("media.csv", "id: bucket", "id: id", "is no Parquet file"),
            ("data", "id: bucket", "id: id", "without a file whose name ends in .parquet"),
            (".", "id: bucket", "id: id", "and only files whose names end in .parquet"),
        ])
    func unread(_ path: String, _ old: String, _ new: String, _ words: String) async throws {
        let narrowed = try await engine(path, "exit 1", old, new).begin()
        #expect(narrowed.notes.contains { $0.contains("records 'app' is not read") })
        let source = try #require(narrowed.records[0] as? ParquetSource)
        let result = try await source.scan(.columns([])) { _ in }
        #expect(!result.isComplete)
        #expect(result.problems.contains { $0.reason.contains(words) }, "\(result.problems)")
    }

    @Test(
        "What says that files are not the table is no mere neighbour",
        arguments: [
            ("_SUCCESS", true), (".a.parquet.crc", true), ("_temporary", false),
            ("_delta_log", false), (".hoodie", false), ("_a.parquet", false),
            (".a.parquet", false), ("a.orc", false),
        ])
    func neighbours(_ name: String, _ isTaken: Bool) throws {
        try write("", "rows/" + name)
        let plan = try plan("rows")
        #expect(plan.tables.count == (isTaken ? 1 : 0))
        #expect(plan.rest.contains { $0.reason.contains("holds '\(name)'") } == !isTaken)
    }

    @Test func aFileThatComesMeanwhileIsTold() async throws {
        let line = #"{"bucket":"b","key":"a"}"#.utf8.map { String(format: "%02x", $0) }.joined()
        let engine = try engine(
            "rows",
            try writing([
                "lines 0 0 4", "rows 0 0 4", "closed 0 0 3", "listed 0 53 3", "objects 0 0 2",
                "gone 0 0 1", "bytes 0 0 4", "matched 0 0 1", "references 0 0 1", "held 0 0 1",
            ]) + """

                write handed-records '0 \(line)'
                write handed-objects '0 622c342c31353737383336383030'
                """)
        let source = try await engine.begin().records[0]
        let whole = try await source.scan(.columns([])) { _ in }
        #expect(whole.isComplete, "\(whole.problems)")
        try FileManager.default.copyItem(
            atPath: folder + "/rows/a.parquet", toPath: folder + "/rows/c.parquet")
        let result = try await source.scan(.columns([])) { _ in }
        #expect(result.problems.map(\.reason) == ["was changed while it was read; run again"])
        await engine.end()
    }

    @Test func filesOfOtherColumnsAreNotReadTogether() async throws {
        try FileManager.default.removeItem(atPath: folder + "/rows/b.parquet")
        try FileManager.default.copyItem(
            atPath: folder + "/nested.parquet", toPath: folder + "/rows/b.parquet")
        let narrowed = try await engine("rows", "exit 1").begin()
        let result = try await narrowed.records[0].scan(.columns([])) { _ in }
        #expect(result.problems.contains { $0.reason.contains("of other columns than the first") })
    }

    @Test func anotherEngineSaysWhatToDo() async throws {
        let source = ParquetSource(name: "app", path: folder + "/songs.parquet")
        let result = try await source.scan(.columns([])) { _ in }
        #expect(!result.isComplete)
        #expect(result.problems.contains { $0.reason.contains("'engine: spark': take that") })
    }

    // MARK: Helpers

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }

    private func writing(
        _ facts: [String], _ files: [String] = ["rows/a.parquet", "rows/b.parquet"]
    ) throws -> String {
        let facts =
            try home.facts("files", files) + home.facts("listings", ["media.csv"]) + facts
        return TemporaryFolder.writing(facts)
    }

    private func plan(_ path: String, _ old: String = "", _ new: String = "") throws -> SparkPlan {
        let text = """
            version: 1
            records:
              - name: app
                parquet: ./\(path)
                models: [{model: Song, id: bucket, files: [{field: key}]}]
            buckets: [{name: media, listing: ./media.csv}]
            """
        let configuration = try Configuration.parse(
            old.isEmpty ? text : text.replacingOccurrences(of: old, with: new),
            file: folder + "/mooring.yaml", environment: [:])
        return SparkPlan(configuration, buckets: configuration.buckets.map(\.mapping))
    }

    private func engine(
        _ path: String, _ body: String, _ old: String = "", _ new: String = ""
    ) throws -> SparkEngine {
        try write("#!/bin/bash\n" + body + "\n", "submit.text")
        // As in the tests of engines: what is run was never open for writing here.
        let copy = try Process.run(
            URL(filePath: "/usr/bin/install"),
            arguments: ["-m", "755", folder + "/submit.text", folder + "/submit"])
        copy.waitUntilExit()
        let plan = try plan(path, old, new)
        return SparkEngine(
            { plan },
            at: SparkPlace(
                submit: folder + "/submit", master: "local", settings: [:], work: folder + "/runs"),
            records: [ParquetSource(name: "app", path: folder + "/" + path)],
            buckets: [ListingBucket(name: "media", file: folder + "/media.csv")],
            telling: SparkJob(
                environment: ["PATH": "/usr/bin:/bin"], isInterrupted: { false }, advance: { _ in })
        )
    }
}
