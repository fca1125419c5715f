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
        func findings() throws -> [String] {
            let list = try mooring(0, "findings", "--json").json()["findings"].elements
            return list.compactMap { $0["id"].string }
        }
        let demo = try mooring(0, "demo", "app", "--json").json()
        #expect(demo["records"].integer == 200)
        _ = try mooring(2, "demo", "app")
        _ = try mooring(0, "audit")
        let files = folder.files(below: "app/files")
        let before = try findings()
        let planted = demo["planted"].elements.compactMap { $0["count"].integer }
        #expect(before.count == planted.reduce(0, +))
        _ = try mooring(0, "plan")
        _ = try mooring(0, "repair", "Reports/Runs/latest/plan.json", "--apply")
        _ = try mooring(0, "audit")
        #expect(try findings().count < before.count)
        _ = try mooring(0, "undo", "latest", "--apply")
        _ = try mooring(0, "audit")
        #expect(try findings() == before)
        #expect(folder.files(below: "app/files") == files)
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
        try app.expect(2, "init", "--database", "gone.sqlite", "--objects", "files")
        #expect(!app.exists("mooring.yaml"))
        #expect(!app.exists("gone.sqlite"))
    }
}
