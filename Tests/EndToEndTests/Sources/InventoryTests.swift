import Foundation
import Testing

@Suite("A bucket as S3 Inventory listed it")
struct InventoryTests {
    private static let day = "2026-11-01T01-00Z"
    private static let config = "inv/inventories/my-media/daily"
    private static let schema =
        "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, ETag"

    // Records in CSV, which are old, and an inventory in two parts.
    private func app(damage: (App) throws -> Void = { _ in }) throws -> App {
        var settings = App.Settings()
        settings.source = "csv: ./songs.csv\n    taken: 2026-11-10"
        settings.bucket = "inventory: ./\(Self.config)/\(Self.day)/manifest.json"
        settings.models = """
            - model: Song
              files: [{field: cover}]
            """
        let app = try App(settings)
        try app.write(
            "songs.csv", "id,cover\ns1,a b.png\ns2,gone.png\ns3,marked+.png\ns4,\"x\"\"y\"\n")
        let one = [
            Self.row("a+b.png", size: 7), Self.row("orphan%2B.png", size: 11),
            Self.row("orphan%2B.png", size: 5, isLatest: false),
        ]
        let two = [
            Self.row("marked%2B.png", size: nil),
            Self.row("marked%2B.png", size: 3, isLatest: false),
            Self.row("x%22y", size: 1), Self.row("old.png", size: 1, isLatest: false),
        ]
        var files: [String] = []
        for (number, rows) in [one, two].enumerated() {
            let name = "daily-\(number).csv"
            try app.write("\(Self.config)/data/\(name)", rows.joined())
            let path = "\(app.path)/\(Self.config)/data/\(name)"
            #expect(Folder.command(["gzip", "-n", path]) == 0)
            let size = app.read(Array("\(Self.config)/data/\(name).gz".utf8))?.count ?? 0
            files.append(
                "{\"key\": \"inventories/my-media/daily/data/\(name).gz\", \"size\": \(size), "
                    + "\"MD5checksum\": \"\(try Self.md5(path + ".gz"))\"}")
        }
        let milliseconds = 1_793_494_800_000
        try app.write(
            "\(Self.config)/\(Self.day)/manifest.json",
            """
            {"sourceBucket": "my-media", "destinationBucket": "arn:aws:s3:::my-reports",
             "version": "2016-11-30", "creationTimestamp": "\(milliseconds)",
             "fileFormat": "CSV", "fileSchema": "\(Self.schema)",
             "files": [\(files.joined(separator: ", "))]}
            """)
        let manifest = "\(app.path)/\(Self.config)/\(Self.day)/manifest.json"
        try app.write("\(Self.config)/\(Self.day)/manifest.checksum", try Self.md5(manifest) + "\n")
        try damage(app)
        return app
    }

    // A delete marker has no size.
    private static func row(_ key: String, size: Int?, isLatest: Bool = true) -> String {
        [
            "my-media", key, "v1", "\(isLatest)", "\(size == nil)", size.map { "\($0)" } ?? "",
            "2026-01-01T00:00:00.000Z", size == nil ? "" : "d41d8cd98f",
        ].map { "\"\($0)\"" }.joined(separator: ",") + "\n"
    }

    private static func md5(_ path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/md5sum")
        process.arguments = [path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(String(decoding: output, as: UTF8.self).prefix(32))
    }

    @Test("Records in CSV against an inventory: what is gone, and what nobody refers to")
    func audit() throws {
        let app = try app()
        let findings = try app.audit()
        #expect(
            findings.map { "\($0.label) \($0.key ?? "")" }.sorted() == [
                "dangling/missing/settled gone.png", "dangling/missing/settled marked+.png",
                "orphan/unattributed/settled orphan+.png",
            ])
        #expect(findings.allSatisfy { $0.proof == "live stores" })
        let bucket = try app.report()["buckets"][0]
        #expect(bucket["kind"].string == "inventory")
        #expect(bucket["objects"].integer == 3 && bucket["bytes"].integer == 19)
        #expect(bucket["consistency"].string == "moving")
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        let doctor = try app.expect(0, "doctor").output
        #expect(doctor.contains("bucket media: inventory, a copy: findings only, no repair"))
        #expect(doctor.contains(/records app: csv, .*, a copy: findings only, no repair/))
        let record = try app.expect(0, "explain", "Song/s1").output
        #expect(record.contains("app is a copy and cannot be asked for one record"), "\(record)")
    }

    @Test(
        "A damaged inventory makes the audit incomplete, and there is no plan",
        arguments: ["cut", "gone", "manifest", "swapped"])
    func damage(what: String) throws {
        let app = try app { app in
            let parts = "\(Self.config)/data/daily-"
            switch what {
            case "cut":
                let bytes = try #require(app.read(Array("\(parts)1.csv.gz".utf8)))
                try app.write(Array("\(parts)1.csv.gz".utf8), bytes.dropLast())
            case "gone": app.remove("\(parts)1.csv.gz")
            case "manifest":
                let name = "\(Self.config)/\(Self.day)/manifest.json"
                let text = try #require(app.read(name))
                try app.write(name, text + "\n")
            default:
                var bytes = try #require(app.read(Array("\(parts)1.csv.gz".utf8)))
                bytes[4] ^= 1
                try app.write(Array("\(parts)1.csv.gz".utf8), bytes)
            }
        }
        let result = try app.expect(4, "audit")
        let named = what == "manifest" ? "manifest.checksum" : "daily-1.csv.gz"
        #expect(result.told.contains(named), "\(result.told)")
        #expect(try app.expect(4, "plan").errors.contains("not read to the end"))
        #expect(!app.exists("Reports/Runs/latest/plan.json"))
    }
}
