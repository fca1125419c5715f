import Glibc
import Testing

@Suite("Sources and buckets of every kind")
struct SourceTests {
    @Test("A composite id is shown with slashes, and its parts are told")
    func compositeIDs() throws {
        let app = try App(Self.composite)
        try app.healthy()
        try app.database.run(
            """
            CREATE TABLE Track (pk TEXT, sk TEXT, art TEXT);
            INSERT INTO Track VALUES ('a', 'b/c', 'art.png'), ('a', 'd', NULL)
            """)
        let finding = try app.audit().about("art.png")
        #expect(finding.label == "dangling/missing/settled")
        #expect(finding.recordID == "a/b/c")
        #expect(finding.proof == "second sighting")
        let told = try app.expect(0, "explain", "Track/a/b/c", "--json").json()
        #expect(told["stories"][0]["findings"].elements.count == 1)
    }

    private static var composite: App.Settings {
        var settings = App.Settings()
        settings.models = """
            - model: Song
              identity: ownerIdentity
              files: [{field: coverArtKey, level: private}]
            - model: Track
              id: [pk, sk]
              files: [{field: art}]
            """
        return settings
    }

    @Test("A level that is not known makes every level protect, and nulls nothing")
    func anyLevel() throws {
        var settings = App.Settings()
        settings.models = """
            - model: Song
              files: [{field: coverArtKey, level: any}]
            """
        let app = try App(settings)
        try app.song("s1", cover: "a.png")
        try app.song("s2", cover: "b.png")
        try app.put("protected/\(App.identity)/a.png")
        try app.put("public/c.png")
        let findings = try app.audit()
        let dangling = try #require(findings.first { $0.kind == "dangling" })
        #expect(dangling.verdict == "undecided")
        #expect(dangling.recordID == "s2")
        #expect(dangling.json["candidates"].elements.count > 1)
        #expect(try findings.about("public/c.png").kind == "orphan")
        #expect(findings.count == 2)
    }

    @Test("Ignored objects are seen and never a finding; objects outside prefixes do not exist")
    func ignoreAndPrefixes() throws {
        var settings = App.Settings()
        settings.bucket = """
            directory: ./files
                prefixes: ["public/"]
                ignore: ["public/static/**"]
            """
        settings.models = """
            - model: Song
              files: [{field: coverArtKey}]
            """
        let app = try App(settings)
        try app.song("s1", cover: "other/outside.png")
        try app.song("s2", cover: "public/in.png")
        try app.put("public/in.png")
        try app.put("public/static/deep/logo.png")
        try app.put("other/orphan.png")
        try app.put("public/orphan.png")
        let findings = try app.audit()
        #expect(findings.map(\.key) == ["public/orphan.png"])
        #expect(try app.report()["buckets"][0]["objects"].integer == 3)
    }

    @Test(
        "An orphan in CSV and JSON-lines records: found, and never repaired",
        arguments: [
            ("csv: ./songs.csv", "songs.csv", "id,cover\ns1,a.png\ns2,gone.png\n"),
            (
                "jsonl: ./songs.jsonl", "songs.jsonl",
                #"{"id":"s1","cover":"a.png"}"# + "\n" + #"{"id":"s2","cover":"gone.png"}"# + "\n"
            ),
        ])
    func textSources(source: String, name: String, content: String) throws {
        var settings = App.Settings()
        settings.source = source
        settings.models = """
            - model: Song
              files: [{field: cover}]
            """
        let app = try App(settings)
        try app.write(name, content, age: Age.day)
        try app.put("a.png")
        try app.put("orphan.png")
        let findings = try app.audit()
        #expect(
            findings.labels == ["dangling/missing/settled", "orphan/unattributed/settled"])
        #expect(findings.allSatisfy { $0.proof == "live stores" })
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        #expect(try app.report()["records"][0]["references"].integer == 2)
    }

    @Test(
        "A listing as CSV, JSON lines and gzip says the same",
        arguments: [
            "listing.csv", "listing.jsonl", "listing.csv.gz", "listing.jsonl.gz",
        ])
    func listings(name: String) throws {
        var settings = App.Settings()
        settings.bucket = "listing: ./\(name)"
        settings.models = """
            - model: Song
              files: [{field: coverArtKey}]
            """
        let app = try App(settings)
        try app.song("s1", cover: "here, \"quoted\".png")
        try app.song("s2", cover: "gone.png")
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        try app.write(plain, plain.hasSuffix(".csv") ? Self.csv : Self.jsonl, age: Age.day)
        if name != plain {
            #expect(Folder.command(["gzip", app.path + "/" + plain]) == 0)
        }
        let findings = try app.audit()
        let orphan = plain.hasSuffix(".csv") ? "orphan.png" : "orphan\u{FFFD}.png"
        #expect(findings.map(\.key) == ["gone.png", orphan])
        #expect(findings.allSatisfy { $0.proof == "live stores" })
        let bucket = try app.report()["buckets"][0]
        #expect(bucket["kind"].string == "listing")
        #expect(bucket["objects"].integer == 2)
        #expect(bucket["bytes"].integer == 18)
    }

    private static let csv = """
        key,size,lastModified,etag
        "here, ""quoted"".png",7,2026-01-01T00:00:00Z,"abc"
        orphan.png,11,2026-01-01T00:00:00Z,def

        """

    private static let jsonl = """
        {"key":"here, \\"quoted\\".png","size":7,"lastModified":"2026-01-01T00:00:00Z","etag":"a"}
        {"key":"?","keyBase64":"b3JwaGFu/y5wbmc=","size":11,"lastModified":"2026-01-01T00:00:00Z"}

        """

    @Test("A key that is not UTF-8 stands in keyBase64, and is matched byte for byte")
    func keyBase64() throws {
        var settings = App.Settings()
        settings.models = """
            - model: Song
              files: [{field: coverArtKey}]
            """
        let app = try App(settings)
        let latin: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".png".utf8)
        let orphan: [UInt8] = [0xFF, 0xFE]
        try app.write(Array("files/".utf8) + latin, [1], age: Age.old)
        try app.write(Array("files/".utf8) + orphan, [1], age: Age.old)
        try app.database.run("INSERT INTO Song (id, coverArtKey) VALUES ('s1', ?)", latin)
        let findings = try app.audit()
        #expect(findings.count == 1)
        #expect(findings[0].json["keyBase64"].string == "//4=")
        #expect(findings[0].key == "\u{FFFD}\u{FFFD}")
    }

    @Test("A SQLite copy is judged by the moment it was taken")
    func taken() throws {
        var settings = App.Settings()
        settings.source = "sqlite: ./app.sqlite\n    taken: \"2020-01-10T00:00:00Z\""
        let app = try App(settings)
        try app.healthy()
        try app.put("public/x.png")
        let findings = try app.audit()
        // Born after the copy was taken: a record that is not in the copy may reference it.
        #expect(try findings.about("public/x.png").verdict == "explained")
        #expect(try findings.about("public/x.png").proof != nil)
    }

    @Test("Databases in WAL mode and without it are read alike", arguments: ["WAL", "DELETE"])
    func journalModes(mode: String) throws {
        let app = try App(mode: mode)
        try app.healthy()
        try app.dangling("s1")
        #expect(try app.audit().labels == ["dangling/missing/settled"])
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.cover(of: "s1") == nil)
    }

    @Test("--scratch is where a copy of a database outside of WAL mode is made")
    func scratch() throws {
        let app = try App(mode: "DELETE")
        try app.healthy()
        let result = try app.expect(4, "audit", "--scratch", "/proc/nowhere")
        #expect(result.told.contains("/proc/nowhere"))
        try app.expect(0, "audit", "--scratch", app.path)
    }
}
