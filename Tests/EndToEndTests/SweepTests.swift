import Testing

@Suite("Sweep")
struct SweepTests {
    private func app(retention: String = "0s") throws -> App {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.repair = "{orphan: quarantine, retention: \(retention)}"
        return try App(settings)
    }

    @Test("It waits for retention, then for two clean runs, and then removes for good")
    func waitsAndRemoves() throws {
        let app = try app()
        let key = try app.orphan("s1", "old")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let early = try app.expect(0, "sweep", "--apply")
        #expect(early.output.contains("waits"))
        #expect(early.output.contains("2 complete runs"))
        #expect(app.quarantined() == [key: "old"])
        try app.audit()
        let dry = try app.expect(0, "sweep")
        #expect(dry.output.contains("would remove for good"))
        #expect(app.quarantined() == [key: "old"])
        let swept = try app.expect(0, "sweep", "--apply")
        #expect(swept.output.contains("1 done"))
        #expect(app.quarantined().isEmpty)
        let undo = try app.mooring("undo", "latest", "--apply")
        #expect(undo.output.contains("cannot be brought back"))
        #expect(try app.expect(0, "sweep", "--apply").output.contains("0 done"))
    }

    @Test("It keeps what its retention still holds")
    func retention() throws {
        let app = try app(retention: "30d")
        let key = try app.orphan("s1", "old")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        for _ in 0..<3 { try app.audit() }
        let result = try app.expect(0, "sweep", "--apply")
        #expect(result.output.contains("retention until"))
        #expect(app.quarantined() == [key: "old"])
    }

    @Test("It keeps what a record references again, mapped or not")
    func referencedAgain() throws {
        let app = try app()
        let one = try app.orphan("s1", "one")
        let two = try app.orphan("s2", "two")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.audit()
        try app.audit()
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        try app.database.run("INSERT INTO Note VALUES ('n', ?)", Array("see \(two)".utf8))
        let result = try app.expect(0, "sweep", "--apply")
        #expect(result.output.contains("no reference"))
        #expect(app.quarantined() == [one: "one", two: "two"])
    }

    @Test("It refuses when no reference is left at all, and when a side is incomplete")
    func refuses() throws {
        let app = try app()
        let key = try app.orphan("s1", "old")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.audit()
        try app.audit()
        try app.database.run("UPDATE Song SET coverArtKey = NULL")
        let refused = try app.expect(3, "sweep", "--apply")
        #expect(refused.errors.contains("referenceDrop"))
        #expect(app.quarantined() == [key: "old"])
        try app.rename("app.sqlite", to: "gone.sqlite")
        try app.expect(4, "sweep", "--apply")
        #expect(app.quarantined() == [key: "old"])
    }

    @Test("It removes nothing while a share refuses what its own scan found")
    func refusedShare() throws {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.limits = "{}"
        settings.repair = "{orphan: quarantine, retention: 0s}"
        let app = try App(settings)
        for number in 0..<20 { try app.healthy("h\(number)") }
        let key = try app.orphan("s1", "old")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.audit()
        try app.audit()
        for number in 0..<4 { try app.orphan("o\(number)") }
        // What a plan is refused for speaks against a sweep too.
        let refused = try app.expect(3, "sweep", "--apply")
        #expect(refused.errors.contains("orphanShare at media"), "\(refused.errors)")
        #expect(refused.errors.contains("mooring sweep --accept orphanShare:media="))
        #expect(app.quarantined() == [key: "old"])
    }
}
