import Glibc
import Testing

/// Keys are bytes, and any bytes may come: no crash, and nothing outside the folder.
@Suite("Hostile keys")
struct HostileKeyTests {
    private static var settings: App.Settings {
        var settings = App.Settings()
        settings.models = """
            - model: Song
              version: _version
              changed: _lastChangedAt
              files: [{field: coverArtKey, template: "{id}"}]
            """
        settings.race = "{preset: testing}"
        return settings
    }

    /// Bytes that a record may hold as a key.
    private static let values: [[UInt8]] =
        [
            "../outside.txt", "../../../../etc/passwd", "/etc/passwd", "a/../../outside.txt", "..",
            ".", "a/./b", "a//b", "a/", "=cmd|'/c calc'!A1",
            "<script>alert(1)</script>", "a\nb", "a\u{1B}[31mred", "\u{202E}gnp.exe", "%2e%2e/x",
            "${HOME}", "'; DROP TABLE Song; --", "\"quoted\"", "a\\b", " ", "é", "e\u{301}",
        ].map { Array($0.utf8) } + [
            Array("nul\0byte".utf8), [0xFF, 0xFE, 0x80], Array("caf".utf8) + [0xE9],
            [UInt8](repeating: 0x78, count: 1_024), [UInt8](repeating: 0x78, count: 1_025),
            [UInt8](repeating: 0x2F, count: 300), [UInt8](repeating: 0x79, count: 70_000),
        ]

    @Test("In records: findings, a full repair, and nothing touched outside of the folder")
    func inRecords() throws {
        let app = try App(Self.settings)
        try app.write("outside.txt", "outside")
        try app.put("healthy")
        try app.database.run(
            "INSERT INTO Song (id, coverArtKey, _version, _lastChangedAt) VALUES (?, ?, 1, 1)",
            Array("healthy".utf8), Array("healthy".utf8))
        for (number, value) in Self.values.enumerated() {
            try app.database.run(
                "INSERT INTO Song (id, coverArtKey, _version, _lastChangedAt) VALUES (?, ?, 1, 1)",
                Array("r\(number)".utf8), value)
        }
        try app.expect(0, "audit", "--format", "json,html,text,csv")
        let findings = try app.findings()
        let records = Set(findings.compactMap(\.recordID))
        for (number, value) in Self.values.enumerated() {
            #expect(
                records.contains("r\(number)"), "\(String(decoding: value, as: UTF8.self))")
        }
        let page = try #require(app.read("Reports/Runs/latest/report.html"))
        #expect(!page.contains("<script>alert(1)"))
        let table = try #require(app.read("Reports/Runs/latest/findings.csv"))
        #expect(!table.contains(",=cmd") && !table.contains("\"=cmd"))
        for name in ["report.txt"] {
            let bytes = try #require(app.read(Array("Reports/Runs/latest/\(name)".utf8)))
            #expect(bytes.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        }
        let terminal = try app.mooring("findings", "--verbose").output
        #expect(terminal.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        let (path, _) = try app.plan()
        let repaired = try app.mooring("repair", path, "--apply")
        #expect([0, 5].contains(repaired.status), "\(repaired.told)")
        #expect(repaired.output.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        #expect(app.read("outside.txt") == "outside")
        #expect(app.files(below: "files").count == 1)
        let undone = try app.mooring("undo", "latest", "--apply")
        #expect([0, 5].contains(undone.status), "\(undone.told)")
        for (number, value) in Self.values.enumerated() {
            let now = try app.database.bytes(
                "SELECT CAST(coverArtKey AS BLOB) FROM Song WHERE id = 'r\(number)'")
            #expect(now == value, "r\(number)")
        }
    }

    /// Names that files may really have.
    private static let names: [[UInt8]] =
        [
            "a\nb", "=cmd()", "<script>", "\u{1B}[2J", "-rf", "--apply", "a b", "é", "e\u{301}",
            "%2e%2e", "\\", "\"", "'", "$(id)", "*", "?", ".hidden", "a\\..\\b", "\u{202E}gnp",
            "deep/\n/=x", "..x/..y", "...",
        ].map { Array($0.utf8) } + [
            [0xFF], [0x80, 0xC3], [UInt8](repeating: 0x7A, count: 255),
            (0..<4).flatMap { _ in [UInt8](repeating: 0x77, count: 240) + [0x2F] } + [0x65],
        ]

    @Test("As files: found by their bytes, quarantined, and given back")
    func asFiles() throws {
        let app = try App(Self.settings)
        try app.put("healthy")
        try app.database.run(
            "INSERT INTO Song (id, coverArtKey, _version, _lastChangedAt) VALUES (?, ?, 1, 1)",
            Array("healthy".utf8), Array("healthy".utf8))
        for name in Self.names {
            try app.write(Array("files/".utf8) + name, name, age: Age.old)
        }
        let before = app.files(below: "files")
        try app.expect(0, "audit")
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == Self.names.count)
        let result = try app.expect(0, "repair", path, "--apply")
        #expect(result.output.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        let after = app.files(below: "files")
        #expect(after.keys.filter { !$0.starts(with: Array(".mooring/".utf8)) }.count == 1)
        #expect(Set(after.values) == Set(before.values))
        #expect(try app.audit().isEmpty)
        try app.expect(0, "undo", try #require(try app.newest("repair")["id"].string), "--apply")
        let restored = app.files(below: "files").filter {
            !$0.key.starts(with: Array(".mooring/".utf8))
        }
        #expect(restored == before)
    }

    @Test("A link that leads out of the folder is never followed")
    func links() throws {
        let app = try App(Self.settings)
        try app.put("healthy")
        try app.database.run("INSERT INTO Song (id, coverArtKey) VALUES ('h', 'healthy')")
        try app.write("outside/secret.txt", "secret")
        try #require(symlink("../outside", app.path + "/files/out") == 0)
        try #require(symlink("../outside/secret.txt", app.path + "/files/file") == 0)
        try #require(symlink("loop", app.path + "/files/loop") == 0)
        // A link to a folder stands for all that lies there: the bucket is not read to its end.
        try app.expect(4, "audit")
        let run = try #require(try app.newest("audit")["id"].string)
        #expect(!(try app.findings(in: run).contains { $0.key?.contains("secret") == true }))
        app.remove("files/out")
        let findings = try app.audit()
        #expect(!findings.contains { $0.key?.contains("secret") == true })
        try app.audit()
        let (path, _) = try app.plan()
        _ = try app.mooring("repair", path, "--apply")
        #expect(app.read("outside/secret.txt") == "secret")
    }
}
