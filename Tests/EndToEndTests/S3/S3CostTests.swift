import PlainS3
import TestServers
import Testing

/// What a plan says of the storage classes of what it removes.
@Suite("A plan's cost on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3CostTests {
    private func app(_ store: S3Store, _ prices: String?) async throws -> StoreApp {
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, retention: 30d}"
        if let prices { options.settings.extra = "prices: \(prices)" }
        let app = try await StoreApp(store, options)
        try app.healthy()
        for (name, storage) in [("s1", "STANDARD_IA"), ("s2", "STANDARD_IA"), ("s3", nil)] {
            let key = try app.orphan(name, "precious")
            guard let storage else { continue }
            _ = try app.server.s3.put(
                app.bucket, Array(key.utf8), Array("precious".utf8),
                headers: [(name: "x-amz-storage-class", value: storage)])
        }
        app.settle()
        try app.audit()
        return app
    }

    // A price at which 128 KiB for 30 days are told in cents.
    private static let dear = "{storage: 8192, classes: {STANDARD_IA: {storage: 8192}}}"

    @Test(
        "Early removal, quarantine and the least size are told where prices are known",
        arguments: [S3Store.ministack, .ministackVersioned])
    func told(store: S3Store) async throws {
        let app = try await app(store, Self.dear)
        // What the bucket keeps is known once it was tried.
        try app.expect(0, "doctor", "--probe")
        let text = try app.expect(0, "plan").output
        let isKept = store.isVersioned
        #expect(
            text.contains("before their class's minimum (2 of STANDARD_IA)") != isKept, "\(text)")
        #expect(text.contains("for 30d in quarantine"), "\(text)")
        #expect(
            text.contains("the store charges for more bytes than they have: 2 of STANDARD_IA"),
            "\(text)")
        #expect(text.contains("(prices: the configuration)"), "\(text)")
        let cost = try app.expect(0, "plan", "--json").json()["cost"]
        let early = cost["earlyDeletion"].value as? Double ?? -1
        // Two objects of 128 KiB each, 30 days; what passed since they were written is seconds.
        #expect(isKept ? early == 0 : abs(early - 2) < 0.01, "\(cost.value)")
        #expect(abs((cost["quarantine"].value as? Double ?? 0) - 2) < 0.1, "\(cost.value)")
        #expect(cost["classes"].elements.map { $0["class"].string } == ["STANDARD", "STANDARD_IA"])
        #expect(cost["changed"].integer == 0 && cost["unknown"].integer == 0)
        #expect(try app.expect(0, "plan", "--quiet").output.contains("cost") == false)
    }

    @Test("A lifecycle rule that moves what lies in quarantine is told")
    func rules() async throws {
        let app = try await app(.ministack, Self.dear)
        try app.server.s3.setConfiguration(
            "lifecycle",
            "<LifecycleConfiguration><Rule><ID>cold</ID><Filter><Prefix>.mooring/</Prefix>"
                + "</Filter><Status>Enabled</Status><Transition><Days>3</Days>"
                + "<StorageClass>GLACIER</StorageClass></Transition></Rule>"
                + "</LifecycleConfiguration>", of: app.bucket)
        let text = try app.expect(0, "plan").output
        let before = try #require(text.split(separator: "saved: ").first)
        #expect(!before.contains("cost:"), "told before it is saved")
        #expect(
            text.contains(
                "the lifecycle rule 'cold' moves what lies in quarantine to GLACIER after 3d"),
            "\(text)")
    }

    @Test("Nothing is told without prices, nor where the file says that nothing costs anything")
    func untold() async throws {
        for prices in [nil, "{storage: 0, requests: 0}"] {
            let app = try await app(.ministack, prices)
            #expect(!(try app.expect(0, "plan").output.contains("cost:")))
            #expect(try app.expect(0, "plan", "--json").json()["cost"].isNull)
        }
    }
}
