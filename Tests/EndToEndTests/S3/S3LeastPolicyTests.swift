import PlainS3
import TestServers
import Testing

/// The nightly run by an account that may do just what `iam-policy --for repair` prints.
@Suite("A run under its own policy", .requires(.ceph), .timeLimit(.minutes(60)))
struct S3LeastPolicyTests {
    private static let repair = """
        {apply: true, orphan: quarantine, dangling: nullify, abandoned-upload: abort, \
        retention: 0s}
        """

    /// An app whose program asks as the stranger, who may do what the purpose's policy says.
    private func app(
        _ store: S3Store, for purpose: String, repair: String = repair
    ) async throws -> StoreApp {
        var options = StoreApp.Options()
        options.accessKey = "stranger"
        options.settings.race = "{preset: testing, multipartWindow: 0s}"
        options.settings.repair = repair
        options.lines = "prefixes: [\"private/\", \"public/\"]"
        let app = try await StoreApp(store, options)
        try give(app, try app.expect(0, "iam-policy", "--for", purpose).json())
        return app
    }

    // Beside what is printed the server's own account keeps its eyes, since a copy belongs to
    // whoever made it.
    private func give(_ app: StoreApp, _ printed: JSON, without action: String? = nil) throws {
        var document = try #require(printed.value as? [String: Any])
        var statements = try #require(document["Statement"] as? [[String: Any]])
        for index in statements.indices {
            statements[index]["Principal"] = ["AWS": ["arn:aws:iam:::user/stranger"]]
            let actions = (statements[index]["Action"] as? [String] ?? []).filter { $0 != action }
            statements[index]["Action"] = actions
        }
        statements.append([
            "Effect": "Allow", "Principal": ["AWS": ["arn:aws:iam:::user/tester"]],
            "Action": "s3:*",
            "Resource": ["arn:aws:s3:::\(app.bucket)", "arn:aws:s3:::\(app.bucket)/*"],
        ])
        document["Statement"] = statements
        try app.server.s3.setConfiguration(
            "policy", try JSON(document).text(), of: app.bucket)
    }

    private func openUpload(_ app: StoreApp) throws {
        var upload = PlainS3.Call("POST", app.bucket, Array(App.songKey("up").utf8))
        upload.query = [("uploads", "")]
        try app.server.s3.require(upload)
    }

    private func isUploadOpen(_ app: StoreApp) throws -> Bool {
        var call = PlainS3.Call("GET", app.bucket)
        call.query = [("uploads", "")]
        return String(decoding: try app.server.s3.require(call).body, as: UTF8.self)
            .contains("<UploadId>")
    }

    @Test(
        "It takes away, gives back, aborts, nulls, undoes and sweeps, and needs no more",
        arguments: [S3Store.ceph, .cephVersioned])
    func nightly(store: S3Store) async throws {
        let app = try await app(store, for: "repair")
        try app.healthy()
        let keys = try ["s1", "s2", "s3"].map { try app.orphan($0, "content of \($0)") }
        try app.dangling()
        try openUpload(app)
        // What lies outside its prefixes is not the app's, and not the policy's.
        try app.server.s3.put(app.bucket, "other/file")
        app.settle()
        try app.expect(0, "run")
        #expect(try app.held() == keys)
        #expect(try app.cover(of: "dangling") == nil)
        let first = try #require(try app.newest("run")["id"].string)
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        try app.server.s3.delete(app.bucket, Array(App.songKey("s1", 2).utf8))
        app.settle()
        try app.expect(0, "run")
        #expect(try !isUploadOpen(app))
        #expect(try app.content(keys[0]) == "content of s1")
        #expect(try app.held() == [keys[1], keys[2]])
        for _ in 0..<2 {
            app.settle()
            try app.expect(0, "run")
        }
        #expect(try app.held() == [])
        for key in keys.dropFirst() { #expect(try app.content(key) == nil) }
        try app.expect(0, "undo", first, "--step", try nulling(app, first), "--apply")
        #expect(try app.cover(of: "dangling") == App.cover("dangling"))
        #expect(try app.content("other/file") == "content")
        #expect(try app.litter() == [])
        #expect(try app.openIntents() == 0)
        if store.isVersioned {
            let left = try app.server.s3.versions(app.bucket)
            #expect(!left.contains { entry in keys.dropFirst().contains(entry.name) })
            #expect(!left.contains { $0.name.hasPrefix(".mooring/quarantine/") })
        }
    }

    // The step of a run that nulled a reference.
    private func nulling(_ app: StoreApp, _ run: String) throws -> String {
        let text = try #require(app.read("Reports/Runs/\(run)/plan.json"))
        let steps = try JSON(parsing: text)["steps"].elements
        return try #require(steps.first { $0["strategy"].string == "nullify" }?["id"].string)
    }

    @Test(
        "With the policy for audit, or a permission short, it says so and loses nothing",
        arguments: [S3Store.ceph, .cephVersioned])
    func short(store: S3Store) async throws {
        let app = try await app(store, for: "audit")
        try app.healthy()
        let key = try app.orphan("s1", "precious")
        app.settle()
        let refused = try app.mooring("run")
        #expect([2, 5].contains(refused.status), "\(refused.told)")
        #expect(refused.told.contains("s3:PutObject"), "\(refused.told)")
        #expect(try app.content(key) == "precious")
        let full = try app.expect(0, "iam-policy", "--for", "repair").json()
        try give(app, full, without: "s3:DeleteObject")
        let short = try app.mooring("run")
        #expect([2, 5].contains(short.status), "\(short.told)")
        #expect(short.told.contains("s3:DeleteObject"), "\(short.told)")
        #expect(try app.content(key) == "precious")
        try give(app, full)
        try app.expect(0, "run")
        #expect(try app.content(key) == nil)
        #expect(try app.held() == [key])
    }
}
