import PlainS3
import TestServers
import Testing

/// What `explain` tells of the versions that a bucket keeps of an object.
@Suite("explain of versions on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3VersionStoryTests {
    private static let source = "versions of bucket media"

    /// The texts of the timeline's entries that versions tell, oldest first.
    private func told(_ output: JSON) -> [String] {
        output["stories"][0]["timeline"].elements
            .filter { $0["source"].string == Self.source }.compactMap { $0["text"].string }
    }

    @Test(
        "Versions and markers stand in the timeline, oldest first, with what is current",
        arguments: S3Store.versioned)
    func versions(store: S3Store) async throws {
        let app = try await StoreApp(store)
        let key = "public/posts/p1.txt"
        try app.put(key, "one")
        try app.put(key, "three")
        try app.put(key + ".bak", "a neighbour")
        try app.post("p1", #"{"bucket": "\#(app.bucket)", "key": "posts/p1.txt"}"#)
        try app.expect(0, "audit", "--quiet")
        let entries = try app.server.s3.versions(app.bucket).filter { $0.name == key }
        let ids = entries.compactMap(\.version)
        let there = told(try app.expect(0, "explain", key, "--json").json())
        #expect(
            there == [
                "version \(ids[1]) written, 3 B, ETag \(entries[1].etag)",
                "version \(ids[0]) written, 5 B, ETag \(entries[0].etag); the current one",
            ])
        let text = try app.expect(0, "explain", key).output
        #expect(text.contains("[\(Self.source)]"), "\(text)")
        #expect(text.contains("what it was before is kept: version \(ids[1]) of "), "\(text)")
        #expect(!text.contains("the object that is there now was written"), "\(text)")
    }

    @Test(
        "A delete marker is told with what brings the object back, also of a key nobody knows",
        arguments: S3Store.versioned)
    func hidden(store: S3Store) async throws {
        let app = try await StoreApp(store)
        try app.healthy()
        try app.expect(0, "audit", "--quiet")
        let key = "public/gone.txt"
        try app.put(key, "one")
        let version = try #require(try newest(of: key, app))
        _ = try app.server.s3.delete(app.bucket, Array(key.utf8))
        let marker = try #require(try newest(of: key, app))
        let json = try app.expect(0, "explain", key, "--json").json()
        #expect(
            told(json).last == "delete marker put (version \(marker)); it hides the object now")
        let now = json["stories"][0]["now"].elements.compactMap(\.string)
        let way = "to remove the marker, and no version, brings back version \(version), 3 B"
        #expect(now.contains { $0.contains(way) }, "\(now)")
        #expect(now.contains { $0.contains("by the strategy restore") }, "\(now)")
        // Ceph puts no marker above a marker.
        guard store == .ministackVersioned else { return }
        _ = try app.server.s3.delete(app.bucket, Array(key.utf8))
        let twice = try app.expect(0, "explain", key).output
        #expect(twice.contains("to remove all 2 markers above it, and no version"), "\(twice)")
    }

    private func newest(of key: String, _ app: StoreApp) throws -> String? {
        try app.server.s3.versions(app.bucket).first { $0.name == key }?.version
    }

    @Test(
        "The marker of a quarantine is told as Mooring's own, and undo as what removes it",
        arguments: S3Store.versioned.filter { $0 != .cephThrottled })
    func quarantined(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.settings.race = "{preset: testing, relink: never}"
        options.settings.repair = "{apply: true, orphan: quarantine}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        let key = try app.orphan("s1", "old")
        app.settle()
        try app.expect(0, "run", "--quiet")
        app.settle()
        try app.expect(0, "run", "--quiet")
        #expect(try app.held() == [key])
        let story = try app.expect(0, "explain", key, "--json").json()
        let last = try #require(told(story).last)
        #expect(
            last.contains(/^delete marker put \(version .+\) by the quarantine of run 2/), "\(last)"
        )
        #expect(last.hasSuffix("; it hides the object now"), "\(last)")
        let now = story["stories"][0]["now"].elements.compactMap(\.string)
        #expect(now.contains { $0.hasSuffix("mooring undo removes it") }, "\(now)")
        let next = story["stories"][0]["next"].elements.compactMap(\.string)
        #expect(next.first?.hasPrefix("mooring undo 2") == true, "\(next)")
    }

    @Test("An object from before versions were kept has the version null, and this is said")
    func null() async throws {
        let app = try await StoreApp(.ministack)
        let key = "public/old.txt"
        try app.put(key, "one")
        try app.expect(0, "audit", "--quiet")
        let before = try app.expect(0, "explain", key, "--json").json()
        #expect(told(before).isEmpty, "a bucket without versions tells of some")
        try app.server.s3.setVersioning("Enabled", of: app.bucket)
        try app.put(key, "three")
        let after = told(try app.expect(0, "explain", key, "--json").json())
        #expect(after.count == 2)
        #expect(
            after.first?.hasPrefix("version null written, 3 B") == true
                && after.first?.hasSuffix("before versions were kept, or while they were not")
                    == true,
            "\(after)")
    }

    @Test("Of many versions the newest hundred are told, and how many are left out")
    func many() async throws {
        let app = try await StoreApp(.ministackVersioned)
        let key = "public/busy.txt"
        for _ in 0..<103 { try app.put(key, "again") }
        try app.expect(0, "audit", "--quiet")
        let json = try app.expect(0, "explain", key, "--json").json()
        #expect(told(json).count == 100)
        let now = json["stories"][0]["now"].elements.compactMap(\.string)
        let said = "the newest 100 versions and delete markers are told; 3 older ones are left out"
        #expect(now.contains(said), "\(now)")
    }

    @Test("Versions that may not be listed are told as such, with the permission (4)")
    func refused() async throws {
        let server = try await S3TestServer.ministack()
        let bucket = try await server.makeBucket(versioned: true)
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        let app = try StoreApp(server, bucket, options)
        let key = "public/posts/p1.txt"
        try app.put(key)
        try app.expect(0, "audit", "--quiet")
        let denied = "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"
        proxy.set(FaultRule(.answer(403, body: denied)) { $0.query.contains("versions") })
        let told = try app.expect(4, "explain", key).output
        #expect(told.contains("now: its versions could not be read: "), "\(told)")
        #expect(told.contains("s3:ListBucketVersions"), "\(told)")
        #expect(told.contains("the object that is there now was written"), "\(told)")
    }
}
