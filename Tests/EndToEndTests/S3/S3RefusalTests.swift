import PlainS3
import TestServers
import Testing

/// What goes wrong before anything is judged: said in words, and nothing is touched.
@Suite("What S3 refuses", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3RefusalTests {
    // MARK: On any server

    @Test("A bucket that is not there", arguments: S3Store.all)
    func missingBucket(store: S3Store) async throws {
        var options = StoreApp.Options()
        options.bucket = "no-such-bucket-here"
        let app = try await StoreApp(store, options)
        try app.dangling()
        try app.expectRefusal(4, naming: ["no-such-bucket-here", "s3:"])
        #expect(try app.cover(of: "dangling") == App.cover("dangling"))
    }

    @Test("An endpoint where nobody listens")
    func down() async throws {
        var options = StoreApp.Options()
        options.endpoint = "http://127.0.0.1:\(try FreePort.find())"
        let app = try await StoreApp(.ministack, options)
        try app.dangling()
        try app.expectRefusal(4, naming: ["127.0.0.1"])
        try app.expectRefusal(4, ["run"], naming: ["127.0.0.1"])
        #expect(try app.cover(of: "dangling") == App.cover("dangling"))
    }

    @Test("An endpoint that speaks no TLS, and one that speaks nothing else")
    func protocols() async throws {
        let server = try await S3TestServer.ministack()
        var options = StoreApp.Options()
        options.endpoint = "https://127.0.0.1:\(server.endpoint.port)"
        let app = try await StoreApp(.ministack, options)
        try app.expectRefusal(4, naming: ["127.0.0.1"])
    }

    // MARK: Said by a proxy where MiniStack would not

    /// One call that is refused, and what has to be named of it.
    struct Refused: CustomTestStringConvertible, Sendable {
        let call: String
        let permission: String
        let isMeant: @Sendable (FaultProxy.Request) -> Bool

        var testDescription: String { call }

        static let acts = [
            Refused(call: "CopyObject", permission: "s3:PutObject") {
                $0["x-amz-copy-source"] != nil
            },
            Refused(call: "DeleteObject", permission: "s3:DeleteObject") {
                $0.method == "DELETE" && $0.query.isEmpty
            },
        ]
        static let scans = [
            Refused(call: "ListObjectsV2", permission: "s3:ListBucket") {
                $0.query.contains("list-type=2") || $0.query.contains("versions")
            },
            Refused(call: "ListMultipartUploads", permission: "s3:ListBucketMultipartUploads") {
                $0.query.contains("uploads") && $0.method == "GET"
            },
        ]
    }

    private func error(_ code: String, _ message: String) -> String {
        "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>\(message)</Message></Error>"
    }

    private func denied() -> FaultRule.Fault {
        .answer(403, body: error("AccessDenied", "Access Denied"))
    }

    /// An app behind a proxy.
    private func proxied(
        _ store: S3Store = .ministack, _ options: StoreApp.Options = StoreApp.Options()
    ) async throws -> (StoreApp, FaultProxy) {
        let server = try await store.server()
        let proxy = try server.proxy()
        var options = options
        options.endpoint = proxy.endpoint
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        return (try StoreApp(server, bucket, options), proxy)
    }

    @Test(
        "No permission for a listing: the scan is incomplete, and names call and permission",
        arguments: Refused.scans)
    func noPermission(refused: Refused) async throws {
        let (app, proxy) = try await proxied()
        try app.healthy()
        try app.orphan()
        try app.dangling()
        proxy.set(FaultRule(denied(), where: refused.isMeant))
        try app.expectRefusal(4, naming: [refused.call, refused.permission])
        try app.expectRefusal(4, ["plan"], naming: [])
        #expect(proxy.count("DELETE") == 0)
    }

    @Test("No permission to look at an object: what dangles is undecided, and nothing is nulled")
    func noHead() async throws {
        let (app, proxy) = try await proxied()
        try app.healthy()
        try app.dangling()
        app.settle()
        proxy.set(FaultRule(denied()) { $0.method == "HEAD" && $0.path.contains("dangling") })
        let result = try app.mooring("audit")
        #expect([0, 4].contains(result.status), "\(result.told)")
        let finding = try app.findings().about(App.songKey("dangling"))
        #expect(finding.verdict != "settled", "\(finding.json.value)")
        proxy.set()
        let (path, _) = try app.plan()
        proxy.set(FaultRule(denied()) { $0.method == "HEAD" && $0.path.contains("dangling") })
        let repair = try app.mooring("repair", path, "--apply")
        #expect(repair.status == 5, "\(repair.told)")
        #expect(repair.told.contains("HeadObject"), "\(repair.told)")
        #expect(try app.cover(of: "dangling") == App.cover("dangling"))
    }

    @Test("No permission for the copy or the removal: the object stays, and the step says why")
    func noAct() async throws {
        for refused in Refused.acts {
            let (app, proxy) = try await proxied()
            try app.healthy()
            let key = try app.orphan("s1", "precious")
            app.settle()
            let (path, _) = try app.plan()
            let denied = denied()
            proxy.set(FaultRule(denied) { refused.isMeant($0) && $0.path.contains("/s1-") })
            let result = try app.mooring("repair", path, "--apply")
            #expect(result.status == 5, "\(result.told)")
            #expect(
                result.told.contains(refused.call) && result.told.contains(refused.permission),
                "\(result.told)")
            #expect(try app.content(key) == "precious")
            proxy.set()
            let again = try app.expect(0, "repair", path, "--apply")
            #expect(again.output.contains("0 failed"), "\(again.told)")
            #expect(try app.openIntents() == 0)
            let copies = try app.held()
            #expect(try app.content(key) == nil ? copies == [key] : copies.isEmpty)
        }
    }

    @Test("A wrong key and a wrong secret are told apart, with where to look")
    func credentials() async throws {
        for (code, word) in [
            ("InvalidAccessKeyId", "AWS_ACCESS_KEY_ID"),
            ("SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY"), ("ExpiredToken", "credentials"),
        ] {
            let (app, proxy) = try await proxied()
            proxy.set(FaultRule(.answer(403, body: error(code, "No."))))
            try app.expectRefusal(4, naming: [word])
        }
    }

    @Test("No credentials at all: the next step is named, and nothing is asked of the server")
    func noCredentials() async throws {
        let (app, proxy) = try await proxied()
        let result = try Program.run(
            ["audit"], in: app.path, environment: ["AWS_EC2_METADATA_DISABLED": "true"])
        #expect([2, 4].contains(result.status), "\(result.told)")
        #expect(result.told.contains("AWS_ACCESS_KEY_ID"), "\(result.told)")
        #expect(proxy.log.isEmpty)
    }

    @Test("Another region: a bucket at a configured endpoint is refused with the region's name")
    func region() async throws {
        let (app, proxy) = try await proxied()
        proxy.set(
            FaultRule(
                .answer(
                    301, headers: [("x-amz-bucket-region", "eu-west-1")],
                    body: error("PermanentRedirect", "elsewhere"))))
        try app.expectRefusal(4, naming: ["eu-west-1"])
    }

    @Test("Another account's bucket: every call names the owner that is expected")
    func owner() async throws {
        var options = StoreApp.Options()
        options.further = "expectedOwner: \"123456789012\", "
        let (app, proxy) = try await proxied(.ministack, options)
        try app.healthy()
        try app.audit()
        let missing = proxy.log.filter { $0["x-amz-expected-bucket-owner"] != "123456789012" }
        #expect(!proxy.log.isEmpty && missing.isEmpty, "\(missing)")
        proxy.set(FaultRule(denied()))
        try app.expectRefusal(4, naming: ["expectedOwner"])
    }

    @Test("Whoever asks pays: every request says so under its signature, and a refusal names it")
    func requesterPays() async throws {
        let words = "requesterPays: true under s3:"
        let error = error("AccessDenied", "Bucket is a Requester Pays bucket")
        let (app, proxy) = try await proxied()
        proxy.set(FaultRule(.answer(403, body: error)))
        try app.expectRefusal(4, naming: [words])
        var options = StoreApp.Options()
        options.further = "requesterPays: true, "
        let (paying, watched) = try await proxied(.ministack, options)
        try paying.healthy()
        try paying.audit()
        let unsaid = watched.log.filter {
            $0["x-amz-request-payer"] != "requester"
                || $0["authorization"]?.contains("x-amz-request-payer") != true
        }
        #expect(!watched.log.isEmpty && unsaid.isEmpty, "\(unsaid)")
        let told = try paying.expect(0, "doctor").output
        #expect(told.contains("payer of media: requesterPays is set"), "\(told)")
        watched.set(FaultRule(.answer(403, body: error)))
        try paying.expectRefusal(4, naming: ["requests say so already"])
    }

    // MARK: On Ceph, which really refuses

    @Test("Ceph refuses a stranger, an unknown key and a wrong secret", .requires(.ceph))
    func strangers() async throws {
        for (id, secret, word) in [
            ("stranger", "testsecret", "s3:ListBucket"),
            ("nobody", "testsecret", "AWS_ACCESS_KEY_ID"),
            ("test", "wrongsecret", "AWS_SECRET_ACCESS_KEY"),
        ] {
            for store in [S3Store.ceph, .cephSecure] {
                var options = StoreApp.Options()
                (options.accessKey, options.secretKey) = (id, secret)
                let app = try await StoreApp(store, options)
                try app.dangling()
                try app.expectRefusal(4, naming: [word])
                #expect(try app.cover(of: "dangling") == App.cover("dangling"))
            }
        }
    }

    @Test("TLS that nothing vouches for is refused, and no request gets through", .requires(.ceph))
    func unknownCertificate() async throws {
        let server = try await S3TestServer.cephSecure()
        let plain = try await S3TestServer.ceph()
        var options = StoreApp.Options()
        options.endpoint = "\(server.endpoint)"
        // The plain server's settings name no certificate.
        let app = try StoreApp(plain, try await plain.makeBucket(), options)
        try app.expectRefusal(4, naming: ["certificate"])
    }

    @Test("Who may only read audits; a repair is refused and loses nothing", .requires(.ceph))
    func readerOnly() async throws {
        var options = StoreApp.Options()
        options.accessKey = "reader"
        let app = try await StoreApp(.ceph, options)
        try app.server.s3.setConfiguration(
            "policy",
            """
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
            "Principal": {"AWS": ["arn:aws:iam:::user/reader"]}, "Action": "s3:*",
            "Resource": ["arn:aws:s3:::\(app.bucket)", "arn:aws:s3:::\(app.bucket)/*"]}]}
            """, of: app.bucket)
        try app.healthy()
        let key = try app.orphan("s1", "precious")
        app.settle()
        #expect(try app.audit().map(\.kind) == ["orphan"])
        let plan = try app.mooring("plan")
        #expect([0, 2, 3].contains(plan.status), "\(plan.told)")
        if plan.status == 0 {
            let result = try app.mooring("repair", "Reports/Runs/latest/plan.json", "--apply")
            #expect([2, 5].contains(result.status), "\(result.told)")
            #expect(result.told.contains("s3:PutObject"), "\(result.told)")
        }
        #expect(try app.content(key) == "precious")
    }

    @Test("A policy that forbids copies leaves every object where it is", .requires(.ceph))
    func noCopies() async throws {
        let app = try await StoreApp(.ceph)
        try app.healthy()
        let key = try app.orphan("s1", "precious")
        app.settle()
        let (path, _) = try app.plan()
        try app.server.s3.setConfiguration(
            "policy",
            """
            {"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Principal": "*",
            "Action": "s3:PutObject",
            "Resource": "arn:aws:s3:::\(app.bucket)/.mooring/quarantine/2*"}]}
            """, of: app.bucket)
        let result = try app.mooring("repair", path, "--apply")
        #expect([2, 5].contains(result.status), "\(result.told)")
        #expect(result.told.contains("s3:PutObject"), "\(result.told)")
        #expect(try app.content(key) == "precious")
        #expect(try app.held() == [])
    }
}
