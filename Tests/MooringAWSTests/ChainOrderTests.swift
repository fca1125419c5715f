import MooringModel
import Testing

@testable import MooringAWS

@Suite struct ChainOrderTests {
    private let scratch: ChainScratch
    private let keys = ["AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "env-secret"]

    init() throws { scratch = try ChainScratch() }

    @Test func theEnvironmentComesFirst() async throws {
        try scratch.write(
            ".aws/credentials",
            "[default]\naws_access_key_id = FILE\naws_secret_access_key = file-secret\n")
        #expect(try await scratch.found(keys) == "ENV")
        #expect(
            try await scratch.found(keys.merging(["AWS_SESSION_TOKEN": "T"]) { $1 }) == "ENV+T")
        #expect(try await scratch.found(keys.merging(["AWS_PROFILE": "x"]) { $1 }) == "ENV")
        #expect(try await scratch.found() == "FILE")
        // An empty variable is as good as none.
        #expect(try await scratch.found(["AWS_ACCESS_KEY_ID": ""]) == "FILE")
    }

    @Test func aNamedProfileWinsOverTheEnvironment() async throws {
        try scratch.write(
            ".aws/credentials",
            "[work]\naws_access_key_id = FILE\naws_secret_access_key = file-secret\n")
        #expect(try await scratch.found(profile: "work", keys) == "FILE")
        let told = await scratch.refusal(profile: "play", keys)
        #expect(told.contains("profile 'play': no such profile in the shared files"))
    }

    @Test func halfAPairIsAFailure() async throws {
        try scratch.write(
            ".aws/credentials", "[default]\naws_access_key_id = A\naws_secret_access_key = S\n")
        #expect(
            await scratch.refusal(["AWS_ACCESS_KEY_ID": "ENV"])
                .contains("AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not"))
        #expect(
            await scratch.refusal(["AWS_SECRET_ACCESS_KEY": "hush"])
                .contains("AWS_SECRET_ACCESS_KEY is set, and AWS_ACCESS_KEY_ID is not"))
    }

    @Test func everyPlaceIsNamedWithItsReason() async throws {
        let told = await scratch.refusal()
        for part in [
            "environment: AWS_ACCESS_KEY_ID is not set",
            "web identity: no AWS_WEB_IDENTITY_TOKEN_FILE is set",
            "profile 'default': no such profile in the shared files; ~/.aws/config is not there; "
                + "~/.aws/credentials is not there",
            "container endpoint: no AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI is set",
            "instance metadata: AWS_EC2_METADATA_DISABLED is true",
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        ] {
            #expect(told.contains(part))
        }
    }

    @Test func whatCannotStandInAHeaderIsRefusedAndNotShown() async throws {
        let told = await scratch.refusal([
            "AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "S",
            "AWS_SESSION_TOKEN": "hush\r\nx-evil: 1",
        ])
        #expect(
            told.contains("the session token holds a blank or another character that none has"))
        #expect(!told.contains("hush"))
    }

    @Test(arguments: [
        (
            [
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN": "a\nb",
            ], "container endpoint: its token cannot stand in a header"
        ),
        (
            ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "ftp://127.0.0.1/"],
            "AWS_CONTAINER_CREDENTIALS_FULL_URI is neither http nor https"
        ),
        (
            ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "keys"],
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with /"
        ),
        (
            [
                "AWS_WEB_IDENTITY_TOKEN_FILE": "/etc/hostname",
                "AWS_ROLE_ARN": "arn:aws:iam::1:role/r", "AWS_ENDPOINT_URL_STS": "ftp://x",
            ], "web identity: the address of its token service is neither http nor https"
        ),
    ])
    func aPlaceThatCannotBeAskedIsNamed(
        variables: [String: String], reason: String
    ) async {
        let told = await scratch.refusal(variables)
        #expect(told.contains(reason), "\(told)")
    }

    @Test func aFailedPlaceEndsTheSearch() async throws {
        let told = await scratch.refusal([
            "AWS_WEB_IDENTITY_TOKEN_FILE": scratch.home + "/none",
            "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/",
        ])
        #expect(told.contains("web identity: the file of AWS_WEB_IDENTITY_TOKEN_FILE is not there"))
        #expect(!told.contains("container"))
        let profile = await scratch.refusal([
            "AWS_PROFILE": "none", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/",
        ])
        #expect(profile.contains("profile 'none': no such profile in the shared files"))
        #expect(!profile.contains("container"))
    }

    @Test func theRegionIsTheFirstThatIsSaid() throws {
        try scratch.write(".aws/config", "[default]\nregion = a\n[profile work]\nregion = b\n")
        func region(
            _ explicit: String? = nil, _ profile: String? = nil, _ variables: [String: String] = [:]
        ) -> String? {
            RegionChoice.region(
                explicit: explicit, profile: profile,
                environment: variables.merging(["HOME": scratch.home]) { $1 })
        }
        let both = ["AWS_REGION": "c", "AWS_DEFAULT_REGION": "d"]
        #expect(region("x", "work", both) == "x")
        #expect(region(nil, "work", both) == "c")
        #expect(region(nil, "work", ["AWS_DEFAULT_REGION": "d"]) == "d")
        #expect(region(nil, "work") == "b")
        #expect(region(nil, nil, ["AWS_PROFILE": "work"]) == "b")
        #expect(region() == "a")
        #expect(region(nil, "none") == nil)
    }
}
