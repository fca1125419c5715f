import Glibc
import Testing

@Suite("Links and the app's own files in a bucket's folder")
struct LinkedFolderTests {
    private func app(_ ignore: String? = nil) throws -> App {
        var settings = App.Settings(race: "{preset: testing}")
        settings.repair = "{orphan: quarantine, dangling: nullify, apply: true, retention: 0s}"
        settings.bucket = "directory: ./files"
        if let ignore { settings.bucket += "\n    ignore: [\"\(ignore)\"]" }
        return try App(settings)
    }

    private func link(_ app: App, _ name: String, to target: String) throws {
        try #require(symlink(target, app.path + "/" + name) == 0)
    }

    /// An app whose albums' images lie on another disk, which a link leads to.
    private func linked(_ app: App) throws {
        try app.write("disk/a-\(App.uuid(1))", "image")
        try #require(mkdir(app.path + "/files/public", 0o755) == 0)
        try link(app, "files/public/albums", to: app.path + "/disk")
        try app.database.run(
            """
            INSERT INTO Album VALUES ('a', '["albums/a-\(App.uuid(1))"]', 1,
                \(App.milliseconds(ago: Age.old)), 0)
            """)
        try app.healthy()
    }

    @Test("One folder under two names, one of them a link, is refused, and no run is begun")
    func twoNames() throws {
        var settings = App.Settings()
        settings.bucket = "directory: ./files\n  - name: twin\n    directory: ./twin"
        settings.models = "- model: Song\n  files: [{field: coverArtKey, bucket: media}]"
        let app = try App(settings)
        try link(app, "twin", to: "files")
        let refused = try app.expect(78, "audit")
        #expect(
            refused.errors.contains("buckets 'media' and 'twin' are one folder by a link: /"))
        #expect(refused.errors.contains("/files; name it once"), "\(refused.told)")
        #expect(!app.exists("mooring.ledger"))
    }

    @Test("A link that leads to a folder makes the bucket incomplete; nothing is done")
    func folder() throws {
        let app = try app()
        try linked(app)
        for _ in 0..<3 { try app.expect(4, "run") }
        #expect(app.exists("files/public/albums"))
        #expect(
            try app.database.text("SELECT imageKeys FROM Album") == "[\"albums/a-\(App.uuid(1))\"]")
        let problem = try app.newest("run")["id"].string ?? ""
        let problems = try app.report(problem)["buckets"][0]["problems"].elements
        #expect(problems.contains { $0.string?.contains("a symbolic link to a folder") == true })
    }

    @Test("Ignored in words it is no problem, and what is referenced below it stays")
    func ignored() throws {
        let app = try app("public/albums/**")
        try linked(app)
        for _ in 0..<3 { try app.expect(0, "run") }
        #expect(app.exists("files/public/albums"))
        #expect(
            try app.database.text("SELECT imageKeys FROM Album") == "[\"albums/a-\(App.uuid(1))\"]")
    }

    @Test("A pattern for its name alone does not do: keys below it would be judged without it")
    func ignoredByName() throws {
        let app = try app("public/albums")
        try linked(app)
        try app.expect(4, "run")
        #expect(
            try app.database.text("SELECT imageKeys FROM Album") == "[\"albums/a-\(App.uuid(1))\"]")
    }

    @Test("What an ignored link inside the bucket leads to is no orphan by its own key")
    func ignoredInside() throws {
        let app = try app("public/albums/**")
        try linked(app)
        app.remove("files/public/albums")
        try app.put("public/real/a-\(App.uuid(1))")
        try link(app, "files/public/albums", to: "real")
        for _ in 0..<3 { try app.expect(0, "run") }
        #expect(app.exists("files/public/real/a-\(App.uuid(1))"))
        #expect(try app.findings().allSatisfy { $0.key != "public/albums" })
        try app.expect(0, "erase", "--prefix", "public/albums", "--apply")
        #expect(app.exists("files/public/albums"))
    }

    @Test("A link to a disk that is not mounted is no orphan, nor is what references mean below")
    func unmounted() throws {
        let app = try app()
        try linked(app)
        app.remove("disk")
        try link(app, "files/broken", to: "/nowhere/at/all")
        try app.put("lonely")
        try app.post("p", #"{"bucket": "media", "key": "plain/x.txt", "region": "eu"}"#)
        for _ in 0..<3 { try app.expect(0, "run") }
        #expect(app.exists("files/public/albums") && app.exists("files/broken"))
        let findings = try app.findings()
        #expect(
            try findings.about("broken").evidence.contains("symbolic link to something that is"))
        #expect(
            try app.database.text("SELECT imageKeys FROM Album") == "[\"albums/a-\(App.uuid(1))\"]")
        #expect(app.quarantined().keys.sorted() == ["lonely"])
    }

    @Test("An object whose key and a slash begin a reference is doubted")
    func keyOfAFolder() throws {
        let app = try app()
        try app.healthy()
        try app.put("public/posts", "no folder any more")
        try app.post("p", #"{"bucket": "media", "key": "posts/x.txt", "region": "eu"}"#)
        for _ in 0..<3 { try app.expect(0, "run") }
        let settled = try app.findings().filter {
            $0.key == "public/posts" && $0.verdict == "settled"
        }
        #expect(settled.isEmpty && app.exists("files/public/posts"))
    }

    @Test("So is one that stands for a folder which no record names, and its references make up")
    func keyOfALevel() throws {
        let app = try app()
        try app.dangling()
        try app.put("private", "no folder any more")
        try app.audit()
        let finding = try app.findings().about("private", kind: "orphan")
        #expect(finding.verdict == "undecided")
        #expect(finding.evidence.contains("references mean keys below it"), "\(finding.evidence)")
    }

    @Test(
        "The app's database, the ledger and the configuration are no objects by any name",
        arguments: ["link", "hard link"])
    func ownFiles(kind: String) throws {
        let app = try app()
        try app.healthy()
        try app.audit()
        // A database with a second name is not read at all.
        let names =
            (kind == "link" ? ["app.sqlite"] : [])
            + ["mooring.ledger", "mooring.ledger.lock", "mooring.yaml"]
        for name in names {
            let (target, place) = (app.path + "/" + name, app.path + "/files/x-" + name)
            try #require((kind == "link" ? symlink(target, place) : Glibc.link(target, place)) == 0)
        }
        try app.put("orphan")
        for _ in 0..<3 { try app.expect(0, "run") }
        for name in names { #expect(app.exists("files/x-" + name), "\(name)") }
        #expect(app.quarantined().keys.sorted() == ["orphan"])
        let notes = try app.report()["notes"].elements.compactMap(\.string)
        let own = (kind == "link" ? ["the file of source 'app'"] : [])
        for what in own + ["the ledger", "the ledger's lock", "the configuration file"] {
            #expect(notes.contains { $0.contains(what) && $0.contains("no object") }, "\(what)")
        }
        try app.expect(0, "erase", "--prefix", "x-", "--apply")
        for name in names { #expect(app.exists("files/x-" + name), "\(name)") }
    }

    @Test("A database that has a second name in the bucket is not read, and nothing goes")
    func databaseByTwoNames() throws {
        let app = try app()
        try app.healthy()
        try app.audit()
        try #require(Glibc.link(app.path + "/app.sqlite", app.path + "/files/x-app.sqlite") == 0)
        try app.put("orphan")
        for _ in 0..<3 { try app.expect(4, "run") }
        #expect(app.exists("files/x-app.sqlite") && app.quarantined().isEmpty)
    }

    @Test("The folder of the reports is left out, too, where a mount puts it into the bucket")
    func reports() throws {
        let app = try app()
        try app.healthy()
        try app.audit()
        try app.rename("Reports", to: "files/Reports")
        try link(app, "Reports", to: "files/Reports")
        for _ in 0..<2 { try app.expect(0, "run") }
        #expect(try app.findings().allSatisfy { $0.key?.contains("report.json") != true })
        #expect(app.quarantined().isEmpty)
    }
}
