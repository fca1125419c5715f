import Foundation
import Testing

@Suite("A bucket as Cloud Storage or Azure listed it")
struct StoreReportTests {
    private func app(inventory: String, more: String = "") throws -> App {
        var settings = App.Settings()
        settings.source = "csv: ./songs.csv\n    taken: 2026-11-10"
        settings.bucket = "inventory: ./report/\(inventory)" + more
        settings.models = """
            - model: Song
              files: [{field: cover}]
            """
        let app = try App(settings)
        try app.write(
            "songs.csv", "id,cover\ns1,\"a, b.png\"\ns2,gone.png\ns3,deleted.png\n")
        return app
    }

    private static let expected = [
        "dangling/missing/settled deleted.png", "dangling/missing/settled gone.png",
        "orphan/unattributed/settled orphan+%.png",
    ]

    private func findings(_ app: App) throws -> [String] {
        try app.audit().map { "\($0.label) \($0.key ?? "")" }.sorted()
    }

    @Test("A report of Cloud Storage leads to findings, and one without a shard to none")
    func gcs() throws {
        let app = try app(inventory: "u_manifest.json")
        let old = "2026-01-01T00:00:00Z"
        try app.write(
            "report/u_0.csv",
            "bucket,name,size,timeCreated,timeDeleted,generation\n"
                + "b,\"a, b.png\",7,\(old),,1\nb,deleted.png,7,\(old),\(old),2\n")
        try app.write(
            "report/u_1.csv",
            "bucket,name,size,timeCreated,timeDeleted,generation\nb,orphan+%.png,11,\(old),,3\n")
        try app.write(
            "report/u_manifest.json",
            """
            {"snapshot_time": "2026-11-01T01:00:00Z", "records_processed": 3, "shard_count": 2,
             "report_shards_file_names": ["u_0.csv", "u_1.csv"]}
            """)
        #expect(try findings(app) == Self.expected)
        let bucket = try app.report()["buckets"][0]
        #expect(bucket["objects"].integer == 2 && bucket["bytes"].integer == 18)
        #expect(bucket["consistency"].string == "snapshot")
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        app.remove("report/u_1.csv")
        let broken = try app.expect(4, "audit")
        #expect(broken.told.contains("its part 'u_1.csv' is"), "\(broken.told)")
        #expect(try app.expect(4, "plan").errors.contains("not read to the end"))
    }

    @Test("A variable of the path that is not set is named, whatever is run")
    func variable() throws {
        let app = try app(inventory: "${MOORING_UNSET}/manifest.json")
        for command in ["audit", "doctor"] {
            let told = try app.expect(78, command).errors
            #expect(
                told.contains("'inventory': the environment variable MOORING_UNSET is not set"),
                "\(told)")
        }
    }

    @Test("An inventory of Azure leads to findings of its container, and of no part of it")
    func azure() throws {
        let app = try app(inventory: "R-manifest.json")
        let old = "2026-01-01T00:00:00Z"
        let text =
            "Name,Last-Modified,Content-Length,Etag\n\"media/a, b.png\",\(old),7,1\n"
            + "media/orphan+%.png,\(old),11,2\nother/deleted.png,\(old),7,3\n"
        try app.write("report/R.csv", text)
        func write(_ more: String) throws {
            let manifest = """
                {"destinationContainer": "reports", "status": "Succeeded",
                 "inventoryStartTime": "2026-11-01T01:00:00Z", "summary": {"objectCount": 3},
                 "files": [{"blob": "2026/R/R.csv", "size": \(text.utf8.count)}],
                 "ruleDefinition": {"format": "csv", "objectType": "blob", "schemaFields": ["Name"],
                  "filters": {"blobTypes": ["blockBlob", "appendBlob", "pageBlob"]\(more)}}}
                """
            try app.write("report/R-manifest.json", manifest)
            try app.write("report/R-manifest.checksum", try Self.md5(app, "report/R-manifest.json"))
        }
        try write("")
        #expect(try findings(app) == Self.expected)
        #expect(try app.report()["buckets"][0]["consistency"].string == "moving")
        try write(#", "prefixMatch": ["media/a"]"#)
        let part = try app.expect(4, "audit")
        #expect(part.told.contains("only 'media/a', which is less"), "\(part.told)")
    }

    private static func md5(_ app: App, _ path: String) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/md5sum")
        process.arguments = ["\(app.path)/\(path)"]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(String(decoding: output, as: UTF8.self).prefix(32))
    }
}
