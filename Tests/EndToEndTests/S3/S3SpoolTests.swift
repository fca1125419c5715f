import Foundation
import Glibc
import TestServers
import Testing

/// An audit that is broken off while it lists a bucket, and the next one, which goes on.
@Suite("A listing of S3 that is broken off", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3SpoolTests {
    private static let count = 3_500

    /// An app behind a proxy that gives a page now and then, with thousands of healthy songs, an
    /// orphan, a missing file, and one song whose file comes later.
    private func prepared() async throws -> (app: StoreApp, proxy: FaultProxy) {
        let server = try await S3TestServer.ministack()
        let proxy = try server.proxy()
        var options = StoreApp.Options(settings: App.Settings())
        options.endpoint = proxy.endpoint
        options.further = "concurrency: 1, "
        let app = try StoreApp(server, try await server.makeBucket(), options)
        let ids = (0..<Self.count).map { "n\($0)" }
        try await server.fill(
            app.bucket,
            ids.map { (key: Array(App.songKey($0).utf8), content: Array("x".utf8)) })
        try app.database.run("BEGIN")
        for id in ids { try app.song(id, cover: App.cover(id)) }
        try app.song("a-late", cover: App.cover("a-late"))
        try app.dangling("gone")
        try app.database.run("COMMIT")
        try app.orphan("z-orphaned")
        return (app, proxy)
    }

    private static func isListing(_ request: FaultProxy.Request) -> Bool {
        request.query.contains("list-type=2") && !request.query.contains("prefix=.mooring")
    }

    private func spools(_ app: StoreApp) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: app.path)
            .filter { $0.contains(".listing-") }
    }

    /// Audits until so many pages were asked for and something is kept, and ends it by a signal.
    private func breakOff(
        _ app: StoreApp, _ proxy: FaultProxy, by signal: Int32, command: String = "audit"
    ) throws -> Program.Result {
        proxy.set(FaultRule(.delay(600), where: Self.isListing))
        proxy.forget()
        let process = try Program.start([command], in: app.path, environment: app.environment)
        let wanted = signal == SIGKILL ? 4 : 3
        while try process.poll() == nil, proxy.log.count(where: Self.isListing) < wanted {
            usleep(2_000)
        }
        if signal == SIGKILL { #expect(try spools(app).count == 1, "\(process.errors)") }
        process.signal(signal)
        let result = try process.wait()
        proxy.set()
        return result
    }

    /// How many pages an audit asks for, and what it says.
    private func audit(_ app: StoreApp, _ proxy: FaultProxy) throws -> (pages: Int, told: [String])
    {
        proxy.forget()
        let findings = try app.audit()
        let told = findings.map {
            "\($0.label) \($0.key ?? "") \($0.recordID ?? "") \($0.action ?? "") "
                + "\($0.proof ?? "") \($0.evidence)"
        }
        let bucket = try app.report()["buckets"][0]
        let figures = ["objects", "bytes", "quarantined"].map { "\(bucket[$0].integer ?? -1)" }
        return (proxy.log.count(where: Self.isListing), told + figures)
    }

    private func notes(_ app: StoreApp) throws -> String {
        try app.report()["notes"].elements.compactMap(\.string).joined(separator: "\n")
    }

    @Test(
        "The next audit asks for less, says so, and finds the same", arguments: [SIGKILL, SIGTERM])
    func goesOn(signal: Int32) async throws {
        let (app, proxy) = try await prepared()
        let broken = try breakOff(app, proxy, by: signal)
        #expect(broken.status == (signal == SIGKILL ? 128 + SIGKILL : 130), "\(broken.told)")
        let spool = try #require(try spools(app).first)
        var status = stat()
        #expect(lstat(app.path + "/" + spool, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let resumed = try audit(app, proxy)
        #expect(try notes(app).contains("goes on from an earlier listing of "))
        #expect(try spools(app) == [])
        // The window is as old as what was listed first.
        let report = try app.report()
        let window = report["buckets"][0]["window"]["from"].string ?? "9"
        #expect(window < report["run"]["startedAt"].string ?? "")
        let whole = try audit(app, proxy)
        #expect(try !notes(app).contains("earlier listing"))
        #expect(resumed.pages < whole.pages, "\(resumed.pages) of \(whole.pages)")
        #expect(resumed.told == whole.told)
    }

    @Test("What was uploaded meanwhile into what is listed already is taken for nothing")
    func uploadBetween() async throws {
        let (app, proxy) = try await prepared()
        _ = try breakOff(app, proxy, by: SIGKILL)
        try app.put(App.songKey("a-late"), "late")
        let (path, plan) = try app.plan()
        #expect(try notes(app).contains("goes on from an earlier listing of "))
        #expect(!(try app.findings()).contains { $0.recordID == "a-late" })
        #expect(plan["steps"].elements.count == 1)
        try app.expect(0, "repair", path, "--apply")
        #expect(try app.cover(of: "a-late") == App.cover("a-late"))
        #expect(try app.cover(of: "gone") == nil)
        #expect(try app.content(App.songKey("a-late")) == "late")
    }

    @Test("run goes on too; check and sweep list anew, and then nobody goes on with the old one")
    func commands() async throws {
        let (app, proxy) = try await prepared()
        _ = try breakOff(app, proxy, by: SIGKILL)
        try app.expect(0, "run")
        #expect(try notes(app).contains("goes on from an earlier listing of "))
        for command in ["check", "sweep"] {
            _ = try breakOff(app, proxy, by: SIGKILL)
            try app.expect(0, command)
            // A sweep that removes nothing does not move `latest`.
            let run = try #require(try app.newest(command)["id"].string)
            let told = try app.report(run)["notes"].elements.compactMap(\.string)
            #expect(!told.contains { $0.contains("earlier listing") })
            #expect(try spools(app).count == 1)
            try app.expect(0, "audit")
            #expect(try notes(app).contains("began anew: an earlier listing of "))
            #expect(try spools(app) == [])
        }
    }
}
