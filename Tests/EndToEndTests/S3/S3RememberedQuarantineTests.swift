import PlainS3
import TestServers
import Testing

/// A bucket's removed objects after the configuration names another place for them: copies where it
/// keeps no versions, notes of what a delete marker hides where it does.
@Suite("Quarantines of before on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3RememberedQuarantineTests {
    private static let stores = S3Store.all.filter { $0.kind == .ministack }
    private static let former = ".mooring/quarantine/"

    private func settings(
        _ server: S3TestServer, _ bucket: String, _ quarantine: String?, ignore: String? = nil
    ) -> App.Settings {
        var settings = App.Settings(race: "{preset: testing}")
        settings.repair = "{orphan: quarantine, dangling: nullify, retention: 0s}"
        settings.bucket = StoreApp.line(server, bucket, "\(server.endpoint)")
        if let quarantine { settings.bucket += "\n    quarantine: \(quarantine)" }
        if let ignore { settings.bucket += "\n    ignore: [\"\(ignore)\"]" }
        return settings
    }

    private func move(_ app: StoreApp, to quarantine: String?, ignore: String? = nil) throws {
        try app.configure(settings(app.server, app.bucket, quarantine, ignore: ignore))
    }

    /// An app whose orphan lies in the quarantine of the default prefix; it has other references.
    private func prepared(_ store: S3Store) async throws -> (app: StoreApp, key: String) {
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, dangling: nullify, retention: 0s}"
        let app = try await StoreApp(store, options)
        for number in 0..<12 { try app.healthy("h\(number)") }
        let key = try app.orphan("s1", "precious")
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.held() == [key])
        #expect(try app.content(key) == nil)
        return (app, key)
    }

    /// The names of what lies below a prefix, the trial's objects left out.
    private func names(_ app: StoreApp, _ prefix: String) throws -> [String] {
        try app.server.s3.list(app.bucket, prefix: prefix).map(\.name).filter {
            !$0.contains(".probe-")
        }
    }

    private func reference(_ app: StoreApp) throws {
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
    }

    private func repair(_ app: StoreApp) throws {
        try app.expect(0, "repair", try app.plan().path, "--apply")
    }

    @Test(
        "Under another prefix, what lies in the former one comes back to its record",
        arguments: stores)
    func restores(store: S3Store) async throws {
        let (app, key) = try await prepared(store)
        try move(app, to: ".b/")
        try reference(app)
        #expect(try app.audit().about(key).label == "dangling/quarantined/settled")
        try repair(app)
        #expect(try app.content(key) == "precious")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
        #expect(try names(app, Self.former) == [])
        // What the record referenced until now is the orphan instead.
        let held = try names(app, ".b/")
        #expect(held.count == 1 && held.allSatisfy { $0.hasSuffix(App.songKey("s1", 2)) })
        #expect(try app.audit().isEmpty)
    }

    @Test(
        "It is told as what lies in quarantine, is no orphan, and goes into no other one",
        arguments: stores)
    func stays(store: S3Store) async throws {
        let (app, key) = try await prepared(store)
        let before = try names(app, Self.former)
        try move(app, to: ".b/")
        #expect(try app.audit().allSatisfy { $0.key?.contains("quarantine") != true })
        #expect(try app.report()["buckets"][0]["quarantined"].integer == 1)
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        try app.expect(0, "run")
        #expect(try names(app, Self.former) == before)
        #expect(try names(app, ".b/").isEmpty)
        // An undo finds it there.
        let run = try #require(try app.newest("repair")["id"].string)
        try app.expect(0, "undo", run, "--apply")
        #expect(try app.content(key) == "precious")
        #expect(try names(app, Self.former).isEmpty)
    }

    @Test("It is swept from there, beside what lies in the present one", arguments: stores)
    func sweeps(store: S3Store) async throws {
        let (app, key) = try await prepared(store)
        try move(app, to: ".b/")
        let other = try app.orphan("s2", "other")
        app.settle()
        try repair(app)
        #expect(try names(app, Self.former).count == 1)
        #expect(try names(app, ".b/").count == 1)
        for _ in 0..<3 {
            app.settle()
            try app.audit()
        }
        #expect(try app.expect(0, "sweep", "--apply").output.contains("2 done"))
        #expect(try names(app, Self.former) == [])
        #expect(try names(app, ".b/") == [])
        #expect(try app.content(key) == nil && app.content(other) == nil)
        #expect(try app.content(App.songKey("s1", 2)) != nil)
        let left = store.isVersioned ? try app.server.s3.versions(app.bucket) : []
        #expect(left.allSatisfy { $0.name != key && $0.name != other })
    }

    @Test(
        "A quarantine that the ledger does not know stops every act, until it was shown to it",
        arguments: stores)
    func foreign(store: S3Store) async throws {
        let (app, key) = try await prepared(store)
        let before = try names(app, Self.former)
        app.remove("mooring.ledger")
        try move(app, to: ".b/")
        try reference(app)
        #expect(try app.expect(4, "audit").told.contains("named like a run of Mooring"))
        try app.expect(4, "plan")
        try app.expect(4, "run")
        #expect(try names(app, Self.former) == before)
        #expect(try app.cover(of: "s1") == App.cover("s1"))
        try move(app, to: ".b/", ignore: ".mooring/**")
        let label = try app.audit().about(key).label
        #expect(label == "dangling/\(store.isVersioned ? "deleted" : "missing")/undecided")
        try move(app, to: nil)
        try app.audit()
        try move(app, to: ".b/")
        try repair(app)
        #expect(try app.content(key) == "precious")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
    }
}
