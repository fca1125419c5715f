import MooringAWS
import MooringDecisions
import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringS3

/// A bucket whose own rules remove what lies in quarantine before its time.
@Suite("Lifecycle rules beside the retention", .requires(.ministack), .timeLimit(.minutes(60)))
struct LifecycleLookTests {
    private static let key = ObjectKey("songs/s1")

    private static func bucket(
        _ stage: S3Stage, _ answer: AWSResponse, elsewhere: String? = nil
    ) -> S3Bucket {
        let caller = BentCaller(inner: stage.caller) {
            $0.call == "GetBucketLifecycleConfiguration" ? answer : nil
        }
        func client(_ store: String) -> S3Client {
            S3Client(place: S3Stage.place(stage.server, store), caller: caller)
        }
        return S3Bucket(
            name: "media", client: client(stage.store),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine, in: elsewhere.map(client)),
            prefixes: [Array("songs/".utf8)], retention: .days(30), clock: { S3Stage.now() })
    }

    private static func rule(_ inside: String, prefix: String = "") -> AWSResponse {
        let body =
            "<LifecycleConfiguration><Rule><ID>old</ID><Status>Enabled</Status><Filter><Prefix>"
            + prefix + "</Prefix></Filter>\(inside)</Rule></LifecycleConfiguration>"
        return AWSResponse(status: 200, headers: [], body: Array(body.utf8))
    }

    private static func noncurrent(_ days: Int, _ more: String = "") -> String {
        "<NoncurrentVersionExpiration><NoncurrentDays>\(days)</NoncurrentDays>\(more)"
            + "</NoncurrentVersionExpiration>"
    }

    @Test("versions that go too early are as good as none: objects are copied, and come back")
    func versions() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let bucket = Self.bucket(stage, Self.rule(Self.noncurrent(7)))
        let found = try await bucket.capabilities()
        #expect(found.versioning == .suspended && found.quarantineDoubt == nil)
        #expect(
            found.versionsDoubt
                == "the lifecycle rule 'old' removes older versions after 7d, before "
                + "repair.retention (30d) is over")
        try await stage.put(Self.key, "content")
        let version = try await bucket.version(Self.key)
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await stage.text(S3Stage.place(Self.key, run(1))) == "content")
        #expect(try await stage.text(Self.key) == nil)
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == "content")
    }

    @Test(
        "a rule that comes late, is about other keys, or keeps what is newest, changes nothing",
        arguments: [
            rule(noncurrent(30)), rule(noncurrent(7), prefix: "other/"),
            rule(noncurrent(7, "<NewerNoncurrentVersions>1</NewerNoncurrentVersions>")),
            rule("<Expiration><Days>7</Days></Expiration>", prefix: "songs/"),
            AWSResponse(status: 403, headers: [], body: []),
            AWSResponse(status: 501, headers: [], body: []),
        ])
    func harmless(_ answer: AWSResponse) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let found = try await Self.bucket(stage, answer).capabilities()
        #expect(found.versioning == .enabled)
        #expect(found.versionsDoubt == nil && found.quarantineDoubt == nil)
    }

    @Test("nothing is moved into a quarantine that expires, in the bucket itself or in another")
    func quarantine() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let other = try await stage.server.makeBucket(versioned: true)
        let rule = Self.rule("<Expiration><Days>7</Days></Expiration>", prefix: ".mooring/")
        for elsewhere in [nil, other] {
            let found = try await Self.bucket(stage, rule, elsewhere: elsewhere).capabilities()
            let lack = StoreRule.lack(of: found, for: .quarantine, neverReused: true)
            #expect(lack?.contains("'old' expires what lies in quarantine after 7d") == true)
        }
    }
}
