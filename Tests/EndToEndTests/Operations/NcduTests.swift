import TestServers
import Testing

/// The tree of orphans' sizes, as ncdu itself reads it.
@Suite("Orphans for ncdu, end to end")
struct NcduTests {
    private static let file = "orphans.ncdu.json"

    /// What ncdu makes of a file: it reads it, and exports what it has read.
    private func read(_ path: String) async throws -> JSON {
        let answer = try await OperationTools.run("ncdu", "-0", "-f", path, "-o", "-")
        // Of a file that it refuses it says so, and ends with 0 all the same.
        #expect(answer.status == 0 && answer.told.hasSuffix("]]"), "\(answer.told)")
        return try JSON(parsing: answer.told)
    }

    private func sum(_ entry: JSON, _ name: String) -> Int {
        (entry[name].integer ?? 0) + entry.elements.reduce(0) { $0 + sum($1, name) }
    }

    private func files(_ entry: JSON, _ path: String = "") -> [String] {
        guard let first = entry.elements.first else {
            return [path + "/" + (entry["name"].string ?? "")]
        }
        return entry.elements.dropFirst().flatMap {
            files($0, path + "/" + (first["name"].string ?? ""))
        }
    }

    @Test("The sizes are those of the findings, on the demo's app", .requiresOperationTools)
    func demo() async throws {
        let folder = Folder(path: try Folder.make())
        #expect(try Program.run(["demo", "app"], in: folder.path).status == 0)
        let place = folder.path + "/app"
        let audit = try Program.run(["audit", "--format", "json,ncdu"], in: place)
        #expect(audit.status == 0, "\(audit.told)")
        let lines = try #require(folder.read("app/Reports/Runs/latest/findings.jsonl"))
        let orphans = try lines.split(separator: "\n").map { try JSON(parsing: String($0)) }
            .filter { $0["kind"].string == "orphan" }
        let bytes = orphans.reduce(0) { $0 + ($1["object"]["size"].integer ?? 0) }
        #expect(orphans.count > 15 && bytes > 0)
        let tree = try await read("\(place)/Reports/Runs/latest/\(Self.file)")[3]
        #expect(sum(tree, "asize") == bytes)
        #expect(sum(tree, "dsize") == bytes)
        #expect(files(tree).count == orphans.count)
        let report = try JSON(
            parsing: try #require(folder.read("app/Reports/Runs/latest/report.json")))
        #expect(report["counts"]["orphan"]["bytes"].integer == bytes)
    }

    @Test("Keys of any bytes are read, and told again in the same words", .requiresOperationTools)
    func hostile() async throws {
        var settings = App.Settings()
        settings.report = "{directory: Reports/Runs, formats: [json, ncdu]}"
        let app = try App(settings)
        try app.healthy()
        let names: [[UInt8]] = [
            Array("a-b".utf8), Array("a/b".utf8), Array("a0".utf8), Array("a.b/..c/x".utf8),
            [0xFF, 0xFE], Array("line\nfeed\u{7F}\u{1B}[31m".utf8), Array("\"quote\\".utf8),
            Array("caf\u{E9}/\u{1F3B5}".utf8), Array("<script>=cmd()".utf8),
        ]
        for (number, name) in names.enumerated() {
            try app.write(
                Array("files/public/".utf8) + name, Array(repeating: 0x61, count: number + 1))
        }
        try app.expect(0, "audit")
        let tree = try await read("\(app.path)/Reports/Runs/latest/\(Self.file)")[3]
        let root = "/orphans of \(try #require(try app.report()["run"]["id"].string))/media/public/"
        #expect(
            files(tree)
                == [
                    #""quote\\"#, "<script>=cmd()", "a-b", "a.b/..c/x", "a/b", "a0",
                    "caf\u{E9}/\u{1F3B5}", #"line\x0afeed\x7f\x1b[31m"#, #"\xff\xfe"#,
                ].map { root + $0 })
        #expect(sum(tree, "asize") == (1...names.count).reduce(0, +))
        // A deletion request finds what the tree names.
        try app.expect(0, "erase", "--prefix", "public/a.b/", "--apply")
        let run = try #require(try app.newest("audit")["id"].string)
        #expect(app.read("Reports/Runs/\(run)/\(Self.file)")?.contains("..c") != true)
    }
}
