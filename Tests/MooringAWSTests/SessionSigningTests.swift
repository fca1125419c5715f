import MooringModel
import Synchronization
import Testing

@testable import MooringAWS

/// Requests under a session of a bucket, whose token stands in a header of its own.
@Suite(.timeLimit(.minutes(15))) struct SessionSigningTests {
    private static let header = "x-amz-s3session-token"
    private static let keys = Credentials(
        accessKeyID: "SESSION", secretAccessKey: "sessionsecret", sessionToken: "session+token/==")

    private func client(_ credentials: any CredentialSource) -> AWSClient {
        AWSClient(
            signer: Signer(region: "eu-west-1", service: "s3express", tokenHeader: Self.header),
            credentials: credentials, connections: 2, settings: TestClient.settings(),
            clock: { Instant.now })
    }

    @Test func theTokenIsSentAndSignedInItsOwnHeader() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        _ = try await client(GivenCredentials(Self.keys)).send(TestClient.read(server.origin))
        let headers = try #require(server.seen.first).headers
        #expect(headers[Self.header] == "session+token/==")
        #expect(headers["x-amz-security-token"] == nil)
        let signature = try #require(headers["authorization"])
        let day = try #require(headers["x-amz-date"]).prefix(8)
        #expect(
            signature.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=SESSION/\(day)/eu-west-1/s3express/aws4_request, "
                    + "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-s3session-token, "
                    + "Signature="), "\(signature)")
        #expect(!headers.values.contains { $0.contains("sessionsecret") })
    }

    @Test func anotherRegionIsSignedForWithTheSameHeader() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200) }
        var request = TestClient.read(server.origin)
        request.region = "us-west-2"
        _ = try await client(GivenCredentials(Self.keys)).send(request)
        let headers = try #require(server.seen.first).headers
        #expect(headers["authorization"]?.contains("/us-west-2/s3express/") == true)
        #expect(headers[Self.header] == "session+token/==")
        #expect(headers["x-amz-security-token"] == nil)
    }

    @Test func theTokenOfUsualCredentialsStaysWhereItWas() {
        let signed = Signer(region: "eu-west-1", service: "s3express").sign(
            TestClient.read(Origin(host: "h")), with: Self.keys, at: Instant(seconds: 0))
        #expect(signed.contains { $0.name == "x-amz-security-token" })
        #expect(signed.contains { $0.name == "x-amz-content-sha256" })
        #expect(!signed.contains { $0.name == Self.header })
    }

    @Test(arguments: [403, 400])
    func aSessionThatIsRefusedAsEndedIsOpenedAnew(_ status: Int) async throws {
        let server = try await ScriptedServer { number, _ in
            number == 0 ? .error(status, "ExpiredToken") : .answer(200)
        }
        let sessions = RenewedCredentials()
        let answer = try await client(sessions).send(TestClient.read(server.origin))
        #expect(answer.status == 200 && sessions.refusals == 1)
        #expect(
            server.seen.map { $0.headers["authorization"]?.contains("=key0/") } == [true, false])
    }

    @Test func credentialsOfMinutesAreFetchedLateByTheirOwnBounds() async throws {
        let clock = TestClock()
        let count = Mutex(0)
        let source = RefreshedCredentials(
            clock: { clock.now }, early: .minutes(2), late: .seconds(30)
        ) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Credentials(
                accessKeyID: "K\(number)", secretAccessKey: "S", expiresAt: clock.now + .minutes(5))
        }
        for _ in 0..<3 { #expect(try await source.credentials().accessKeyID == "K1") }
        clock.advance(.minutes(2) + .seconds(50))
        #expect(try await source.credentials().accessKeyID == "K1")
        #expect(count.withLock { $0 } == 1)
        clock.advance(.minutes(1) + .seconds(50))
        #expect(try await source.credentials().accessKeyID == "K2")
    }
}
