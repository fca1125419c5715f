import Crypto
import Foundation
import MooringModel
import MooringText
import Testing

@testable import MooringAWS

/// Credentials of a sign-in to the console that `aws login` keeps.
@Suite struct LoginTests {
    private let scratch: ChainScratch
    private static let session = "arn:aws:sts::012345678910:assumed-role/Admin/admin"

    init() throws {
        scratch = try ChainScratch()
        try scratch.write(
            ".aws/config",
            """
            [profile night]
            login_session = \(Self.session)
            credential_process = /bin/false
            [profile above]
            role_arn = arn:aws:iam::1:role/r
            source_profile = night
            """)
    }

    private static let file = {
        Hexadecimal.text(Array(SHA256.hash(data: Array(session.utf8)))) + ".json"
    }()

    private func keep(_ text: String, in folder: String = ".aws/login/cache") throws {
        try FileManager.default.createDirectory(
            atPath: "\(scratch.home)/\(folder)", withIntermediateDirectories: true)
        try scratch.write("\(folder)/\(Self.file)", text)
    }

    // As the AWS CLI writes it.
    private static func token(
        id: String = "\"LOGIN\"", secret: String = "\"hush\"", token: String = "\"to+ken=\"",
        ends: String = "\"2100-01-01T00:00:00Z\""
    ) -> String {
        """
        {"accessToken": {"accessKeyId": \(id), "secretAccessKey": \(secret),
          "sessionToken": \(token), "accountId": "012345678910", "expiresAt": \(ends)},
         "tokenType": "aws_sigv4", "clientId": "arn:aws:signin:::devtools/same-device",
         "refreshToken": "hush", "idToken": "hush", "dpopKey": "hush"}
        """
    }

    @Test func theFileIsCalledByItsSession() {
        // That of a test of botocore, tests/unit/login/login-provider-test-cases.json.
        #expect(
            Self.file
                == "4b0ba8f99f075c0633e122fd73346ce203a3faf18ea0310eb2d29df1bab2e255.json")
    }

    @Test func aSignInToTheConsoleGivesItsCredentials() async throws {
        try keep(Self.token())
        let found = try await scratch.chain(profile: "night").credentials()
        #expect(found.accessKeyID == "LOGIN" && found.secretAccessKey == "hush")
        #expect(found.sessionToken == "to+ken=")
        #expect(found.expiresAt == Instant(iso8601: "2100-01-01T00:00:00Z"))
    }

    @Test func anotherFolderIsTheEnvironments() async throws {
        try keep(Self.token(id: "\"OTHER\""), in: "elsewhere")
        for place in ["~/elsewhere", scratch.home + "/elsewhere"] {
            let found = try await scratch.found(
                profile: "night", ["AWS_LOGIN_CACHE_DIRECTORY": place])
            #expect(found == "OTHER+to+ken=")
        }
        let told = await scratch.refusal(
            profile: "night", ["AWS_LOGIN_CACHE_DIRECTORY": "$HOME/elsewhere"])
        #expect(told.contains("AWS_LOGIN_CACHE_DIRECTORY holds '$'"), "\(told)")
    }

    @Test func itIsReadAgainBeforeItEnds() async throws {
        let clock = TestClock()
        let end = (clock.now + .minutes(15)).iso8601
        try keep(Self.token(ends: "\"\(end)\""))
        let chain = scratch.chain(profile: "night", clock: clock)
        #expect(try await chain.credentials().accessKeyID == "LOGIN")
        // The CLI renewed it meanwhile.
        let next = (clock.now + .minutes(29)).iso8601
        try keep(Self.token(id: "\"NEXT\"", ends: "\"\(next)\""))
        clock.advance(.minutes(15))
        #expect(try await chain.credentials().accessKeyID == "NEXT")
        clock.advance(.minutes(15))
        await #expect(throws: AWSFailure.self) { try await chain.credentials() }
    }

    @Test func anEndedOneIsRefusedWithWhatToRun() async throws {
        try keep(Self.token(ends: "\"2020-01-01T00:00:00Z\""))
        let told = await scratch.refusal(profile: "night")
        #expect(told.contains("ended at 2020-01-01T00:00:00Z"), "\(told)")
        #expect(told.contains("run 'aws login --profile night'"), "\(told)")
        #expect(told.contains("aws configure export-credentials"), "\(told)")
        #expect(!told.contains("hush"))
    }

    @Test func nobodySignedInIsNamed() async throws {
        let told = await scratch.refusal(profile: "night")
        #expect(told.contains("nobody is signed in"), "\(told)")
        #expect(told.contains("run 'aws login --profile night'"), "\(told)")
        // The role's own sign-in is asked for by the name of the profile that has it.
        let above = await scratch.refusal(profile: "above")
        #expect(above.contains("run 'aws login --profile night'"), "\(above)")
    }

    @Test func keysOfTheCredentialsFileStandAboveIt() async throws {
        try keep(Self.token())
        try scratch.write(
            ".aws/credentials", "[night]\naws_access_key_id = K\naws_secret_access_key = S\n")
        #expect(try await scratch.found(profile: "night") == "K")
    }

    @Test func whatIsNoSignInIsRefusedWithoutItsContent() async throws {
        let whole = Self.token()
        var hostile = [
            "", "[]", "null", "hush", "{\"accessToken\": \"hush\"}", "{\"accessToken\": {}}",
            "{\"accessToken\": [\"hush\"]}", String(whole.dropLast()),
            String(whole.prefix(whole.count / 2)), whole + whole,
            String(repeating: "[", count: 100_000), "{\"accessToken\": {\"a\": \"\u{0}\"}}",
        ]
        hostile += [
            Self.token(id: "7"), Self.token(id: "\"\""), Self.token(secret: "null"),
            Self.token(secret: "\"hush\\nx-evil: 1\""), Self.token(token: "null"),
            Self.token(token: "\"\""), Self.token(token: "\"hu sh\""),
            Self.token(token: "\"hush\u{e9}\""), Self.token(ends: "null"),
            Self.token(ends: "\"hush\""), Self.token(ends: "4102444800"), Self.token(ends: "\"\""),
        ]
        for text in hostile {
            try keep(text)
            let told = await scratch.refusal(profile: "night")
            #expect(!told.contains("found ") && told.contains("profile 'night'"), "\(text)")
            #expect(!told.contains("hush") && !told.contains("LOGIN"), "\(told)")
        }
        let path = "\(scratch.home)/.aws/login/cache/\(Self.file)"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        #expect(await scratch.refusal(profile: "night").contains("is no regular file"))
    }
}
