import Glibc
import Testing

/// The report is written while the ledger keeps the findings, and is seen only behind it.
@Suite("Reports that are written ahead")
struct ReportAheadTests {
    @Test(
        "A ledger that fails meanwhile leaves no report of the run", arguments: ["audit", "check"])
    func failingLedger(command: String) throws {
        let app = try App()
        try app.orphan()
        try app.expect(0, "audit")
        let before = names(in: app)
        for number in 0..<400 { try app.put("public/\(number).png") }
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        try ledger.run(
            """
            CREATE TRIGGER full BEFORE INSERT ON finding
            BEGIN SELECT RAISE(ABORT, 'no room'); END
            """)
        let result = try app.expect(2, command)
        #expect(result.errors.contains("no room"), "\(result.told)")
        #expect(names(in: app) == before, "neither a report nor a part of one")
        #expect(try app.findings().count == 1, "latest stays where it was")
        try ledger.run("DROP TRIGGER full")
        try app.expect(0, command)
        #expect(try app.findings().count == 401)
    }

    @Test("What a run that was killed left of its report goes with the next run")
    func killed() throws {
        let app = try App(mode: "DELETE")
        try app.dangling()
        let held = try HeldProgram(["audit"], in: app)
        held.process.signal(SIGKILL)
        #expect(try held.process.wait().status == 128 + SIGKILL)
        try held.goOn()
        let run = try #require(try app.runs().first?["id"].string)
        try app.write("Reports/Runs/.\(run).partial/findings.jsonl", "{}\n")
        try app.expect(0, "audit")
        #expect(names(in: app).allSatisfy { !$0.contains(run) })
        #expect(try app.findings().count == 1)
    }

    // The names of all reports, and of parts of one.
    private func names(in app: App) -> [String] {
        var names: [String] = []
        guard let entries = opendir(app.path + "/Reports/Runs") else { return [] }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.sorted()
    }
}
