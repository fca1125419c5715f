import PlainS3
import TestServers
import Testing

/// The nightly round on real S3 servers: what a plan takes away comes back, or goes for good.
@Suite("Repairs on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3RepairTests {
    @Test("Audit, plan, repair and undo give every object and value back", arguments: S3Store.all)
    func thereAndBack(store: S3Store) async throws {
        let app = try await StoreApp(store)
        try app.healthy()
        let keys = try (0..<3).map { try app.orphan("s\($0)", "content \($0)") }
        try app.dangling("d1")
        app.settle()
        let before = try app.objects()
        let versions = store.isVersioned ? try versions(app) : []
        #expect(
            try app.audit().labels == ["dangling/missing/settled"]
                + Array(repeating: "orphan/superseded/settled", count: 3))
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 4)
        try app.expect(0, "repair", path)
        #expect(try app.objects() == before)
        let applied = try app.expect(0, "repair", path, "--apply")
        #expect(applied.output.contains("4 done, 0 stale, 0 failed of 4"), "\(applied.told)")
        #expect(try app.held() == keys)
        #expect(try app.objects() == before.filter { !keys.contains($0.key) })
        #expect(try app.cover(of: "d1") == nil)
        #expect(try app.audit().isEmpty)
        let undone = try app.expect(0, "undo", "latest", "--apply")
        #expect(undone.output.contains("4 done"), "\(undone.told)")
        #expect(try app.objects() == before)
        #expect(try app.held() == [])
        let cover = try app.cover(of: "d1")
        #expect(cover == App.cover("d1"), "\(undone.told)")
        #expect(try app.openIntents() == 0)
        let litter = try app.litter()
        #expect(litter == [])
        // The marker is gone, and what is there is the version of before.
        if store.isVersioned { #expect(try self.versions(app) == versions) }
    }

    private func versions(_ app: StoreApp) throws -> [String] {
        try app.server.s3.versions(app.bucket).filter { !$0.name.contains(".probe-") }
            .filter { ![".mooring/lease", ".mooring/store"].contains($0.name) }
            .map { "\($0.name) \($0.version ?? "")" }
    }

    @Test(
        "An object comes back with everything that it had",
        arguments: S3Store.all.filter { $0 != .rclone })
    func attributes(store: S3Store) async throws {
        let app = try await StoreApp(store)
        let key = try app.orphan("s1", "precious")
        try app.server.s3.put(
            app.bucket, key, "precious",
            headers: [
                ("content-type", "image/png"), ("cache-control", "max-age=60"),
                ("content-disposition", "inline"), ("x-amz-meta-who", "somebody"),
                ("x-amz-tagging", "colour=blue&size=9"),
            ])
        app.settle()
        let before = try attributes(app, key)
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.content(key) == nil)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.content(key) == "precious")
        #expect(try attributes(app, key) == before)
        #expect(before.contains("somebody") && before.contains("blue"), "\(before)")
    }

    private func attributes(_ app: StoreApp, _ key: String) throws -> [String] {
        let head = try #require(try app.server.s3.head(app.bucket, Array(key.utf8)))
        let names = ["content-type", "cache-control", "content-disposition", "x-amz-meta-who"]
        var call = PlainS3.Call("GET", app.bucket, Array(key.utf8))
        call.query = [("tagging", "")]
        let tags = String(decoding: try app.server.s3.require(call).body, as: UTF8.self)
        return names.map { head[$0] ?? "" }
            + tags.split { "<>".contains($0) }.map(String.init).filter {
                ["colour", "blue", "size", "9"].contains($0)
            }.sorted()
    }

    @Test("Sweep waits for two runs, then nothing is left of an object", arguments: S3Store.all)
    func sweep(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, retention: 0s}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        let key = try app.orphan("s1", "old")
        if store.isVersioned { try app.put(key, "newer") }
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let early = try app.expect(0, "sweep", "--apply")
        #expect(early.output.contains("2 complete runs"), "\(early.told)")
        #expect(try app.held() == [key])
        app.settle()
        try app.audit()
        app.settle()
        try app.audit()
        #expect(try app.expect(0, "sweep").output.contains("would remove for good"))
        let swept = try app.expect(0, "sweep", "--apply")
        #expect(swept.output.contains("1 done"), "\(swept.told)")
        #expect(try app.held() == [])
        #expect(try app.server.s3.list(app.bucket, prefix: ".mooring/quarantine/").isEmpty)
        if store.isVersioned {
            let left = try app.server.s3.versions(app.bucket)
            #expect(left.allSatisfy { $0.name != key && !$0.name.contains("quarantine/2") })
        }
        let undo = try app.mooring("undo", "latest", "--apply")
        #expect(undo.output.contains("cannot be brought back"), "\(undo.told)")
        #expect(try app.content(App.songKey("healthy")) == "content")
    }

    @Test(
        "The nightly run takes orphans away, and gives back what is referenced again",
        arguments: S3Store.all)
    func nightly(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        let keys = try (0..<2).map { try app.orphan("s\($0)", "content \($0)") }
        app.settle()
        try app.expect(0, "run")
        #expect(try app.held() == keys)
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's0'", Array(App.cover("s0").utf8))
        try app.expect(0, "run")
        #expect(try app.content(keys[0]) == "content 0")
        #expect(try app.content(keys[1]) == nil)
        #expect(try app.cover(of: "s0") == App.cover("s0"))
        #expect(try app.openIntents() == 0)
        #expect(try app.litter() == [])
    }

    @Test(
        "What may be written again at its key goes only where versions or conditions guard it",
        arguments: S3Store.all)
    func reusedKey(store: S3Store) async throws {
        let app = try await StoreApp(store)
        try app.healthy()
        try app.post("p1", nil)
        try app.put("public/posts/p1.txt", "text")
        let sure = try app.orphan("s1")
        app.settle()
        let finding = try app.audit().about("public/posts/p1.txt")
        #expect(finding.verdict == "settled")
        let (path, _) = try app.plan()
        let result = try app.expect(store.isGuarded ? 0 : 5, "repair", path, "--apply")
        #expect(try app.content(sure) == nil)
        #expect(try (app.content("public/posts/p1.txt") == nil) == store.isGuarded)
        if !store.isGuarded { #expect(result.told.contains("{uuid}"), "\(result.told)") }
    }

    @Test(
        "Quarantine in another bucket fires no trigger of this one, and undo brings back from it",
        arguments: S3Store.all.filter { $0 != .cephThrottled })
    func otherBucket(store: S3Store) async throws {
        let server = try await store.server()
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        let other = try await server.makeBucket(versioned: store.isVersioned)
        var options = StoreApp.Options()
        options.lines =
            "quarantine: {bucket: \(other), prefix: held/}\n  - name: attic\n    "
            + StoreApp.line(server, other, "\(server.endpoint)")
        options.settings.models = Self.oneModel
        let app = try StoreApp(server, bucket, options)
        try app.healthy()
        let key = try app.orphan("s1", "precious")
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.content(key) == nil)
        let held = try server.s3.list(other, prefix: "held/").map(\.name)
        #expect(held.count == 1 && held[0].hasSuffix(key), "\(held)")
        #expect(try server.s3.list(bucket, prefix: ".mooring/quarantine/").isEmpty)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.content(key) == "precious")
        #expect(try server.s3.list(other, prefix: "held/").isEmpty)
    }

    // With two buckets each file says in which one it lies.
    static let oneModel = """
        - model: Song
          version: _version
          changed: _lastChangedAt
          deleted: _deleted
          identity: ownerIdentity
          files:
            - field: coverArtKey
              level: private
              bucket: media
              template: "{id}-{uuid}.png"
        """
}
