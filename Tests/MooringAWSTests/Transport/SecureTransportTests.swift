import Foundation
import MooringAWS
import Testing

@Suite(.timeLimit(.minutes(15))) struct SecureTransportTests {
    private func settings(_ trust: TrustBundle?) -> AWSClientSettings {
        var settings = TestClient.settings()
        settings.trust = trust
        return settings
    }

    private func secure(_ server: ScriptedServer, _ host: String = "127.0.0.1") -> Origin {
        Origin(isSecure: true, host: host, port: server.port)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func anAuthorityOfOnesOwnIsTrustedWhenNamed(_ host: String) async throws {
        let authority = try await TestAuthority.make()
        let server = try await ScriptedServer(tls: authority.context()) { _, _ in .answer(200) }
        let trust = try TrustBundle.chosen(authority.authorityFile, environment: [:])
        let client = TestClient.make(settings(trust))
        #expect(try await client.send(TestClient.read(secure(server, host))).status == 200)
        let fromVariable = try TrustBundle.chosen(
            nil, environment: ["AWS_CA_BUNDLE": authority.authorityFile])
        let other = TestClient.make(settings(fromVariable))
        #expect(try await other.send(TestClient.read(secure(server, host))).status == 200)
    }

    @Test func whatDoesNotVerifyIsNotAsked() async throws {
        let authority = try await TestAuthority.make()
        let server = try await ScriptedServer(tls: authority.context()) { _, _ in .answer(200) }
        let failure = try await TestClient.failure(
            of: TestClient.make(settings(nil)), TestClient.write(secure(server)))
        #expect(
            failure?.reason
                == "the certificate of 127.0.0.1:\(server.port) does not verify: no authority that "
                + "is trusted here has signed it")
        #expect(failure?.hint?.contains("caBundle") == true)
        #expect(failure?.hint?.contains("AWS_CA_BUNDLE") == true)
        #expect(failure?.mayHaveHappened == false && server.seen.isEmpty)
        // A certificate does not become good by asking again.
        #expect(server.connections == 1)
    }

    @Test func aCertificateForAnotherHostDoesNotVerify() async throws {
        let authority = try await TestAuthority.make(names: "DNS:elsewhere.example")
        let server = try await ScriptedServer(tls: authority.context()) { _, _ in .answer(200) }
        let trust = try TrustBundle.chosen(authority.authorityFile, environment: [:])
        let failure = try await TestClient.failure(
            of: TestClient.make(settings(trust)), TestClient.read(secure(server, "localhost")))
        #expect(failure?.reason.contains("does not verify") == true && server.seen.isEmpty)
    }

    @Test func aPlainServerDoesNotSpeakTLS() async throws {
        var settings = settings(nil)
        (settings.retries.attempts, settings.times.connect) = (2, .seconds(2))
        // It says nothing to what is no HTTP.
        let silent = try await ScriptedServer { _, _ in .answer(200) }
        let unanswered = try await TestClient.failure(
            of: TestClient.make(settings), TestClient.read(secure(silent)))
        #expect(
            unanswered?.reason
                == "no connection to 127.0.0.1:\(silent.port) in time (tried 2 times)")
        #expect(unanswered?.mayHaveHappened == false)
        // It answers in HTTP that it understands nothing.
        let server = try await FakeEndpoint { _ in .init() }
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        let failure = try await TestClient.failure(
            of: TestClient.make(settings),
            TestClient.read(Origin(isSecure: true, host: "127.0.0.1", port: port)))
        #expect(failure?.reason == "127.0.0.1:\(port) does not speak TLS")
        #expect(
            failure?.hint == "write http:// in the endpoint, or name the port that speaks TLS")
        #expect(failure?.mayHaveHappened == false)
    }

    @Test("a host whose name nobody knows is told as such")
    func unknownHost() async throws {
        var settings = settings(nil)
        (settings.retries.attempts, settings.times.connect) = (1, .seconds(20))
        let origin = Origin(isSecure: false, host: "no-such-host.invalid", port: 80)
        let failure = try await TestClient.failure(
            of: TestClient.make(settings), TestClient.read(origin))
        #expect(
            failure?.reason
                == "no connection to no-such-host.invalid:80: the host's name is not known")
    }

    @Test(arguments: [nil, "", "no certificate here"])
    func aBundleWithoutCertificateIsRefused(_ content: String?) throws {
        let file = NSTemporaryDirectory() + "mooring-bundle-" + UUID().uuidString
        try content?.write(toFile: file, atomically: true, encoding: .utf8)
        do {
            _ = try TrustBundle.chosen(nil, environment: ["AWS_CA_BUNDLE": file])
            Issue.record("it was taken")
        } catch let failure as AWSFailure {
            #expect(
                failure.reason
                    == "AWS_CA_BUNDLE names \(file), in which no certificate can be read")
            #expect(
                failure.hint == "name a readable PEM file with the certificate of your authority")
        }
        #expect(try TrustBundle.chosen(nil, environment: ["AWS_CA_BUNDLE": ""]) == nil)
    }
}

@Suite(.timeLimit(.minutes(15))) struct ProxyTests {
    private func client(_ environment: [String: String], trust: String? = nil) throws -> AWSClient {
        var settings = try AWSClientSettings(environment: environment, caBundle: trust)
        let quick = TestClient.settings()
        settings.retries = quick.retries
        settings.retries.attempts = 2
        return TestClient.make(settings)
    }

    @Test(arguments: [true, false])
    func requestsTravelThroughTheProxy(_ isSecure: Bool) async throws {
        let authority = try await TestAuthority.make()
        let server = try await ScriptedServer(tls: isSecure ? authority.context() : nil) { _, _ in
            .answer(200)
        }
        let proxy = try await ConnectProxy()
        let client = try client(
            [isSecure ? "HTTPS_PROXY" : "http_proxy": "http://127.0.0.1:\(proxy.port)"],
            trust: authority.authorityFile)
        let origin = Origin(isSecure: isSecure, host: "localhost", port: server.port)
        for _ in 0..<3 { #expect(try await client.send(TestClient.read(origin)).status == 200) }
        // A request that finds no connection free opens another one, through the proxy as well.
        #expect(Set(proxy.targets) == ["localhost:\(server.port)"])
        #expect(server.seen.allSatisfy { $0.headers["proxy-authorization"] == nil })
    }

    @Test func aProxyMayWantAPassword() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        // user:pa ss
        let proxy = try await ConnectProxy(login: "dXNlcjpwYSBzcw==")
        let origin = Origin(isSecure: false, host: "localhost", port: server.port)
        let right = try client(["HTTP_PROXY": "http://user:pa%20ss@127.0.0.1:\(proxy.port)"])
        #expect(try await right.send(TestClient.read(origin)).status == 200)
        let wrong = try client(["HTTP_PROXY": "http://user:wrong@127.0.0.1:\(proxy.port)"])
        let failure = try await TestClient.failure(of: wrong, TestClient.write(origin))
        #expect(failure?.reason.contains("127.0.0.1:\(proxy.port) wants another") == true)
        #expect(failure?.mayHaveHappened == false && "\(failure as Any)".contains("wrong") == false)
    }

    @Test func aProxyThatDoesNotConnectIsNamed() async throws {
        let proxy = try await ConnectProxy()
        let client = try client(["HTTP_PROXY": "127.0.0.1:\(proxy.port)"])
        let origin = Origin(isSecure: false, host: "127.0.0.1", port: 1)
        let failure = try await TestClient.failure(of: client, TestClient.read(origin))
        #expect(failure?.reason.contains("the proxy 127.0.0.1:\(proxy.port)") == true)
        #expect(failure?.hint?.contains("NO_PROXY") == true)
    }

    @Test func exceptionsTravelWithoutIt() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        let client = try client(["HTTP_PROXY": "127.0.0.1:1", "NO_PROXY": "127.0.0.0/8"])
        #expect(try await client.send(TestClient.read(server.origin)).status == 200)
    }
}
