import Testing

@Suite("explain takes whatever somebody has in hand")
struct ExplainAnythingTests {
    // Two orphans, a dangling reference and a healthy song, audited once.
    private func audited() throws -> (app: App, orphan: String, findings: [JSON]) {
        let app = try App()
        try app.healthy()
        try app.dangling()
        let orphan = try app.orphan("s1")
        try app.expect(0, "audit", "--quiet")
        let findings = try app.expect(0, "findings", "--json").json()["findings"].elements
        return (app, orphan, findings)
    }

    private func titles(_ app: App, _ subject: String) throws -> [String] {
        try app.expect(0, "explain", subject, "--json").json()["stories"].elements
            .compactMap { $0["title"].string }
    }

    @Test("An object is found by id, step, spelling, shortened key and what a record holds")
    func object() throws {
        let (app, key, findings) = try audited()
        let finding = try #require(findings.first { $0["kind"].string == "orphan" })
        let id = try #require(finding["id"].string)
        let title = "object \(key) in media"
        let shortened = key.prefix(12) + "..." + key.suffix(42)
        let spellings: [String] = [
            key, "/" + key, key.replacing(":", with: "%3A"), id, String(id.prefix(8)),
            "quarantine-" + id.prefix(12), String(shortened),
            String(shortened).replacing("...", with: "…"),
            App.cover("s1"),
        ]
        for spelling in spellings {
            #expect(try titles(app, spelling) == [title], "\(spelling)")
        }
        let told = try app.expect(0, "explain", "quarantine-" + id.prefix(12)).output
        #expect(told.contains("read as the step of the finding \(id), orphan/superseded"))
    }

    @Test("A healthy object is found by what its record holds, and by its shortened key")
    func healthy() throws {
        let (app, _, _) = try audited()
        let key = App.songKey("healthy")
        let title = "object \(key) in media"
        #expect(try titles(app, App.cover("healthy")) == [title])
        #expect(try titles(app, key.prefix(10) + "..." + key.suffix(46)) == [title])
        let told = try app.expect(0, "explain", App.cover("healthy")).output
        #expect(told.contains("read as what a record holds"), "\(told)")
        #expect(told.contains("referenced by app Song/healthy.coverArtKey"), "\(told)")
    }

    @Test("A record is found by its model and id, and by its id alone")
    func record() throws {
        let (app, _, _) = try audited()
        #expect(try titles(app, "Song/healthy") == ["record Song/healthy in app"])
        #expect(try titles(app, "healthy") == ["record Song/healthy in app"])
        #expect(try app.expect(0, "explain", "healthy").output.contains("the id of a record"))
    }

    @Test("A missing object is found though it lies nowhere: its record names it")
    func missing() throws {
        let app = try App()
        try app.dangling()
        // No run has seen it yet.
        let empty = try App()
        try empty.expect(0, "audit", "--quiet")
        try app.put("other.txt")
        try app.expect(0, "audit", "--quiet")
        try app.song("late", cover: App.cover("late"))
        let told = try app.expect(0, "explain", App.songKey("late")).output
        #expect(told.contains("referenced by app Song/late.coverArtKey"), "\(told)")
        #expect(told.contains("now: no such object"), "\(told)")
    }

    @Test("What names nothing is told so, with the nearest keys (2)")
    func unplaced() throws {
        let (app, key, _) = try audited()
        let typo = key.replacing("s1-", with: "s2-")
        let told = try app.expect(2, "explain", typo)
        #expect(told.output.isEmpty)
        #expect(told.errors.contains("'\(typo)' names nothing here"), "\(told.errors)")
        #expect(told.errors.contains("mooring explain '\(key)'"), "\(told.errors)")
        let none = try app.expect(2, "explain", "no/such/thing/at/all")
        #expect(none.errors.contains("mooring findings lists what runs found"), "\(none.errors)")
        try app.expect(2, "explain", "s3://elsewhere/" + key)
        for hostile in ["\u{1B}[2Jx", "<script>", "'; DROP", "..", "\\", "…", "%", "/"] {
            let result = try app.expect(2, "explain", hostile)
            #expect(!result.errors.contains("\u{1B}"), "\(hostile)")
        }
    }

    @Test("Where a bucket cannot be listed, nothing is said to be nowhere (4)")
    func unlisted() throws {
        let (app, _, _) = try audited()
        try app.rename("files", to: "away")
        let told = try app.expect(4, "explain", "no/such/thing")
        #expect(told.errors.contains("was not listed to its end"), "\(told.errors)")
    }

    @Test("A text that may name many objects is answered with some of them (2)")
    func tooMany() throws {
        let app = try App()
        for number in 1...9 {
            let identity = "eu-west-1:\(number)"
            try app.put("private/\(identity)/cover.png")
        }
        try app.expect(0, "audit", "--quiet")
        let told = try app.expect(2, "explain", "cover.png").errors
        #expect(told.contains("'cover.png' may name 9 objects; name one of them, such as"))
        #expect(told.contains("mooring explain 'private/eu-west-1:1/cover.png'"), "\(told)")
    }

    @Test("A timeline tells the interval of loss, the repair and its undo, each with its source")
    func timeline() throws {
        let app = try App()
        try app.song("s1", cover: App.cover("s1"))
        try app.put(App.songKey("s1"))
        #expect(try app.audit().isEmpty)
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1", 2).utf8))
        try app.put(App.songKey("s1", 2))
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let key = App.songKey("s1")
        let told = try app.expect(0, "explain", key).output
        let runs = try app.runs().compactMap { $0["id"].string }
        let (repair, audit, before) = (runs[0], runs[1], runs[2])
        let lines = told.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex { $0.contains("what happened:") })
        let events = lines[(start + 1)...].prefix { !$0.contains("next:") }
        let held = "what lies in quarantine was written, 7 B [quarantine of media, run \(repair)]"
        #expect(events.count == 3 && events.first?.contains(held) == true, "\(told)")
        #expect(
            events.contains { $0.contains("found: orphan/superseded, settled [run \(audit)]") },
            "\(told)")
        #expect(
            events.last?.contains("quarantine, done [run \(repair), step quarantine-") == true)
        #expect(lines.last?.contains("mooring undo \(repair) --step quarantine-") == true)
        // Given back, the object is there again: the run before the loss is told then.
        try app.expect(0, "undo", "--key", key, "--apply")
        let after = try app.expect(0, "explain", key).output
        let kept = "no orphan yet: something referenced it, or kept it [run \(before)]"
        #expect(after.contains(kept), "\(after)")
        #expect(after.contains("undo: restore of what lay in quarantine since run \(repair), done"))
        #expect(after.contains("the object that is there now was written, 7 B [media]"))
        #expect(!after.contains("mooring undo \(repair)"))
    }
}
