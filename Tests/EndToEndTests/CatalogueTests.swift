import Testing

/// Every kind, cause and verdict of this version, seen in `findings.jsonl` as a user sees it.
@Suite("The catalogue of findings")
struct CatalogueTests {
    @Test("An orphan whose owner never had a key is unassociated, and is quarantined")
    func unassociated() throws {
        let app = try App()
        try app.healthy()
        try app.song("s1", cover: nil)
        try app.put(App.songKey("s1"), "orphan bytes")
        let finding = try app.audit().about(App.songKey("s1"))
        #expect(finding.label == "orphan/unassociated/settled")
        #expect(finding.recordID == "s1")
        #expect(finding.json["record"]["source"].string == "app")
        #expect(finding.json["record"]["model"].string == "Song")
        #expect(finding.json["record"]["field"].string == "coverArtKey")
        #expect(finding.json["record"]["version"].integer == 1)
        #expect(finding.json["object"]["size"].integer == 12)
        #expect(finding.json["bucket"].string == "media")
        #expect(finding.action == "quarantine")
        #expect(finding.proof == nil)
        #expect(finding.json["runs"].integer == 1)
        #expect(!finding.evidence.isEmpty)
    }

    @Test("A key that was cleared after the upload window is kept: it was on purpose")
    func cleared() throws {
        let app = try App()
        try app.healthy()
        try app.song("s1", cover: nil, age: 10 * Age.day)
        try app.put(App.songKey("s1"))
        let finding = try app.audit().about(App.songKey("s1"))
        #expect(finding.label == "orphan/cleared/settled")
        #expect(finding.action == "keep")
    }

    @Test("An owner with another key makes it superseded; a list without it, detached")
    func supersededAndDetached() throws {
        let app = try App()
        try app.orphan("s1")
        try app.put("public/a1-\(App.uuid(1))")
        try app.put("public/a1-\(App.uuid(2))")
        try app.album("a1", "[\"a1-\(App.uuid(2))\"]")
        let findings = try app.audit()
        let superseded = try findings.about(App.songKey("s1"))
        #expect(superseded.label == "orphan/superseded/settled")
        #expect(superseded.recordID == "s1")
        let detached = try findings.about("public/a1-\(App.uuid(1))")
        #expect(detached.label == "orphan/detached/settled")
        #expect(detached.recordID == "a1")
        #expect(detached.json["record"]["field"].string == "imageKeys")
        #expect(findings.count == 2)
    }

    @Test("An owner that is gone makes it ownerless; a tombstone protects and finds nothing")
    func ownerlessAndTombstone() throws {
        let app = try App()
        try app.healthy()
        try app.put(App.songKey("gone"))
        try app.song("dead", cover: App.cover("dead"), deleted: true)
        try app.put(App.songKey("dead"))
        try app.song("dead2", cover: App.cover("dead2"), deleted: true)
        let findings = try app.audit()
        #expect(findings.labels == ["orphan/ownerless/settled"])
        #expect(try findings.about(App.songKey("gone")).recordID == "gone")
    }

    @Test("A key that no template fits is unattributed, and waits for a second sighting")
    func unattributed() throws {
        let app = try App()
        try app.healthy()
        try app.put("elsewhere/readme.txt")
        let finding = try app.audit().about("elsewhere/readme.txt")
        #expect(finding.label == "orphan/unattributed/settled")
        #expect(finding.recordID == nil)
        #expect(finding.action == "quarantine")
        #expect(finding.proof == "second sighting")
        #expect(finding.json["needs"]["after"].string != nil)
        #expect(try app.audit().about("elsewhere/readme.txt").json["runs"].integer == 2)
    }

    @Test("What is younger than the grace is explained, and says until when")
    func explained() throws {
        let app = try App()
        try app.song("s1", cover: nil, age: Age.young)
        try app.put(App.songKey("s1"), age: Age.young)
        try app.song("s2", cover: App.cover("s2"), age: Age.young)
        let findings = try app.audit()
        let orphan = try findings.about(App.songKey("s1"))
        #expect(orphan.label == "orphan/unassociated/explained")
        #expect(orphan.json["explanation"]["workflow"].string == "create")
        #expect(orphan.json["explanation"]["step"].string == "associate")
        let until = try #require(orphan.json["explanation"]["until"].string)
        #expect(orphan.json["needs"]["after"].string == until)
        let dangling = try findings.about(App.songKey("s2"))
        #expect(dangling.label == "dangling/missing/explained")
        #expect(dangling.json["explanation"]["workflow"].string == "delete both, file first")
        #expect(try app.report()["counts"]["orphan"]["explained"].integer == 1)
        let plan = try app.plan().plan
        #expect(plan["steps"].elements.isEmpty)
    }

    @Test("An explained orphan lists what may still come, a settled one what leaves it")
    func explains() throws {
        let app = try App()
        try app.song("s1", cover: nil, age: Age.young)
        try app.put(App.songKey("s1"), age: Age.young)
        let settled = try app.orphan("s2")
        let findings = try app.audit()
        let young = try findings.about(App.songKey("s1"))
        #expect(young.evidence.contains("create: associate may still come until "))
        #expect(young.evidence.contains("write back: write back may still come until "))
        let until = try #require(young.json["explanation"]["until"].string)
        #expect(young.evidence.contains("write back may still come until \(until)"))
        let evidence = try findings.about(settled).evidence
        #expect(evidence.contains("left by 'add or update' after its step 'associate'"))
        #expect(evidence.hasSuffix("its owner holds another key"))
    }

    @Test("A reference whose object is absent is missing; the resolved key and the value are told")
    func missing() throws {
        let app = try App()
        try app.healthy()
        try app.dangling("s1")
        let finding = try app.audit().about(App.songKey("s1"))
        #expect(finding.label == "dangling/missing/settled")
        #expect(finding.json["value"].string == App.cover("s1"))
        #expect(finding.json["record"]["field"].string == "coverArtKey")
        #expect(finding.action == "nullify")
        #expect(finding.proof == nil)
        #expect(finding.json["object"].isNull)
    }

    @Test("A key twice in one list is one finding with its indexes")
    func twiceInOneList() throws {
        let app = try App()
        try app.healthy()
        try app.album("a1", "[\"k\",null,\"k\"]")
        let findings = try app.audit()
        let finding = try findings.about("public/k")
        #expect(finding.label == "dangling/missing/settled")
        #expect(finding.json["indexes"].elements.compactMap(\.integer) == [0, 2])
        let invalid = try #require(findings.first { $0.kind == "invalid-key" })
        #expect(invalid.evidence.contains("null list element"))
        #expect(invalid.json["record"]["index"].integer == 1)
        #expect(findings.count == 2)
    }

    @Test("A reference to a bucket that nobody configured is foreign and undecided")
    func foreign() throws {
        let app = try App()
        try app.healthy()
        try app.post("p1", #"{"bucket":"other","key":"posts/p1.txt","region":"eu"}"#)
        let finding = try app.audit().about("posts/p1.txt", kind: "dangling")
        #expect(finding.label == "dangling/foreign/undecided")
        #expect(finding.json["bucket"].string == "other")
        #expect(finding.action == "keep")
    }

    @Test("One object that several records reference is shared, with every record")
    func shared() throws {
        let app = try App()
        try app.song("s1", cover: App.cover("s1"))
        try app.song("s2", cover: App.cover("s1"))
        try app.put(App.songKey("s1"))
        let finding = try app.audit().about(App.songKey("s1"))
        #expect(finding.label == "shared/settled")
        let ids = finding.json["records"].elements.compactMap { $0["id"].string }
        #expect(ids.sorted() == ["s1", "s2"])
    }

    @Test("An empty text is no key: no finding, and its record's orphan is one whose key is null")
    func emptyText() throws {
        let app = try App()
        try app.healthy()
        try app.song("s1", cover: "")
        try app.album("a1", #"["", "k"]"#)
        try app.put("public/k")
        try app.put(App.songKey("s1"))
        let findings = try app.audit()
        #expect(findings.count == 1)
        #expect(try findings.about(App.songKey("s1")).kind == "orphan")
    }

    @Test(
        "An invalid key names its reason",
        arguments: [
            (String(repeating: "x", count: 1_025), "1024"), ("a\nb", "control"),
            ("/rooted", "leading slash"),
        ])
    func invalidKeys(value: String, reason: String) throws {
        let app = try App()
        try app.healthy()
        try app.song("s1", cover: value)
        let findings = try app.audit()
        #expect(findings.labels == ["invalid-key/settled"])
        #expect(findings[0].evidence.contains(reason), "\(findings[0].evidence)")
        #expect(findings[0].json["value"].string == value)
        #expect(findings[0].recordID == "s1")
    }

    @Test("A referenced object of zero bytes is an empty object")
    func emptyObject() throws {
        let app = try App()
        try app.song("s1", cover: App.cover("s1"))
        try app.put(App.songKey("s1"), "")
        try app.song("s2", cover: App.cover("s2"))
        try app.put(App.songKey("s2"), "", age: Age.young)
        let findings = try app.audit()
        #expect(try findings.about(App.songKey("s1")).label == "empty-object/settled")
        #expect(try findings.about(App.songKey("s2")).label == "empty-object/explained")
        #expect(findings.count == 2)
    }

    @Test("A table that nobody mapped and that holds an orphan's key protects it")
    func unmapped() throws {
        let app = try App()
        try app.healthy()
        try app.put("public/posts/x.txt")
        try app.database.run(
            "INSERT INTO Note VALUES ('n1', 'see https://host/public%2Fposts/x.txt?v=1 please')")
        let findings = try app.audit()
        let finding = try findings.about("public/posts/x.txt")
        #expect(finding.label == "unmapped-reference/undecided")
        #expect(finding.json["record"]["model"].string == "Note")
        #expect(finding.json["record"]["field"].string == "body")
        #expect(finding.recordID == "n1")
        // The text around the key is nobody's business.
        #expect(finding.json["value"].string == "public/posts/x.txt")
        #expect(findings.count == 1)
        #expect(try app.plan().plan["steps"].elements.isEmpty)
    }

    @Test("A reference whose object lies in quarantine is quarantined, and is given back")
    func quarantined() throws {
        let app = try App()
        try app.healthy()
        let key = try app.orphan("s1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        let findings = try app.audit()
        let finding = try findings.about(key, kind: "dangling")
        #expect(finding.label == "dangling/quarantined/settled")
        #expect(finding.action == "restore")
        #expect(finding.json["object"]["size"].integer == 6)
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(app.read("files/" + key) == "orphan")
    }

    @Test("A run that could not read everything gives back what it saw referenced, and no more")
    func incompleteRunRestores() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        let app = try App(settings)
        try app.healthy()
        let key = try app.orphan("s1")
        try app.expect(0, "run")
        #expect(app.read("files/" + key) == nil)
        let other = try app.orphan("s2")
        try app.dangling("s3")
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        try app.database.run("ALTER TABLE Album RENAME TO Gone")
        try app.expect(4, "run")
        #expect(app.read("files/" + key) == "orphan")
        #expect(app.read("files/" + other) == "orphan")
        let held = try app.database.text("SELECT coverArtKey FROM Song WHERE id = 's3'")
        #expect(held == App.cover("s3"))
    }

    @Test("Findings come sorted by kind, bucket and key bytes, with ids that stay the same")
    func orderAndIdentity() throws {
        let app = try App()
        try app.dangling("z")
        try app.dangling("a")
        try app.orphan("o2")
        try app.orphan("o1")
        try app.song("é", cover: "")
        let first = try app.audit()
        let second = try app.audit()
        #expect(first.map { $0.json["id"].string } == second.map { $0.json["id"].string })
        #expect(Set(first.compactMap { $0.json["id"].string }).count == first.count)
        let order = first.map { [$0.kind, $0.json["bucket"].string ?? "", $0.key ?? ""] }
        let sorted = order.sorted {
            for (left, right) in zip($0, $1) where left != right {
                return left.utf8.lexicographicallyPrecedes(right.utf8)
            }
            return false
        }
        #expect(order == sorted)
        #expect(second.allSatisfy { $0.json["runs"].integer == 2 })
        #expect(
            first.map { $0.json["firstSeen"].string } == second.map { $0.json["firstSeen"].string })
    }
}
