import Testing

@Suite("baseline, and check against it")
struct CheckBaselineTests {
    private func app(gates: String = "[\"dangling.settled == 0\"]") throws -> App {
        var settings = App.Settings()
        settings.extra = "gates: \(gates)"
        return try App(settings)
    }

    private let file = "mooring.baseline.jsonl"

    @Test("Known findings pass in a fresh ledger, a new one fails, a healed one is listed")
    func course() throws {
        let app = try app()
        try app.healthy()
        try app.dangling("d1")
        try app.dangling("d2")
        try app.orphan("s1")
        try app.expect(1, "check", "--quiet")
        let told = try app.expect(0, "baseline").output
        #expect(told.contains("3 findings of run "), "\(told)")
        #expect(told.contains("3 added, 0 healed, 0 accepted"), "\(told)")
        let lines = try #require(app.read(file)).split(separator: "\n").map(String.init)
        let head = try JSON(parsing: lines[0])
        #expect(head["schema"].string == "mooring.baseline/1" && head["idScheme"].integer == 1)
        let ids = try lines.dropFirst().map { try #require(JSON(parsing: $0)["id"].string) }
        #expect(ids == ids.sorted() && ids.count == 3)

        app.remove("mooring.ledger")
        let passed = try app.expect(0, "check", "--baseline", file).output
        #expect(passed.contains("gate passed: dangling.settled == 0 (is 0)"), "\(passed)")
        #expect(
            passed.contains("3 known findings and 0 accepted do not count, 0 are not in it"),
            "\(passed)")
        try app.dangling("d3")
        let failed = try app.expect(1, "check", "--baseline", file).output
        #expect(failed.contains("gate FAILED: dangling.settled == 0 (is 1)"), "\(failed)")

        try app.database.run("UPDATE Song SET coverArtKey = NULL WHERE id IN ('d1', 'd3')")
        let healed = try app.expect(0, "check", "--baseline", file).output
        #expect(healed.contains("baseline: 1 in it are healed"), "\(healed)")
        #expect(healed.contains("  dangling/missing  media: \(App.songKey("d1"))"), "\(healed)")
        #expect(try app.expect(0, "baseline").output.contains("0 added, 1 healed, 0 accepted"))
    }

    @Test("What is accepted needs a reason, and stays when the file is written again")
    func accepted() throws {
        let app = try app()
        try app.healthy()
        try app.dangling("d1")
        try app.expect(0, "audit", "--quiet")
        try app.expect(0, "baseline", "--quiet")
        let text = try #require(app.read(file))
        try app.write(file, text.replacing("\"about\"", with: "\"accepted\":true,\"about\""))
        let bare = try app.expect(1, "check", "--baseline", file).output
        #expect(bare.contains("1 in it count all the same: accepted without a reason"), "\(bare)")
        try app.write(
            file,
            text.replacing("\"about\"", with: "\"accepted\":true,\"reason\":\"legal\",\"about\""))
        try app.expect(0, "check", "--baseline", file)
        try app.expect(0, "baseline", "--expires", "never")
        #expect(app.read(file)?.contains("\"reason\":\"legal\"") == true)
        try app.expect(0, "check", "--baseline", file)
    }

    @Test("An expired file lets nothing pass")
    func expired() throws {
        let app = try app()
        try app.healthy()
        try app.dangling("d1")
        try app.expect(0, "audit", "--quiet")
        try app.expect(0, "baseline", "--expires", "0s", "--quiet")
        let told = try app.expect(1, "check", "--baseline", file).output
        #expect(told.contains("1 in it count all the same: their time is over"), "\(told)")
    }

    @Test("A run is a baseline too: what it found does not count")
    func run() throws {
        let app = try app()
        try app.healthy()
        try app.dangling("d1")
        try app.expect(0, "audit", "--quiet")
        let run = try #require(app.runs()[0]["id"].string)
        try app.expect(0, "check", "--baseline", run)
        #expect(
            try app.expect(2, "check", "--baseline", "latest").errors
                .contains("'latest' is no baseline"))
        #expect(try app.expect(2, "check", "--baseline", ".").errors.contains(". is a folder"))
        #expect(try app.expect(2, "baseline", "--output", ".").errors.contains(". is a folder"))
        try app.expect(2, "check", "--baseline", "nothing")
    }

    @Test("From an incomplete run none is written (4), nor where a store lost much (3)")
    func refused() throws {
        let app = try app()
        try app.expect(2, "baseline")
        for number in 0..<20 { try app.put("x/\(number)") }
        try app.healthy()
        try app.expect(0, "audit", "--quiet")
        try app.database.run("ALTER TABLE Song RENAME TO Gone")
        try app.expect(4, "audit", "--quiet")
        try app.expect(4, "baseline", "latest")
        try app.expect(0, "baseline", "--quiet")
        #expect(app.read(file)?.split(separator: "\n").count == 21)
        for run in try app.runs().compactMap({ $0["id"].string }).prefix(1) {
            try app.expect(4, "check", "--baseline", run)
        }
    }

    @Test("Nor from a run in which a guard saw files go (3), or one judged as of a moment (2)")
    func lost() throws {
        var settings = App.Settings()
        settings.limits = "{orphanShare: 100%, recordShare: 100%, objectDrop: 20%}"
        settings.extra = "gates: [\"dangling.settled == 0\"]"
        let app = try App(settings)
        for number in 0..<20 { try app.healthy("h\(number)") }
        try app.expect(0, "audit", "--quiet")
        for number in 0..<10 { app.remove("files/" + App.songKey("h\(number)")) }
        _ = try app.mooring("audit", "--quiet")
        let run = try #require(app.runs()[0]["id"].string)
        for words in [["baseline", run], ["check", "--baseline", run]] {
            let result = try Program.run(words, in: app.path)
            #expect(result.status == 3, "\(words): \(result.told)")
            #expect(result.errors.contains("what a store lost is no known debt"))
        }
        try app.expect(0, "audit", "--as-of", "2036-01-01T00:00:00Z", "--quiet")
        let later = try #require(app.runs()[0]["id"].string)
        try app.expect(2, "baseline", later)
        try app.expect(2, "check", "--baseline", later)
    }

    @Test("What is no baseline, or one of other ids, is a wrong configuration (78)")
    func hostile() throws {
        let app = try app()
        try app.healthy()
        let head = "{\"schema\":\"mooring.baseline/1\",\"idScheme\":1,\"expires\":\"never\"}\n"
        let line = "{\"id\":\"1\",\"kind\":\"orphan\"}\n"
        try app.write(file, head + line)
        try app.expect(0, "check", "--baseline", file)
        for text in [
            "", "{}\n", "not JSON\n", head.replacing(":1,", with: ":2,"), head + "{}\n",
            head + line + line, head.replacing("never", with: "soon"),
            head.replacing(",\"expires\":\"never\"", with: ""),
            head + "{\"id\":\"1\",\"kind\":\"nothing\"}\n",
            head + "{\"id\":\"1\",\"kind\":\"orphan\",\"accepted\":\"yes\"}\n",
        ] {
            try app.write(file, text)
            let told = try app.expect(78, "check", "--baseline", file).errors
            #expect(told.contains("mooring baseline writes the file anew"), "\(text): \(told)")
        }
    }

    @Test("Without gates check says that nothing can fail")
    func noGates() throws {
        let app = try App()
        try app.dangling()
        try app.healthy()
        let told = try app.expect(0, "check").errors
        #expect(told.contains("no gate is configured, so that nothing can fail"), "\(told)")
        let gated = try self.app()
        try gated.healthy()
        #expect(try gated.expect(0, "check").errors.isEmpty)
    }

    @Test("A share is compared with all objects, references and bytes")
    func shares() throws {
        let app = try app(
            gates: "[\"share(orphan) < 34%\", \"share(orphan) < 33%\", "
                + "\"share(dangling) <= 0%\", \"share(orphan.bytes) < 32%\"]")
        try app.healthy("h1")
        try app.orphan("s1", "seven b")
        let told = try app.expect(1, "check").output
        #expect(told.contains("gate passed: share(orphan) < 34% (is 33.33%, 1 of 3)"), "\(told)")
        #expect(told.contains("gate FAILED: share(orphan) < 33% (is 33.33%, 1 of 3)"), "\(told)")
        #expect(told.contains("gate passed: share(dangling) <= 0% (is 0%, 0 of 2)"), "\(told)")
        #expect(told.contains("gate FAILED: share(orphan.bytes) < 32% (is 33.33%, 7 of 21)"))
    }
}
