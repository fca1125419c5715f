import Foundation
import TestServers
import Testing

@Suite("presign")
struct PresignTests {
    // What a curl says of an address: its status and the body.
    private func fetch(_ url: String) throws -> (status: String, body: String) {
        let folder = try Folder()
        let body = folder.path + "/body"
        let told = try RunningProgram(
            [
                "curl", "-s", "--path-as-is", "--globoff", "-o", body, "-w", "%{http_code}", url,
            ], in: folder.path, environment: [:]
        ).wait()
        return (told.output, folder.read("body") ?? "")
    }

    private func presign(_ app: S3Folder, _ words: String...) throws -> Program.Result {
        try Program.run(["presign"] + words, in: app.path, environment: S3Folder.variables())
    }

    private static let keys: [[UInt8]] = [
        "public/one", "public/../a b+c%20//\u{E9}", "e\u{301}?&=#;:@!$'()*,[]~", "line\nfeed",
    ].map { Array($0.utf8) }

    private func read(_ server: S3TestServer, _ keys: [[UInt8]]) async throws {
        let bucket = try await server.makeBucket()
        try await server.fill(bucket, keys.map { ($0, Array("here".utf8)) })
        let app = try S3Folder(endpoint: "\(server.endpoint)", bucket: bucket)
        for key in keys {
            let result = try presign(app, Data(key).base64EncodedString(), "--base64")
            #expect(result.status == 0, "\(result.told)")
            let url = String(result.output.dropLast())
            #expect(url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            let answer = try fetch(url)
            #expect(answer.status == "200", "\(url) \(answer)")
            #expect(answer.body == "here")
        }
    }

    @Test("An address reads its object on MiniStack", .requires(.ministack))
    func ministack() async throws {
        try await read(try await .ministack(), Self.keys)
    }

    @Test("An address reads its object on Ceph, which checks the signature", .requires(.ceph))
    func ceph() async throws {
        try await read(try await .ceph(), Self.keys)
    }

    @Test("An address that was changed, or that has ended, is refused by Ceph", .requires(.ceph))
    func refused() async throws {
        let server = try await S3TestServer.ceph()
        let bucket = try await server.makeBucket()
        try await server.fill(bucket, [(Array("one".utf8), [1]), (Array("two".utf8), [2])])
        let app = try S3Folder(endpoint: "\(server.endpoint)", bucket: bucket)
        let result = try presign(app, "one", "--expires", "2s")
        let url = String(result.output.dropLast())
        #expect(try fetch(url).status == "200")
        for other in [
            url.replacingOccurrences(of: "/one?", with: "/two?"),
            url.replacingOccurrences(of: "Expires=2", with: "Expires=20"), url + "0",
        ] {
            #expect(try fetch(other).status == "403")
        }
        try await Task.sleep(for: .seconds(4))
        #expect(try fetch(url).status == "403")
    }

    @Test("The address stands alone on stdout; --json tells its end; no ledger is made")
    func output() throws {
        let app = try S3Folder(endpoint: "http://127.0.0.1:1", bucket: "store")
        let text = try presign(app, "a b", "--expires", "7d")
        #expect(text.output.hasPrefix("http://127.0.0.1:1/store/a%20b?X-Amz-Algorithm="))
        #expect(text.output.contains("X-Amz-Expires=604800&"))
        #expect(text.output.split(separator: "\n").count == 1)
        #expect(text.errors == "")
        let json = try presign(app, "a b", "--json", "--bucket", "store").json()
        #expect(json["bucket"].string == "media")
        #expect(json["key"].string == "a b")
        #expect(json["cutShort"].bool == false)
        #expect(json["expiresAt"].string?.hasSuffix("Z") == true)
        #expect(
            try presign(app, "a/../b").errors.contains(
                "the key has '.' or '..' between slashes, which most programs take out of an "
                    + "address; open it with curl --path-as-is"))
        #expect(!app.exists("mooring.ledger"))
    }

    @Test("What cannot be signed is refused in words, and no secret is shown")
    func refusals() throws {
        let app = try S3Folder(endpoint: "http://127.0.0.1:1", bucket: "store")
        for expires in ["8d", "0s", "1", "500ms", "x"] {
            let result = try presign(app, "k", "--expires", expires)
            #expect(result.status == 64, "\(expires): \(result.told)")
        }
        #expect(try presign(app, "k", "--bucket", "b").errors.contains("has media"))
        for (key, count) in [("", 0), (String(repeating: "k", count: 1_025), 1_025)] {
            let refused = try presign(app, key, "--bucket", "media")
            #expect(refused.status == 2)
            #expect(
                refused.errors.contains("a key of S3 has 1 to 1,024 bytes; this one has \(count)"))
        }
        #expect(
            try presign(app, "~", "--base64").errors.contains(
                "--base64: the key is no padded base64"))
        let nobody = try Program.run(
            ["presign", "k"], in: app.path, environment: ["AWS_EC2_METADATA_DISABLED": "true"])
        #expect(nobody.status == 2)
        #expect(nobody.errors.contains("environment: AWS_ACCESS_KEY_ID is not set"))
        let folder = try App()
        let none = try folder.expect(2, "presign", "k")
        #expect(none.errors.contains("no s3 bucket: 'media' is a directory"))
        let named = try folder.expect(2, "presign", "k", "--bucket", "media")
        #expect(named.errors.contains("bucket 'media' is a directory, and no bucket of S3"))
        #expect(!none.told.contains("testsecret"))
    }

    @Test("An access point is asked at its own host, and refused where it has none")
    func accessPoint() throws {
        func presign(_ more: String, _ variables: [String: String] = [:]) throws -> Program.Result {
            var settings = App.Settings()
            settings.bucket =
                "s3: {bucket: 'arn:aws:s3:eu-west-1:123456789012:accesspoint/night'\(more)}"
            let app = try App(settings)
            return try Program.run(
                ["presign", "a/k"], in: app.path,
                environment: S3Folder.variables().merging(variables) { _, given in given })
        }
        let host = "night-123456789012.s3-accesspoint.eu-west-1.amazonaws.com"
        let own = try presign("")
        #expect(own.status == 0 && own.output.hasPrefix("https://\(host)/a/k?"), "\(own.told)")
        let paying = try presign(", requesterPays: true")
        #expect(paying.output.contains("&x-amz-request-payer=requester"), "\(paying.told)")
        let network = try presign(
            ", endpoint: 'https://accesspoint.vpce-1.s3.eu-west-1.vpce.amazonaws.com'")
        #expect(
            network.output.hasPrefix("https://night-123456789012.accesspoint.vpce-1."),
            "\(network.told)")
        for (more, variables, words) in [
            (", endpoint: 'https://s3.eu-west-1.amazonaws.com'", [:], "is a host of buckets"),
            (", endpoint: 'http://127.0.0.1:9'", [:], "127.0.0.1:9 has no names below"),
            ("", ["AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9"], "has no names below"),
        ] as [(String, [String: String], String)] {
            let refused = try presign(more, variables)
            #expect(refused.status == 78 && refused.errors.contains(words), "\(refused.told)")
        }
    }

    @Test("A bucket of AWS whose region nobody says is refused, with where to say it")
    func noRegion() throws {
        var settings = App.Settings()
        settings.bucket = "s3: {bucket: store}"
        let app = try App(settings)
        func presign(_ variables: [String: String]) throws -> Program.Result {
            try Program.run(
                ["presign", "k"], in: app.path,
                environment: S3Folder.variables().merging(variables) { _, given in given })
        }
        let refused = try presign([:])
        #expect(refused.status == 78)
        #expect(
            refused.errors.contains(
                "bucket 'media': nobody says its region; write region: under s3, or set AWS_REGION"
            ), "\(refused.told)")
        let said = try presign(["AWS_REGION": "eu-west-1"])
        #expect(said.status == 0 && said.output.contains("eu-west-1"), "\(said.told)")
    }
}
