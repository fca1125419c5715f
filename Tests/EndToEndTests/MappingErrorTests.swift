import Testing

@Suite("A mapping error")
struct MappingErrorTests {
    private static let count = 150

    private func model(_ level: String, template: String = "{*}") -> String {
        """
        - model: Song
          version: _version
          changed: _lastChangedAt
          deleted: _deleted
          identity: ownerIdentity
          files: [{field: coverArtKey, level: \(level), template: "\(template)"}]
        """
    }

    /// An app whose records hold these values and whose folder these keys, for each number.
    private func app(
        _ settings: App.Settings = App.Settings(), _ count: Int = count,
        value: (Int) -> String, key: (Int) -> String
    ) throws -> App {
        let app = try App(settings)
        for number in 0..<count {
            try app.song("s\(number)", cover: value(number))
            try app.put(key(number))
        }
        return app
    }

    @Test("A wrong level is one finding on top; nothing is repaired until it is put right")
    func wrongLevel() throws {
        var settings = App.Settings()
        settings.models = model("root", template: "{id}.png")
        settings.limits =
            "{orphanShare: 100%, recordShare: 100%, referenceDrop: 100%, objectDrop: 100%}"
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        let app = try app(settings, value: { "s\($0).png" }, key: { "public/s\($0).png" })
        let overview = try app.expect(0, "audit").output
        #expect(overview.contains("mapping-error (1)"))
        let lines = overview.split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.hasPrefix("mapping-error (") })
        #expect(lines[..<place].allSatisfy { !$0.hasPrefix("dangling (") })
        let findings = try app.findings()
        #expect(findings.count == 2 * Self.count + 1)
        #expect(findings.map(\.kind) == findings.map(\.kind).sorted())
        let errors = findings.filter { $0.kind == "mapping-error" }
        #expect(errors.map(\.label) == ["mapping-error/prefix/settled"])
        let error = try #require(errors.first)
        #expect(error.json["bucket"].string == "media")
        #expect(error.evidence.contains("adding the prefix 'public/' to the values"))
        #expect(error.evidence.contains("150 of them one, 100% of the smaller side"))
        #expect(error.evidence.contains("'s0.png' means 's0.png', and 'public/s0.png' is there"))
        #expect(error.evidence.contains("Song.coverArtKey of app"))
        for finding in findings where finding.kind != "mapping-error" {
            #expect(finding.proof == "a mapping without errors", "\(finding.label)")
            #expect(finding.action != nil)
        }
        let guards = try app.report()["guards"].elements
        let answer = try #require(guards.first { $0["name"].string == "mappingError" })
        #expect(answer["refused"].bool == true)
        #expect(answer["value"].string == "100% (150 of 150, prefix)")
        #expect(answer["hint"].string?.contains("'level' under files of Song.coverArtKey") == true)
        #expect(try app.expect(3, "plan").errors.contains("mappingError"))
        try app.expect(64, "plan", "--accept", "mappingError=100%")
        #expect(try app.expect(3, "run").errors.contains("mappingError"))
        try app.expect(3, "sweep", "--apply")
        try app.expect(3, "sweep")
        #expect(try app.report()["status"].string != "complete" || app.quarantined().isEmpty)
        #expect(try app.cover(of: "s7") == "s7.png")
        #expect(try app.audit().filter { $0.kind == "mapping-error" }[0].json["runs"].integer == 5)

        settings.models = model("guest", template: "{id}.png")
        try app.configure(settings)
        #expect(try app.audit().isEmpty)
        try app.expect(0, "plan")
        try app.expect(0, "run")
        #expect(app.quarantined().isEmpty)
    }

    @Test("Objects under identities, and an identity that the records do not name")
    func identities() throws {
        var settings = App.Settings()
        settings.models = model("root")
        let app = try app(
            settings, 110, value: { "n\($0).png" },
            key: { "private/eu-west-1:\(App.uuid($0))/n\($0).png" })
        let error = try #require(try app.audit().first { $0.kind == "mapping-error" })
        #expect(error.cause == "prefix")
        #expect(error.evidence.contains("adding the prefix 'private/{identity}/'"))
    }

    @Test(
        "Each way in which keys are written differently is told as what it is",
        arguments: [
            ("encoding", "my%20song%20", "my song "), ("unicode", "caf\u{E9}", "cafe\u{301}"),
            ("case", "IMG", "img"), ("slash", "/n", "n"),
            ("url", "https://media.s3.amazonaws.com/private/\(App.identity)/n", "n"),
            ("prefix", "covers/n", "n"),
        ])
    func causes(cause: String, value: String, key: String) throws {
        var settings = App.Settings()
        settings.models = model("private")
        let app = try app(
            settings, 110, value: { "\(value)\(1_000 + $0)" },
            key: { "private/\(App.identity)/\(key)\(1_000 + $0)" })
        let findings = try app.audit()
        let errors = findings.filter { $0.kind == "mapping-error" }
        #expect(errors.map(\.cause) == [cause], "\(Set(findings.map(\.label)))")
        #expect(errors.first?.evidence.contains("110 of them one") == true)
        let text = try #require(app.read("Reports/Runs/latest/report.txt"))
        let order = text.split(separator: "\n").filter { $0.contains(/^[A-Z-]+ \(\d+\)$/) }
        #expect(order.first == "MAPPING-ERROR (1)")
        #expect(try app.expect(3, "plan").errors.contains(cause))
        #expect(text.utf8.allSatisfy { $0 < 0x7F })
    }

    @Test("A few are no mapping error, and the guard says what it measured")
    func few() throws {
        var settings = App.Settings()
        settings.models = model("root")
        let app = try app(settings, 9, value: { "n\($0).png" }, key: { "public/n\($0).png" })
        #expect(try app.audit().allSatisfy { $0.kind != "mapping-error" })
        let answer = try #require(
            try app.report()["guards"].elements.first { $0["name"].string == "mappingError" })
        #expect(answer["refused"].bool == false)
        #expect(answer["value"].string == "none found")
        try app.expect(0, "plan")
    }

    @Test("A saved plan is refused while the last audit has a mapping error; restores still happen")
    func savedPlanAndRestore() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        settings.limits =
            "{orphanShare: 100%, recordShare: 100%, referenceDrop: 100%, objectDrop: 100%}"
        settings.models = model("private", template: "{id}-{uuid}.png")
        let app = try App(settings)
        try app.healthy()
        let key = try app.orphan("s1")
        let second = try app.orphan("s2")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(!app.exists("files/" + key))
        let third = try app.orphan("s3")
        let path = try app.plan().path
        let saved = "saved.json"
        try app.write(saved, try #require(app.read(path)))
        // A record takes the first one up again, and the app begins to store keys in upper case.
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        for number in 0..<110 {
            try app.song("x\(number)", cover: "X\(number).PNG")
            try app.put("private/\(App.identity)/x\(number).png")
        }
        let findings = try app.audit()
        #expect(findings.contains { $0.label == "mapping-error/case/settled" })
        let restore = try #require(findings.first { $0.action == "restore" })
        #expect(restore.key == key)
        #expect(restore.proof == nil)
        for words in [["repair", saved], ["repair", saved, "--apply"]] {
            let result = try Program.run(words, in: app.path)
            #expect(result.status == 3 && result.errors.contains("mappingError"), "\(result.told)")
        }
        try app.expect(3, "run")
        #expect(app.exists("files/" + key))
        #expect(app.exists("files/" + third))
        #expect(!app.exists("files/" + second))
        // Put right in the app: a plan of now is carried out, the old one no more.
        try app.database.run("UPDATE Song SET coverArtKey = lower(coverArtKey) WHERE id LIKE 'x%'")
        try app.audit()
        let late = try app.expect(3, "repair", saved, "--apply")
        #expect(late.errors.contains("has looked at everything since"))
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(!app.exists("files/" + third))
    }
}
