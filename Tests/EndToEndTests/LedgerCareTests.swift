import Testing

@Suite("Journal verify and ledger check")
struct LedgerCareTests {
    /// An app with a repair behind it.
    private func repaired() throws -> App {
        let app = try App()
        try app.orphan("o1")
        try app.dangling("d1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        return app
    }

    private func tamper(_ app: App, _ sql: String) throws {
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        for row in try ledger.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
            try ledger.run("DROP TRIGGER \(row[0] ?? "")")
        }
        try ledger.run(sql)
    }

    @Test("A sound journal says how long it is, and ends with 0")
    func sound() throws {
        let app = try repaired()
        let told = try app.expect(0, "journal", "verify")
        #expect(told.output.contains("2 entries, 4 links, as they were written"))
        let json = try app.expect(0, "journal", "verify", "--json").json()
        #expect(json["sound"].bool == true && json["broken"].isNull)
        #expect(json["entries"].integer == 2 && json["links"].integer == 4)
        #expect(json["head"].string?.utf8.count == 64)
        let text = try app.expect(0, "ledger", "check").output
        #expect(text.contains("foreign keys: every row has its other half"), "\(text)")
        #expect(text.contains("lock: nobody holds it"))
        let check = try app.expect(0, "ledger", "check", "--json").json()
        #expect(
            check["checks"].elements.compactMap { $0["name"].string } == [
                "file", "schema", "foreign keys", "journal", "open steps", "runs", "lock",
                "leftovers",
            ])
        #expect(check["checks"].elements.allSatisfy { $0["result"].string == "ok" })
    }

    @Test("The first broken link is named with entry and run, and ends it with 2")
    func broken() throws {
        let app = try repaired()
        try tamper(app, "UPDATE journal SET outcome = 'stale' WHERE number = 1")
        let told = try app.expect(2, "journal", "verify")
        #expect(told.errors.contains("broken at link 2, entry 1, run 2"))
        #expect(told.errors.contains("outcome is not what was written"))
        #expect(
            told.errors.contains("; keep a copy of the ledger, and compare it with a backup"))
        #expect(!told.errors.contains("broken in all"))
        let json = try app.expect(2, "journal", "verify", "--json").json()
        #expect(json["sound"].bool == false && json["broken"]["entry"].integer == 1)
        #expect(json["broken"]["run"].string == (try app.newest("repair")["id"].string))
        let check = try app.expect(2, "ledger", "check")
        #expect(check.output.contains("FAILED  journal"))
        #expect(try app.expect(2, "doctor").output.contains("FAILED  ledger"))
    }

    @Test("Of several broken places the first is told, and how many there are")
    func brokenTwice() throws {
        let app = try repaired()
        try tamper(app, "UPDATE journal SET outcome = 'stale'")
        let told = try app.expect(2, "journal", "verify")
        #expect(told.errors.contains("broken at link 2, entry 1, run 2"))
        #expect(told.errors.contains("2 places are broken in all"), "\(told.told)")
    }

    @Test("A ledger that is missing or damaged is an error, not a crash")
    func damaged() throws {
        let app = try App()
        try app.expect(2, "ledger", "check")
        try app.expect(2, "journal", "verify")
        try app.healthy()
        try app.audit()
        app.remove("mooring.ledger-wal")
        var bytes = try #require(app.read(Array("mooring.ledger".utf8)))
        for index in 4_096..<(bytes.count - 4_096) { bytes[index] = 0x5A }
        try app.write(Array("mooring.ledger".utf8), bytes)
        let told = try app.expect(2, "ledger", "check")
        #expect(told.output.contains("FAILED  file"))
        try app.expect(2, "journal", "verify")
        try app.expect(64, "ledger", "check", "--none")
    }

    @Test("Open steps and crashed runs are notes, not failures")
    func notes() throws {
        let app = try repaired()
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        try ledger.run("UPDATE run SET status = 'running' WHERE command = 'repair'")
        let told = try app.expect(0, "ledger", "check")
        #expect(told.output.contains("note    runs"))
        let run = try #require(try app.newest("repair")["id"].string)
        #expect(
            told.output.contains("\(run) had not ended; the next run marks it as interrupted"))
    }
}
