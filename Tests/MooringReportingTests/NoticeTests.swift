import MooringModel
import MooringReporting
import Testing

@Suite("Notices")
struct NoticeTests {
    private var quiet: RunSummary {
        var summary = SampleRun.summary
        summary.guards = []
        summary.gates = []
        summary.change = .init(since: SampleRun.runID, new: [:], gone: [:])
        summary.repairs = .init()
        return summary
    }

    @Test(
        "Who wants news is told of news and of what did not end well, and nobody of a quiet night")
    func occasions() {
        let calm = Notice(.run(quiet), exitStatus: 0, app: "app")
        #expect(!calm.isDue(.news) && !calm.isDue(.failure) && calm.isDue(.always))
        let failed = Notice(.run(quiet), exitStatus: 3, app: "app")
        #expect(failed.isDue(.news) && failed.isDue(.failure))
        var new = quiet
        new.change?.new = [.dangling: 1]
        let news = Notice(.run(new), exitStatus: 0, app: "app")
        #expect(news.isDue(.news) && !news.isDue(.failure))
    }

    @Test("The title is one line of ASCII, however the app is called and the run ended")
    func title() {
        var run = quiet
        run.status = .failed
        run.reason =
            "no such file: \u{202E}\r\nBcc: all@example.org " + String(repeating: "x", count: 400)
        let notice = Notice(.run(run), exitStatus: 2, app: "caf\u{E9}\n")
        #expect(notice.title.utf8.count == 200)
        #expect(notice.title.hasPrefix("[mooring] caf\\u{e9}\\x0a: FAILED: no such file: "))
        #expect(notice.title.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test("What is told to strangers names nothing of the app")
    func anonymous() {
        var run = quiet
        run.reason = "cannot open /srv/secret"
        let text = Notice(.run(run), exitStatus: 5, app: "app").anonymous
        #expect(text.hasPrefix("mooring audit: complete, exit status 5, mapping-error 1, "))
        #expect(!text.contains("secret") && !text.contains("app,"))
        #expect(text.utf8.count(where: { $0 == 0x0A }) == 1)
        let nothing = Notice(
            .nothing(command: "run", reason: "locked by /srv/secret"), exitStatus: 6, app: "app")
        #expect(nothing.anonymous == "mooring run: exit status 6\n")
        #expect(nothing.isDue(.news))
        #expect(
            nothing.title == "[mooring] app: mooring run ended with status 6: locked by /srv/secret"
        )
    }

    @Test("The sums hold no key of an object and no id of a record")
    func sums() {
        let json = String(
            decoding: Notice(.run(SampleRun.summary), exitStatus: 0, app: "app").json.rendered,
            as: UTF8.self)
        for finding in SampleRun.findings {
            if let key = finding.key?.text, key.utf8.count > 12 {
                #expect(!json.contains(key), "\(key)")
            }
        }
        #expect(json.contains("\"schema\":\"mooring.notice/1\""))
        #expect(json.contains("\"counts\":{\"orphan\""))
    }

    @Test("What is stored costs by the prices, and a run without prices says nothing of it")
    func cost() throws {
        var run = SampleRun.summary
        #expect(run.cost == nil)
        run.prices = .init(currency: "EUR", storage: 2, requests: 0.5, source: "the configuration")
        run.counts[.orphan]?.bytes = 3 << 30
        run.buckets[0].quarantinedBytes = 1 << 29
        run.buckets[0].scan.requests = 4_000
        #expect(run.cost?.orphans == 6 && run.cost?.quarantine == 1 && run.cost?.requests == 0)
        run.buckets[0].kind = "s3"
        #expect(run.cost?.requests == 2)
        let text = TextReport.render(run, findings: [])
        #expect(text.contains("cost about EUR 6.00 a month, quarantine about EUR 1.00;"))
        let again = try RunSummary(json: JSONNode(parsing: run.json.rendered))
        #expect(again.prices == run.prices)
        run.counts[.orphan]?.bytes = 1
        run.buckets[0].quarantinedBytes = 0
        #expect(TextReport.render(run, findings: []).contains("cost under EUR 0.01 a month"))
    }
}
