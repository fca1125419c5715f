import Testing

@Suite("A run that begins before the run before it")
struct EarlierClockTests {
    @Test("Every command that acts is refused once, and changes nothing")
    func acting() throws {
        var settings = App.Settings()
        settings.repair = "{orphan: quarantine, dangling: nullify, apply: true}"
        let app = try App(settings)
        try app.healthy()
        let orphan = try app.orphan()
        try app.expect(0, "audit")
        let saved = try app.expect(0, "plan").output
        let path = try #require(
            saved.split(separator: "\n").first { $0.hasPrefix("saved: ") }?.dropFirst(7))
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        let commands = [
            ["plan"], ["repair", String(path), "--apply"], ["run"], ["sweep", "--apply"],
            ["erase", "--identity", App.identity, "--apply"],
        ]
        for command in commands {
            // The clock was right, and is a day behind now.
            try ledger.run(
                """
                UPDATE run SET startedAt = startedAt + 86400000000000
                WHERE number = (SELECT max(number) FROM run)
                """)
            let result = try Program.run(command, in: app.path, environment: app.environment)
            #expect(result.status == 3, "\(command): \(result.errors)")
            #expect(result.errors.contains("behind the run before"), "\(command): \(result.errors)")
            #expect(app.exists("files/" + orphan), "\(command)")
        }
        try app.expect(0, "run")
        #expect(!app.exists("files/" + orphan))
    }
}
