import MooringAWS
import Testing

@Suite struct ProxySettingsTests {
    private func proxy(
        _ host: String, secure: Bool = true, port: Int? = nil, _ environment: [String: String]
    ) throws -> String? {
        try ProxySettings(environment: environment)
            .proxy(for: Origin(isSecure: secure, host: host, port: port))?.description
    }

    @Test func eachSchemeHasItsVariable() throws {
        let both = ["HTTPS_PROXY": "http://a:1", "http_proxy": "b:2"]
        #expect(try proxy("s3.amazonaws.com", both) == "a:1")
        #expect(try proxy("s3.amazonaws.com", secure: false, both) == "b:2")
        #expect(try proxy("x", [:]) == nil)
        #expect(try proxy("x", ["HTTPS_PROXY": ""]) == nil)
        #expect(try proxy("x", ["HTTPS_PROXY": "a:1", "https_proxy": "c:3"]) == "c:3")
    }

    @Test(arguments: [
        ("s3.example.com", true), ("example.com", true), ("EXAMPLE.com", true),
        ("notexample.com", false), ("other.org", true), ("a.other.org", true),
        ("10.1.2.3", true), ("11.1.2.3", false), ("192.168.7.7", true), ("192.168.7.8", false),
        ("localhost", false), ("[fd12::1]", true), ("[fe80::1]", false),
        ("169.254.169.254", true), ("169.254.170.2", true), ("[fd00:ec2::254]", true),
    ])
    func exceptionsGoDirect(_ host: String, _ isDirect: Bool) throws {
        let found = try proxy(
            host,
            [
                "HTTPS_PROXY": "p:1",
                "NO_PROXY": "example.com, .other.org,10.0.0.0/8,192.168.7.7,fd12::/16,local",
            ])
        #expect((found == nil) == isDirect)
    }

    @Test func exceptionsMayNameAPortOrEverything() throws {
        let port = ["HTTPS_PROXY": "p:1", "no_proxy": "example.com:8443"]
        #expect(try proxy("example.com", port) == "p:1")
        #expect(try proxy("example.com", port: 8443, port) == nil)
        #expect(try proxy("any.thing", ["HTTPS_PROXY": "p:1", "NO_PROXY": "*"]) == nil)
        #expect(try proxy("any.thing", ["HTTPS_PROXY": "p:1", "NO_PROXY": ",, ,"]) == "p:1")
    }

    @Test func aPasswordIsNeverShown() throws {
        let settings = try ProxySettings(
            environment: ["HTTPS_PROXY": "http://us%40er:se%3Acret@[::1]:3128/path"])
        let proxy = try #require(settings.proxy(for: Origin(host: "x")))
        #expect(proxy.host == "::1" && proxy.port == 3128)
        #expect("\(proxy)" == "[::1]:3128")
        for text in ["\(proxy)", "\(settings)", String(reflecting: proxy)] {
            #expect(!text.contains("cret") && !text.contains("us@er"))
        }
    }

    @Test(arguments: [
        "socks5://p:1", "https://p:1", "p:0", "p:x", "p:99999", "http://u:%zz@p:1", "http://",
    ])
    func whatCannotBeUsedIsNamedWithoutItsValue(_ text: String) throws {
        do {
            _ = try ProxySettings(environment: ["HTTPS_PROXY": text])
            Issue.record("\(text) was taken for a proxy")
        } catch let failure as AWSFailure {
            #expect(failure.reason == "HTTPS_PROXY names no proxy that Mooring can use")
            #expect(
                failure.hint
                    == "set it to http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, the latter "
                    + "two percent-encoded, or unset it")
            #expect(!failure.mayHaveHappened)
        }
    }
}
