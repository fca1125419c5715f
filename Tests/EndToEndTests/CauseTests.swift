import Testing

/// The causes that name an object elsewhere, lost appends, identities and visibility, as a user
/// sees them, each with what a repair does about it.
@Suite("Causes that need a second look")
struct CauseTests {
    private static let other = "eu-west-1:99999999-2222-3333-4444-555555555555"

    /// Nothing is planned that touches one of these keys or records.
    private func expectKept(
        _ app: App, _ keys: [String], at place: SourceLocation = #_sourceLocation
    ) throws {
        let (path, plan) = try app.plan()
        let planned = plan["steps"].elements.compactMap { $0["key"].string }
        #expect(keys.allSatisfy { !planned.contains($0) }, sourceLocation: place)
        try app.expect(0, "repair", path, "--apply", at: place)
    }

    @Test(
        "A twin leaves both ends in doubt, and neither is touched",
        arguments: [
            ("caf\u{E9}-", "cafe\u{301}-"), ("a b-", "a%20b-"), ("a%2520b-", "a+b-"),
            ("ABC-", "abc-"),
        ])
    func twin(held: String, listed: String) throws {
        let app = try App()
        try app.healthy()
        for (number, pair) in [(held, listed), (listed, held)].enumerated() {
            let app = number == 0 ? app : try App()
            let value = pair.0 + App.uuid(1) + ".png"
            let twin = "private/\(App.identity)/\(pair.1)\(App.uuid(1)).png"
            try app.song("s1", cover: value)
            try app.put(twin)
            let findings = try app.audit()
            let key = "private/\(App.identity)/\(value)"
            let dangling = try findings.about(key, kind: "dangling")
            #expect(dangling.label == "dangling/twin/undecided")
            #expect(dangling.action == "keep" && dangling.proof == nil)
            let candidates = dangling.json["candidates"].elements.compactMap(\.string)
            #expect(candidates.map { Array($0.utf8) } == [Array(twin.utf8)])
            #expect(dangling.json["object"]["size"].integer == 7)
            let orphan = try findings.about(twin, kind: "orphan")
            #expect(orphan.verdict == "undecided" && orphan.action == "keep")
            #expect(orphan.evidence.hasSuffix("Song/s1 coverArtKey holds its twin"))
            #expect(!findings.contains { $0.kind == "unmapped-reference" })
            try expectKept(app, [key, twin])
            #expect(try app.cover(of: "s1").map { Array($0.utf8) } == Array(value.utf8))
            #expect(app.exists("files/" + twin))
        }
    }

    @Test("A twin that another record references is told as well, and one of a young record")
    func referencedTwin() throws {
        let app = try App()
        try app.song("s1", cover: App.cover("S9"), age: Age.young)
        try app.healthy("s9")
        let findings = try app.audit()
        let finding = try findings.about(App.songKey("S9"))
        #expect(finding.label == "dangling/twin/undecided")
        #expect(finding.json["candidates"].elements.compactMap(\.string) == [App.songKey("s9")])
        #expect(findings.count == 1)
        try expectKept(app, [App.songKey("S9"), App.songKey("s9")])
        #expect(try app.cover(of: "s1") == App.cover("S9"))
    }

    @Test("A key under another level, another identity or at the root is misplaced")
    func misplaced() throws {
        let places = [
            ("public/", "level 'guest'"), ("private/\(Self.other)/", Self.other),
            ("protected/\(App.identity)/", "level 'protected'"), ("", "at the root"),
        ]
        for (prefix, words) in places {
            let app = try App()
            try app.healthy()
            try app.dangling("s1")
            let key = prefix + App.cover("s1")
            try app.put(key)
            let findings = try app.audit()
            let finding = try findings.about(App.songKey("s1"))
            #expect(finding.label == "dangling/misplaced/undecided")
            #expect(finding.json["candidates"].elements.compactMap(\.string) == [key])
            #expect(finding.evidence.contains(words), "\(finding.evidence)")
            let orphan = try findings.about(key, kind: "orphan")
            #expect(orphan.verdict == "undecided")
            #expect(orphan.evidence.contains("the same key under another"))
            try expectKept(app, [App.songKey("s1"), key])
            #expect(try app.cover(of: "s1") == App.cover("s1"))
            #expect(app.exists("files/" + key))
        }
    }

    @Test("A whole key may lie under another identity too, unless a record references it there")
    func wholeKeyMisplaced() throws {
        var settings = App.Settings()
        settings.models = """
            - model: Song
              version: _version
              changed: _lastChangedAt
              deleted: _deleted
              files: [{field: coverArtKey, template: "{*}"}]
            """
        let app = try App(settings)
        let (own, elsewhere) = ("private/\(App.identity)/a.png", "private/\(Self.other)/a.png")
        let (lost, others) = ("private/\(App.identity)/b.png", "private/\(Self.other)/b.png")
        try app.song("s1", cover: own)
        try app.put(elsewhere)
        try app.song("s2", cover: lost)
        try app.song("s3", cover: others)
        try app.put(others)
        let findings = try app.audit()
        let finding = try findings.about(own, kind: "dangling")
        #expect(finding.label == "dangling/misplaced/undecided")
        #expect(finding.json["candidates"].elements.compactMap(\.string) == [elsewhere])
        #expect(try findings.about(elsewhere, kind: "orphan").verdict == "undecided")
        #expect(try findings.about(lost, kind: "dangling").label == "dangling/missing/settled")
        let steps = try app.plan().plan["steps"].elements
        #expect(steps.compactMap { $0["key"].string } == [lost])
    }

    @Test("A key outside the bucket's prefixes is looked for by name")
    func outside() throws {
        let app = try App()
        var settings = App.Settings()
        settings.bucket = "directory: ./files\n    prefixes: [\"private/\"]"
        try app.configure(settings)
        try app.healthy()
        try app.dangling("s1")
        try app.dangling("s2")
        try app.put("public/" + App.cover("s1"))
        let findings = try app.audit()
        let finding = try findings.about(App.songKey("s1"))
        #expect(finding.label == "dangling/misplaced/undecided")
        #expect(finding.evidence.contains("level 'guest'"))
        #expect(try findings.about(App.songKey("s2")).label == "dangling/missing/settled")
    }

    @Test("A policy of requery reads both again and leaves them")
    func requery() throws {
        let app = try App()
        var settings = App.Settings()
        settings.repair = "{orphan: requery, dangling: requery}"
        try app.configure(settings)
        try app.dangling("s1")
        try app.put("public/" + App.cover("s1"))
        let findings = try app.audit()
        #expect(findings.allSatisfy { $0.action == "requery" && $0.verdict == "undecided" })
        #expect(findings.count == 2)
    }

    @Test("A quarantined object that a missing reference may mean is never swept")
    func heldTwin() throws {
        let app = try App()
        var settings = App.Settings()
        settings.repair = "{orphan: quarantine, dangling: nullify, retention: 1s}"
        settings.race = "{preset: testing}"
        try app.configure(settings)
        try app.healthy()
        let key = try app.orphan("s1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(app.quarantined()[key] != nil)
        try app.song("t1", cover: App.cover("S1"))
        for _ in 0..<4 { try app.expect(0, "sweep", "--apply") }
        let finding = try app.audit().about(App.songKey("S1"))
        #expect(finding.label == "dangling/twin/undecided")
        #expect(finding.evidence.contains("in quarantine since run"))
        #expect(app.quarantined()[key] == "orphan")
        #expect(try app.cover(of: "t1") == App.cover("S1"))
    }

    @Test("An orphan under an identity that no record knows says so, unless its owner is known")
    func unknownIdentity() throws {
        let app = try App()
        try app.healthy()
        let lost = "private/\(Self.other)/"
        for name in [App.cover("gone"), "readme.txt", App.cover("here"), App.cover("dead")] {
            try app.put(lost + name)
        }
        try app.put(App.songKey("gone"))
        try app.song("here", cover: nil)
        try app.song("dead", cover: nil, deleted: true)
        let findings = try app.audit()
        let ownerless = try findings.about(lost + App.cover("gone"))
        #expect(ownerless.label == "orphan/unknown-identity/settled")
        #expect(ownerless.evidence.contains("no record knows the identity '\(Self.other)'"))
        #expect(ownerless.recordID == "gone")
        #expect(try findings.about(lost + "readme.txt").cause == "unknown-identity")
        #expect(try findings.about(lost + App.cover("here")).cause == "unassociated")
        #expect(try findings.about(lost + App.cover("dead")).cause == "ownerless")
        #expect(try findings.about(App.songKey("gone")).cause == "ownerless")
    }

    @Test("Where no record has an identity, none is unknown")
    func noIdentities() throws {
        let app = try App()
        try app.album("a1", "[\"k\"]")
        try app.put("public/k")
        try app.put(App.songKey("gone"))
        #expect(try app.audit().labels == ["orphan/ownerless/settled"])
    }

    /// An album whose list was written last so many seconds after its second file.
    private func appended(_ app: App, apart: Int, after: Int, list: String? = nil) throws {
        let keys = [1, 2].map { "a1-\(App.uuid($0))" }
        try app.put("public/" + keys[0], age: Age.old)
        try app.put("public/" + keys[1], age: Age.old - apart)
        try app.album("a1", list ?? "[\"\(keys[1])\"]", age: Age.old - apart - after)
    }

    @Test("Two appends at once: the key that dropped out is a lost update, and is kept")
    func lostUpdate() throws {
        let app = try App()
        try app.healthy()
        try appended(app, apart: 10, after: 30)
        let key = "public/a1-\(App.uuid(1))"
        let finding = try app.audit().about(key)
        #expect(finding.label == "orphan/lost-update/settled")
        #expect(finding.action == "keep")
        #expect(finding.evidence.contains("holds 'public/a1-\(App.uuid(2))'"))
        #expect(finding.recordID == "a1")
        #expect(finding.json["record"]["field"].string == "imageKeys")
        try expectKept(app, [key])
        #expect(app.exists("files/" + key))
    }

    @Test("A list that was written again, or whose files lie far apart, lost nothing at once")
    func detached() throws {
        for (apart, after) in [(10, 3_700), (3_700, 10), (0, 10)] {
            let app = try App()
            try appended(app, apart: apart, after: after)
            let finding = try app.audit().about("public/a1-\(App.uuid(1))")
            #expect(finding.label == "orphan/detached/settled", "\(apart) \(after)")
        }
        let app = try App()
        try appended(app, apart: 10, after: 30, list: "[\"elsewhere\"]")
        #expect(try app.audit().about("public/a1-\(App.uuid(1))").cause == "detached")
    }

    @Test("Lists that were emptied, and complex objects that were cleared, are kept")
    func cleared() throws {
        for list in ["[]", nil, "null", " [ ] "] {
            let app = try App()
            try app.healthy()
            try app.put("public/a1-\(App.uuid(1))")
            try app.album("a1", list, age: Age.day)
            let finding = try app.audit().about("public/a1-\(App.uuid(1))")
            #expect(finding.label == "orphan/cleared/settled", "\(list ?? "NULL")")
            #expect(finding.action == "keep")
        }
        for file in [nil, "null"] {
            let app = try App()
            try app.healthy()
            try app.put("public/posts/p1.txt")
            try app.post("p1", file, age: Age.day)
            #expect(try app.audit().about("public/posts/p1.txt").label == "orphan/cleared/settled")
        }
        let app = try App()
        try app.healthy()
        try app.put("public/a1-\(App.uuid(1))")
        try app.album("a1", "[]")
        #expect(try app.audit().about("public/a1-\(App.uuid(1))").cause == "unassociated")
    }

    private static func models(_ visibility: String, level: String = "level: guest") -> String {
        """
        - model: Song
          identity: ownerIdentity
          visibility: \(visibility)
          files: [{field: coverArtKey\(level.isEmpty ? "" : ", " + level)}]
        """
    }

    @Test("An object that more can read than its record allows is exposed")
    func exposed() throws {
        for (visibility, level, count) in [
            ("owner", "guest", 1), ("owner", "protected", 1), ("owner", "private", 0),
            ("signed-in", "guest", 1), ("signed-in", "protected", 0), ("anyone", "guest", 0),
        ] {
            let app = try App()
            var settings = App.Settings()
            settings.models = Self.models(visibility, level: "level: " + level)
            try app.configure(settings)
            try app.song("s1", cover: "a\u{7}b")
            let folder = level == "guest" ? "public" : "\(level)/\(App.identity)"
            try app.put(folder + "/a.png")
            try app.song("s2", cover: "a.png")
            let findings = try app.audit().filter { $0.kind == "exposed" }
            #expect(findings.map(\.label) == Array(repeating: "exposed/settled", count: count))
            guard let finding = findings.first else { continue }
            #expect(finding.key == folder + "/a.png" && finding.recordID == "s2")
            #expect(finding.json["object"]["size"].integer == 7)
            #expect(finding.action == "keep")
        }
    }

    @Test("A value that is the whole key tells its level by its own prefix")
    func exposedAtRoot() throws {
        let app = try App()
        var settings = App.Settings()
        settings.models = Self.models("owner", level: "")
        try app.configure(settings)
        for (number, key) in ["public/a", "private/x/a", "a", "a\nb"].enumerated() {
            try app.song("s\(number)", cover: key)
            try app.put(key)
        }
        let findings = try app.audit().filter { $0.kind == "exposed" }
        #expect(findings.map(\.key) == ["public/a"])
    }

    @Test("A reference whose level or identity is not known protects all it may mean, and stays")
    func notKnown() throws {
        let places = ["", "public/", "protected/x:1/", "private/x:2/"]
        for (level, identity, meant) in [
            ("any", true, places), ("any", false, places), ("private", false, ["private/x:2/"]),
            ("protected", false, ["protected/x:1/"]),
        ] {
            for value in ["k.png", "e\u{301}\u{202E} \"k", "a/../b"]
            where identity || level != "any" {
                let app = try App()
                var settings = App.Settings()
                settings.models = """
                    - model: Song
                      version: _version
                      changed: _lastChangedAt
                    \(identity ? "  identity: title" : "")
                      files: [{field: coverArtKey, level: \(level)}]
                    """
                try app.configure(settings)
                try app.song("s1", cover: "there.png")
                try app.song("s2", cover: value)
                try app.database.run("UPDATE Song SET title = NULL")
                for place in meant { try app.put(place + "there.png") }
                let findings = try app.audit()
                #expect(findings.labels == ["dangling/missing/undecided"], "\(level) \(value)")
                #expect(findings.first?.action == "keep")
                #expect(findings.first?.recordID == "s2")
                try expectKept(app, meant.map { $0 + "there.png" })
                #expect(try app.plan().plan["steps"].elements.isEmpty)
                #expect(try app.cover(of: "s2") == value)
            }
        }
    }
}
