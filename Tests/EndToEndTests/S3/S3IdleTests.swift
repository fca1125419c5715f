import PlainS3
import TestServers
import Testing

/// What the nightly job costs where it finds nothing to do, seen from a proxy before the server.
@Suite("Runs that find nothing to do", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3IdleTests {
    private static func writes(_ proxy: FaultProxy) -> [String] {
        proxy.log.filter { !["GET", "HEAD"].contains($0.method) }.map(\.description)
    }

    @Test(
        "they write nothing; the first that finds something tries the store and takes the lease",
        arguments: [S3Store.ministack, .ministackVersioned])
    func idle(store: S3Store) async throws {
        let server = try await store.server()
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        let proxy = try FaultProxy(port: server.endpoint.port)
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, apply: true}"
        options.endpoint = proxy.endpoint
        let app = try StoreApp(server, bucket, options)
        try app.healthy()
        app.settle()
        try app.expect(0, "run")
        #expect(!Self.writes(proxy).isEmpty, "the first run tries the store, and marks it")
        proxy.forget()
        try app.expect(0, "run")
        #expect(Self.writes(proxy) == [])
        let key = try app.orphan("s1", "precious")
        app.settle()
        proxy.forget()
        try app.expect(0, "run")
        app.settle()
        try app.expect(0, "run")
        #expect(try app.held() == [key])
        let writes = Self.writes(proxy)
        let lease = try #require(writes.firstIndex { $0.contains(".mooring/lease") })
        let trial = try #require(writes.firstIndex { $0.contains(".probe-") })
        let act = try #require(
            writes.firstIndex { $0.contains(".mooring/quarantine/") && !$0.contains(".probe-") })
        #expect(lease < act && trial < act, "\(writes)")
        #expect(try app.litter() == [])
    }

    @Test("a lease of somebody else refuses them all the same")
    func otherLedger() async throws {
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, apply: true}"
        let app = try await StoreApp(.ministack, options)
        try app.healthy()
        app.settle()
        try app.expect(0, "run")
        try app.server.s3.put(app.bucket, ".mooring/lease", "{}")
        try app.expect(6, "run")
    }
}
