import MooringConfiguration
import MooringModel
import Testing

struct NotifyTests {
    private func read(_ lines: String) throws -> NotifySettings {
        try Sample.read(Sample.with("notify: {\(lines)}")).notify
    }

    private func refusal(_ lines: String) -> String {
        Sample.refusal(Sample.with("notify: {\(lines)}"))
    }

    @Test("nobody is told without 'notify', and the fingerprint does not know it")
    func nobody() throws {
        let plain = try Sample.read(Sample.minimal)
        #expect(plain.notify == NotifySettings())
        let told = try Sample.read(Sample.with("notify: {ping: https://a.example/x}"))
        #expect(told.fingerprint == plain.fingerprint)
    }

    @Test("a monitor's address stands alone, or one for each event")
    func pings() throws {
        let base = try #require(WebAddress("https://hc.example:8443/ping/a%20b?rid=1&x"))
        #expect(try read("ping: 'https://hc.example:8443/ping/a%20b?rid=1&x'").ping == .base(base))
        #expect(base.endpoint.isSecure && base.endpoint.port == 8_443)
        #expect(base.path == Array("/ping/a b".utf8))
        #expect(base.query.map(\.name) == ["rid", "x"] && base.query.map(\.value) == ["1", ""])
        #expect(base.below("start").path == Array("/ping/a b/start".utf8))
        #expect(base.below("start").query == base.query)
        #expect(try #require(WebAddress("http://h/")).below("7").path == Array("/7".utf8))
        #expect("\(base)" == "hc.example")
        let each = try read("ping: {failure: 'http://h/f'}").ping
        #expect(each == .each(start: nil, success: nil, failure: WebAddress("http://h/f")))
    }

    @Test("a webhook has a secret or none, and mail a program")
    func others() throws {
        let settings = try read(
            "commands: [run, check], webhook: {url: 'https://w/', secret: s, on: always}, "
                + "mail: {to: a@example.org}")
        #expect(settings.commands == ["run", "check"])
        #expect(settings.webhook?.secret == "s" && settings.webhook?.occasion == .always)
        #expect(settings.mail?.command == ["/usr/sbin/sendmail", "-t", "-i"])
        #expect(settings.mail?.occasion == .news && settings.mail?.from == nil)
    }

    @Test(
        "what is no address is refused, and not repeated",
        arguments: [
            "hc.example/SECRET", "ftp://h/SECRET", "https://user:SECRET@h/", "https:///SECRET",
            "https://h/SECRET#x", "https://h/SEC RET", "https://h/SECRET%zz", "https://h/SECRET%4",
        ])
    func addresses(url: String) {
        let told = refusal("ping: '\(url)'")
        #expect(
            told == "mooring.yaml:10: 'ping' needs a URL of http or https, without a user and a "
                + "fragment", "\(url)")
    }

    @Test("what is not told to anybody, or by nothing, is refused")
    func refusals() {
        #expect(
            refusal("commands: [run]")
                == "mooring.yaml:10: 'ping, webhook or mail' is missing in 'notify'; write one of "
                + "them, or leave 'notify' out")
        #expect(refusal("commands: [rum], ping: 'http://h/'").contains("did you mean 'run'?"))
        #expect(refusal("webhook: {secret: x}").contains("'url' is missing"))
        #expect(refusal("mail: {on: news}").contains("'to' is missing"))
        #expect(refusal("mail: {to: a@b, on: never}").contains("known here: news, failure, always"))
        #expect(refusal("mail: {to: a@b, command: [sendmail]}").contains("absolute path"))
        #expect(refusal("mail: {to: a@b, command: []}").contains("absolute path"))
        #expect(
            refusal("mail: {to: \"a@b\\nBcc: c@d\"}")
                == "mooring.yaml:10: 'to' needs printable ASCII on one line")
        #expect(refusal("ping: {}").contains("'start, success or failure' is missing"))
    }

    @Test("prices are the file's, with AWS's for what it leaves out")
    func prices() throws {
        func prices(_ text: String) throws -> RunSummary.Prices? { try Sample.read(text).prices }
        #expect(try prices(Sample.minimal) == nil)
        let free = try prices(Sample.with("prices: {storage: 0, requests: 0}"))
        #expect(free?.isNothing == true)
        let set = try #require(
            try prices(Sample.with("prices: {currency: EUR, storage: 0.01}")))
        #expect(set.currency == "EUR" && set.storage == 0.01 && set.requests == 0.005)
        #expect(set.source.hasPrefix("the configuration; what it leaves out is of S3 Standard"))
        #expect(!set.isNothing && free?.source == "the configuration")
        let none = try prices(Sample.with("prices: {currency: USD}"))
        #expect(none?.source == RunSummary.Prices.standard.source)
        #expect(
            Sample.refusal(Sample.with("prices: {currency: eur, storage: -1}"))
                == "mooring.yaml:10: 'storage' needs a number such as 0.023; found '-1'\n"
                + "mooring.yaml:10: 'currency' needs a code of three capitals, such as USD; "
                + "found 'eur'")
    }

    @Test("storage classes have AWS's terms, except for what the file says, and other currencies")
    func classes() throws {
        func terms(_ text: String) throws -> StorageTerms? {
            try Sample.read(Sample.with("prices: {\(text)}")).storageTerms
        }
        #expect(try Sample.read(Sample.minimal).storageTerms == nil)
        let set = try #require(
            try terms(
                "storage: 0.02, classes: {STANDARD_IA: {storage: 0.01, minimum: 60d}, "
                    + "COLD: {storage: 0.001, least: 64KiB, overhead: 1KiB, index: 2KiB}}"))
        #expect(set.classes["STANDARD"] == .init(0.02) && set.source == "the configuration")
        #expect(set.listed == ["ONEZONE_IA", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE"])
        #expect(try terms("storage: 0, requests: 0") == nil)
        #expect(try terms("storage: 0, requests: 0, classes: {}") != nil)
        #expect(set.classes["STANDARD_IA"] == .init(0.01, minimum: .days(60), least: 128 << 10))
        #expect(
            set.classes["COLD"] == .init(0.001, least: 64 << 10, overhead: 1 << 10, index: 2 << 10))
        #expect(set.classes["GLACIER"] == StorageTerms.aws.classes["GLACIER"])
        let euro = try #require(
            try terms("currency: EUR, storage: 0.02, classes: {GLACIER: {storage: 0.004}}"))
        #expect(euro.classes["STANDARD_IA"]?.storage == nil && euro.currency == "EUR")
        #expect(euro.classes["STANDARD_IA"]?.minimum == .days(30))
        #expect(euro.classes["GLACIER"]?.storage == 0.004)
        for (classes, words) in [
            ("STANDARD: {storage: 1}", "'STANDARD' is no storage class beside the standard one"),
            ("cold: {storage: 1}", "'cold' is no storage class"),
            ("COLD: {minimum: 30}", "'minimum'"), ("COLD: {days: 30}", "unknown key 'days'"),
        ] {
            let told = Sample.refusal(Sample.with("prices: {classes: {\(classes)}}"))
            #expect(told.contains(words), "\(told)")
        }
    }
}
