import Crypto
import Foundation
import MooringModel
import MooringText
import NIOHTTP1
import Testing

@testable import MooringAWS

/// Credentials of a sign-in that the AWS CLI keeps.
@Suite struct SignInTests {
    private let scratch: ChainScratch
    private static let start = "https://example.awsapps.com/start"

    init() throws {
        scratch = try ChainScratch()
        try FileManager.default.createDirectory(
            atPath: scratch.home + "/.aws/sso/cache", withIntermediateDirectories: true)
        try scratch.write(
            ".aws/config",
            """
            [profile night]
            sso_session = work
            sso_account_id = 123456789012
            sso_role_name = Night & Day
            [profile old]
            sso_start_url = \(Self.start)
            sso_region = eu-west-1
            sso_account_id = 123456789012
            sso_role_name = Old
            [profile lost]
            sso_session = none
            sso_account_id = 123456789012
            sso_role_name = R
            [profile half]
            sso_session = work
            sso_role_name = R
            [sso-session work]
            sso_start_url = \(Self.start)
            sso_region = eu-west-1
            """)
    }

    private func signIn(
        _ name: String, token: String = "to.ken-1", ends: String = "2100-01-01T00:00:00Z"
    ) throws {
        let digest = Hexadecimal.text(Array(Insecure.SHA1.hash(data: Data(name.utf8))))
        try scratch.write(
            ".aws/sso/cache/\(digest).json",
            "{\"accessToken\": \"\(token)\", \"expiresAt\": \"\(ends)\", \"region\": \"x\"}")
    }

    private static let answer = FakeEndpoint.Answer(
        body: """
            {"roleCredentials": {"accessKeyId": "ROLE", "secretAccessKey": "S",
            "sessionToken": "T", "expiration": 4102444800000}}
            """)

    @Test func aSignInIsChangedForARole() async throws {
        try signIn("work")
        let server = try await FakeEndpoint { _ in Self.answer }
        let found = try await scratch.chain(
            profile: "night", ["AWS_ENDPOINT_URL_SSO": server.address]
        ).credentials()
        #expect(found.accessKeyID == "ROLE" && found.sessionToken == "T")
        #expect(found.expiresAt == Instant(iso8601: "2100-01-01T00:00:00Z"))
        let request = try #require(server.requests.first)
        #expect(
            request.uri == "/federation/credentials?role_name=Night%20%26%20Day"
                + "&account_id=123456789012")
        #expect(request.headers["x-amz-sso_bearer_token"] == ["to.ken-1"])
        #expect(request.headers["authorization"].isEmpty)
    }

    @Test func aSignInWithoutASessionIsFoundByItsAddress() async throws {
        try signIn(Self.start, ends: "2100-01-01T00:00:00UTC")
        let server = try await FakeEndpoint { _ in Self.answer }
        #expect(
            try await scratch.found(profile: "old", ["AWS_ENDPOINT_URL_SSO": server.address])
                == "ROLE+T")
    }

    @Test(arguments: [(401, "not valid any more"), (403, "may not take the role"), (418, "418")])
    func aRefusalIsNamedWithoutTheToken(_ status: Int, _ words: String) async throws {
        try signIn("work", token: "hush")
        let server = try await FakeEndpoint { _ in .init(status: status, body: "hush") }
        let told = await scratch.refusal(
            profile: "night", ["AWS_ENDPOINT_URL_SSO": server.address])
        #expect(told.contains(words) && !told.contains("hush"))
    }

    @Test func whatIsMissingIsNamed() async throws {
        func told(_ profile: String) async -> String { await scratch.refusal(profile: profile) }
        #expect(await told("night").contains("run 'aws sso login --profile night'"))
        try signIn("work", ends: "2020-01-01T00:00:00Z")
        #expect(await told("night").contains("its sign-in ended at 2020-01-01T00:00:00Z"))
        try signIn("work", ends: "soon")
        #expect(await told("night").contains("holds no token with an end"))
        #expect(await told("lost").contains("names a section that is not in the shared files"))
        #expect(await told("half").contains("needs both sso_account_id and sso_role_name"))
    }

    @Test func theTokenGoesToNobodyWithoutEncryption() async throws {
        try signIn("work")
        let told = await scratch.refusal(
            profile: "night", ["AWS_ENDPOINT_URL_SSO": "http://portal.example"])
        #expect(told.contains("is plain HTTP"))
    }
}
