import Foundation
import TestServers
import Testing

/// An app whose files lie in a directory bucket of S3, which a proxy plays by a script: nothing
/// stands behind it, so that a request that the script does not know fails.
private final class ZonalApp: App {
    static let bucket = "media--euw1-az1--x-s3"
    static let secret = "secretofthesession"
    let proxy: FaultProxy

    init(_ change: (inout App.Settings) -> Void = { _ in }) throws {
        proxy = try FaultProxy(port: try FreePort.find())
        var settings = App.Settings()
        settings.bucket =
            "s3: {bucket: \(Self.bucket), directory: true, region: eu-west-1, "
            + "endpoint: \"\(proxy.endpoint)\"}"
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        change(&settings)
        try super.init(settings)
    }

    override var environment: [String: String] {
        ["AWS_ACCESS_KEY_ID": "USUALKEY", "AWS_SECRET_ACCESS_KEY": "usualsecret"]
    }

    static func list(_ keys: [String], next: String? = nil) -> FaultRule.Fault {
        let contents = keys.map {
            "<Contents><Key>\($0.replacing(":", with: "%3A"))</Key>"
                + "<LastModified>2024-01-01T00:00:00.000Z</LastModified>"
                + "<ETag>\"0a1b\"</ETag><Size>3</Size></Contents>"
        }
        let token = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
        return .answer(
            200,
            body: "<ListBucketResult><Name>\(bucket)</Name><EncodingType>url</EncodingType>"
                + "<IsTruncated>\(next != nil)</IsTruncated>\(token)\(contents.joined())"
                + "</ListBucketResult>")
    }

    private static func session() -> FaultRule.Fault {
        let end = Date.now.addingTimeInterval(300).ISO8601Format()
        return .answer(
            200,
            body: "<CreateSessionResult><Credentials><SessionToken>tokenofit</SessionToken>"
                + "<SecretAccessKey>\(secret)</SecretAccessKey>"
                + "<AccessKeyId>SESSIONKEY</AccessKeyId><Expiration>\(end)</Expiration>"
                + "</Credentials></CreateSessionResult>")
    }

    /// Plays a bucket of two pages; `head` is what HEAD finds.
    func play(
        _ first: [String], _ second: FaultRule.Fault, head: FaultRule.Fault = .answer(404),
        session: FaultRule.Fault = ZonalApp.session(), isRefusedOnce: Bool = false
    ) {
        let ended = FaultRule.Fault.answer(403, body: "<Error><Code>ExpiredToken</Code></Error>")
        proxy.set(
            FaultRule(ended, turns: isRefusedOnce ? 1...1 : 0...0, mayMiss: !isRefusedOnce) {
                $0.query.contains("continuation-token=t1")
            },
            FaultRule(session) { $0.query == "session=" },
            FaultRule(head, mayMiss: true) { $0.method == "HEAD" },
            FaultRule(Self.list([]), mayMiss: true) { $0.query == "list-type=2&max-keys=1" },
            FaultRule(second, mayMiss: true) { $0.query.contains("continuation-token=t1") },
            FaultRule(Self.list(first, next: "t1"), mayMiss: true) { $0.method == "GET" })
    }

    /// Wants that nothing but looks was sent, each in the way that such a bucket wants it.
    func expectOnlyLooks() {
        for request in proxy.log {
            let isOpening = request.query == "session="
            #expect(["GET", "HEAD"].contains(request.method), "\(request)")
            #expect(!request.query.contains("start-after"), "\(request)")
            #expect(
                request["x-amz-s3session-token"] == (isOpening ? nil : "tokenofit"), "\(request)")
            let signature = request["authorization"] ?? ""
            #expect(signature.contains("/eu-west-1/s3express/aws4_request"), "\(signature)")
            #expect(signature.contains(isOpening ? "USUALKEY/" : "SESSIONKEY/"), "\(signature)")
        }
        #expect(!proxy.log.isEmpty)
    }

    /// Wants that no secret stands in what was printed or left behind.
    func expectNoSecret(_ results: Program.Result...) {
        for secret in [Self.secret, "tokenofit", "usualsecret"] {
            #expect(!results.contains { $0.told.contains(secret) })
            #expect(Folder.command(["grep", "-rqF", secret, path]) == 1)
        }
    }
}

@Suite("A directory bucket of S3", .timeLimit(.minutes(60)))
struct DirectoryBucketTests {
    private static let other = "public/z-\(App.uuid(7))"

    /// One song with its file, one without, and one file without a record.
    private func app(_ change: (inout App.Settings) -> Void = { _ in }) throws -> ZonalApp {
        let app = try ZonalApp(change)
        try app.song("healthy", cover: App.cover("healthy"))
        try app.dangling()
        return app
    }

    @Test("Findings come out of a listing without order, and nothing is done about them")
    func findings() throws {
        let app = try app()
        app.play([Self.other], ZonalApp.list([App.songKey("healthy")]))
        let audit = try app.expect(0, "audit")
        let findings = try app.findings()
        #expect(
            Set(findings.map(\.label)) == [
                "dangling/missing/settled", "orphan/ownerless/settled",
            ])
        #expect(findings.allSatisfy { $0.proof == "live stores" })
        let report = try app.report()
        #expect(report["buckets"][0]["kind"].string == "s3")
        #expect(report["buckets"][0]["objects"].integer == 2)
        let notes = report["notes"].elements.compactMap(\.string).joined()
        #expect(notes.contains("is a directory bucket of S3: listed in one pass"), "\(notes)")
        let plan = try app.expect(0, "plan")
        #expect(
            try JSON(parsing: try #require(app.read("Reports/Runs/latest/plan.json")))["steps"]
                .elements.isEmpty)
        #expect(plan.told.contains("2 wait for live stores"), "\(plan.told)")
        for told in [
            plan, try app.expect(0, "repair", "Reports/Runs/latest/plan.json"),
        ] {
            #expect(
                told.told.contains(
                    "bucket media is a directory bucket, for findings only: nothing in it is"),
                "\(told.told)")
        }
        try app.expect(0, "repair", "Reports/Runs/latest/plan.json", "--apply")
        let run = try app.expect(0, "run")
        #expect(try app.cover(of: "dangling") == App.cover("dangling"))
        app.expectOnlyLooks()
        app.expectNoSecret(audit, plan, run)
    }

    @Test("The doctor says what it is, what is not done there, and what a policy asks in vain")
    func doctor() throws {
        let app = try app()
        app.play([Self.other], ZonalApp.list([App.songKey("healthy")]))
        let told = try app.expect(0, "doctor").told
        #expect(told.contains("s3, a directory bucket: findings only, no repair"), "\(told)")
        #expect(told.contains("it lists in no order and keeps no versions"), "\(told)")
        let probed = try app.expect(0, "doctor", "--probe").told
        #expect(probed.contains("a directory bucket: findings only"), "\(probed)")
        let policy = try app.expect(0, "doctor", "--policy").told
        #expect(
            policy.contains("bucket media (s3) is a directory bucket, from which nothing is"),
            "\(policy)")
        app.expectOnlyLooks()
    }

    @Test("A listing that is cut, repeats a token or names a key twice leaves the run incomplete")
    func cut() throws {
        let healthy = App.songKey("healthy")
        for (second, words) in [
            (FaultRule.Fault.answer(400, body: "<Error><Code>Bad</Code></Error>"), "400 Bad"),
            (ZonalApp.list([healthy], next: "t1"), "names a token that came before"),
            (ZonalApp.list([healthy, Self.other]), "listed more than once"),
        ] {
            let app = try app()
            app.play([Self.other], second)
            let told = try app.expect(4, "audit").told
            #expect(told.contains(words), "\(told)")
            #expect(try app.newest("audit")["status"].string == "incomplete")
            app.expectOnlyLooks()
        }
    }

    @Test("An object that a look finds, and the listing left out, leaves the run incomplete")
    func leftOut() throws {
        let app = try app()
        app.play(
            [Self.other], ZonalApp.list([App.songKey("healthy")]),
            head: .answer(
                200,
                headers: [
                    ("ETag", "\"0a1b\""), ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT"),
                ], body: "abc"))
        let told = try app.expect(4, "audit").told
        #expect(told.contains("the listing left out 1 object that HEAD finds"), "\(told)")
    }

    @Test("A session that is refused ends the listing, with what to allow")
    func refused() throws {
        let app = try app()
        app.play(
            [], ZonalApp.list([]),
            session: .answer(403, body: "<Error><Code>AccessDenied</Code></Error>"))
        let result = try app.expect(4, "audit")
        for words in [
            "no session was opened with the directory bucket", "403 AccessDenied",
            "allow s3express:CreateSession", "mooring iam-policy --for audit",
        ] {
            #expect(result.told.contains(words), "\(words): \(result.told)")
        }
        #expect(app.proxy.log.allSatisfy { $0.query == "session=" })
        app.expectNoSecret(result)
    }

    @Test("A session that the store gives up is opened anew in the middle of a listing")
    func renewed() throws {
        let app = try app()
        app.play([Self.other], ZonalApp.list([App.songKey("healthy")]), isRefusedOnce: true)
        try app.expect(0, "audit")
        #expect(app.proxy.log.count { $0.query == "session=" } == 2)
        app.expectOnlyLooks()
    }

    @Test("A bucket beside it is repaired as ever, and it is not")
    func beside() throws {
        let app = try app {
            $0.bucket += "\n  - name: attic\n    directory: ./files"
            $0.models = """
                - model: Song
                  version: _version
                  changed: _lastChangedAt
                  deleted: _deleted
                  identity: ownerIdentity
                  files:
                    - field: coverArtKey
                      bucket: media
                      level: private
                      template: "{id}-{uuid}.png"
                - model: Album
                  version: _version
                  changed: _lastChangedAt
                  deleted: _deleted
                  files:
                    - field: imageKeys
                      bucket: attic
                      list: true
                      level: guest
                      template: "{id}-{uuid}"
                """
        }
        try app.album("kept", "[\"kept-\(App.uuid(1))\"]")
        try app.put("public/kept-\(App.uuid(1))")
        try app.album("emptied", "[]")
        try app.put("public/emptied-\(App.uuid(2))")
        app.play([Self.other], ZonalApp.list([App.songKey("healthy")]))
        try app.expect(0, "run")
        let run = try app.expect(0, "run")
        #expect(!app.exists("files/public/emptied-\(App.uuid(2))"), "\(run.told)")
        #expect(app.exists("files/public/kept-\(App.uuid(1))"))
        let kinds = try app.findings().filter { $0.json["bucket"].string == "media" }.map(\.label)
        #expect(Set(kinds) == ["dangling/missing/settled", "orphan/unattributed/settled"])
        #expect(try app.cover(of: "dangling") == App.cover("dangling"))
        app.expectOnlyLooks()
    }

    @Test("What is asked to be erased stays there, and that is said")
    func erase() throws {
        let app = try app()
        app.play([Self.other], ZonalApp.list([App.songKey("healthy")]))
        try app.expect(0, "audit")
        app.proxy.forget()
        for flags in [[], ["--apply"]] {
            let result = try Program.run(
                ["erase", "--identity", App.identity] + flags, in: app.path,
                environment: app.environment)
            #expect(
                result.told.contains(
                    "bucket media is a directory bucket, in which nothing is changed: what it "
                        + "holds of this stays there"), "\(result.told)")
        }
        #expect(app.proxy.log.allSatisfy { $0.method == "GET" || $0.method == "HEAD" })
    }

    @Test("A policy for it allows sessions that may look, and nothing else")
    func policy() throws {
        let policy = try app().expect(0, "iam-policy", "--for", "repair").json()
        let statements = policy["Statement"].elements
        #expect(statements.count == 1)
        #expect(
            statements[0]["Action"].elements.compactMap(\.string) == ["s3express:CreateSession"])
        #expect(
            statements[0]["Condition"]["StringEquals"]["s3express:SessionMode"].string
                == "ReadOnly")
    }

    @Test("Nothing of it can be addressed or taken for a bucket of another kind")
    func others() throws {
        let app = try app()
        let signed = try app.expect(2, "presign", App.songKey("healthy"))
        #expect(signed.told.contains("is a directory bucket, which answers sessions"))
        let (named, distant) = (try plain(), try plain(region: "cn-north-1"))
        let variable = try Program.run(
            ["audit"], in: named.path,
            environment: app.environment.merging(
                ["AWS_ENDPOINT_URL_S3": "https://s3.eu-west-1.amazonaws.com"]) { $1 })
        #expect(variable.status == 78, "\(variable.told)")
        #expect(
            variable.told.contains("take AWS_ENDPOINT_URL_S3 away for this program"),
            "\(variable.told)")
        let china = try distant.expect(78, "audit")
        #expect(china.told.contains("documented for regions of aws alone"), "\(china.told)")
    }

    // The same bucket, as it is named with AWS.
    private func plain(region: String = "eu-west-1") throws -> ZonalApp {
        try ZonalApp {
            $0.bucket = "s3: {bucket: \(ZonalApp.bucket), region: \(region)}"
        }
    }
}
