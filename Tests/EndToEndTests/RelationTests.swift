import Testing

/// Relations between records, as a user with a real database sees them.
@Suite("Relations to records that are not there")
struct RelationTests {
    private static let models = """
        - model: Song
          identity: ownerIdentity
          files: [{field: coverArtKey, level: private}]
        - model: Thread
          id: [pk, sk]
          changed: at
          deleted: gone
        - model: Comment
          version: version
          changed: at
          deleted: gone
          relations: [{field: threadID, model: Thread, cascade: true}]
        - model: Follow
          join: true
          id: [threadID, userID]
          changed: at
          relations: [{field: threadID, model: Thread}, {field: userID, model: User}]
        """

    private func app(models: String = models, gates: String = "[]") throws -> App {
        var settings = App.Settings()
        settings.models = models
        settings.extra = "gates: \(gates)"
        let app = try App(settings)
        try app.healthy()
        try app.database.run(
            """
            CREATE TABLE Thread (pk, sk, title, at INTEGER, gone INTEGER);
            CREATE TABLE Comment (id, threadID, version INTEGER, at INTEGER, gone INTEGER);
            CREATE TABLE Follow (threadID, userID, at INTEGER)
            """)
        return app
    }

    private func thread(
        _ app: App, _ key: [UInt8], _ sort: [UInt8], gone: Bool = false, age: Int = Age.old
    ) throws {
        let row = "\(App.milliseconds(ago: age)), \(gone ? 1 : 0)"
        try app.database.run(
            "INSERT INTO Thread VALUES (?, ?, 'a title', \(row))",
            key, sort)
    }

    private func comment(
        _ app: App, _ id: [UInt8], _ thread: [UInt8]?, age: Int = Age.old
    ) throws {
        try app.database.run(
            "INSERT INTO Comment VALUES (?, ?, 3, \(App.milliseconds(ago: age)), 0)", id, thread)
    }

    private func relations(_ app: App) throws -> [Finding] {
        try app.audit().filter { $0.kind == "dangling-relation" }
    }

    @Test("A relation to nothing, or to a tombstone, is found with child, field, value and version")
    func causes() throws {
        let app = try app()
        try thread(app, Array("a".utf8), Array("1/x".utf8))
        try thread(app, Array("a".utf8), Array("2".utf8), gone: true)
        try comment(app, Array("fine".utf8), Array("a/1/x".utf8))
        try comment(app, Array("none".utf8), nil)
        try comment(app, Array("blank".utf8), [])
        try comment(app, Array("lost".utf8), Array("a/9".utf8))
        try comment(app, Array("left".utf8), Array("a/2".utf8))
        let found = try relations(app)
        #expect(
            found.labels == [
                "dangling-relation/missing-parent/settled",
                "dangling-relation/tombstoned-parent/settled",
            ])
        let lost = try #require(found.first { $0.recordID == "lost" })
        #expect(lost.json["record"]["model"].string == "Comment")
        #expect(lost.json["record"]["field"].string == "threadID")
        #expect(lost.json["record"]["version"].integer == 3)
        #expect(lost.json["value"].string == "a/9")
        #expect(lost.json["bucket"].isNull && lost.json["key"].isNull)
        #expect(lost.action == "keep")
        #expect(lost.evidence.contains("there is no Thread 'a/9' in app"))
        #expect(try app.report()["counts"]["dangling-relation"]["settled"].integer == 2)
        let told = try app.expect(0, "explain", "Comment/lost", "--json").json()
        #expect(told["stories"][0]["findings"].elements.count == 1)
        let again = try relations(app)
        #expect(again.map { $0.json["id"].string } == found.map { $0.json["id"].string })
        #expect(again.allSatisfy { $0.json["runs"].integer == 2 })
    }

    @Test("A join row with an end gone is join-end; an end that no source has is not judged")
    func joins() throws {
        let app = try app()
        try thread(app, Array("a".utf8), Array("1".utf8))
        for thread in ["a/1", "a/2"] {
            try app.database.run(
                "INSERT INTO Follow VALUES (?, 'u', \(App.milliseconds(ago: Age.old)))",
                Array(thread.utf8))
        }
        let found = try relations(app)
        #expect(found.labels == ["dangling-relation/join-end/settled"])
        #expect(found.first?.recordID == "a/2/u")
    }

    @Test("A young child is explained until its change and the grace, and no step is planned")
    func explained() throws {
        let app = try app()
        try comment(app, Array("c".utf8), Array("x/y".utf8), age: Age.young)
        let finding = try #require(try relations(app).first)
        #expect(finding.label == "dangling-relation/missing-parent/explained")
        #expect(finding.json["explanation"]["workflow"].string == "cascade")
        #expect(finding.json["explanation"]["step"].string == "delete child")
        #expect(finding.json["explanation"]["until"].string != nil)
        try comment(app, Array("d".utf8), Array("x/z".utf8))
        #expect(try app.plan().plan["steps"].elements.isEmpty)
    }

    @Test("Identifiers are bytes: what looks alike, or is no text, is neither found nor spared")
    func hostile() throws {
        let app = try app()
        let ids: [[UInt8]] = [
            Array("a\u{E9}".utf8), [0x61, 0, 0x62], [0xFF, 0xFE], Array("=cmd()".utf8),
            Array("<script>".utf8), Array("two\nlines".utf8), Array("../../etc".utf8),
        ]
        for id in ids {
            try thread(app, id, Array("s".utf8))
            try comment(app, id, id + Array("/s".utf8))
        }
        #expect(try relations(app).isEmpty)
        try comment(app, Array("c".utf8), Array("ae\u{301}/s".utf8))
        for id in ids { try comment(app, Array("lost".utf8) + id, id) }
        let found = try relations(app)
        #expect(found.count == ids.count + 1)
        #expect(Set(found.compactMap { $0.json["id"].string }).count == found.count)
        for format in ["csv", "text", "html", "json"] {
            try app.expect(0, "report", "latest", "--format", format)
        }
        let text = try #require(app.read("Reports/Runs/latest/report.txt"))
        #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    }

    @Test("A parent is looked for in the child's own source, then in any other")
    func twoSources() throws {
        let app = try app()
        let people = try Database(app.path + "/people.sqlite")
        try people.run("CREATE TABLE User (id TEXT); INSERT INTO User VALUES ('u')")
        try app.database.run(
            """
            CREATE TABLE Likes (id TEXT, userID TEXT, at INTEGER);
            INSERT INTO Likes VALUES ('l1', 'u', \(App.milliseconds(ago: Age.old))),
                ('l2', 'v', \(App.milliseconds(ago: Age.old)))
            """)
        try app.write(
            "mooring.yaml",
            """
            version: 1
            records:
              - name: app
                sqlite: ./app.sqlite
                models:
                  - model: Likes
                    changed: at
                    relations: [{field: userID, model: User}, {field: id, model: Elsewhere}]
              - name: people
                sqlite: ./people.sqlite
                models: [{model: User}]
            buckets: [{name: media, directory: ./files}]
            report: {directory: Reports/Runs, formats: [json]}
            """)
        let found = try relations(app)
        #expect(found.map(\.recordID) == ["l2"])
        #expect(found.first?.evidence.contains("there is no User 'v' in people") == true)
        try people.run("DROP TABLE User")
        try app.expect(4, "audit")
        let broken = try #require(try app.newest("audit")["id"].string)
        #expect(try !app.findings(in: broken).contains { $0.kind == "dangling-relation" })
    }

    @Test("A gate counts them")
    func gate() throws {
        let app = try app(gates: "[\"dangling-relation.settled == 0\"]")
        try app.expect(0, "check")
        try comment(app, Array("c".utf8), Array("x/y".utf8), age: Age.young)
        try app.expect(0, "check")
        try comment(app, Array("d".utf8), Array("x/y".utf8))
        try app.expect(1, "check")
    }
}
