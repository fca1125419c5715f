import Foundation
import Testing

@Suite("First steps: demo and init")
struct FirstStepsTests {
    @Test("A demo is audited, repaired and undone, and its findings are those of before")
    func demo() throws {
        let folder = try Folder()
        func mooring(_ status: Int32, _ words: String...) throws -> Program.Result {
            let place = words.first == "demo" ? folder.path : folder.path + "/app"
            let result = try Program.run(words, in: place)
            #expect(result.status == status, "\(words): \(result.told)")
            return result
        }
        func audited() throws -> [JSON] {
            try mooring(0, "findings", "--json").json()["findings"].elements
        }
        func findings() throws -> [String] { try audited().compactMap { $0["id"].string } }
        func values() throws -> [String] {
            try ["app", "phone"].flatMap { try Self.values(in: folder.path + "/app/\($0).sqlite") }
        }
        let demo = try mooring(0, "demo", "app", "--json").json()
        #expect(demo["records"].integer == 200)
        _ = try mooring(2, "demo", "app")
        _ = try mooring(0, "audit")
        let files = folder.files(below: "app/files")
        let held = try values()
        let before = try findings()
        #expect(try Self.counted(audited()) == Self.counted(demo["planted"].elements))
        let plan = try mooring(0, "plan", "--json").json()["steps"].elements
        #expect(
            Set(plan.compactMap { $0["strategy"].string }) == [
                "quarantine", "nullify", "relink", "repoint", "requery",
            ])
        #expect(try mooring(0, "plan").output.contains("\n                       to mean "))
        _ = try mooring(0, "repair", "Reports/Runs/latest/plan.json", "--apply")
        _ = try mooring(0, "audit")
        let left = Set(try findings())
        #expect(left.isSubset(of: before))
        #expect(left.isDisjoint(with: plan.compactMap { $0["finding"].string }))
        #expect(try values() != held)
        _ = try mooring(0, "undo", "latest", "--apply")
        _ = try mooring(0, "audit")
        #expect(try findings() == before)
        #expect(folder.files(below: "app/files") == files)
        #expect(try values() == held)
    }

    // How often each kind, cause and verdict stands in a list of findings, or of planted faults.
    private static func counted(_ list: [JSON]) -> [String: Int] {
        list.reduce(into: [:]) { counts, row in
            let name = ["kind", "cause", "verdict"].map { row[$0].string ?? "-" }
            counts[name.joined(separator: " "), default: 0] += row["count"].integer ?? 1
        }
    }

    // What users see of each row: neither version nor change time, which an undo moves on.
    private static func values(in path: String) throws -> [String] {
        let database = try Database(path)
        return try [
            "SELECT hex(id) || hex(title) || ifnull(hex(coverArtKey), '-') FROM Song",
            "SELECT hex(id) || ifnull(hex(imageKeys), '-') FROM PhotoAlbum",
            "SELECT hex(id) || ifnull(hex(postID), '-') FROM Comment",
        ].flatMap { try database.rows($0 + " ORDER BY id").flatMap { $0.compactMap { $0 } } }
    }

    @Test("The demo's wrong configuration gives one mapping error, and no plan")
    func wrongPrefix() throws {
        let folder = try Folder()
        _ = try Program.run(["demo", "app"], in: folder.path)
        func mooring(_ status: Int32, _ words: String...) throws -> Program.Result {
            let all = words + ["--config", "mooring-wrong-prefix.yaml"]
            let result = try Program.run(all, in: folder.path + "/app")
            #expect(result.status == status, "\(words): \(result.told)")
            return result
        }
        _ = try mooring(0, "audit")
        let found = try mooring(0, "findings", "--kind", "mapping-error", "--json").json()
        let errors = found["findings"].elements
        #expect(errors.compactMap { $0["cause"].string } == ["prefix"])
        let evidence = errors.flatMap { $0["evidence"].elements.compactMap(\.string) }
        #expect(evidence.contains { $0.contains("% of the smaller side") })
        let refused = try mooring(3, "plan")
        #expect(refused.errors.contains("mappingError"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/app/mooring.ledger"))
    }

    @Test("README shows what the demo prints")
    func readme() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(
            page.components(separatedBy: "<!-- output: demo -->\n```\n").dropFirst().first?
                .components(separatedBy: "```").first)
        let folder = try Folder()
        let printed = try Program.run(["demo", "demo"], in: folder.path).output
        #expect(block == "$ mooring demo demo\n" + printed)
    }

    @Test("init writes a configuration that audits at once, and never writes over one")
    func initialise() throws {
        let app = try App()
        for number in 0..<5 { try app.healthy("h\(number)") }
        try app.dangling("gone")
        let own = try #require(app.read("mooring.yaml"))
        let taken = try app.expect(2, "init", "--database", "app.sqlite", "--objects", "files")
        #expect(taken.errors.contains("mooring.yaml exists"))
        #expect(app.read("mooring.yaml") == own)
        app.remove("mooring.yaml")
        try app.expect(0, "init", "--database", "app.sqlite", "--objects", "files")
        try app.expect(0, "doctor")
        let findings = try app.audit()
        #expect(findings.contains { $0.kind == "dangling" && $0.recordID == "gone" })
        #expect(!findings.contains { $0.kind == "orphan" })
        try app.expect(64, "init", "--database", "app.sqlite")
        app.remove("mooring.yaml")
        let gone = try app.expect(2, "init", "--database", "gone.sqlite", "--objects", "files")
        #expect(
            gone.errors.contains(
                "'gone.sqlite' is no file that can be read; no configuration was drafted. Name the "
                    + "app's SQLite database with --database."))
        let nowhere = try app.expect(
            2, "init", "--database", "app.sqlite", "--objects", "files", "--config",
            "none/mooring.yaml")
        #expect(nowhere.errors.contains("none/mooring.yaml: could not be written ("))
        #expect(nowhere.errors.contains("No such file or directory"), "\(nowhere.told)")
        #expect(!app.exists("mooring.yaml"))
        #expect(!app.exists("gone.sqlite"))
    }
}
