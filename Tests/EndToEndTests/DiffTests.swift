import Testing

@Suite("diff")
struct DiffTests {
    @Test("New, gone and changed findings are told, each once, with what changed")
    func changes() throws {
        let app = try App()
        try app.healthy()
        let gone = try app.orphan("s1")
        let kept = try app.orphan("s2")
        try app.dangling("s3")
        try app.put("public/a\nb\u{1B}[31m.txt", age: Age.young)
        try app.audit()
        app.remove("files/" + gone)
        try app.put(kept, "another upload")
        try app.put(App.songKey("s4"), age: Age.young)
        try app.audit()
        let text = try app.expect(0, "diff").output
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines.filter { $0.hasPrefix("+ ") }.count == 1)
        #expect(lines.filter { $0.hasPrefix("- ") }.count == 1)
        #expect(lines.first { $0.hasPrefix("~ ") }?.hasSuffix("  object") == true, "\(text)")
        #expect(lines[3] == "1 new, 1 gone, 1 changed, 2 unchanged")
        #expect(lines[4].hasPrefix("from run "))
        #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A })
        #expect(!text.contains("..."), "no key is shortened for a program")

        let document = try app.expect(0, "diff", "--json").json()
        #expect(document["new"].elements.map { $0["key"].string } == [App.songKey("s4")])
        #expect(document["gone"].elements.map { $0["key"].string } == [gone])
        let changed = document["changed"].elements
        #expect(changed.count == 1)
        #expect(changed[0]["after"]["key"].string == kept)
        #expect(changed[0]["changed"].elements.map(\.string) == ["object"])
        #expect(changed[0]["before"]["object"]["size"].integer == 6)
        #expect(changed[0]["after"]["object"]["size"].integer == 14)
        #expect(document["totals"]["unchanged"].integer == 2)
    }

    @Test("A verdict that changed is told under either verdict; kinds and prefixes filter")
    func filters() throws {
        let app = try App()
        try app.healthy()
        try app.song("s1", cover: nil, age: Age.old)
        try app.put(App.songKey("s1"), age: Age.young)
        try app.put("other.txt", age: Age.young)
        try app.audit()
        try app.set(age: Age.old, of: Array("files/\(App.songKey("s1"))".utf8))
        try app.dangling("s2")
        try app.audit()
        func totals(_ words: String...) throws -> [Int?] {
            let result = try Program.run(["diff", "--json"] + words, in: app.path)
            let totals = try result.json()["totals"]
            return ["new", "gone", "changed", "unchanged"].map { totals[$0].integer }
        }
        #expect(try totals() == [1, 0, 1, 1])
        #expect(try totals("--verdict", "settled") == [1, 0, 1, 0])
        #expect(try totals("--verdict", "explained") == [0, 0, 1, 1])
        #expect(try totals("--kind", "dangling") == [1, 0, 0, 0])
        #expect(try totals("--prefix", "private/", "--kind", "orphan") == [0, 0, 1, 0])
        let verbose = try app.expect(0, "diff", "--verbose").output
        #expect(verbose.contains("    verdict: explained -> settled"))
        #expect(!verbose.contains("..."), "no key is shortened for a program")
    }

    @Test("Runs are named by prefix or latest; the run before stands by default")
    func runs() throws {
        let app = try App()
        try app.healthy()
        try app.audit()
        #expect(try app.expect(2, "diff").errors.contains("no complete audit before"))
        let first = try app.orphan("s1")
        try app.audit()
        app.remove("files/" + first)
        try app.audit()
        let ids = try app.runs().compactMap { $0["id"].string }
        func runs(_ words: String...) throws -> [String?] {
            let document = try Program.run(["diff", "--json"] + words, in: app.path).json()
            return [document["from"].string, document["to"].string]
        }
        #expect(try runs() == [ids[1], ids[0]])
        #expect(try runs("latest") == [ids[1], ids[0]])
        #expect(try runs(ids[1]) == [ids[2], ids[1]])
        #expect(try runs(ids[2], "latest") == [ids[2], ids[0]])
        #expect(try app.expect(0, "diff", ids[2], ids[0], "--quiet").output.hasPrefix("0 new"))
        try app.expect(0, "diff", ids[0], ids[0])
        #expect(try app.expect(2, "diff", "19990101").errors.contains("19990101"))
        let pruned = try app.expect(2, "diff", "20010101T000000Z-aaaaaa", "latest")
        #expect(pruned.errors.contains("pruned"))
        try app.expect(64, "diff", "a", "b", "c")
        try app.expect(64, "diff", "--kind", "orphans")
    }

    @Test("A run that did not see everything is compared, and told as one that proves no absence")
    func incomplete() throws {
        let app = try App()
        try app.healthy()
        try app.audit()
        try app.database.run("DROP TABLE Post")
        try app.expect(4, "audit")
        let ids = try app.runs().compactMap { $0["id"].string }
        #expect(
            try app.expect(0, "diff", ids[1], ids[0]).errors.contains(
                "run \(ids[0]) is incomplete: what it did not see may still be there"))
    }

    @Test("A run whose findings are no longer there says so")
    func emptied() throws {
        let app = try App()
        try app.orphan("s1")
        try app.audit()
        try app.audit()
        let oldest = try #require(try app.runs().last?["id"].string)
        try Database(app.path + "/mooring.ledger", mode: nil).run(
            "DELETE FROM recording WHERE run = (SELECT number FROM run WHERE id = '\(oldest)')")
        #expect(try app.expect(2, "diff").errors.contains("were pruned"))
    }
}
