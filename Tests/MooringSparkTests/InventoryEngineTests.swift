import Foundation
import MooringConfiguration
import MooringFiles
import MooringModel
import Testing

@testable import MooringSpark

/// Inventories under the engine: what Spark says that it read has to be what their manifests name.
@Suite("Inventories that Spark reads")
struct InventoryEngineTests {
    private let home: TemporaryFolder
    private var folder: String { home.path }

    private static let rows = """
        "media","key%3Aa","3","2020-01-01T00:00:00Z"
        "media","b","4","2020-01-01T00:00:00Z"

        """

    init() throws {
        home = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder + "/data", withIntermediateDirectories: true)
        try write("id,key\n1,key:a\n2,b\n", "songs.csv")
        try write(Self.rows, "data/one.csv")
        try write(manifest(), "manifest.json")
    }

    @Test func itIsReadByTheManifestsColumns() throws {
        let plan = try plan()
        #expect(plan.rest.isEmpty)
        #expect(plan.listings.map(\.inventoried) == [Array("media".utf8)])
        #expect(plan.listings[0].file.columns.map(\.count) == [6, 3, 4, 16])
        #expect(plan.listings[0].file.pattern(.none) == "file://\(folder)/data/one.csv")
    }

    @Test(arguments: [
        ("\"key\": \"data/one.csv\"", "\"key\": \"data/none.csv\"", "names a file that is missing"),
        ("\"key\": \"data/one.csv\"", "\"key\": \"data/a b.csv\"", "a character in a file's name"),
        ("\"key\": \"data/one.csv\"", "\"key\": \"data/_one.csv\"", "a character in a file's name"),
        ("\"fileFormat\": \"CSV\"", "\"fileFormat\": \"ORC\"", "fileSchema in another form"),
        ("\"version\": \"2016-11-30\"", "\"version\": \"2\"", "no manifest of version"),
        ("one.csv", "one.csv.gz", "packed in another way"),
    ])
    func whatMoreThanOnePatternTellsIsReadHere(
        _ old: String, _ new: String, _ words: String
    ) throws {
        for name in ["a b.csv", "_one.csv", "one.csv.gz"] { try write(Self.rows, "data/" + name) }
        try write(manifest().replacingOccurrences(of: old, with: new), "manifest.json")
        let reasons = try plan().rest.map(\.reason)
        #expect(reasons.contains { $0.contains(words) }, "\(reasons)")
    }

    @Test(arguments: [
        ("56fa42", "000000", "whose size or MD5 is another"),
        ("\"size\": 84", "\"size\": 85", "whose size or MD5 is another"),
        ("1763690400250", "4102444800000", "which is still to come"),
    ])
    func anInventoryThatIsNotItsManifestsIsReadHere(
        _ old: String, _ new: String, _ words: String
    ) async throws {
        let text = try manifest()
        try write(text.replacingOccurrences(of: old, with: new), "manifest.json")
        let narrowed = try await engine("exit 1").begin()
        #expect(narrowed.isWhole)
        #expect(narrowed.notes.contains { $0.contains(words) }, "\(narrowed.notes)")
    }

    @Test(arguments: [
        ["lines 0 16 3", "rows 0 0 2", "listed 0 44 1", "objects 0 0 1"],
        ["lines 0 16 3", "rows 0 0 2", "listed 0 82 3", "objects 0 0 3"],
    ])
    func aJobThatReadOtherRowsIsTold(_ facts: [String]) async throws {
        let engine = try engine(try writing(facts))
        await #expect {
            _ = try await engine.begin()
        } throws: { error in
            (error as? NarrowingFailure)?.found.contains("which have 2 of 82") == true
        }
    }

    @Test func whatIsHandedOnIsReadByTheManifest() async throws {
        let facts = [
            "lines 0 16 3", "rows 0 0 2", "closed 0 0 1", "listed 0 82 2", "objects 0 0 2",
            "gone 0 0 1", "bytes 0 0 4", "matched 0 0 1", "references 0 0 1", "held 0 0 1",
        ]
        let line = Self.rows.utf8.prefix { $0 != 0x0A }.map { String(format: "%02x", $0) }.joined()
        let engine = try engine(
            try writing(facts) + """

                write handed-records '0 312c6b65793a61'; write handed-objects '0 \(line)'
                """)
        let narrowed = try await engine.begin()
        #expect(narrowed.matchedObjects[0]?.bytes == 4)
        let bucket = narrowed.buckets[0]
        #expect(bucket.kind == "inventory")
        var keys: [ObjectKey] = []
        let result = try await bucket.list { keys += $0.map(\.key) }
        #expect(result.isComplete && result.consistency == "moving")
        #expect(keys == [ObjectKey("key:a")])
        #expect(result.window.from == Instant(nanoseconds: 1_763_690_400_250_000_000))
        #expect(result.notes.contains { $0.contains("manifest.checksum") })
        // Another file of rows now is another inventory, whatever was handed on.
        try write(Self.rows + "x", "data/one.csv")
        #expect(try await !bucket.list { _ in }.isComplete)
        await engine.end()
    }

    // MARK: Helpers

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }

    private func manifest() throws -> String {
        """
        {"sourceBucket": "media", "destinationBucket": "arn:aws:s3:::reports",
        "version": "2016-11-30", "creationTimestamp": "1763690400250", "fileFormat": "CSV",
        "fileSchema": "Bucket, Key, Size, LastModifiedDate",
        "files": [{"key": "data/one.csv", "size": 84,
        "MD5checksum": "56fa42b83e14da01f63621d5799d063b"}]}
        """
    }

    private func writing(_ facts: [String]) throws -> String {
        let facts =
            try home.facts("files", ["songs.csv"]) + home.facts("listings", ["data/one.csv"])
            + facts
        return TemporaryFolder.writing(facts)
    }

    private func configuration() throws -> Configuration {
        try Configuration.parse(
            """
            version: 1
            records:
              - {name: app, csv: ./songs.csv, models: [{model: Song, files: [{field: key}]}]}
            buckets: [{name: media, inventory: ./manifest.json}]
            """, file: folder + "/mooring.yaml", environment: [:])
    }

    private func plan() throws -> SparkPlan {
        let configuration = try configuration()
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
