import Testing

/// What a person is told of what holds repairs back, and of what lies in quarantine twice.
@Suite("What reports tell of what is held back")
struct WordsOfGuardTests {
    @Test("Tables that are left out in words are named by audit, report and doctor; nothing goes")
    func unread() throws {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.repair = "{orphan: quarantine, retention: 0s, apply: true}"
        settings.source = "sqlite: ./app.sqlite\n    unread: [Note]"
        let app = try App(settings)
        for number in 0..<12 { try app.healthy("h\(number)") }
        let key = try app.orphan("o", "held")
        let words = "records app: unread leaves Note out of the confirm scan"
        try app.expect(0, "run")
        #expect(
            try app.report()["notes"].elements.contains { $0.string?.hasPrefix(words) == true })
        #expect(try app.expect(0, "doctor").output.contains(words))
        for _ in 0..<3 { try app.expect(0, "run") }
        let swept = try app.expect(0, "sweep", "--apply")
        #expect(swept.output.contains("a source without unread tables"), "\(swept.told)")
        #expect(app.quarantined() == [key: "held"])
        settings.source = "sqlite: ./app.sqlite"
        try app.configure(settings)
        for _ in 0..<3 { try app.expect(0, "run") }
        try app.expect(0, "sweep", "--apply")
        #expect(app.quarantined().isEmpty)
    }

    @Test(
        "explain tells of both copies of a key in quarantine, and of their runs")
    func twoCopies() throws {
        let app = try App()
        for number in 0..<12 { try app.healthy("h\(number)") }
        let key = try app.orphan("o", "one")
        var runs: [String] = []
        for content in ["one", "two"] {
            try app.put(key, content)
            try app.expect(0, "repair", try app.plan().path, "--apply")
            runs.append(try #require(try app.newest("repair")["id"].string))
        }
        #expect(app.files(below: "files/.mooring/quarantine").count == 2)
        let story = try app.expect(0, "explain", key).output
        for run in runs {
            #expect(story.contains("an object of this key lies in quarantine since run \(run)"))
            #expect(story.contains("quarantine, done [run \(run), step "))
        }
        #expect(story.contains("now: no such object"))
    }

    @Test("What was reviewed under another configuration is refused again")
    func otherConfiguration() throws {
        var settings = App.Settings()
        settings.limits = "{recordShare: 100%}"
        let app = try App(settings)
        for number in 0..<30 { try app.healthy("h\(number)") }
        try app.expect(0, "audit")
        for number in 0..<30 { app.remove("files/" + App.songKey("h\(number)")) }
        try app.put("public/left.png")
        try app.expect(0, "audit")
        let run = try #require(try app.newest("audit")["id"].string)
        let words = ["--accept", "objectDrop:media=96.67%@\(run)"]
        settings.limits = "{recordShare: 90%}"
        try app.configure(settings)
        let refused = try Program.run(["audit"] + words, in: app.path)
        #expect(refused.status == 3)
        #expect(refused.errors.contains("run \(run) ran under another configuration"))
        settings.limits = "{recordShare: 100%}"
        try app.configure(settings)
        let accepted = try Program.run(["audit"] + words, in: app.path)
        #expect(accepted.status == 0, "\(accepted.told)")
        let answer = try #require(
            try app.report()["guards"].elements.first { $0["name"].string == "objectDrop" })
        #expect(answer["accepted"].string == "96.67%@\(run)")
    }
}
