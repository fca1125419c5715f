import MooringAWS
import MooringModel
import NIOCore
import Synchronization
import TestServers
import Testing

@Suite(.timeLimit(.minutes(15))) struct AWSClientTests {
    @Test func oneConnectionServesManyCalls() async throws {
        let server = try await ScriptedServer { number, _ in
            .answer(200, headers: [("ETag", "\"x\""), ("X-Amz-Request-Id", "R\(number)")])
        }
        let client = TestClient.make()
        for number in 0..<5 {
            let answer = try await client.send(TestClient.read(server.origin))
            #expect(answer.status == 200 && answer["x-amz-request-id"] == "R\(number)")
            #expect(!answer.followsDoubt)
        }
        #expect(server.connections == 1)
    }

    @Test(arguments: ["error 500", "close", "half", "chunked half", "reset in head", "200 error"])
    func aReadIsSentAgain(_ fault: String) async throws {
        let server = try await ScriptedServer { number, _ in
            number < 2 ? Self.reply(fault) : .answer(200, body: "whole")
        }
        let client = TestClient.make()
        var request = TestClient.read(server.origin)
        if fault == "200 error" { request.method = "POST" }
        let answer = try await client.send(request)
        #expect(String(decoding: answer.body, as: UTF8.self) == "whole")
        #expect(server.seen.count == 3 && client.traffic.repetitions == 2)
        #expect(answer.followsDoubt == (fault == "200 error"))
    }

    private static func reply(_ fault: String) -> ScriptedServer.Reply {
        switch fault {
        case "error 500": .error(500, "InternalError")
        case "half": .bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        case "chunked half":
            .bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
        case "reset in head": .bytes("HTTP/1.1 20")
        case "200 error": .error(200, "InternalError")
        default: .close
        }
    }

    @Test(arguments: ["error 500", "close", "half", "chunked half", "200 error"])
    func aWriteInDoubtIsNotSentAgain(_ fault: String) async throws {
        let server = try await ScriptedServer { _, _ in Self.reply(fault) }
        let client = TestClient.make()
        var request = TestClient.write(server.origin)
        if fault == "200 error" { request.method = "POST" }
        do {
            let answer = try await client.send(request)
            #expect(answer.status == 500)
        } catch let failure as AWSFailure {
            #expect(failure.mayHaveHappened && failure.reason.contains("\(server.port)"))
        }
        #expect(server.seen.count == 1)
    }

    @Test func aWriteThatWasRefusedIsSentAgain() async throws {
        let server = try await ScriptedServer { number, _ in
            number < 3 ? .error(503, "SlowDown") : .answer(204)
        }
        let answer = try await TestClient.make().send(TestClient.write(server.origin))
        #expect(answer.status == 204 && server.seen.count == 4 && !answer.followsDoubt)
    }

    @Test func aRepeatedWriteSaysThatTheFirstMayHaveHappened() async throws {
        let server = try await ScriptedServer { number, _ in
            number == 0 ? .close : .error(412, "PreconditionFailed")
        }
        let answer = try await TestClient.make().send(
            TestClient.write(server.origin, isRepeatable: true))
        #expect(answer.status == 412 && answer.followsDoubt)
    }

    @Test func aWriteThatWasNeverSentDidNotHappen() async throws {
        let port = try FreePort.find()
        let origin = Origin(isSecure: false, host: "127.0.0.1", port: port)
        let failure = try await TestClient.failure(of: TestClient.make(), TestClient.write(origin))
        #expect(failure?.mayHaveHappened == false)
        #expect(failure?.reason.contains("127.0.0.1:\(port): connection refused") == true)
        #expect(failure?.reason.contains("tried 8 times") == true && failure?.hint != nil)
    }

    @Test func anUnknownHostIsSaid() async throws {
        let origin = Origin(isSecure: false, host: "no-such-host.invalid", port: 1)
        let failure = try await TestClient.failure(of: TestClient.make(), TestClient.read(origin))
        #expect(failure?.reason.contains("no-such-host.invalid:1") == true)
        #expect(failure?.mayHaveHappened == false)
    }

    @Test func anAnswerBeyondItsBoundIsNone() async throws {
        let body = String(repeating: "x", count: 5_000)
        let server = try await ScriptedServer { number, _ in
            number % 2 == 0
                ? .answer(200, body: body)
                : .bytes(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "1388\r\n\(body)\r\n0\r\n\r\n")
        }
        let client = TestClient.make()
        var request = TestClient.read(server.origin)
        request.bodyLimit = 4_999
        for _ in 0..<2 {
            let failure = try await TestClient.failure(of: client, request)
            #expect(failure?.reason.contains("longer than 4999 bytes") == true)
        }
        #expect(server.seen.count == 2)
        request.bodyLimit = 5_000
        #expect(try await client.send(request).body.count == 5_000)
        #expect(try await client.send(request).body.count == 5_000)
    }

    @Test func anAnswerToHEADHasALengthAndNoBody() async throws {
        let server = try await ScriptedServer { _, _ in
            .answer(200, body: String(repeating: "x", count: 100))
        }
        var request = TestClient.read(server.origin)
        (request.method, request.bodyLimit) = ("HEAD", 10)
        let client = TestClient.make()
        for _ in 0..<3 {
            let answer = try await client.send(request)
            #expect(answer["content-length"] == "100" && answer.body.isEmpty)
        }
        #expect(server.connections == 1)
    }

    @Test(arguments: [
        ScriptedServer.Reply.silence, .stall("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
        .later(.seconds(30), .answer(200)),
    ])
    func silenceEndsInTime(_ reply: ScriptedServer.Reply) async throws {
        let server = try await ScriptedServer { _, _ in reply }
        var settings = TestClient.settings()
        (settings.times.read, settings.times.whole) = (.milliseconds(300), .seconds(3_600))
        (settings.retries.attempts, settings.retries.budget) = (2, 100)
        let failure = try await TestClient.failure(
            of: TestClient.make(settings), TestClient.write(server.origin, isRepeatable: true))
        #expect(failure?.mayHaveHappened == true && server.seen.count <= 2)
        #expect(failure?.reason.contains("tried 2 times") == true)
        #expect(failure?.reason.contains("in time") == true)
    }

    @Test func oneThatTricklesEndsInTimeToo() async throws {
        let server = try await ScriptedServer { _, _ in
            .later(.milliseconds(400), .stall("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
        }
        var settings = TestClient.settings()
        (settings.times.read, settings.times.whole) = (.seconds(3_600), .milliseconds(800))
        settings.retries.attempts = 1
        let failure = try await TestClient.failure(
            of: TestClient.make(settings), TestClient.read(server.origin))
        #expect(failure != nil && failure?.mayHaveHappened == false)
    }

    @Test func credentialsThatEndedAreFetchedAnewOnce() async throws {
        let server = try await ScriptedServer { _, seen in
            seen.headers["authorization"]?.contains("Credential=key1/") == true
                ? .answer(204) : .error(400, "ExpiredToken")
        }
        let source = RenewedCredentials()
        let client = TestClient.make(credentials: source)
        #expect(try await client.send(TestClient.write(server.origin)).status == 204)
        #expect(source.refusals == 1 && server.seen.count == 2)
        await source.wereRefused(TestClient.credentials)
        #expect(try await client.send(TestClient.write(server.origin)).status == 400)
        #expect(source.refusals == 3 && server.seen.count == 4)
    }

    @Test func aRefusedTimeIsCorrectedOnce() async throws {
        let server = try await ScriptedServer { _, seen in
            let date = ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
            return seen.headers["x-amz-date"]?.hasPrefix("19941106T0849") == true
                ? .answer(204, headers: [date])
                : .error(403, "RequestTimeTooSkewed", headers: [date])
        }
        // This machine is twenty minutes behind.
        let start = ContinuousClock.now
        let client = TestClient.make(clock: {
            Instant(seconds: 784_111_777 - 1_200) + (ContinuousClock.now - start)
        })
        #expect(try await client.send(TestClient.write(server.origin)).status == 204)
        #expect(server.seen.count == 2)
        #expect(try await client.send(TestClient.write(server.origin)).status == 204)
        #expect(server.seen.count == 3)
        let difference = try #require(client.clockDifference)
        #expect(difference >= .seconds(1_100) && difference <= .seconds(1_300))
    }

    @Test func aRefusedTimeIsSeenWithoutABodyToo() async throws {
        let server = try await ScriptedServer { _, _ in
            .answer(403, headers: [("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
        }
        for (late, sendings) in [(Duration.zero, 2), (.minutes(20), 3)] {
            let start = ContinuousClock.now
            let client = TestClient.make(clock: {
                Instant(seconds: 784_111_777) - late + (ContinuousClock.now - start)
            })
            var request = TestClient.read(server.origin)
            request.method = "HEAD"
            for _ in 0..<2 { #expect(try await client.send(request).status == 403) }
            #expect(client.traffic.calls["GetObject"] == sendings)
        }
    }

    @Test func anotherRegionIsSignedForWhenACallSaysSo() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        let client = TestClient.make()
        var request = TestClient.read(server.origin)
        for region in ["eu-west-1", nil, "eu-west-1", "us-east-1"] {
            request.region = region
            _ = try await client.send(request)
        }
        let regions = server.seen.map {
            $0.headers["authorization"]?.split(separator: "/").dropFirst(2).first ?? ""
        }
        #expect(regions == ["eu-west-1", "us-east-1", "eu-west-1", "us-east-1"])
    }

    @Test func oneThatIsSilentWhileTheProcessStopsIsSentNothingMore() async throws {
        let server = try await ScriptedServer { number, _ in
            [2, 4].contains(number) ? .close : .answer(200)
        }
        let stops = Flag()
        var settings = TestClient.settings()
        settings.isStopping = { stops.isSet.load(ordering: .relaxed) }
        let client = TestClient.make(settings)
        let read = TestClient.read(server.origin)
        #expect(try await client.send(read).status == 200)
        stops.isSet.store(true, ordering: .relaxed)
        // One that answers goes on.
        #expect(try await client.send(read).status == 200)
        let first = try await TestClient.failure(of: client, TestClient.write(server.origin))
        #expect(first?.mayHaveHappened == true && server.seen.count == 3)
        let second = try await TestClient.failure(of: client, TestClient.write(server.origin))
        #expect(second?.mayHaveHappened == false && server.seen.count == 3)
        #expect(second?.reason.hasPrefix("it was not sent: the process is to stop") == true)
        // Another store is asked all the same.
        #expect(try await TestClient.make(settings).send(read).status == 200)
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    @Test func nothingSecretIsSaid() async throws {
        let server = try await ScriptedServer { _, _ in .close }
        let client = TestClient.make()
        let failure = try #require(
            try await TestClient.failure(of: client, TestClient.write(server.origin)))
        #expect(!"\(failure)".contains("testsecret") && !"\(failure)".contains("Signature"))
    }
}
