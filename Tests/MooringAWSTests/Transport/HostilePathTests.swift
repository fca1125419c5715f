import MooringAWS
import Testing

/// What is signed has to be what is sent, byte for byte.
@Suite(.timeLimit(.minutes(15))) struct HostilePathTests {
    @Test(
        arguments: [
            ("/b/a/../c", "/b/a/../c"), ("/b//x", "/b//x"), ("/b//", "/b//"), ("//", "//"),
            ("/b/.", "/b/."), ("/b/..", "/b/.."), ("/b/./x", "/b/./x"),
            ("/b/../../x", "/b/../../x"),
            ("/b/a%2Fb", "/b/a%252Fb"), ("/b/a?", "/b/a%3F"), ("/b/a?x=1#y", "/b/a%3Fx%3D1%23y"),
            ("/b/\u{0}", "/b/%00"), ("/b/a b+c", "/b/a%20b%2Bc"), ("/b/é", "/b/%C3%A9"),
            ("/b/e\u{301}", "/b/e%CC%81"), ("/b/a;b=c,d", "/b/a%3Bb%3Dc%2Cd"),
            ("/b/[x]{y}|^`\\", "/b/%5Bx%5D%7By%7D%7C%5E%60%5C"), ("/b/~-._", "/b/~-._"),
            ("/b/x/", "/b/x/"), ("/b/\r\n", "/b/%0D%0A"), ("/", "/"), ("/b/:@!$&'()*", nil),
        ] as [(String, String?)])
    func pathsAreSentAsTheyAreSigned(_ path: String, _ target: String?) async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        let client = TestClient.make()
        _ = try await client.send(TestClient.read(server.origin, path: path))
        #expect(server.seen.first?.target == target ?? PercentEncoding.path(Array(path.utf8)))
    }

    @Test func bytesThatAreNoTextAreSentToo() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        var request = TestClient.read(server.origin)
        request.path = Array("/b/".utf8) + [0xFF, 0xC3, 0x28, 0x80]
        request.query = [
            .init("prefix", [0xFF, 0x2F]), .init("empty"), .init("a b", "c+d&e=f"),
        ]
        _ = try await TestClient.make().send(request)
        #expect(
            server.seen.first?.target
                == "/b/%FF%C3%28%80?a%20b=c%2Bd%26e%3Df&empty=&prefix=%FF%2F")
    }

    @Test func theHostIsTheOneThatWasSigned() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        _ = try await TestClient.make().send(TestClient.read(server.origin))
        #expect(server.seen.first?.headers["host"] == "127.0.0.1:\(server.port)")
        #expect(server.seen.first?.headers["authorization"]?.contains("host;") == true)
    }

    @Test func aPathOfEveryLengthGoes() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        let path = "/b/" + String(repeating: "\u{1}", count: 1_024)
        _ = try await TestClient.make().send(TestClient.read(server.origin, path: path))
        #expect(server.seen.first?.target.utf8.count == 3 + 3 * 1_024)
    }
}
