import PlainS3
import Synchronization
import TestServers
import Testing

/// Objects that go for good with everything that was ever kept of them, and nothing beside them.
@Suite("Removal for good on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3EraseTests {
    /// Every version and marker that is not Mooring's own, oldest last, as key, tab and id.
    private func kept(_ app: StoreApp) throws -> [String] {
        try app.server.s3.versions(app.bucket).filter { !$0.name.hasPrefix(".mooring/") }
            .map { "\($0.name)\t\($0.version ?? "")\($0.isMarker ? " marker" : "")" }
    }

    /// What is left of Mooring's own, without the lease, which is empty, and the marker.
    private func own(_ app: StoreApp) throws -> [String] {
        try app.server.s3.versions(app.bucket, prefix: ".mooring/")
            .filter { ![".mooring/lease", ".mooring/store"].contains($0.name) }.map(\.name)
    }

    /// Neighbours whose keys begin as the key does, or lie right beside it, with older versions
    /// and delete markers.
    private func addNeighbours(of key: String, _ app: StoreApp) throws {
        let keys = [
            key + ".bak", key + "/", key + "/x", key + " ", key + "g", String(key.dropLast()),
        ]
        for name in keys {
            for text in ["one", "two"] { try app.put(name, text) }
        }
        for name in keys.prefix(2) { try app.server.s3.delete(app.bucket, Array(name.utf8)) }
        try app.put(keys[0], "three")
    }

    @Test(
        "Delete takes all versions, from the oldest, and its marker last; a neighbour keeps all",
        arguments: S3Store.versioned.filter { $0 != .cephThrottled })
    func delete(store: S3Store) async throws {
        let server = try await store.server()
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        options.settings.race = "{preset: testing, relink: never}"
        options.settings.repair = "{orphan: delete}"
        options.lines =
            "ignore: [\"private/*/s1-*.png?*\", \"private/*/s1-*.png/**\", "
            + "\"private/*/s1-*.pn\"]"
        let app = try StoreApp(server, try await server.makeBucket(versioned: true), options)
        try app.healthy()
        let key = try app.orphan("s1", "first")
        for number in 2...5 { try app.put(key, "version \(number)") }
        try addNeighbours(of: key, app)
        app.settle()
        try app.audit()
        app.settle()
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.compactMap { $0["key"].string } == [key], "\(plan.value)")
        let (s3, bucket) = (server.s3, app.bucket)
        let before = try s3.versions(bucket).filter { $0.name == key }
        #expect(before.count == 5)
        let neighbours = try kept(app).filter { !$0.hasPrefix(key + "\t") }
        // Whether the key shows an object before any of its versions goes.
        let seen = Mutex<[Int]>([])
        proxy.forget()
        proxy.set(
            FaultRule(
                .before {
                    // A look that fails shows as no answer at all in what is expected below.
                    let status = try? s3.send(PlainS3.Call("HEAD", bucket, Array(key.utf8))).status
                    seen.withLock { $0.append(status ?? 0) }
                }
            ) { $0.deletions.contains { $0.key == key && !$0.version.isEmpty } })
        try app.expect(0, "repair", path, "--apply")
        #expect(seen.withLock { $0 } == Array(repeating: 404, count: 6))
        #expect(try kept(app) == neighbours)
        #expect(try own(app) == [])
        let ids = proxy.log.flatMap(\.deletions).filter { $0.key == key }.map(\.version)
        // The marker is made first and goes last; between them the oldest goes first.
        let versions = before.compactMap(\.version)
        #expect(ids.first == "" && Array(ids.dropFirst().dropLast()) == versions.reversed())
        #expect(ids.count == 7 && ids.last.map(versions.contains) == false)
        #expect(try app.content(App.songKey("healthy")) == "content")
    }

    @Test(
        "What lies below a marker of somebody else's is not ours to delete, and stays hidden",
        arguments: S3Store.versioned.filter { $0 != .cephThrottled })
    func foreignMarker(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.settings.race = "{preset: testing, relink: never}"
        options.settings.repair = "{orphan: delete}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        let key = App.songKey("s1")
        try app.put(key, "an older life")
        try app.server.s3.delete(app.bucket, Array(key.utf8))
        let older = try kept(app).filter { $0.hasPrefix(key) }
        try app.orphan("s1", "newer")
        app.settle()
        try app.audit()
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try kept(app).filter { $0.hasPrefix(key) } == older)
        #expect(try app.content(key) == nil)
        #expect(try own(app) == [])
    }

    @Test(
        "A deletion request leaves no version, marker, upload or note of a person, and all else",
        arguments: S3Store.all.filter { ![.cephSecure, .cephThrottled, .rclone].contains($0) })
    func erase(store: S3Store) async throws {
        let app = try await StoreApp(store)
        let (s3, bucket) = (app.server.s3, app.bucket)
        try app.healthy()
        // In quarantine, with an older version below it.
        let held = try app.orphan("held", "one")
        try app.put(held, "two")
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.held() == [held])
        // Deleted by somebody, written again, and deleted again.
        let gone = "protected/\(App.identity)/gone"
        for text in ["one", "two"] {
            try app.put(gone, text)
            try s3.delete(bucket, Array(gone.utf8))
        }
        // Without versions and conditions only what is never written again goes.
        let several =
            store.isGuarded ? "protected/\(App.identity)/several" : App.songKey("several")
        for text in ["one", "two", "three"] { try app.put(several, text) }
        var upload = PlainS3.Call("POST", bucket, Array("private/\(App.identity)/up".utf8))
        upload.query = [("uploads", "")]
        try s3.require(upload)
        // Whose name only begins as the person's does, or lies beside it.
        let others = [
            "private/\(App.identity)6/a", "private/\(App.identity)", "protected/\(App.identity)x",
            "public/\(App.identity)/a",
        ]
        for name in others {
            for text in ["one", "two"] { try app.put(name, text) }
        }
        try s3.delete(bucket, Array(others[0].utf8))
        let wanted = try left(app, store).filter { line in
            others.contains { line.hasPrefix($0 + "\t") }
        }
        #expect(wanted.count == (store.isVersioned ? 9 : 3))

        let dry = try app.expect(0, "erase", "--identity", App.identity)
        #expect(
            dry.output.contains(/\nwould go too: [^\n]*, 1 open upload\n/), "\(dry.told)")
        let applied = try app.expect(0, "erase", "--identity", App.identity, "--apply")
        #expect(
            applied.output.contains(/\nremoved with them: [^\n]*, 1 open upload\n/),
            "\(applied.told)")
        #expect(applied.output.contains("removed for good"), "\(applied.told)")
        #expect(try left(app, store) == wanted, "\(applied.told)")
        let mine =
            try (store.isVersioned ? own(app) : s3.list(bucket, prefix: ".mooring/q").map(\.name))
        #expect(mine == [])
        var uploads = PlainS3.Call("GET", bucket)
        uploads.query = [("uploads", "")]
        let open = String(decoding: try s3.require(uploads).body, as: UTF8.self)
        #expect(!open.contains("<UploadId>"), "\(open)")
        let again = try app.expect(0, "erase", "--identity", App.identity)
        #expect(again.output.contains("0 objects"), "\(again.told)")
    }

    @Test(
        "Where nobody answers whether versions are kept, they go all the same, or are told",
        arguments: [405, 501])
    func unansweredVersions(status: Int) async throws {
        let server = try await S3TestServer.ministack()
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        let app = try StoreApp(server, try await server.makeBucket(versioned: true), options)
        try app.healthy()
        let several = "protected/\(App.identity)/several"
        for text in ["one", "two", "three"] { try app.put(several, text) }
        let silence = FaultRule(.answer(status)) { $0.query.hasPrefix("versioning") }
        // What is removed by its version stays, whatever the store says.
        proxy.set(
            silence,
            FaultRule(.answer(204)) { request in
                request.method == "DELETE" && request.path.hasSuffix("several")
                    && request.query.contains("versionId")
            })
        let first = try app.mooring("erase", "--identity", App.identity, "--apply")
        #expect(first.status != 0, "\(first.told)")
        #expect(first.told.contains("still listed afterwards: 3 older versions"), "\(first.told)")
        proxy.set(silence)
        let second = try app.expect(0, "erase", "--identity", App.identity, "--apply")
        #expect(try kept(app).filter { $0.hasPrefix(several) } == [], "\(second.told)")
    }

    private func left(_ app: StoreApp, _ store: S3Store) throws -> [String] {
        if store.isVersioned { return try kept(app) }
        return try app.server.s3.list(app.bucket).filter { !$0.name.hasPrefix(".mooring/") }
            .map { "\($0.name)\t\($0.etag)" }
    }
}
