import PlainS3
import TestServers
import Testing

/// What the doctor says of a real bucket beforehand.
@Suite("The doctor's outlook on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3IncidentTests {
    /// Each answer as `ANSWER DETAIL`, by its name.
    private func told(_ app: StoreApp, _ status: Int32 = 0) throws -> [String: String] {
        let all = try app.expect(status, "doctor", "--json").json()["incident"].elements
        return Dictionary(
            uniqueKeysWithValues: all.map {
                (
                    $0["name"].string ?? "",
                    "\($0["answer"].string ?? "") \($0["detail"].string ?? "")"
                )
            })
    }

    @Test(
        "Versions are told as kept or not, and for how long",
        arguments: S3Store.all.filter {
            [.ministack, .ministackVersioned, .ceph, .cephVersioned].contains($0)
        })
    func versions(store: S3Store) async throws {
        let app = try await StoreApp(store)
        try app.healthy()
        let first = try told(app)
        let kept = store.isVersioned ? "yes kept: a deleted" : "no not kept: an object"
        #expect(first["versions of media"]?.hasPrefix(kept) == true, "\(first)")
        #expect(first["CloudTrail of media"] == nil, "this is no AWS")
        #expect(first["notifications of media"]?.hasPrefix("no none of removals") == true)
        try app.server.s3.setConfiguration(
            "lifecycle",
            "<LifecycleConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Rule>"
                + "<ID>older</ID><Filter><Prefix></Prefix></Filter><Status>Enabled</Status>"
                + "<NoncurrentVersionExpiration><NoncurrentDays>60</NoncurrentDays>"
                + "</NoncurrentVersionExpiration></Rule></LifecycleConfiguration>", of: app.bucket)
        let limited = try told(app)["versions of media"]
        if store.isVersioned {
            #expect(limited?.hasPrefix("yes kept for 60 days once replaced (") == true)
        }
    }

    @Test("An access log is told with where it is written to")
    func accessLog() async throws {
        let app = try await StoreApp(.ministack)
        try app.healthy()
        #expect(
            try told(app)["access log of media"]
                == "no off: who deleted an object could not be told by it")
        let logs = try await app.server.makeBucket()
        try app.server.s3.setConfiguration(
            "logging",
            "<BucketLoggingStatus xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + "<LoggingEnabled><TargetBucket>\(logs)</TargetBucket>"
                + "<TargetPrefix>media/</TargetPrefix></LoggingEnabled></BucketLoggingStatus>",
            of: app.bucket)
        let on = try told(app)["access log of media"]
        #expect(on?.hasPrefix("yes written to s3://\(logs)/media/: who") == true, "\(on ?? "")")
    }

    @Test("What may not be asked is not known, names the permission, and fails nothing")
    func refused() async throws {
        let server = try await S3TestServer.ministack()
        let bucket = try await server.makeBucket(versioned: true)
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        let app = try StoreApp(server, bucket, options)
        try app.healthy()
        let denied = "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"
        proxy.set(
            FaultRule(.answer(403, body: denied)) {
                $0.query.contains("logging") || $0.query.contains("notification")
            })
        let answers = try told(app)
        for (name, permission) in [
            ("access log", "s3:GetBucketLogging"), ("notifications", "s3:GetBucketNotification"),
        ] {
            let answer = answers["\(name) of media"]
            #expect(
                answer?.hasPrefix("unknown not known: it needs \(permission) (") == true,
                "\(answer ?? "")")
        }
    }
}
