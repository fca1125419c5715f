import Foundation
import Glibc
import TestServers
import Testing

/// Monitors, receivers and mail, told by the real program over real HTTP.
@Suite("Notices, end to end", .requires(.notices))
struct NotifyTests {
    private func app(_ notify: String, gates: String = "[]") throws -> App {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.extra = "gates: \(gates)\nnotify: \(notify)"
        return try App(settings)
    }

    @Test("A night with news is told to all, a quiet one to the monitor alone")
    func nights() async throws {
        let receiver = try await NoticeReceiver.start()
        let app = try app(
            """
            {ping: "\(receiver.url("fine"))",
             webhook: {url: "\(receiver.url("signed"))", secret: \(NoticeReceiver.secret)},
             mail: {to: ops@example.org, command: [/bin/sh, -c, "cat >> mail.txt"]}}
            """)
        try app.dangling()
        try app.expect(0, "run", "--quiet")
        var posts = try receiver.posts()
        #expect(posts.map(\.path) == ["/fine/start", "/fine", "/signed"])
        #expect(posts.map(\.status) == [200, 200, 200])
        #expect(posts[0].body == "mooring run: started\n")
        #expect(posts[1].body.hasPrefix("mooring run: complete, exit status 0, dangling 1,"))
        let notice = try JSON(parsing: posts[2].body)
        let run = try #require(try app.runs().first?["id"].string)
        #expect(notice["run"]["id"].string == run)
        #expect(posts[2].headers["webhook-id"] == run)
        #expect(notice["counts"]["dangling"]["settled"].integer == 1)
        #expect(notice["exitStatus"].integer == 0)
        let mail = try #require(app.read("mail.txt"))
        #expect(
            mail.hasPrefix("To: ops@example.org\nSubject: [mooring] app: ATTENTION: 1 dangling"))
        #expect(mail.contains("\nexit status: 0\n"))
        try app.expect(0, "run", "--quiet")
        posts = try receiver.posts()
        #expect(posts.dropFirst(3).map(\.path) == ["/fine/start", "/fine"])
        #expect(app.read("mail.txt") == mail)
        // Other commands tell nobody.
        try app.expect(0, "audit")
        #expect(try receiver.posts().count == posts.count)
    }

    @Test("What is not taken changes nothing of the run; one that stumbles is asked again")
    func failures() async throws {
        let receiver = try await NoticeReceiver.start()
        let app = try app(
            """
            {ping: {success: "\(receiver.url("gone"))"},
             webhook: {url: "\(receiver.url("flaky"))", secret: wrong},
             mail: {to: a@b, command: [/bin/false]}}
            """)
        try app.dangling()
        let told = try app.expect(0, "run")
        #expect(
            told.errors.contains(
                "mooring: the ping was not taken by 127.0.0.1: it answered with status 404; the "
                    + "run's end is not changed by that\n"), "\(told.told)")
        #expect(
            told.errors.contains("mooring: the mail was not sent: /bin/false ended with status 1"))
        #expect(!told.errors.contains("webhook"))
        let posts = try receiver.posts()
        #expect(posts.map(\.status) == [404, 503, 200])
        #expect(posts[1].headers["webhook-id"] == posts[2].headers["webhook-id"])
    }

    @Test("A receiver that checks refuses another's secret, and nothing secret is told of it")
    func secret() async throws {
        let receiver = try await NoticeReceiver.start()
        let app = try app(
            "{webhook: {url: \"\(receiver.url("signed"))\", secret: whsec_b3RoZXI, on: always}}")
        let told = try app.expect(0, "run")
        #expect(told.errors.contains("the webhook was not taken by 127.0.0.1: it answered with"))
        #expect(try receiver.posts().map(\.status) == [401])
        #expect(!told.told.contains("b3RoZXI") && !told.told.contains("/signed/"))
    }

    @Test("Refused, failed and locked commands are told as what they are")
    func ends() async throws {
        let receiver = try await NoticeReceiver.start()
        let url = receiver.url("fine")
        let app = try app(
            "{commands: [run, check], ping: \"\(url)\"}", gates: "[\"dangling == 0\"]")
        try app.dangling()
        try app.expect(1, "check")
        try app.rename("app.sqlite", to: "elsewhere")
        try app.expect(4, "run")
        try app.rename("elsewhere", to: "app.sqlite")
        #expect(
            try receiver.posts().map(\.path) == [
                "/fine/start", "/fine/1", "/fine/start", "/fine/4",
            ])
        let file = open(app.path + "/mooring.ledger.lock", O_RDWR)
        try #require(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        defer { close(file) }
        try app.expect(6, "run")
        #expect(try receiver.posts().suffix(2).map(\.path) == ["/fine/start", "/fine/log"])
        #expect(try receiver.posts().last?.body == "mooring run: exit status 6\n")
    }

    @Test("notify sends what a run would, and says who did not take it")
    func trial() async throws {
        let receiver = try await NoticeReceiver.start()
        let bare = try app("{ping: \"\(receiver.url("fine"))\"}")
        try bare.expect(0, "audit")
        let told = try bare.expect(0, "notify")
        #expect(told.output.hasSuffix("  ping: 127.0.0.1, as a log entry\n"))
        #expect(try receiver.posts().map(\.path) == ["/fine/log"])
        let app = try app("{webhook: {url: \"\(receiver.url("gone"))\"}}")
        try app.expect(0, "audit")
        let refused = try app.expect(2, "notify", "--json")
        #expect(try JSON(parsing: refused.output)["failures"].elements.count == 1)
        let nobody = try App()
        try nobody.expect(0, "audit")
        #expect(try nobody.expect(2, "notify").errors.contains("names nobody to tell"))
    }

    @Test("Lines on stderr are objects with --log-format json, and nothing else is there")
    func log() throws {
        let app = try app("{mail: {to: a@b, command: [/bin/false]}}")
        try app.orphan()
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.repair = "{apply: true, orphan: quarantine}"
        settings.extra = "notify: {mail: {to: a@b, command: [/bin/false], on: always}}"
        try app.configure(settings)
        for _ in 0..<2 { _ = try app.mooring("run") }
        try app.orphan("s9")
        _ = try app.mooring("run")
        let told = try app.mooring("run", "--log-format", "json", "--progress", "always")
        let lines = try told.errors.split(separator: "\n").map { try JSON(parsing: String($0)) }
        let run = try #require(try app.runs().first?["id"].string)
        #expect(lines.first?["event"].string == "run-started")
        #expect(lines.allSatisfy { $0["run"].string == run && $0["time"].string != nil })
        #expect(lines.contains { $0["event"].string == "run-ended" })
        #expect(lines.contains { $0["level"].string == "warning" })
        let quiet = try app.mooring("run", "--log-format", "json", "--quiet")
        #expect(quiet.errors == "" || !quiet.errors.contains("\"info\""))
        let failed = try app.mooring("explain", "nothing-like-it", "--log-format", "json")
        let errors = try failed.errors.split(separator: "\n").map { try JSON(parsing: String($0)) }
        #expect(errors.allSatisfy { $0["level"].string != nil && $0["message"].string != nil })
        #expect(!errors.isEmpty || failed.status == 0)
    }
}
