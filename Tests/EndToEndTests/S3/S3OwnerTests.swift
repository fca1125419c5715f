import PlainS3
import TestServers
import Testing

/// The account that is expected to own a bucket: every call names it, so that a name that somebody
/// else took over is neither read nor written.
@Suite("The expected owner of a bucket", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3OwnerTests {
    private static let owner = "000000000000"

    private func app(
        _ store: S3Store, _ proxy: FaultProxy, _ server: S3TestServer,
        elsewhere: String? = nil
    ) async throws -> StoreApp {
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        options.further = "expectedOwner: \"\(Self.owner)\", "
        options.settings.race = "{preset: testing, relink: never, multipartWindow: 0s}"
        options.settings.repair =
            "{orphan: quarantine, dangling: nullify, abandoned-upload: abort, retention: 0s}"
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        if let elsewhere {
            options.settings.models = S3RepairTests.oneModel
            options.lines =
                "quarantine: {bucket: \(elsewhere), prefix: held/}\n  - name: attic\n    "
                + StoreApp.line(server, elsewhere, proxy.endpoint, options.further)
        }
        return try StoreApp(server, bucket, options)
    }

    /// Everything that a bucket is asked for.
    private func goRound(_ app: StoreApp) throws {
        try app.healthy()
        for name in ["s1", "s2"] { try app.orphan(name) }
        try app.dangling()
        var upload = PlainS3.Call("POST", app.bucket, Array(App.songKey("up").utf8))
        upload.query = [("uploads", "")]
        try app.server.s3.require(upload)
        app.settle()
        let doctor = try app.mooring("doctor", "--probe")
        #expect([0, 2].contains(doctor.status), "\(doctor.told)")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let repair = try #require(try app.newest("repair")["id"].string)
        app.settle()
        try app.audit()
        let (path, plan) = try app.plan()
        #expect(plan["steps"][0]["strategy"].string == "abort", "\(plan.value)")
        try app.expect(0, "repair", path, "--apply")
        try app.expect(0, "undo", repair, "--apply")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        app.settle()
        try app.audit()
        app.settle()
        try app.audit()
        #expect(try app.expect(0, "sweep", "--apply").output.contains("2 done"))
        try app.expect(0, "erase", "--identity", App.identity, "--apply")
    }

    private func isNamed(_ proxy: FaultProxy) {
        let missing = proxy.log.filter { $0["x-amz-expected-bucket-owner"] != Self.owner }
        #expect(missing.isEmpty, "\(missing)")
        let copies = proxy.log.filter { $0["x-amz-copy-source"] != nil }
        let unnamed = copies.filter { $0["x-amz-source-expected-bucket-owner"] != Self.owner }
        #expect(!copies.isEmpty && unnamed.isEmpty, "\(unnamed)")
        for method in ["GET", "HEAD", "PUT", "POST", "DELETE"] {
            #expect(proxy.count(method) > 0, "\(method)")
        }
    }

    @Test(
        "Every call of every command names it, and so does every copy of its source",
        arguments: S3Store.all.filter { [.ministack, .ministackVersioned, .ceph].contains($0) })
    func everyCall(store: S3Store) async throws {
        let server = try await store.server()
        let proxy = try server.proxy()
        let app = try await app(store, proxy, server)
        try goRound(app)
        isNamed(proxy)
    }

    @Test("So do the calls to a quarantine in another bucket")
    func otherBucket() async throws {
        let server = try await S3TestServer.ministack()
        let (proxy, other) = (try server.proxy(), try await server.makeBucket())
        let app = try await app(.ministack, proxy, server, elsewhere: other)
        try app.healthy()
        let key = try app.orphan("s1")
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.content(key) == nil)
        #expect(proxy.log.contains { $0.path.hasPrefix("/\(other)/held/") })
        try app.expect(0, "undo", "latest", "--apply")
        isNamed(proxy)
    }
}
