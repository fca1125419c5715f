import MooringModel
import NIOHTTP1
import Testing

@testable import MooringAWS

@Suite struct TokenServiceTests {
    private let scratch: ChainScratch
    private static let role = "arn:aws:iam::123456789012:role/mooring"

    init() throws { scratch = try ChainScratch() }

    private static func answer(_ call: String, _ id: String = "ROLE") -> FakeEndpoint.Answer {
        .init(
            body: """
                <\(call)Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                <\(call)Result><Credentials><AccessKeyId>\(id)</AccessKeyId>
                <SecretAccessKey>S&amp;&lt;</SecretAccessKey><SessionToken>
                T</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration></Credentials>
                </\(call)Result></\(call)Response>
                """)
    }

    @Test func aWebIdentityIsChangedForCredentials() async throws {
        let server = try await FakeEndpoint { _ in Self.answer("AssumeRoleWithWebIdentity") }
        let token = try scratch.write("token", "to.ken+/=\n")
        let variables = [
            "AWS_WEB_IDENTITY_TOKEN_FILE": token, "AWS_ROLE_ARN": Self.role,
            "AWS_ENDPOINT_URL_STS": server.address,
        ]
        let credentials = try await scratch.chain(variables).credentials()
        #expect(credentials.accessKeyID == "ROLE")
        #expect(credentials.secretAccessKey == "S&<")
        #expect(credentials.sessionToken == "T")
        #expect(credentials.expiresAt == Instant(iso8601: "2100-01-01T00:00:00Z"))
        let request = try #require(server.requests.first)
        #expect(
            request.body == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn="
                + "arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fmooring&RoleSessionName=mooring"
                + "&WebIdentityToken=to.ken%2B%2F%3D")
        #expect(request.headers["authorization"].isEmpty)
        #expect(
            await scratch.refusal(variables.merging(["AWS_ROLE_ARN": ""]) { $1 })
                .contains("AWS_WEB_IDENTITY_TOKEN_FILE is set, and AWS_ROLE_ARN is not"))
    }

    @Test func aRoleIsAssumedByItsSource() async throws {
        let server = try await FakeEndpoint { request in
            let signer = request.headers["authorization"].first ?? ""
            if signer.contains("Credential=BASE/") { return Self.answer("AssumeRole", "FIRST") }
            return Self.answer("AssumeRole", signer.contains("FIRST") ? "SECOND" : "NONE")
        }
        try scratch.write(
            ".aws/config",
            """
            [profile one]
            role_arn = \(Self.role)
            source_profile = base
            role_session_name = night
            duration_seconds = 900
            external_id = a b
            region = eu-west-9
            [profile two]
            role_arn = \(Self.role)
            source_profile = one
            """)
        try scratch.write(
            ".aws/credentials",
            "[base]\naws_access_key_id = BASE\naws_secret_access_key = hush\n")
        let variables = ["AWS_ENDPOINT_URL_STS": server.address]
        #expect(try await scratch.found(profile: "one", variables) == "FIRST+T")
        let request = try #require(server.requests.first)
        #expect(request.body.hasPrefix("Action=AssumeRole&Version=2011-06-15&RoleArn="))
        #expect(
            request.body.hasSuffix(
                "&RoleSessionName=night&DurationSeconds=900&ExternalId=a%20b"))
        #expect(request.headers["authorization"].first?.contains("/eu-west-9/sts/") == true)
        #expect(request.headers["x-amz-content-sha256"].isEmpty)
        #expect(try await scratch.found(profile: "two", variables) == "SECOND+T")
    }

    @Test func aRoleOfTheConfigurationIsAssumedByWhoeverIsFound() async throws {
        let server = try await FakeEndpoint { _ in Self.answer("AssumeRole") }
        let variables = [
            "AWS_ENDPOINT_URL_STS": server.address, "AWS_ACCESS_KEY_ID": "BASE",
            "AWS_SECRET_ACCESS_KEY": "hush",
        ]
        let request = RoleRequest(role: Self.role, session: "night", externalID: "word")
        let chain = CredentialChain(
            profile: nil, role: (request, "eu-west-9"),
            environment: variables.merging(["HOME": scratch.home]) { $1 },
            addresses: EndpointAddresses(), clock: { TestClock().now })
        let found = try await chain.credentials()
        #expect(found.accessKeyID == "ROLE" && found.sessionToken == "T")
        let sent = try #require(server.requests.first)
        #expect(sent.body.hasSuffix("&RoleSessionName=night&ExternalId=word"))
        let signer = sent.headers["authorization"].first
        #expect(signer?.contains("Credential=BASE/") == true)
        #expect(signer?.contains("/eu-west-9/sts/") == true)
    }

    @Test func aRoleThatRefusesIsNotReplacedByItsSource() async throws {
        let server = try await FakeEndpoint { _ in
            .init(
                status: 403,
                body: "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>")
        }
        let chain = CredentialChain(
            profile: nil, role: (RoleRequest(role: Self.role), nil),
            environment: [
                "AWS_ENDPOINT_URL_STS": server.address, "AWS_ACCESS_KEY_ID": "BASE",
                "AWS_SECRET_ACCESS_KEY": "hush", "HOME": scratch.home,
            ],
            addresses: EndpointAddresses(), clock: { TestClock().now })
        let failure = await #expect(throws: AWSFailure.self) { try await chain.credentials() }
        #expect(failure?.reason.contains("none of the role of the configuration") == true)
        #expect(failure?.reason.contains("403 AccessDenied") == true)
        #expect(
            failure?.hint
                == "let the role trust who asks (sts:AssumeRole), and compare its arn and "
                + "externalId")
    }

    @Test func anAddressThatIsNoneOfFIPSIsNotAskedUnderFIPS() async throws {
        let server = try await FakeEndpoint { _ in Self.answer("AssumeRoleWithWebIdentity") }
        let told = await scratch.refusal([
            "AWS_WEB_IDENTITY_TOKEN_FILE": try scratch.write("token", "t"),
            "AWS_ROLE_ARN": Self.role, "AWS_ENDPOINT_URL_STS": server.address,
            "AWS_USE_FIPS_ENDPOINT": "true",
        ])
        #expect(told.contains("AWS_USE_FIPS_ENDPOINT asks for hosts of FIPS"))
        #expect(server.requests.isEmpty)
    }

    @Test func aProfileMayBeItsOwnSource() async throws {
        let server = try await FakeEndpoint { _ in Self.answer("AssumeRole") }
        try scratch.write(
            ".aws/config",
            "[default]\nrole_arn = \(Self.role)\nsource_profile = default\n"
                + "aws_access_key_id = OWN\naws_secret_access_key = S\n")
        #expect(try await scratch.found(["AWS_ENDPOINT_URL_STS": server.address]) == "ROLE+T")
        #expect(
            server.requests.first?.headers["authorization"].first?.contains("OWN/") == true)
    }

    @Test(arguments: [
        ("source_profile = b\n[profile b]\nrole_arn = x\nsource_profile = a", "round in a circle"),
        ("source_profile = a", "for its role's source: source_profile leads round in a circle"),
        ("source_profile = none", "names a profile that is not there"),
        ("", "needs source_profile or credential_source"),
        ("credential_source = Environment", "AWS_ACCESS_KEY_ID is not set"),
        (
            "credential_source = Moon",
            "credential_source is none of Environment, EcsContainer, Ec2InstanceMetadata"
        ),
        ("credential_source = Environment\nsource_profile = b", "it has both source_profile and"),
        (
            "mfa_serial = m\nsource_profile = b",
            "its role asks for a one-time code, and nobody is there to type it"
        ),
        ("source_profile = b\n[profile b]\nregion = r", "holds neither keys, a role nor"),
        ("web_identity_token_file = /none", "the file of web_identity_token_file is not there"),
    ])
    func aRoleThatCannotBeAssumedIsNamed(settings: String, reason: String) async throws {
        try scratch.write(".aws/config", "[profile a]\nrole_arn = \(Self.role)\n\(settings)\n")
        #expect(await scratch.refusal(profile: "a").contains(reason))
    }

    @Test func aRefusalIsNamedByItsCodeAlone() async throws {
        let server = try await FakeEndpoint { _ in
            .init(
                status: 403,
                body: "<ErrorResponse><Error><Code>AccessDenied</Code><Message>hush</Message>"
                    + "</Error></ErrorResponse>")
        }
        let token = try scratch.write("token", "hush")
        let told = await scratch.refusal([
            "AWS_WEB_IDENTITY_TOKEN_FILE": token, "AWS_ROLE_ARN": Self.role,
            "AWS_ENDPOINT_URL_STS": server.address,
        ])
        #expect(
            told.contains("AssumeRoleWithWebIdentity: refused with status 403 AccessDenied"))
        #expect(!told.contains("hush"))
        #expect(server.requests.count == 1)
    }

    @Test func anAnswerWithoutCredentialsIsNamed() async throws {
        let server = try await FakeEndpoint { _ in .init(body: "<html>hush</html>") }
        let token = try scratch.write("token", "x")
        let told = await scratch.refusal([
            "AWS_WEB_IDENTITY_TOKEN_FILE": token, "AWS_ROLE_ARN": Self.role,
            "AWS_ENDPOINT_URL_STS": server.address,
        ])
        #expect(told.contains("the answer holds no credentials"))
        #expect(!told.contains("hush"))
    }
}
