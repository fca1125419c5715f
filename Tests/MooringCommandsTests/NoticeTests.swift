import Foundation
import MooringConfiguration
import MooringModel
import Testing

@testable import MooringCommands

@Suite("What is told to monitors and receivers")
struct NoticePartsTests {
    @Test("A webhook is signed as the specification's own example is")
    func signature() {
        let headers = WebhookSignature.headers(
            of: Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            seconds: 1_614_265_330, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(headers[2].value == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let open = WebhookSignature.headers(of: [], id: "a", seconds: 1, secret: nil)
        #expect(open.map(\.name) == ["webhook-id", "webhook-timestamp"])
    }

    @Test("A monitor is told by the conventions of its address")
    func pings() throws {
        let base = try #require(WebAddress("https://h/ping/u"))
        let ping = NotifySettings.Ping.base(base)
        func path(_ event: PingEvent) -> String? {
            ping.address(of: event).map { String(decoding: $0.path, as: UTF8.self) }
        }
        #expect(path(.start) == "/ping/u/start")
        #expect(path(.end(.done)) == "/ping/u")
        #expect(path(.end(.refused)) == "/ping/u/3")
        #expect(path(.end(.locked)) == "/ping/u/log")
        #expect(path(.log) == "/ping/u/log")
        let each = NotifySettings.Ping.each(
            start: nil, success: base, failure: WebAddress("https://h/f"))
        #expect(each.address(of: .start) == nil && each.address(of: .log) == nil)
        #expect(each.address(of: .end(.done)) == base)
        #expect(each.address(of: .end(.error)) == WebAddress("https://h/f"))
        #expect(each.address(of: .end(.locked)) == nil)
    }

    @Test("Of a deletion request its sums alone are told")
    func erased() {
        var run = RunSummary(
            id: RunID(startingAt: Instant(seconds: 1)), command: "erase", programVersion: "1",
            startedAt: Instant(seconds: 1), configuration: "c")
        run.reason = "SECRET"
        run.notes = ["SECRET"]
        let window = ScanWindow(from: run.startedAt, to: run.startedAt)
        run.buckets = [
            .init(
                name: "media", kind: "s3", objects: 3, bytes: 9, quarantined: 0,
                quarantinedBytes: 0,
                scan: .init(
                    complete: false, consistency: "moving", window: window, requests: 1,
                    problems: ["SECRET"], problemCount: 1))
        ]
        let told = String(decoding: Notifier.masked(run).json.rendered, as: UTF8.self)
        #expect(!told.contains("SECRET") && told.contains("\"objects\":3"))
        run.command = "run"
        #expect(Notifier.masked(run) == run)
    }

    @Test("A mail's headers end before its text, and its program's end is told")
    func mail() async throws {
        var mail = NotifySettings.Mail(
            to: "a@example.org", from: "m@example.org", command: [], occasion: .always)
        let message = NoticeMail.message("[mooring] app: OK", "all is well\n", mail)
        #expect(message.hasPrefix("From: m@example.org\nTo: a@example.org\nSubject: [mooring] app"))
        #expect(message.hasSuffix("Auto-Submitted: auto-generated\n\nall is well\n"))
        mail.from = nil
        #expect(NoticeMail.message("t", "x", mail).hasPrefix("To: "))
        // More than a pipe holds, to one that reads nothing.
        let long = String(repeating: "x", count: 1 << 20)
        for (command, words) in [
            (["/bin/sh", "-c", "exit 67"], "/bin/sh ended with status 67"),
            (["/bin/sh", "-c", "kill -9 $$"], "/bin/sh was ended by signal 9"),
            (["/nowhere/sendmail"], "/nowhere/sendmail could not be started: "),
        ] {
            let error = await #expect(throws: CommandError.self) {
                try await NoticeMail.send(long, command)
            }
            #expect(error?.description.hasPrefix(words) == true, "\(String(describing: error))")
        }
        try await NoticeMail.send(long, ["/bin/sh", "-c", "test $(wc -c) = \(1 << 20)"])
        // What goes on in the background is not waited for, and nothing secret is handed on.
        let start = ContinuousClock.now
        try await NoticeMail.send(
            long, ["/bin/sh", "-c", "sleep 50 & test -z \"$MOORING_COMMIT\""])
        #expect(ContinuousClock.now - start < .seconds(40))
    }
}
