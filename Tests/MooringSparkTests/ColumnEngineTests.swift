import Foundation
import MooringConfiguration
import MooringFiles
import MooringModel
import Testing

@testable import MooringSpark

/// Inventories in files of columns, which nobody but Spark reads.
@Suite("Inventories in Parquet and ORC")
struct ColumnEngineTests {
    private let home: TemporaryFolder
    private var folder: String { home.path }

    private static let parquet = (
        name: "two.parquet", format: "Parquet",
        schema: "message s3.inventory { required binary bucket (STRING); required binary key "
            + "(STRING); optional int64 size; optional int64 last_modified_date "
            + "(TIMESTAMP(MILLIS,true));}",
        size: 898, sum: "04616ce1a20898c62b4c87897eeb99b9"
    )
    private static let orc = (
        name: "two.orc", format: "ORC",
        schema: "struct<bucket:string,key:string,size:bigint,last_modified_date:timestamp>",
        size: 877, sum: "78f8494f79a8dc262cb8d601f90cbbc6"
    )

    init() throws {
        home = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder + "/data", withIntermediateDirectories: true)
        let columns = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "MooringFilesTests/Columns").path
        for name in ["two.parquet", "two.orc"] {
            try FileManager.default.copyItem(
                atPath: columns + "/" + name, toPath: folder + "/data/" + name)
        }
        try write("id,key\n1,key:a\n2,b\n", "songs.csv")
        try write(Self.manifest(orc: false), "manifest.json")
    }

    @Test(arguments: [false, true])
    func itIsReadByTheColumnsThatAreWanted(_ orc: Bool) throws {
        try write(Self.manifest(orc: orc), "manifest.json")
        let plan = try plan()
        #expect(plan.rest.isEmpty)
        #expect(plan.listings[0].file.form == .columns(orc ? .orc : .parquet))
        #expect(
            plan.listings[0].file.columns.map { String(decoding: $0, as: UTF8.self) }
                == ["Bucket", "Key", "Size", "LastModifiedDate"])
    }

    @Test(arguments: [false, true])
    func whatIsHandedOnIsReadAsLinesOfCSV(_ orc: Bool) async throws {
        try write(Self.manifest(orc: orc), "manifest.json")
        let facts = [
            "lines 0 16 3", "rows 0 0 2", "closed 0 0 1", "listed 0 0 2", "objects 0 0 2",
            "gone 0 0 1", "bytes 0 0 4", "matched 0 0 1", "references 0 0 1", "held 0 0 1",
        ]
        let line = #""media","%FF%61","3","2020-01-01T00:00:00.000Z""#.utf8
            .map { String(format: "%02x", $0) }.joined()
        let engine = try engine(
            try writing(facts, orc: orc) + """

                write handed-records '0 312c6b65793a61'; write handed-objects '0 \(line)'
                """)
        let bucket = try await engine.begin().buckets[0]
        var keys: [ObjectKey] = []
        let result = try await bucket.list { keys += $0.map(\.key) }
        #expect(result.isComplete, "\(result.problems)")
        #expect(keys == [ObjectKey([0xFF, 0x61])])
        for setting in [
            "spark.executorEnv.TZ=UTC", "spark.sql.parquet.compression.codec=zstd",
            "spark.io.compression.codec=zstd",
        ] {
            #expect(try text("words").contains(setting))
        }
        // Another file of rows now is another inventory, whatever was handed on.
        try write("x", "data/" + (orc ? "two.orc" : "two.parquet"))
        #expect(try await !bucket.list { _ in }.isComplete)
        await engine.end()
    }

    @Test func aJobThatReadOtherRowsIsTold() async throws {
        let engine = try engine(
            try writing(["lines 0 16 3", "rows 0 0 2", "listed 0 0 3", "objects 0 0 3"]))
        await #expect {
            _ = try await engine.begin()
        } throws: { error in
            (error as? NarrowingFailure)?.found.contains("Spark read 3 rows of the files") == true
        }
    }

    @Test("Where no records can be left out, Spark reads the inventory all the same")
    func itIsReadWithoutRecords() async throws {
        try write("id,\"key\"\n1,b\n", "songs.csv")
        let line = #""media","b","4","2020-01-01T00:00:00.000Z""#.utf8
            .map { String(format: "%02x", $0) }.joined()
        let engine = try engine(
            try writing(["listed 0 0 2", "objects 0 0 2"]) + """

                write handed-records; write handed-objects '0 \(line)' '0 \(line)'
                """)
        let narrowed = try await engine.begin()
        #expect(narrowed.isWhole)
        #expect(narrowed.buckets[0] is SparkObjects)
        #expect(narrowed.records[0] is CSVSource)
        await engine.end()
    }

    @Test("Records that turn out unfit are read here, and the inventory by Spark again")
    func itIsReadAgainWithoutRecords() async throws {
        try write("id,key\n1,key:a\n2,b", "songs.csv")
        let line = #""media","b","4","2020-01-01T00:00:00.000Z""#.utf8
            .map { String(format: "%02x", $0) }.joined()
        let engine = try engine(
            try """
            rm -rf "$(dirname "${@: -1}")/1"

            """
                + writing(["lines 0 16 3", "rows 0 0 2", "listed 0 0 2", "objects 0 0 2"]) + """

                    write handed-records; write handed-objects '0 \(line)' '0 \(line)'
                    """)
        let narrowed = try await engine.begin()
        #expect(narrowed.buckets[0] is SparkObjects && narrowed.records[0] is CSVSource)
        #expect(narrowed.notes.contains { $0.contains("does not end with a line break") })
        await engine.end()
    }

    @Test(
        "What Spark does not read is read by nobody, and says so",
        arguments: [
            (
                "optional int64 size", "optional int64 e_tag; optional int64 size",
                "two.parquet', which has no column e_tag"
            ),
            (
                "optional int64 size",
                "optional boolean is_multipart_uploaded; optional int64 size",
                "which has no column is_multipart_uploaded"
            ),
            ("required binary key", "required binary price", "without the column Key"),
            ("\"size\": 898", "\"size\": 899", "whose size or MD5 is another"),
            ("two.parquet", "two.orc", "whose size or MD5 is another"),
            ("1763690400250", "4102444800000", "which is still to come"),
            ("two.parquet", "none.parquet", "names a file that is missing"),
            ("message s3.inventory {", "struct<", "in another form than is documented"),
        ])
    func unread(_ old: String, _ new: String, _ words: String) async throws {
        let text = Self.manifest(orc: false)
        try write(text.replacingOccurrences(of: old, with: new), "manifest.json")
        let narrowed = try await engine("exit 1").begin()
        let result = try await #require(narrowed.buckets[0] as? UnreadInventory).list { _ in }
        #expect(!result.isComplete)
        #expect(result.problems.contains { $0.reason.contains(words) }, "\(result.problems)")
        #expect(narrowed.notes.contains { $0.contains("'media' is not read") })
    }

    // MARK: Helpers

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    private static func manifest(orc: Bool) -> String {
        let part = orc ? Self.orc : Self.parquet
        return """
            {"sourceBucket": "media", "destinationBucket": "arn:aws:s3:::reports",
            "version": "2016-11-30", "creationTimestamp": "1763690400250",
            "fileFormat": "\(part.format)", "fileSchema": "\(part.schema)",
            "files": [{"key": "data/\(part.name)", "size": \(part.size),
            "MD5checksum": "\(part.sum)"}]}
            """
    }

    private func writing(_ facts: [String], orc: Bool = false) throws -> String {
        let facts =
            try home.facts("files", ["songs.csv"])
            + home.facts("listings", ["data/two." + (orc ? "orc" : "parquet")]) + facts
        return "echo \"$@\" >'\(folder)/words'\n" + TemporaryFolder.writing(facts)
    }

    private func plan() throws -> SparkPlan {
        let configuration = try Configuration.parse(
            """
            version: 1
            records:
              - {name: app, csv: ./songs.csv, models: [{model: Song, files: [{field: key}]}]}
            buckets: [{name: media, inventory: ./manifest.json}]
            """, file: folder + "/mooring.yaml", environment: [:])
        return SparkPlan(configuration, buckets: configuration.buckets.map(\.mapping))
    }

    private func engine(_ body: String) throws -> SparkEngine {
        try write("#!/bin/bash\n" + body + "\n", "submit.text")
        // As in the tests of engines: what is run was never open for writing here.
        let copy = try Process.run(
            URL(filePath: "/usr/bin/install"),
            arguments: ["-m", "755", folder + "/submit.text", folder + "/submit"])
        copy.waitUntilExit()
        let plan = try plan()
        return SparkEngine(
            { plan },
            at: SparkPlace(
                submit: folder + "/submit", master: "local", settings: [:], work: folder + "/runs"),
            records: [CSVSource(name: "app", file: folder + "/songs.csv", tables: ["Song"])],
            buckets: [InventoryBucket(name: "media", manifest: folder + "/manifest.json")],
            telling: SparkJob(
                environment: ["PATH": "/usr/bin:/bin"], isInterrupted: { false }, advance: { _ in })
        )
    }
}
