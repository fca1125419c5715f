import Foundation
import PlainS3
import TestServers
import Testing

/// The printed policy, given to a stranger on a store that enforces policies: what the purpose
/// needs is allowed, and the rest is refused.
@Suite("iam-policy")
struct IAMPolicyTests {
    private static let quarantine = ".mooring/quarantine/"

    /// A bucket of the server's own account, with the policy of a purpose for the stranger.
    private struct Given {
        let owner: PlainS3
        let stranger: PlainS3
        let bucket: String
        let app: S3Folder
        var upload = ""

        func status(
            _ method: String, _ key: String?, _ query: [(String, String)] = [],
            headers: [(String, String)] = [], body: String = ""
        ) throws -> Int {
            var call = PlainS3.Call(method, bucket, key.map { Array($0.utf8) })
            call.query = query.map { ($0.0, $0.1) }
            call.headers = headers.map { ($0.0, $0.1) }
            call.body = Array(body.utf8)
            return try stranger.send(call).status
        }
    }

    private func give(_ purpose: String, repair: String = "{}") async throws -> Given {
        let server = try await S3TestServer.ceph()
        let bucket = try await server.makeBucket(versioned: true)
        let keys = [
            "public/one", "public/two", "other/one", Self.quarantine + "RUN/x", "public/three",
        ]
        try await server.fill(bucket, keys.map { (Array($0.utf8), [1]) })
        let app = try S3Folder(
            endpoint: "\(server.endpoint)", bucket: bucket, prefixes: "[public/]", repair: repair)
        let result = try Program.run(["iam-policy", "--for", purpose], in: app.path)
        #expect(result.status == 0, "\(result.told)")
        var document = try #require(try result.json().value as? [String: Any])
        var statements = try #require(document["Statement"] as? [[String: Any]])
        for index in statements.indices {
            statements[index]["Principal"] = ["AWS": ["arn:aws:iam:::user/stranger"]]
        }
        document["Statement"] = statements
        let text = try JSON(document).text()
        let owner = server.s3
        var call = PlainS3.Call("PUT", bucket)
        call.query = [("policy", "")]
        call.body = Array(text.utf8)
        _ = try owner.require(call)
        call = PlainS3.Call("POST", bucket, Array("public/upload".utf8))
        call.query = [("uploads", "")]
        let begun = String(decoding: try owner.require(call).body, as: UTF8.self)
        let upload = try #require(
            begun.components(separatedBy: "<UploadId>").last?
                .components(separatedBy: "</UploadId>").first)
        return Given(
            owner: owner, stranger: server.client(accessKey: "stranger"), bucket: bucket,
            app: app, upload: upload)
    }

    private func seesWhatAnAuditAsks(_ given: Given) throws {
        #expect(try given.status("HEAD", nil) == 200)
        for prefix in ["public/", "public/t", Self.quarantine, ".mooring/lease"] {
            let list = [("list-type", "2"), ("prefix", prefix)]
            #expect(try given.status("GET", nil, list) == 200, "\(prefix)")
            let versions = [("versions", ""), ("prefix", prefix)]
            #expect(try given.status("GET", nil, versions) == 200, "\(prefix)")
        }
        #expect(try given.status("GET", nil, [("list-type", "2"), ("prefix", "other/")]) == 403)
        #expect(try given.status("GET", nil, [("versions", ""), ("prefix", "other/")]) == 403)
        #expect(try given.status("GET", nil, [("uploads", "")]) == 200)
        #expect(try given.status("GET", nil, [("versioning", "")]) == 200)
        // Ceph shows notifications to the bucket's owner alone, even where a policy allows s3:*.
        for setting in ["lifecycle", "object-lock"] {
            #expect(
                try [200, 404].contains(given.status("GET", nil, [(setting, "")])), "\(setting)")
        }
        #expect(try given.status("HEAD", "public/one") == 200)
        #expect(try given.status("HEAD", "public/none") == 404)
        #expect(try given.status("GET", Self.quarantine + "RUN/x") == 200)
        #expect(try given.status("GET", ".mooring/lease") == 404)
        #expect(try given.status("GET", "public/upload", [("uploadId", given.upload)]) == 200)
        #expect(try given.status("HEAD", "other/one") == 403)
    }

    private func changesNothingElse(_ given: Given) throws {
        #expect(try given.status("PUT", "other/new", body: "x") == 403)
        #expect(try given.status("DELETE", "other/one") == 403)
        #expect(try given.status("PUT", ".mooring/other", body: "x") == 403)
        #expect(try given.status("GET", "other/one", [("tagging", "")]) == 403)
        #expect(try given.status("GET", nil, [("policy", "")]) == 403)
        #expect(try given.status("DELETE", nil, [("policy", "")]) == 403)
        #expect(try given.status("DELETE", nil, [("lifecycle", "")]) == 403)
        #expect(try given.status("DELETE", nil) == 403)
        let suspended =
            "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>"
        #expect(try given.status("PUT", nil, [("versioning", "")], body: suspended) == 403)
    }

    private static let tags =
        "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>"

    @Test("With the policy for audit a stranger sees what an audit asks", .requires(.ceph))
    func audit() async throws {
        let given = try await give("audit")
        try seesWhatAnAuditAsks(given)
        try changesNothingElse(given)
        for key in ["public/one", "public/new", ".mooring/lease", Self.quarantine + ".probe-x"] {
            #expect(try given.status("PUT", key, body: "x") == 403, "\(key)")
            #expect(try given.status("DELETE", key) == 403, "\(key)")
        }
        #expect(try given.status("GET", "public/one", [("tagging", "")]) == 403)
        #expect(try given.status("PUT", "public/one", [("tagging", "")], body: Self.tags) == 403)
        let upload = [("uploadId", given.upload)]
        #expect(try given.status("DELETE", "public/upload", upload) == 403)
        #expect(try given.owner.get(given.bucket, Array("public/one".utf8))?.body == [1])
    }

    @Test(
        "An audit runs to its end with its policy alone, and names what is missing without it",
        .requires(.ceph))
    func realAudit() async throws {
        let given = try await give("audit")
        // What lies there for the calls above is no run's, and an audit says so.
        let held = Array((Self.quarantine + "RUN/x").utf8)
        _ = try given.owner.require(PlainS3.Call("DELETE", given.bucket, held))
        let variables = S3Folder.variables("stranger")
        let audit = try Program.run(["audit"], in: given.app.path, environment: variables)
        #expect(audit.status == 0, "\(audit.told)")
        #expect(audit.output.contains("media (s3)"), "\(audit.told)")
        #expect(try given.status("HEAD", "public/two") == 200)
        var call = PlainS3.Call("DELETE", given.bucket)
        call.query = [("policy", "")]
        _ = try given.owner.require(call)
        let refused = try Program.run(["audit"], in: given.app.path, environment: variables)
        #expect(refused.status == 4, "\(refused.told)")
        #expect(refused.output.contains("s3:GetBucketVersioning"), "\(refused.told)")
    }

    @Test("With the policy for repair a stranger does what quarantine needs", .requires(.ceph))
    func repair() async throws {
        let given = try await give(
            "repair", repair: "{orphan: quarantine}")
        try seesWhatAnAuditAsks(given)
        #expect(try given.status("PUT", ".mooring/lease", body: "{}") == 200)
        #expect(try given.status("DELETE", ".mooring/lease") == 204)
        #expect(try given.status("PUT", "public/one", [("tagging", "")], body: Self.tags) == 200)
        #expect(try given.status("GET", "public/one", [("tagging", "")]) == 200)
        let there = [("x-amz-copy-source", "/\(given.bucket)/public/one")]
        let held = Self.quarantine + "RUN/public/one"
        #expect(try given.status("PUT", held, headers: there) == 200)
        #expect(try given.status("DELETE", "public/one") == 204)
        let versions = try given.owner.versions(given.bucket, prefix: "public/one")
        let marker = try #require(versions.first?.version)
        #expect(try given.status("DELETE", "public/one", [("versionId", marker)]) == 204)
        let back = [("x-amz-copy-source", "/\(given.bucket)/\(held)")]
        #expect(try given.status("PUT", "public/four", headers: back) == 200)
        #expect(try given.status("DELETE", held) == 204)
        let upload = [("uploadId", given.upload)]
        #expect(try given.status("DELETE", "public/upload", upload) == 204)
        try changesNothingElse(given)
    }

    @Test("A policy that repairs records alone writes no object of the app's", .requires(.ceph))
    func recordsAlone() async throws {
        let given = try await give("repair", repair: "{orphan: keep, dangling: nullify}")
        try seesWhatAnAuditAsks(given)
        #expect(try given.status("PUT", ".mooring/lease", body: "{}") == 200)
        #expect(try given.status("PUT", Self.quarantine + ".probe-x", body: "x") == 200)
        #expect(try given.status("DELETE", Self.quarantine + ".probe-x") == 204)
        #expect(try given.status("PUT", Self.quarantine + "RUN/y", body: "x") == 403)
        #expect(try given.status("PUT", "public/new", body: "x") == 403)
        #expect(try given.status("DELETE", "public/one") == 403)
        try changesNothingElse(given)
    }

    @Test("A bucket is chosen by its name; without S3 the program says so")
    func choice() throws {
        let app = try S3Folder(endpoint: "http://127.0.0.1:1", bucket: "store")
        let all = try Program.run(["iam-policy", "--for", "audit"], in: app.path)
        let one = try Program.run(
            ["iam-policy", "--for", "audit", "--bucket", "store", "--json"], in: app.path)
        #expect(all.status == 0)
        #expect(all.output == one.output)
        #expect(all.errors == "")
        #expect(!app.exists("mooring.ledger"))
        let folder = try App()
        #expect(
            try folder.expect(2, "iam-policy", "--for", "audit").errors
                .contains("no s3 bucket: 'media' is a directory"))
        #expect(try folder.expect(64, "iam-policy").status == 64)
        #expect(try folder.expect(64, "iam-policy", "--for", "fun").status == 64)
    }
}
