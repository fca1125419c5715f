import PlainS3
import TestServers
import Testing

/// The findings that only a live store can give.
@Suite("Findings on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3FindingTests {
    @Test(
        "A deleted object is told with the time of its marker, and restored from below it",
        arguments: S3Store.versioned)
    func deleted(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.settings.repair = "{dangling: restore}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        try app.song("s1", cover: App.cover("s1"))
        try app.put(App.songKey("s1"), "precious")
        try app.server.s3.delete(app.bucket, Array(App.songKey("s1").utf8))
        app.settle()
        let finding = try app.audit().about(App.songKey("s1"))
        #expect(finding.label == "dangling/deleted/settled")
        #expect(finding.action == "restore")
        #expect(finding.evidence.contains("2026") || finding.evidence.contains("20"))
        let before = try app.server.s3.versions(app.bucket).map(\.version)
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.content(App.songKey("s1")) == "precious")
        #expect(try app.audit().isEmpty)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.content(App.songKey("s1")) == nil)
        let after = try app.server.s3.versions(app.bucket).map(\.version)
        #expect(after.count >= before.count, "the version below the marker is still there")
        #expect(try app.audit().labels == ["dangling/deleted/settled"])
    }

    @Test(
        "A key that has no place in quarantine is kept, and an act on it ends",
        arguments: S3Store.all)
    func noPlace(store: S3Store) async throws {
        let app = try await StoreApp(store, StoreApp.Options())
        try app.healthy()
        let key = "songs/" + String(repeating: "k", count: 1_000)
        try app.put(key, "precious")
        try app.audit()
        app.settle()
        let finding = try app.audit().about(key)
        #expect(finding.action == "keep", "\(finding.json.value)")
        #expect(try app.content(key) == "precious")
    }

    // Ceph makes no second marker over one, so that nothing tells of the device's deletion there.
    @Test(
        "What a device deletes once more in quarantine is deleted: nulled or restored as that is",
        arguments: S3Store.versioned.filter { $0.kind != .ceph }, ["nullify", "restore"])
    func deletedInQuarantine(store: S3Store, strategy: String) async throws {
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, dangling: \(strategy), retention: 0s}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        let key = try app.orphan("s1", "precious")
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.held() == [key])
        try app.server.s3.delete(app.bucket, Array(key.utf8))
        try app.song("late", cover: App.cover("s1"))
        app.settle()
        let finding = try app.audit().about(key)
        #expect(finding.label == "dangling/deleted/settled", "\(finding.json.value)")
        #expect(finding.action == strategy)
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.content(key) == (strategy == "restore" ? "precious" : nil))
        #expect(try app.audit().isEmpty)
        guard strategy == "nullify" else { return }
        // Nobody references it any more, but who did was this program's doing: it waits.
        app.settle()
        try app.audit()
        app.settle()
        let swept = try app.expect(0, "sweep", "--apply")
        #expect(swept.output.contains("for no reference to it that a run took away"))
        #expect(try app.held() == [key], "\(swept.told)")
    }

    @Test(
        "An open upload is told with its bytes, aborted after its bound, and never brought back",
        arguments: S3Store.all.filter { $0 != .rclone })
    func abandonedUpload(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.settings.race = "{preset: testing, multipartWindow: 0s}"
        options.settings.repair = "{abandoned-upload: abort}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        let (key, id) = try beginUpload(app)
        app.settle()
        let finding = try app.audit().about(key)
        #expect(finding.kind == "abandoned-upload")
        let part = 5 << 20
        #expect(finding.json["object"]["size"].integer == part, "\(finding.json.value)")
        app.settle()
        let (path, plan) = try app.plan()
        #expect(plan["steps"][0]["strategy"].string == "abort", "\(plan.value)")
        try app.expect(0, "repair", path)
        #expect(try openUploads(app) == [id])
        try app.expect(0, "repair", path, "--apply")
        #expect(try openUploads(app) == [])
        let undo = try app.mooring("undo", "latest", "--apply")
        #expect(undo.told.contains("cannot be brought back"), "\(undo.told)")
        #expect(try app.audit().isEmpty)
    }

    @Test("A young upload is left alone", arguments: S3Store.all.filter { $0 != .rclone })
    func youngUpload(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.settings.race = "{preset: standard}"
        options.settings.repair = "{abandoned-upload: abort}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        let (key, id) = try beginUpload(app)
        let findings = try app.audit()
        #expect(!findings.contains { $0.key == key && $0.verdict == "settled" })
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try openUploads(app) == [id])
    }

    private func beginUpload(_ app: StoreApp) throws -> (key: String, id: String) {
        let key = App.songKey("up")
        var begin = PlainS3.Call("POST", app.bucket, Array(key.utf8))
        begin.query = [("uploads", "")]
        let text = String(decoding: try app.server.s3.require(begin).body, as: UTF8.self)
        let id = try #require(PlainS3.value("UploadId", in: text[...]))
        var part = PlainS3.Call("PUT", app.bucket, Array(key.utf8))
        part.query = [("partNumber", "1"), ("uploadId", id)]
        part.body = [UInt8](repeating: 7, count: 5 << 20)
        try app.server.s3.require(part)
        return (key, id)
    }

    private func openUploads(_ app: StoreApp) throws -> [String] {
        var call = PlainS3.Call("GET", app.bucket)
        call.query = [("uploads", "")]
        let text = String(decoding: try app.server.s3.require(call).body, as: UTF8.self)
        return PlainS3.value("UploadId", in: text[...]).map { [$0] } ?? []
    }

    @Test("An empty object that a record references is told", arguments: S3Store.all)
    func empty(store: S3Store) async throws {
        let app = try await StoreApp(store)
        try app.healthy()
        try app.song("s1", cover: App.cover("s1"))
        try app.put(App.songKey("s1"), "")
        app.settle()
        let findings = try app.audit()
        #expect(findings.map(\.kind) == ["empty-object"])
        #expect(findings.first?.key == App.songKey("s1"))
    }

    @Test("An object under another level is misplaced, and both ends stay", arguments: S3Store.all)
    func misplaced(store: S3Store) async throws {
        let app = try await StoreApp(store)
        try app.healthy()
        try app.song("s1", cover: App.cover("s1"))
        try app.put("public/" + App.cover("s1"), "elsewhere")
        app.settle()
        let finding = try app.audit().about(App.songKey("s1"), kind: "dangling")
        #expect(finding.label == "dangling/misplaced/undecided")
        let candidates = finding.json["candidates"].elements.compactMap(\.string)
        #expect(candidates == ["public/" + App.cover("s1")])
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        #expect(try app.content("public/" + App.cover("s1")) == "elsewhere")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
    }

    @Test("A twin is repointed where that is the policy, and undo gives the bytes back")
    func repoint() async throws {
        // rclone's server finds an object by either Unicode form of its key.
        for store in S3Store.all where ![.cephThrottled, .rclone].contains(store) {
            var options = StoreApp.Options()
            options.settings.repair = "{orphan: quarantine, dangling: repoint}"
            let app = try await StoreApp(store, options)
            try app.healthy()
            let held = "cafe\u{301}-" + App.uuid(1) + ".png"
            let listed = "caf\u{E9}-" + App.uuid(1) + ".png"
            try app.song("s1", cover: held)
            try app.put("private/\(App.identity)/\(listed)")
            app.settle()
            try app.expect(0, "repair", try app.plan().path, "--apply")
            let now = try #require(try app.cover(of: "s1"))
            #expect(Array(now.utf8) == Array(listed.utf8), "\(store)")
            #expect(try app.audit().isEmpty, "\(store)")
            try app.expect(0, "undo", "latest", "--apply")
            let back = try #require(try app.cover(of: "s1"))
            #expect(Array(back.utf8) == Array(held.utf8), "\(store)")
        }
    }

    @Test(
        "An archived object is present; one that no record references is not copied, by name",
        arguments: S3Store.all.filter { $0 != .rclone })
    func archived(store: S3Store) async throws {
        let app = try await StoreApp(store)
        try app.healthy()
        try app.song("s1", cover: App.cover("s1"))
        let archive = [(name: "x-amz-storage-class", value: "GLACIER")]
        try app.server.s3.put(app.bucket, App.songKey("s1"), "cold", headers: archive)
        let key = try app.orphan("s2", "cold too")
        try app.server.s3.put(app.bucket, key, "cold too", headers: archive)
        app.settle()
        let findings = try app.audit()
        #expect(findings.map(\.kind) == ["orphan"])
        let (path, _) = try app.plan()
        let result = try app.mooring("repair", path, "--apply")
        if store.isVersioned {
            #expect(try app.held() == [key])
        } else {
            #expect(try app.server.s3.head(app.bucket, Array(key.utf8)) != nil)
            #expect(try app.held() == [])
            #expect(
                (findings[0].evidence + result.told).contains("archive GLACIER"),
                "\(findings[0].evidence) \(result.told)")
        }
    }
}
