import PlainS3
import TestServers
import Testing

/// What the doctor says of a real bucket's own settings.
@Suite("The doctor on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3DoctorTests {
    private func app(_ store: S3Store, retention: String = "30d") async throws -> StoreApp {
        var options = StoreApp.Options()
        options.settings.race = "{preset: standard}"
        options.settings.repair = "{orphan: quarantine, retention: \(retention)}"
        let app = try await StoreApp(store, options)
        try app.healthy()
        return app
    }

    /// The lines on the bucket's settings, each as `RESULT TEXT`.
    private func settings(_ app: StoreApp, _ status: Int32 = 0) throws -> [String] {
        try app.expect(status, "doctor", "--json").json()["checks"].elements
            .filter { $0["name"].string == "settings of media" }
            .map { "\($0["result"].string ?? "") \($0["detail"].string ?? "")" }
    }

    private static func lifecycle(_ rules: String...) -> String {
        "<LifecycleConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            + rules.joined() + "</LifecycleConfiguration>"
    }

    private static func rule(_ name: String, _ acts: String, prefix: String = "") -> String {
        "<Rule><ID>\(name)</ID><Filter><Prefix>\(prefix)</Prefix></Filter>"
            + "<Status>Enabled</Status>\(acts)</Rule>"
    }

    private static func aborting(after days: Int) -> String {
        rule(
            "uploads",
            "<AbortIncompleteMultipartUpload><DaysAfterInitiation>\(days)</DaysAfterInitiation>"
                + "</AbortIncompleteMultipartUpload>")
    }

    private static func older(after days: Int) -> String {
        rule(
            "older",
            "<NoncurrentVersionExpiration><NoncurrentDays>\(days)</NoncurrentDays>"
                + "</NoncurrentVersionExpiration>")
    }

    private static let stores = S3Store.all.filter {
        [.ministack, .ministackVersioned, .ceph, .cephVersioned].contains($0)
    }

    @Test(
        "A rule that aborts uploads is missed, found, and told when it is too quick",
        arguments: stores)
    func uploads(store: S3Store) async throws {
        let app = try await app(store)
        let (s3, bucket) = (app.server.s3, app.bucket)
        let missed = try settings(app)
        #expect(
            missed.contains {
                $0.hasPrefix("note no lifecycle rule aborts incomplete uploads:")
                    && $0.contains("AbortIncompleteMultipartUpload of at least 7d")
            }, "\(missed)")
        try s3.setConfiguration("lifecycle", Self.lifecycle(Self.aborting(after: 7)), of: bucket)
        let kept = try settings(app)
        #expect(!kept.contains { $0.contains("ploads") || $0.contains("lifecycle") }, "\(kept)")
        try s3.setConfiguration("lifecycle", Self.lifecycle(Self.aborting(after: 3)), of: bucket)
        let quick = try settings(app)
        #expect(
            quick.contains {
                $0.hasPrefix("note the lifecycle rule 'uploads' aborts uploads after 3d")
            }, "\(quick)")
    }

    @Test(
        "Older versions that go before the retention contradict the policy, where versions are on",
        arguments: stores)
    func olderVersions(store: S3Store) async throws {
        let app = try await app(store)
        let (s3, bucket) = (app.server.s3, app.bucket)
        for days in [29, 30] {
            try s3.setConfiguration(
                "lifecycle", Self.lifecycle(Self.aborting(after: 7), Self.older(after: days)),
                of: bucket)
            let isShort = store.isVersioned && days == 29
            let told = try settings(app, isShort ? 2 : 0).filter { $0.contains("'older'") }
            #expect(told.count == (isShort ? 1 : 0), "\(days): \(told)")
            guard isShort, let told = told.first else { continue }
            #expect(
                told.hasPrefix(
                    "FAILED the lifecycle rule 'older' removes older versions after 29d, and "
                        + "repair.retention is 30d"), "\(told)")
            #expect(told.contains("lengthen NoncurrentDays"))
        }
    }

    @Test(
        "A rule that expires the quarantine, and one that expires the app's objects, are named",
        arguments: stores)
    func expirations(store: S3Store) async throws {
        let app = try await app(store)
        let expiring = "<Expiration><Days>7</Days></Expiration>"
        try app.server.s3.setConfiguration(
            "lifecycle",
            Self.lifecycle(
                Self.aborting(after: 7), Self.rule("held", expiring, prefix: ".mooring/"),
                Self.rule("app", expiring, prefix: "private/")), of: app.bucket)
        let told = try settings(app, 2)
        #expect(
            told.contains {
                $0.hasPrefix("FAILED the lifecycle rule 'held' expires what lies in quarantine")
            }, "\(told)")
        #expect(
            told.contains { $0.hasPrefix("note the lifecycle rule 'app' expires objects") },
            "\(told)")
    }

    // MARK: Triggers

    private static let function = "arn:aws:lambda:us-east-1:000000000000:function:thumbnails"

    private static func notification(_ event: String, prefix: String) -> String {
        "<NotificationConfiguration><CloudFunctionConfiguration><Id>1</Id>"
            + "<CloudFunction>\(function)</CloudFunction><Event>\(event)</Event><Filter><S3Key>"
            + "<FilterRule><Name>prefix</Name><Value>\(prefix)</Value></FilterRule></S3Key>"
            + "</Filter></CloudFunctionConfiguration></NotificationConfiguration>"
    }

    @Test("A trigger that a copy into quarantine, or a removal, would fire is named")
    func triggers() async throws {
        let app = try await app(.ministack)
        let (s3, bucket) = (app.server.s3, app.bucket)
        for (event, prefix, wanted) in [
            ("s3:ObjectCreated:*", ".mooring/", "is called for each object that goes into"),
            ("s3:ObjectRemoved:*", "private/", "is called for each object that is quarantined"),
            ("s3:ObjectCreated:*", "public/", nil),
        ] {
            try s3.setConfiguration(
                "notification", Self.notification(event, prefix: prefix), of: bucket)
            let told = try settings(app).filter { $0.contains(Self.function) }
            #expect(told.count == (wanted == nil ? 0 : 1), "\(told)")
            if let wanted { #expect(told.first?.contains(wanted) == true, "\(told)") }
        }
        try s3.setConfiguration(
            "notification",
            "<NotificationConfiguration><EventBridgeConfiguration/></NotificationConfiguration>",
            of: bucket)
        #expect(try settings(app).count { $0.hasPrefix("note EventBridge is called") } == 2)
    }

    @Test("A quarantine in another bucket fires no trigger of this one, and no rule touches it")
    func otherBucket() async throws {
        let server = try await S3TestServer.ministack()
        let (bucket, other) = (try await server.makeBucket(), try await server.makeBucket())
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, retention: 30d}"
        options.settings.models = S3RepairTests.oneModel
        options.lines =
            "quarantine: {bucket: \(other), prefix: held/}\n  - name: attic\n    "
            + StoreApp.line(server, other, "\(server.endpoint)")
        let app = try StoreApp(server, bucket, options)
        try app.healthy()
        try server.s3.setConfiguration(
            "notification", Self.notification("s3:ObjectCreated:*", prefix: ""), of: bucket)
        try server.s3.setConfiguration(
            "lifecycle",
            Self.lifecycle(
                Self.aborting(after: 7),
                Self.rule("all", "<Expiration><Days>7</Days></Expiration>")), of: bucket)
        let told = try settings(app)
        #expect(!told.contains { $0.contains(Self.function) }, "\(told)")
        #expect(told.allSatisfy { $0.hasPrefix("note ") }, "\(told)")
    }

    @Test(
        "What a store does not tell is said, and nothing is concluded from it", .requires(.rclone))
    func untold() async throws {
        let told = try settings(try await app(.rclone))
        #expect(!told.isEmpty && told.allSatisfy { $0.hasPrefix("note ") }, "\(told)")
        #expect(
            told.contains {
                $0.contains("not compared with the policy: GetBucketLifecycleConfiguration")
            }, "\(told)")
    }
}
