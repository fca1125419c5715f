import Foundation
import MooringConfiguration
import MooringFiles
import MooringModel
import Testing

@testable import MooringSpark

/// The statements, word for word. `MOORING_RECORD=1 swift test --filter MooringSparkTests` writes
/// the files of `Golden` anew; read the difference before you commit it.
@Suite("The statements of the Spark engine")
struct ScriptTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden").path
    private static let records = ProcessInfo.processInfo.environment["MOORING_RECORD"] == "1"

    private var script: SparkScript {
        let song = ModelMapping(
            model: "Song", id: ["pk", "sk"], version: "_version", changed: "updatedAt",
            deleted: "_deleted", identity: "owner",
            files: [
                FileField(field: "cover", level: .named("private")),
                FileField(field: "images", isList: true),
            ])
        let page = ModelMapping(
            model: "Page", files: [FileField(field: "file", level: .named("guest"))])
        return SparkScript(
            tables: [
                SparkTable(
                    of: ("app", nil), model: 0,
                    file: SparkFile(
                        path: "/data/it's/songs.csv",
                        header: Array(
                            "pk,sk,cover,images,owner,title,updatedAt,_version,_deleted".utf8)),
                    mapping: song, buckets: [0, 0]),
                SparkTable(
                    of: ("web", nil), model: 2,
                    file: SparkFile(path: "/data/pages.csv", header: Array("id,file".utf8)),
                    mapping: page, buckets: [1]),
            ],
            listings: [
                SparkListing(
                    bucket: 0,
                    file: SparkFile(
                        path: "/data/media.csv",
                        header: Array("key,size,lastModified,etag".utf8)),
                    mapping: BucketMapping(
                        name: "media", prefixes: [ObjectKey("private/"), ObjectKey("Bücher/")],
                        ignore: [Glob("static/**"), Glob("it's/*.bak")])),
                SparkListing(
                    bucket: 1,
                    file: SparkFile(
                        path: "/data/web.csv", header: Array("lastModified,key,size".utf8)),
                    mapping: BucketMapping(name: "web")),
            ],
            levels: AccessLevel.amplify, work: "/srv/spark")
    }

    @Test func theFirstStage() throws {
        try expect(script.first, are: "first.sql")
    }

    @Test("names what lies in a mounted folder as Spark does, and all else by its path")
    func mounts() throws {
        let mounts = try Configuration.parse(
            """
            version: 1
            spark: {mounts: {/data: "s3a://app", /srv: "hdfs://10.0.0.1/srv"}}
            records: [{name: app, csv: ./a.csv, models: [{model: Song, files: [{field: key}]}]}]
            buckets: [{name: media, listing: ./m.csv}]
            """, file: "/etc/app/mooring.yaml", environment: [:]
        ).spark.mounts
        let own = script
        let other = SparkScript(
            tables: own.tables, listings: own.listings, levels: own.levels, work: own.work,
            mounts: mounts)
        #expect(
            other.first
                == own.first.map {
                    $0.replacing("'file:///data/", with: "'s3a://app/")
                        .replacing("'file:///srv/", with: "'hdfs://10.0.0.1/srv/")
                })
        #expect(other.first != own.first)
        let file = SparkFile(path: "/m", parts: ["/data/b.gz", "/data/a.gz"], columns: ["Key"])
        #expect(file.pattern(mounts) == "s3a://app/{b.gz,a.gz}")
        #expect(file.pattern(.none) == "file:///data/{b.gz,a.gz}")
    }

    @Test func aLaterStage() throws {
        var needs = NarrowingNeeds()
        for kind in NarrowingNeed.Kind.allCases {
            needs.append(NarrowingNeed(kind, 1, Array("text".utf8)))
        }
        needs.append(NarrowingNeed(.head, 0, Array("covers/".utf8), enough: 7))
        var script = script
        let few = script.widening(stage: 2, needs: needs, file: "/srv/spark/needs-2")
        try expect(few, are: "later.sql")
        script.needsSent = needs.count - 1
        let many = script.widening(stage: 2, needs: needs, file: "/srv/spark/needs-2")
        // Two views more, and another look for rows; all else is the same, in the same order.
        #expect(many.count == few.count + 2)
        #expect(many.filter(few.contains) == few.filter(many.contains))
        try expect(many.filter { !few.contains($0) }, are: "many-needs.sql")
    }

    @Test func anInventory() throws {
        let inventory = SparkListing(
            bucket: 1,
            file: SparkFile(
                path: "/data/manifest.json", parts: ["/data/it's/b.csv.gz", "/data/it's/a.csv.gz"],
                columns: [
                    "Bucket", "Key", "VersionId", "IsLatest", "IsDeleteMarker", "Size",
                    "LastModifiedDate", "IsMultipartUploaded",
                ]),
            mapping: BucketMapping(name: "web"), inventoried: Array("it's".utf8))
        let mixed = SparkScript(
            tables: script.tables, listings: [script.listings[0], inventory],
            levels: script.levels, work: script.work)
        try expect(
            mixed.first.filter { $0.contains("o1") || $0.contains("file)") }, are: "inventory.sql")
    }

    @Test(arguments: [(ColumnFormat.parquet, "parquet.sql"), (.orc, "orc.sql")])
    func anInventoryInColumns(_ format: ColumnFormat, _ golden: String) throws {
        let inventory = SparkListing(
            bucket: 1,
            file: SparkFile(
                path: "/data/manifest.json", parts: ["/data/it's/b", "/data/it's/a"],
                cells: InventoryCell.allCases.map(\.rawValue), format),
            mapping: BucketMapping(name: "web"), inventoried: Array("it's".utf8))
        let alone = SparkScript(
            tables: [], listings: [inventory], levels: script.levels, work: script.work)
        try expect(
            alone.first.filter { $0.contains("o1") || $0.contains("/rows'") }, are: golden)
    }

    @Test func recordsInParquet() throws {
        let song = script.tables[0].mapping
        let cells: [String: ColumnKind] = [
            "pk": .text, "sk": .integer, "cover": .text, "images": .texts, "owner": .text,
            "_version": .integer, "_deleted": .truth, "updatedAt": .moment, "local": .clock,
            "price": .scalar,
        ]
        let table = SparkTable(
            of: ("app", nil), model: 0,
            file: SparkFile(
                path: "/data/songs", parts: ["/data/songs/a.parquet", "/data/songs/b.parquet"],
                attributes: song.columns, cells: cells),
            mapping: song, buckets: [0, 0])
        let columns = SparkScript(
            tables: [table], listings: script.listings, levels: script.levels, work: script.work)
        try expect(columns.first.filter { $0.contains("r0") }, are: "attributes.sql")
    }

    @Test func takingEverythingBackIn() throws {
        let all = script.whole(stage: 3)
        #expect(all.contains { $0.contains("3/met") && $0.hasSuffix("pos FROM closed") })
        #expect(all[2].contains("'file:///srv/spark/2/closed'"))
    }

    @Test func jsonLines() throws {
        let song = script.tables[0].mapping
        let table = SparkTable(
            of: ("app", nil), model: 0,
            file: SparkFile(path: "/data/songs.jsonl", attributes: song.columns + ["it's"]),
            mapping: song, buckets: [0, 0])
        let lines = SparkScript(
            tables: [table], listings: script.listings, levels: script.levels, work: script.work)
        try expect(lines.first.filter { $0.contains("r0") }, are: "lines.sql")
    }

    @Test func items() throws {
        let song = script.tables[0].mapping
        let table = SparkTable(
            of: ("app", nil), model: 0,
            file: SparkFile(
                path: "/data/manifest-summary.json",
                parts: ["/data/data/b.json.gz", "/data/data/a.json.gz"], attributes: song.columns),
            mapping: song, buckets: [0, 0])
        let items = SparkScript(
            tables: [table], listings: script.listings, levels: script.levels, work: script.work)
        try expect(
            items.first.filter { $0.contains("_r0") && !$0.contains("facts") }, are: "items.sql")
    }

    @Test func theProgramThatHoldsThem() throws {
        let secrets = ["spark.authenticate.secret": "a\"é\u{1F511}"]
        try expect(
            [SparkProgram.text(["SELECT '\\\\z\"'\nFROM t"], secrets: secrets)],
            are: "program.py")
    }

    @Test func aStatementHoldsNoByteBeyondASCII() {
        var needs = NarrowingNeeds()
        needs.append(NarrowingNeed(.head, 0, Array("é".utf8)))
        let all = script.first + script.widening(stage: 2, needs: needs, file: "needs")
        for statement in all {
            #expect(statement.utf8.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 0x0A) })
        }
    }

    private func expect(_ statements: [String], are name: String) throws {
        let text = statements.map { $0 + ";\n" }.joined()
        let path = Self.folder + "/" + name
        if Self.records { try text.write(toFile: path, atomically: true, encoding: .utf8) }
        #expect(try text == String(contentsOfFile: path, encoding: .utf8))
    }
}
