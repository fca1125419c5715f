import Glibc
import TestServers
import Testing

/// A crash between the write that nulled a reference and the look whether its file came back, and a
/// configuration that names the record, or the bucket, otherwise the next night.
@Suite("An open put-back whose place was renamed", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3LostPlaceTests {
    /// What is renamed: its line in the configuration, and what it becomes.
    struct Renaming: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: String
        let new: String
        let told: String
    }

    private static let renamings = [
        Renaming(
            testDescription: "model", line: "- model: Song\n",
            new: "- model: Track\n        table: Song\n", told: "model 'Song'"),
        Renaming(
            testDescription: "bucket", line: "- name: media\n", new: "- name: attic\n",
            told: "bucket 'media'"),
        Renaming(
            testDescription: "source", line: "- name: app\n", new: "- name: records\n",
            told: "record source 'app'"),
    ]

    /// An app whose repair was killed after it nulled the reference, and whose device uploaded the
    /// file since.
    private func crashed(before proxy: FaultProxy, _ server: S3TestServer) async throws -> StoreApp
    {
        let bucket = try await server.makeBucket(versioned: false)
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        options.settings.repair = "{orphan: quarantine, dangling: nullify, apply: true}"
        let app = try StoreApp(server, bucket, options)
        for number in 0..<12 { try app.healthy("h\(number)") }
        try app.dangling("d1")
        app.settle()
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 1)
        let file = app.path + "/app.sqlite"
        proxy.set(
            FaultRule(.hang(isCarriedOut: false)) { request in
                guard request.method == "HEAD", request.path.contains("/d1-") else { return false }
                do {
                    // A look before the write goes through.
                    let cover = try Database(file, mode: nil).rows(
                        "SELECT coverArtKey FROM Song WHERE id = 'd1'")
                    return cover.first?.first == .some(nil)
                } catch {
                    // The program may hold the database: the next look is asked again, and where
                    // none is held up the test fails below.
                    return false
                }
            })
        let process = try Program.start(
            ["repair", path, "--apply"], in: app.path, environment: app.environment)
        for _ in 0..<3_000 where try app.cover(of: "d1") != nil && process.poll() == nil {
            usleep(10_000)
        }
        // Until the look after the write is on its way.
        usleep(300_000)
        process.signal(SIGKILL)
        #expect(try process.wait().status == 128 + SIGKILL)
        try #require(try app.openIntents() == 1)
        try #require(try app.cover(of: "d1") == nil)
        proxy.set()
        try app.put(App.songKey("d1"), "came back")
        return app
    }

    @Test(
        "Every later act is refused with what to do; by its old name the reference comes back",
        arguments: renamings)
    func renamed(_ renaming: Renaming) async throws {
        let server = try await S3Store.ministack.server()
        let proxy = try server.proxy()
        defer { withExtendedLifetime(proxy) {} }
        let app = try await crashed(before: proxy, server)
        let key = try app.orphan("s1", "an orphan")
        app.settle()
        let text = try #require(app.read("mooring.yaml"))
        try #require(text.components(of: renaming.line) == 1)
        try app.write("mooring.yaml", text.replacing(renaming.line, with: renaming.new))
        for words in [["run"], ["sweep", "--apply"], ["run"]] {
            let result = try Program.run(words, in: app.path, environment: app.environment)
            #expect(result.status == 3, "\(words): \(result.told)")
            #expect(result.errors.contains(renaming.told), "\(result.told)")
            #expect(result.errors.contains("name it again as it was"), "\(result.told)")
        }
        try app.audit()
        let (path, _) = try app.plan()
        try app.expect(3, "repair", path, "--apply")
        let undo = try app.mooring("undo", "latest", "--apply")
        #expect(undo.status != 0, "\(undo.told)")
        #expect(try app.openIntents() == 1)
        #expect(try app.cover(of: "d1") == nil)
        #expect(try app.content(key) == "an orphan")
        #expect(try app.held() == [])
        // Named as it was, the reference is put back before anything else is done.
        try app.write("mooring.yaml", text)
        try app.expect(0, "run")
        #expect(try app.cover(of: "d1") == App.cover("d1"))
        #expect(try app.content(App.songKey("d1")) == "came back")
        #expect(try app.openIntents() == 0)
        // And what was refused before is done now, under whatever name.
        try app.write("mooring.yaml", text.replacing(renaming.line, with: renaming.new))
        app.settle()
        let last = try app.mooring("run")
        #expect(!last.told.contains("name it again as it was"), "\(last.told)")
    }
}
