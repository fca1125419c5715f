import Foundation
import MooringConfiguration
import MooringFiles
import MooringModel
import Testing

@testable import MooringSpark

/// What Spark reads of a configuration, and why it does not read the rest.
@Suite("Which sources and buckets Spark reads")
struct PlanTests {
    private let home: TemporaryFolder
    private var folder: String { home.path }

    init() throws {
        home = try TemporaryFolder()
        for (name, text) in [
            ("songs.csv", "id,key,owner\n"), ("twice.csv", "id,key,key\n"),
            ("named.csv", "id,key,a/b.png\n"),
            ("quoted.csv", "\"id\",key\n"), ("media.csv", "key,size,lastModified\r\n"),
            ("short.csv", "key,size\n"), ("packed.csv.gz", "id,key\n"), ("pat*ern.csv", "id,key\n"),
            ("media.jsonl", "{}\n"), ("songs.jsonl", "{\"id\":\"1\"}\n"),
            ("both.csv", "key,keybase64,size,lastModified\n"),
            ("marked.jsonl", "\u{FEFF}{\"id\":\"1\"}\n"), ("marked.csv", "\u{FEFF}id,key\n"),
            ("_songs.csv", "id,key\n"), (".songs.jsonl", "{\"id\":\"1\"}\n"),
            ("_media.csv", "key,size,lastModified\n"),
        ] {
            try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        }
        // `key,size,lastModified` and a line break, as gzip stores it.
        let packed = "H4sIAAAAAAACA8tOrdQpzqxK1clJLC7xzU/JTMtMTeECAKVzds8WAAAA"
        try #require(Data(base64Encoded: packed))
            .write(to: URL(fileURLWithPath: folder + "/late.csv.gz"))
    }

    private func plan(
        records: String = "csv: ./songs.csv", model: String = "", file: String = "field: key",
        listing: String = "media.csv", more: String = ""
    ) throws -> SparkPlan {
        let configuration = try Configuration.parse(
            """
            version: 1
            records:
              - name: app
                \(records)
                models: [{model: Song\(model), files: [{\(file)}]}]\(more)
            buckets: [{name: media, listing: ./\(listing)}]
            """, file: folder + "/mooring.yaml", environment: [:])
        return SparkPlan(configuration, buckets: configuration.buckets.map(\.mapping))
    }

    @Test func aPlainAppIsRead() throws {
        let plan = try plan()
        #expect(plan.rest.isEmpty)
        #expect(plan.tables.map(\.source) == ["app"])
        #expect(plan.tables[0].buckets == [0])
        #expect(plan.listings[0].file.columns.map(\.count) == [3, 4, 12])
    }

    @Test func aColumnThatIsNamedAsAKeyMayBeIsReadHere() throws {
        let plan = try plan(records: "csv: ./named.csv")
        #expect(plan.tables.isEmpty)
        #expect(plan.rest.map(\.reason).contains("its column 'a/b.png' is named as a key may be"))
    }

    @Test func jsonLinesAreReadByTheMappingsAttributes() throws {
        let plan = try plan(
            records: "jsonl: ./songs.jsonl", model: ", deleted: _deleted, identity: owner")
        #expect(plan.rest.isEmpty)
        let columns = plan.tables[0].file.columns.map { String(decoding: $0, as: UTF8.self) }
        #expect(columns == ["id", "_deleted", "owner", "key"])
    }

    @Test(arguments: [
        (["file": "field: key, level: any"], "may lie under any level"),
        (["file": "field: key, complex: true"], "is a nested value"),
        (["file": "field: key, stored: '{key:0:2}/{key}'"], "has a layout"),
        (["file": "field: other"], "names no column 'other'"),
        (["model": ", visibility: owner, identity: owner"], "who may read"),
        (["model": ", relations: [{field: owner, model: Song}]"], "those of other models"),
        (["records": "csv: ./twice.csv"], "names a column twice"),
        (["records": "csv: ./quoted.csv"], "is no plain header"),
        (["records": "csv: ./packed.csv.gz"], "packed in another way"),
        (["records": "csv: ./pat*ern.csv"], "for a pattern"),
        (["records": "csv: ./none.csv"], "cannot be read here"),
        (["records": "jsonl: ./marked.jsonl"], "begins with a byte order mark"),
        (["records": "csv: ./marked.csv"], "begins with a byte order mark"),
        (["records": "csv: ./_songs.csv"], "passes over files of such a name"),
        (["records": "jsonl: ./.songs.jsonl"], "passes over files of such a name"),
        (["listing": "_media.csv"], "passes over files of such a name"),
        (["records": "sqlite: ./songs.csv"], "is of kind sqlite"),
        (["listing": "both.csv"], "its keys may stand in base64"),
        (["listing": "short.csv"], "names no column 'lastModified'"),
        (["listing": "media.jsonl"], "it is JSON"),
        (["listing": "late.csv.gz"], "a file that is cut off is known"),
        (["more": "\n  - {name: copy, csv: ./songs.csv, replicaOf: app}"], "another source's"),
    ])
    func whatMoreThanStatementsTellIsReadHere(_ parts: [String: String], _ reason: String) throws {
        let plan = try plan(
            records: parts["records"] ?? "csv: ./songs.csv", model: parts["model"] ?? "",
            file: parts["file"] ?? "field: key", listing: parts["listing"] ?? "media.csv",
            more: parts["more"] ?? "")
        #expect(plan.rest.contains { $0.reason.contains(reason) }, "\(plan.rest)")
    }

    @Test func aFieldThatMeansABucketReadElsewhereKeepsItsModel() throws {
        let plan = try plan(listing: "media.jsonl")
        #expect(plan.tables.isEmpty && plan.listings.isEmpty)
        #expect(plan.rest.last?.reason.contains("means a bucket that Spark does not read") == true)
    }

    // MARK: Exports

    private struct Export: SparkExport {
        let path: String
        let parts: [String]
        let manifests: [String] = []
        let fault: String?

        func sum() async throws(ReadFailure) -> RowSum {
            if let fault { throw ReadFailure(reason: fault) }
            return RowSum()
        }

        func source(
            named name: String, lines file: String, count: Int, md5: [UInt8]
        ) -> any CopySource {
            JSONLinesSource(name: name, file: file, tables: [])
        }
    }

    private func plan(of look: SparkExportLook?) throws -> SparkPlan {
        let configuration = try Configuration.parse(
            """
            version: 1
            records:
              - name: app
                dynamodbExport: {path: ./export}
                models: [{model: Song, files: [{field: key}]}]
            buckets: [{name: media, listing: ./media.csv}]
            """, file: folder + "/mooring.yaml", environment: [:])
        return SparkPlan(
            configuration, buckets: configuration.buckets.map(\.mapping),
            exports: look.map { ["app": $0] } ?? [:])
    }

    private func export(_ parts: [String], fault: String? = nil) -> SparkExportLook {
        .readable(
            Export(
                path: folder + "/media.jsonl", parts: parts.map { folder + "/" + $0 }, fault: fault)
        )
    }

    @Test func anExportIsReadAsItsAdapterTells() async throws {
        let plan = try plan(of: export(["songs.jsonl", "media.jsonl"]))
        #expect(plan.rest.isEmpty)
        #expect(plan.tables.map(\.file.form) == [.item])
        #expect(plan.tables[0].file.pattern(.none) == "file://\(folder)/{songs.jsonl,media.jsonl}")
        let (sound, sums) = await plan.summed()
        #expect(sound.tables == plan.tables && sums.count == 1)
    }

    @Test func anExportThatCannotBeReadByLinesIsReadHere() async throws {
        let looks: [(SparkExportLook?, String)] = [
            (.unreadable("its export says no"), "its export says no"), (nil, "was not looked at"),
            (export([]), "names no files"), (export(["none.jsonl"]), "cannot be read here"),
            (export(["songs.jsonl", "songs.jsonl"]), "have one name"),
        ]
        for (look, words) in looks {
            let rest = try plan(of: look).rest
            #expect(rest.contains { $0.reason.contains(words) }, "\(rest)")
        }
        let (sound, _) = try await plan(of: export(["songs.jsonl"], fault: "lies")).summed()
        #expect(sound.tables.isEmpty && sound.listings.count == 1)
        #expect(sound.rest.map(\.reason) == ["its manifest lies"])
    }
}
