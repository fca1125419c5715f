import MooringAWS
import MooringModel
import Synchronization
import Testing

@testable import MooringS3

@Suite("Sessions of a directory bucket")
struct ZonalSessionTests {
    private let clock = MovedClock()

    private func session(_ caller: any AWSCaller) -> ZonalSession {
        ZonalSession(place: ZonalStage.place, caller: caller, clock: { clock.now })
    }

    /// The next session of each request, good for five minutes.
    private func opener() -> RecordingCaller {
        let count = Mutex(0)
        return RecordingCaller { [clock] _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return ZonalStage.session("K\(number)", until: clock.now + .minutes(5))
        }
    }

    private func failure(of answer: AWSResponse) async -> AWSFailure? {
        do {
            _ = try await session(RecordingCaller { _ in answer }).credentials()
            return nil
        } catch {
            return error as? AWSFailure
        }
    }

    @Test("one is asked for at the bucket's own host, to look and not to change")
    func request() async throws {
        let caller = opener()
        let keys = try await session(caller).credentials()
        #expect(keys.accessKeyID == "K1" && keys.secretAccessKey == "sessionsecret")
        #expect(keys.sessionToken == "token-K1")
        #expect(keys.expiresAt == ZonalStage.start + .minutes(5))
        let sent = try #require(caller.sent.first)
        #expect(sent.call == "CreateSession" && sent.method == "GET" && sent.isRepeatable)
        #expect(
            sent.origin.text
                == "https://media--euw1-az1--x-s3.s3express-euw1-az1.eu-west-1.amazonaws.com")
        #expect(sent.path == Array("/".utf8) && sent.text(of: "session") == "")
        #expect(sent.query.count == 1 && sent.headers.count == 1)
        #expect(
            sent.headers.first.map { "\($0.name): \($0.value)" }
                == "x-amz-create-session-mode: ReadOnly")
    }

    @Test("one serves everybody, and the next one comes before it ends")
    func renewal() async throws {
        let caller = opener()
        let session = session(caller)
        for _ in 0..<20 { #expect(try await session.credentials().accessKeyID == "K1") }
        clock.advance(.minutes(2) + .seconds(59))
        #expect(try await session.credentials().accessKeyID == "K1")
        #expect(caller.sent.count == 1)
        // In the last half minute nobody is given keys that may end on their way.
        clock.advance(.minutes(1) + .seconds(35))
        #expect(try await session.credentials().accessKeyID == "K2")
        #expect(caller.sent.count == 2)
    }

    @Test("what the store refused is let go of, once")
    func refused() async throws {
        let caller = opener()
        let session = session(caller)
        let first = try await session.credentials()
        await session.wereRefused(first)
        #expect(try await session.credentials().accessKeyID == "K2")
        await session.wereRefused(first)
        #expect(try await session.credentials().accessKeyID == "K2")
        #expect(caller.sent.count == 2)
    }

    @Test("its end is counted from the store's own time, and never beyond five minutes")
    func clocks() async throws {
        // The store's clock is an hour ahead of this machine's.
        let ahead = ZonalStage.start + .hours(1)
        let date = [(name: "date", value: "Tue, 14 Nov 2023 23:13:20 GMT")]
        let caller = RecordingCaller { _ in
            ZonalStage.session(until: ahead + .minutes(4), date)
        }
        let end = try await session(caller).credentials().expiresAt
        #expect(end == ZonalStage.start + .minutes(4))
        let long = RecordingCaller { _ in
            ZonalStage.session(until: ZonalStage.start + .hours(9))
        }
        #expect(
            try await session(long).credentials().expiresAt == ZonalStage.start + .minutes(5))
    }

    @Test("a refusal says what was refused, that nothing was listed, and what to allow")
    func words() async throws {
        let denied = try #require(
            await failure(of: .error(403, "AccessDenied", message: "arn:aws:sts::1 secret")))
        #expect(
            "\(denied)"
                == "CreateSession: no session was opened with the directory bucket (CreateSession: "
                + "answered 403 AccessDenied), so that nothing in it is listed or looked at; "
                + "allow s3express:CreateSession on the bucket, in a policy of whoever asks or of "
                + "the bucket (mooring iam-policy --for audit), then run mooring audit")
        let none = try #require(await failure(of: .error(404, "NoSuchBucket")))
        #expect(none.hint?.contains("its zone and its region") == true)
        #expect(await failure(of: .error(403))?.reason.contains("answered HTTP 403") == true)
    }

    private static let open = "<CreateSessionResult><Credentials>"
    private static let close = "</Credentials></CreateSessionResult>"

    @Test(
        "an answer that holds no whole session opens none, and no part of it is told",
        arguments: [
            ("", "is no valid XML"), ("<CreateSessionResult>", "is no valid XML"),
            ("<Other/>", "holds no session"), ("<CreateSessionResult/>", "holds no session"),
            (open + close, "does not say when it ends"),
            (
                open + "<Expiration>2099-01-01T00:00:00Z</Expiration>" + close,
                "without AccessKeyId"
            ),
            (
                open + "<Expiration>2099-01-01T00:00:00Z</Expiration><AccessKeyId>K</AccessKeyId>"
                    + "<SecretAccessKey>sessionsecret</SecretAccessKey>" + close,
                "without SessionToken"
            ),
            (
                open + "<Expiration>2099-01-01T00:00:00Z</Expiration><AccessKeyId>K</AccessKeyId>"
                    + "<SecretAccessKey>sessionsecret</SecretAccessKey>"
                    + "<SessionToken>a&#13;&#10;x-evil: b</SessionToken>" + close,
                "without SessionToken"
            ),
            (
                open + "<Expiration>2001-01-01T00:00:00Z</Expiration><AccessKeyId>K</AccessKeyId>"
                    + "<SecretAccessKey>sessionsecret</SecretAccessKey>"
                    + "<SessionToken>t</SessionToken>" + close,
                "has ended"
            ),
        ])
    func malformed(body: String, words: String) async throws {
        let failure = try #require(await failure(of: ZonalStage.answer(body)))
        #expect(failure.reason.contains(words), "\(failure)")
        #expect(!"\(failure)".contains("sessionsecret") && !"\(failure)".contains("evil"))
    }

    @Test("what opens sessions is counted with what is asked under them")
    func counts() async throws {
        let (opening, asking) = (opener(), RecordingCaller { _ in ZonalStage.there })
        _ = try await session(opening).credentials()
        let caller = ZonalCaller(opening: opening, asking: asking)
        _ = try await ZonalStage.client(caller).send(
            S3Call("HeadObject", method: "HEAD", key: ObjectKey("k")))
        #expect(caller.requestCounts == ["CreateSession": 1, "HeadObject": 1])
        #expect(asking.sent.map(\.call) == ["HeadObject"])
    }
}
