import MooringModel
import NIOHTTP1
import Testing

@testable import MooringAWS

@Suite struct EndpointTests {
    private let scratch: ChainScratch
    private static let answer =
        "{\"AccessKeyId\": \"REMOTE\", \"SecretAccessKey\": \"S\", \"Token\": \"T\", "
        + "\"Expiration\": \"2100-01-01T00:00:00Z\", \"Code\": \"Success\"}"

    init() throws { scratch = try ChainScratch() }

    @Test func aContainersEndpointIsAskedWithItsToken() async throws {
        let server = try await FakeEndpoint { _ in .init(body: Self.answer) }
        let full = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.address + "/role?x=1"]
        #expect(try await scratch.found(full) == "REMOTE+T")
        let file = try scratch.write("token", "from-file\n")
        _ = try await scratch.found(
            full.merging([
                "AWS_CONTAINER_AUTHORIZATION_TOKEN": "from-variable",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": file,
            ]) { $1 })
        _ = try await scratch.found(
            full.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": "from-variable"]) { $1 })
        #expect(
            server.requests.map { $0.headers["authorization"] }
                == [[], ["from-file"], ["from-variable"]])
        #expect(server.requests.allSatisfy { $0.uri == "/role?x=1" && $0.method == "GET" })
    }

    @Test func aRelativeAddressGoesToTheContainersHost() async throws {
        let server = try await FakeEndpoint { _ in .init(body: Self.answer) }
        var addresses = EndpointAddresses()
        addresses.container = server.address
        let chain = scratch.chain(
            [
                "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/x",
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/",
            ], addresses: addresses)
        #expect(try await chain.credentials().accessKeyID == "REMOTE")
        #expect(server.requests.map(\.uri) == ["/v2/x"])
        #expect(
            await scratch.refusal(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "@evil/"])
                .contains("does not begin with /"))
    }

    @Test(arguments: [
        "http://127.0.0.1:80/x", "http://127.8.8.8/x", "http://[::1]:1/x", "http://localhost/x",
        "http://169.254.170.2/x", "http://169.254.170.23/v1/credentials",
        "http://[fd00:ec2::23]/v1", "https://anything.example/x",
    ])
    func theseMayBeAsked(address: String) {
        #expect(EndpointRule.refusal(of: address) == nil)
    }

    private static let plain =
        "is plain HTTP to a host that is neither this machine nor a container's own endpoint"

    @Test(arguments: [
        ("http://example.com/x", plain), ("http://169.254.169.254/x", plain),
        ("http://10.0.0.1/x", plain), ("http://127.0.0.1@example.com/x", "names a user"),
        ("http://127.0.0.1.example.com/x", plain),
        ("ftp://127.0.0.1/x", "is neither http nor https"),
        ("http://localhost.example.com/", plain), ("http://128.0.0.1/", plain),
        ("/v2/x", "is no address"), ("", "is no address"), ("http:///x", "is no address"),
        ("http://169.254.170.2@evil/x", "names a user"), ("http://[fd00:ec2::24]/x", plain),
    ])
    func theseMayNot(address: String, reason: String) {
        #expect(EndpointRule.refusal(of: address) == reason)
    }

    @Test("an answer that is no JSON object, and a role without a name, are told as such")
    func uselessAnswers() async throws {
        let server = try await FakeEndpoint { _ in .init(body: "[\"hush\"]") }
        let told = await scratch.refusal(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.address])
        #expect(told.contains("container endpoint: its answer is no JSON object"), "\(told)")
        #expect(!told.contains("hush"))
        for (path, word) in [("/latest/api/token", "token"), ("credentials/", "role")] {
            let instance = try await FakeEndpoint { request in
                .init(body: request.uri.hasSuffix(path) ? "\n" : "fine")
            }
            let told = await scratch.refusal([
                "AWS_EC2_METADATA_DISABLED": "",
                "AWS_EC2_METADATA_SERVICE_ENDPOINT": instance.address,
            ])
            #expect(told.contains("instance metadata: gave no usable \(word)"), "\(told)")
        }
    }

    @Test("an instance without a role says which question was not answered")
    func noRole() async throws {
        let server = try await FakeEndpoint { request in
            request.method == "PUT" ? .init(body: "token") : .init(status: 404)
        }
        let told = await scratch.refusal([
            "AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address,
        ])
        #expect(told.contains("asked for the role's name: status 404"), "\(told)")
    }

    @Test func aRefusedEndpointIsNotAsked() async throws {
        let told = await scratch.refusal([
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://example.com/hush"
        ])
        #expect(told.contains("is plain HTTP to a host that is neither this machine"))
        #expect(!told.contains("hush"))
    }

    @Test func aRedirectIsNotFollowed() async throws {
        let other = try await FakeEndpoint { _ in .init(body: Self.answer) }
        let address = other.address
        let server = try await FakeEndpoint { _ in
            .init(status: 302, headers: [("location", address)])
        }
        let told = await scratch.refusal([
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.address,
            "AWS_CONTAINER_AUTHORIZATION_TOKEN": "hush",
        ])
        #expect(told.contains("answered with status 302"))
        #expect(other.requests.isEmpty)
    }

    @Test func aFailingEndpointIsAskedAgainAFewTimes() async throws {
        let server = try await FakeEndpoint { _ in .init(status: 503, body: "hush") }
        let told = await scratch.refusal(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.address])
        #expect(told.contains("container endpoint: answered with status 503"))
        #expect(!told.contains("hush"))
        #expect(server.requests.count == 3)
    }

    @Test func anInstancesTokenComesFirst() async throws {
        let server = try await FakeEndpoint { request in
            if request.method == "PUT" { return .init(body: "TOKEN") }
            guard request.headers["x-aws-ec2-metadata-token"] == ["TOKEN"] else {
                return .init(status: 401)
            }
            return .init(body: request.uri.hasSuffix("/") ? "my role\n" : Self.answer)
        }
        let variables = [
            "AWS_EC2_METADATA_DISABLED": "",
            "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address + "/",
        ]
        #expect(try await scratch.found(variables) == "REMOTE+T")
        #expect(
            server.requests.map { "\($0.method) \($0.uri)" } == [
                "PUT /latest/api/token", "GET /latest/meta-data/iam/security-credentials/",
                "GET /latest/meta-data/iam/security-credentials/my%20role",
            ])
        #expect(
            server.requests[0].headers["x-aws-ec2-metadata-token-ttl-seconds"] == ["21600"])
        let off = variables.merging(["AWS_EC2_METADATA_DISABLED": "TRUE"]) { $1 }
        #expect(await scratch.refusal(off).contains("AWS_EC2_METADATA_DISABLED is true"))
        #expect(server.requests.count == 3)
    }

    @Test func anInstanceWithoutATokenIsNotAskedTheOldWay() async throws {
        let server = try await FakeEndpoint { $0.method == "PUT" ? .init(status: 404) : .init() }
        let told = await scratch.refusal([
            "AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address,
        ])
        #expect(told.contains("instance metadata: asked for a token: status 404"))
        #expect(server.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(15)))
    func nobodyWaitsLongForAnInstanceThatIsNone() async throws {
        let server = try await FakeEndpoint { _ in .init(delay: .seconds(3_600)) }
        let told = await scratch.refusal([
            "AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address,
        ])
        #expect(told.contains("asked for a token: no answer"))
    }

    @Test func aDocumentWithAnErrorIsNoCredentials() async throws {
        let server = try await FakeEndpoint { _ in
            .init(body: "{\"Code\": \"AssumeRoleUnauthorizedAccess\", \"Message\": \"hush\"}")
        }
        let told = await scratch.refusal(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.address])
        #expect(told.contains("the access key's id is missing"))
        #expect(!told.contains("hush"))
    }
}
