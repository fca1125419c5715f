import Glibc
import PlainS3
import TestServers
import Testing

@Suite("A store that is not the one the ledger knows")
struct StoreIdentityTests {
    private static let marker = "files/.mooring/store"

    private func app(apply: Bool = true, songs: Int = 0) throws -> App {
        var settings = App.Settings()
        settings.repair = "{orphan: quarantine, dangling: nullify, apply: \(apply)}"
        let app = try App(settings)
        for number in 0..<songs { try app.healthy("s\(number)") }
        return app
    }

    private func guards(_ app: App, _ run: String = "latest") throws -> [JSON] {
        try app.report(run)["guards"].elements.filter { $0["name"].string == "identity" }
    }

    @Test("A run that acts marks the bucket once its guards passed; no scan shows the marker")
    func marks() throws {
        let app = try app()
        try app.healthy()
        try app.audit()
        #expect(!app.exists(Self.marker))
        #expect(try guards(app)[0]["place"].string == "media")
        #expect(try guards(app)[0]["refused"].bool == false)
        try app.expect(0, "run")
        let content = try #require(app.read(Self.marker))
        #expect(content.contains("mooring.store/1"))
        try app.orphan()
        try app.expect(0, "run")
        #expect(app.read(Self.marker) == content)
        #expect(try guards(app)[0]["value"].string == "known")
        #expect(try app.report()["buckets"][0]["objects"].integer == 3)
        try app.expect(0, "erase", "--prefix", ".mooring/store", "--apply")
        #expect(app.read(Self.marker) == content)
        try app.expect(2, "explain", ".mooring/store")
    }

    @Test("A run whose guards refuse writes no marker")
    func refusedRun() throws {
        var settings = App.Settings()
        settings.repair = "{orphan: quarantine, apply: true}"
        settings.limits = "{orphanShare: 1%, steps: 0}"
        let app = try App(settings)
        try app.healthy()
        try app.orphan()
        try app.expect(3, "run")
        #expect(!app.exists(Self.marker))
        try app.expect(0, "run", "--accept", "orphanShare=90%", "--accept", "steps=5")
        #expect(app.exists(Self.marker))
    }

    @Test("An unmounted disk: nothing is nulled by 300 references, and nothing else is done")
    func unmounted() throws {
        let app = try app(songs: 300)
        try app.orphan("o1")
        try app.expect(0, "run")
        let ledgerBefore = try app.runs().count
        try app.rename("files", to: "disk")
        try #require(mkdir(app.path + "/files", 0o755) == 0)
        for words in [
            ["run"], ["sweep", "--apply"], ["undo", "latest", "--apply"],
            ["erase", "--prefix", "private/", "--apply"], ["ledger", "rebuild"],
        ] {
            let result = try Program.run(words, in: app.path)
            #expect(result.status == 3, "\(words): \(result.told)")
            #expect(result.errors.contains("disk is not mounted"), "\(words): \(result.errors)")
            #expect(result.errors.contains("mooring audit --accept identity:media"))
            #expect(app.files(below: "files").isEmpty, "\(words)")
        }
        #expect(try app.runs().count > ledgerBefore)
        try app.expect(0, "audit")
        let answer = try guards(app)[0]
        #expect(answer["refused"].bool == true && answer["place"].string == "media")
        #expect(answer["value"].string == "its marker is absent")
        #expect(answer["hint"].string?.contains("--accept identity:media") == true)
        try app.expect(3, "plan")
        for number in [0, 150, 299] { #expect(try app.cover(of: "s\(number)") != nil) }
        app.remove("files")
        try app.rename("disk", to: "files")
        try app.expect(0, "run")
        #expect(try app.report()["counts"]["dangling"].isNull)
        #expect(app.quarantined().count == 1)
    }

    @Test("What was seen on another store is no sighting")
    func noSighting() throws {
        let app = try app()
        for number in 0..<3 { try app.healthy("s\(number)") }
        try app.expect(0, "run")
        try app.rename("files", to: "disk")
        try #require(mkdir(app.path + "/files", 0o755) == 0)
        try app.audit()
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        #expect(try ledger.text("SELECT count(*) FROM sighting") == "0")
        // Nor is what no guard beside speaks against: all is there but one orphan's record.
        app.remove("files")
        try app.rename("disk", to: "files")
        try app.rename(Self.marker, to: "marker")
        try app.orphan()
        try app.audit()
        #expect(try guards(app)[0]["refused"].bool == true)
        #expect(try ledger.text("SELECT count(*) FROM sighting") == "0")
        #expect(try ledger.text("SELECT count(*) FROM objectSight") == "0")
        try app.rename("marker", to: Self.marker)
        try app.audit()
        #expect(try ledger.text("SELECT count(*) FROM sighting") == "1")
        #expect(try ledger.text("SELECT count(*) FROM objectSight") == "1")
    }

    @Test("A person's word adopts the folder that is there")
    func accepted() throws {
        let app = try app()
        try app.healthy()
        try app.expect(0, "run")
        let first = app.read(Self.marker)
        app.remove("files")
        try app.put(App.songKey("healthy"))
        try app.expect(3, "run")
        try app.expect(0, "audit", "--accept", "identity:media")
        #expect(!app.exists(Self.marker))
        try app.expect(0, "run")
        let second = app.read(Self.marker)
        #expect(second != nil && second != first)
        // Another bucket's marker is adopted at once.
        try app.write(Self.marker, try #require(first))
        try app.expect(3, "run")
        try app.expect(0, "run", "--accept", "identity:media")
        try app.expect(0, "run")
        #expect(app.read(Self.marker) == first)
        for wrong in ["identity:", "identity:media=1", "identity"] {
            try app.expect(64, "audit", "--accept", wrong)
        }
    }

    @Test("Two ledgers on one bucket share its marker")
    func shared() throws {
        let app = try app()
        try app.healthy()
        let text = try #require(app.read("mooring.yaml"))
        try app.write(
            "other.yaml", text.replacing("./mooring.ledger", with: "./other.ledger"))
        try app.expect(0, "run")
        let content = app.read(Self.marker)
        try app.expect(0, "run", "--config", "other.yaml")
        #expect(app.read(Self.marker) == content)
        try app.expect(0, "run")
        try app.expect(0, "run", "--config", "other.yaml")
        app.remove(Self.marker)
        try app.expect(3, "run")
        try app.expect(3, "run", "--config", "other.yaml")
    }

    @Test("A copy beside the folder is another store; a folder that was moved is the same")
    func copied() throws {
        let app = try app()
        try app.healthy()
        try app.expect(0, "run")
        #expect(Folder.command(["cp", "-a", app.path + "/files", app.path + "/copy"]) == 0)
        let text = try #require(app.read("mooring.yaml"))
        try app.write("mooring.yaml", text.replacing("./files", with: "./copy"))
        let result = try app.expect(3, "run")
        #expect(result.errors.contains("is a copy of the one that the ledger knows"))
        for command in ["audit", "run", "sweep", "plan"] {
            try app.expect(64, command, "--accept", "identity:none")
        }
        // The first path may be gone with its disk: nothing tells that from a move to another one.
        try app.rename("files", to: "away")
        #expect(try app.expect(3, "run").errors.contains("--accept identity:media"))
        try app.write("mooring.yaml", text.replacing("./files", with: "./away"))
        try app.expect(0, "run")
        try app.write("mooring.yaml", text.replacing("./files", with: "./copy"))
        app.remove("away")
        try app.expect(0, "run", "--accept", "identity:media")
        try app.expect(0, "run")
    }

    @Test("A copy in the folder's own place is refused until it is accepted")
    func replaced() throws {
        let app = try app()
        try app.healthy()
        try app.expect(0, "run")
        #expect(Folder.command(["cp", "-a", app.path + "/files", app.path + "/copy"]) == 0)
        try app.rename("files", to: "disk")
        try app.rename("copy", to: "files")
        for words in [["run"], ["sweep", "--apply"], ["undo", "latest", "--apply"]] {
            let result = try Program.run(words, in: app.path)
            #expect(result.status == 3, "\(words): \(result.told)")
            #expect(result.errors.contains("another disk or an older copy"), "\(words)")
        }
        app.remove("files")
        try app.rename("disk", to: "files")
        try app.expect(0, "run")
        #expect(Folder.command(["cp", "-a", app.path + "/files", app.path + "/copy"]) == 0)
        app.remove("files")
        try app.rename("copy", to: "files")
        try app.expect(3, "run")
        try app.expect(0, "run", "--accept", "identity:media")
        try app.expect(0, "run")
    }

    @Test("A marker that cannot be read refuses every act, and an audit says so")
    func unreadable() throws {
        let app = try app()
        try app.healthy()
        try app.orphan()
        try app.audit()
        try app.write(Self.marker, "{}")
        let before = app.files(below: "files")
        let result = try app.expect(3, "run")
        #expect(result.errors.contains("could not be checked"))
        try app.expect(0, "audit")
        #expect(try guards(app)[0]["value"].string?.hasPrefix("not checked: ") == true)
        #expect(app.files(below: "files") == before)
    }

    @Test("A ledger of the version before adopts the marker that is there")
    func oldLedger() throws {
        let app = try app()
        try app.healthy()
        try app.orphan()
        try app.expect(0, "run")
        let content = app.read(Self.marker)
        do {
            let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
            try ledger.run(
                """
                DROP TABLE storeIdentity; DROP TABLE erasure; DROP TABLE acceptedLoss;
                DROP TABLE vanishedPrefix;
                DELETE FROM grdb_migrations
                WHERE identifier IN ('012-storeIdentity', '016-losses')
                """)
        }
        try app.expect(0, "run")
        #expect(app.read(Self.marker) == content && app.quarantined().count == 1)
        app.remove(Self.marker)
        try app.expect(3, "run")
    }
}

@Suite(
    "A bucket of S3 that is not the one the ledger knows", .requires(.ministack),
    .timeLimit(.minutes(60)))
struct S3IdentityTests {
    @Test("A bucket that was made anew, or copied into another, is refused", arguments: S3Store.all)
    func recreated(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, dangling: nullify, apply: true}"
        let app = try await StoreApp(store, options)
        for number in 0..<8 { try app.healthy("s\(number)") }
        try app.expect(0, "run")
        let key = ".mooring/store"
        let content = try #require(try app.content(key))
        try app.expect(0, "run")
        let other = try await app.server.makeBucket(versioned: store.isVersioned)
        let text = try #require(app.read("mooring.yaml"))
        try app.write(
            "mooring.yaml", text.replacing("bucket: \(app.bucket),", with: "bucket: \(other),"))
        let absent = try app.expect(3, "run")
        #expect(absent.errors.contains("disk is not mounted"))
        #expect(try app.server.s3.list(other).isEmpty)
        try app.expect(0, "audit")
        #expect(
            try app.report()["guards"].elements.contains {
                $0["name"].string == "identity" && $0["refused"].bool == true
            })
        try app.server.s3.put(other, key, content)
        let copied = try app.expect(3, "run")
        #expect(copied.errors.contains("is a copy of the one that the ledger knows"))
        for number in 0..<8 { #expect(try app.cover(of: "s\(number)") != nil) }
    }
}
