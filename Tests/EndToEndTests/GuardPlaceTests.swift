import Glibc
import Testing

/// The guards as a person meets them: which place, which number, what is wrong, what to type.
@Suite("Guards, place by place")
struct GuardPlaceTests {
    private func app(_ repair: String = "{apply: true}", extra: String = "") throws -> App {
        var settings = App.Settings()
        settings.limits = "{}"
        settings.repair = repair
        settings.extra = extra
        return try App(settings)
    }

    private func fill(_ app: App, _ count: Int) throws {
        for number in 0..<count { try app.healthy("h\(number)") }
    }

    @Test("An empty mount point stops a run: status 3, the cause first, no ready command")
    func emptyMount() throws {
        let app = try app()
        try fill(app, 30)
        try app.expect(0, "run")
        try app.rename("files", to: "elsewhere")
        // Emptied, and still the store that the ledger knows.
        try #require(mkdir(app.path + "/files", 0o755) == 0)
        try #require(mkdir(app.path + "/files/.mooring", 0o755) == 0)
        try app.rename("elsewhere/.mooring/store", to: "files/.mooring/store")
        let audit = try app.expect(0, "audit")
        #expect(audit.output.contains("objectDrop:media"))
        let refused = try app.expect(3, "run").errors
        #expect(!refused.contains("--accept objectDrop"), "\(refused)")
        for number in 0..<30 { #expect(try app.cover(of: "h\(number)") != nil) }
        let run = try #require(try app.newest("run")["id"].string)
        let report = try app.report(run)
        #expect(report["run"]["status"].string == "refused")
        let answer = try #require(
            report["guards"].elements.first { $0["name"].string == "objectDrop" })
        #expect(answer["place"].string == "media" && answer["refused"].bool == true)
        // Its scan was complete all the same.
        #expect(try app.report("latest")["run"]["id"].string == run)
        try app.expect(3, "plan", "--accept", "objectDrop:media=100%")
        try app.expect(3, "plan", "--accept", "objectDrop:media=100%@20200101T000000Z-000000")
        try app.expect(64, "plan", "--accept", "objectDrop:media=100%@yesterday")
        // What vanished below one identity is a doubt beside it, of which no plan holds a step.
        try app.expect(0, "plan", "--accept", "objectDrop:media=100%@\(run)")
    }

    @Test("The command that a refusal prints is the one that accepts it")
    func printedCommand() throws {
        let app = try app()
        try fill(app, 40)
        for number in 0..<4 { try app.orphan("o\(number)") }
        let refused = try app.expect(3, "run").errors
        let command = try #require(
            refused.split(separator: "mooring run ").last.map { $0.split(separator: "\n")[0] })
        let words = command.split(separator: " ").map(String.init)
        #expect(words.first == "--accept" && words.last?.hasPrefix("orphanShare:media=") == true)
        let done = try Program.run(["run"] + words, in: app.path)
        #expect(done.status == 0, "\(done.told)")
        #expect(app.quarantined().count == 4)
        let run = try #require(try app.newest("run")["id"].string)
        #expect(try app.report(run)["accepted"]["orphanShare:media"].string != nil)
    }

    /// Audits the app's bucket on its ledger, with so many songs of another database.
    private func auditOther(_ app: App, songs: Int) throws {
        let other = try Database(app.path + "/other.sqlite")
        try other.run("CREATE TABLE Song (id TEXT PRIMARY KEY, coverArtKey TEXT)")
        for number in 0..<songs {
            try other.run("INSERT INTO Song VALUES ('o\(number)', 'k\(number)')")
        }
        try app.write(
            "other.yaml",
            """
            version: 1
            ledger: ./mooring.ledger
            records:
              - name: app
                sqlite: ./other.sqlite
                models: [{model: Song, files: [{field: coverArtKey}]}]
            buckets: [{name: media, directory: ./files}]
            """)
        try app.expect(0, "audit", "--config", "other.yaml")
    }

    @Test("A larger database of another configuration on the same ledger is no usual count")
    func largerConfiguration() throws {
        let app = try app()
        try fill(app, 60)
        try app.expect(0, "run")
        try auditOther(app, songs: 200)
        try app.expect(0, "run")
    }

    @Test("Another configuration on the same ledger moves no usual count")
    func otherConfiguration() throws {
        let app = try app()
        try fill(app, 60)
        try app.expect(0, "run")
        try auditOther(app, songs: 0)
        try app.database.run("DELETE FROM Song WHERE id LIKE 'h1%' OR id LIKE 'h2%'")
        let refused = try app.expect(3, "run").errors
        #expect(refused.contains("referenceDrop at app.Song.coverArtKey"), "\(refused)")
    }

    @Test("doctor and report.json tell of each field what it holds and what of it is listed")
    func fields() throws {
        let app = try app()
        try fill(app, 5)
        try app.dangling()
        try app.song("bare", cover: nil)
        try app.expect(0, "audit")
        let field = try #require(
            try app.report()["fields"].elements.first {
                $0["field"].string == "Song.coverArtKey"
            })
        #expect(field["source"].string == "app")
        #expect(field["records"].integer == 7 && field["held"].integer == 6)
        #expect(field["listed"].integer == 5 && field["newestChange"].string != nil)
        let table = try app.expect(0, "doctor").output
        #expect(
            table.contains("field app.Song.coverArtKey: held by 6 of 7 records, 5 of 6 keys"),
            "\(table)")
        let json = try app.expect(0, "doctor", "--json").json()
        #expect(json["fields"].elements.count == 3)
    }

    @Test("A run from the future is named by the next run and by doctor, and latest moves on")
    func future() throws {
        let app = try app()
        try fill(app, 3)
        try app.expect(0, "audit")
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        // The clock was ahead while this run was made.
        let id = try #require(try ledger.text("SELECT id FROM run"))
        let ahead = "2099" + id.dropFirst(4)
        try ledger.run(
            """
            UPDATE run SET id = '\(ahead)', startedAt = 4070908800000000000,
                document = CAST(replace(CAST(document AS TEXT), '\(id)', '\(ahead)') AS BLOB)
            """)
        try app.rename("Reports/Runs/\(id)", to: "Reports/Runs/\(ahead)")
        let next = try app.expect(0, "audit")
        #expect(next.errors.contains("run \(ahead) lies in the future of this machine's clock"))
        #expect(try app.report()["run"]["id"].string?.hasPrefix("2099") == false)
        #expect(try app.expect(0, "doctor").output.contains("run \(ahead) lies in the future"))
        #expect(try app.runs().first?["id"].string?.hasPrefix("2099") == false)
        #expect(!(try app.expect(0, "audit").errors.contains("lies in the future")))
    }

    @Test("Limits stand on a bucket, a model and a field too, and one that turns off is named")
    func ownLimits() throws {
        var settings = App.Settings()
        settings.limits = "{}"
        settings.repair = "{apply: true}"
        settings.bucket = "directory: ./files\n    limits: {orphanShare: 100%}"
        let app = try App(settings)
        try fill(app, 10)
        for number in 0..<5 { try app.orphan("o\(number)") }
        try app.expect(0, "run")
        #expect(app.quarantined().count == 5)
        #expect(
            try app.report()["notes"].elements.contains {
                $0.string?.contains("media: limits.orphanShare: 100% turns off") == true
            })
    }
}
