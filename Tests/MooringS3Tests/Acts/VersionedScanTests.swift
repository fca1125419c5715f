import MooringAWS
import MooringModel
import MooringS3
import PlainS3
import StoreConformance
import TestServers
import Testing

@Suite(
    "What a scan of a bucket that keeps versions costs", .requires(.ministack),
    .timeLimit(.minutes(60)))
struct VersionedScanTests {
    private static let key = ObjectKey("songs/s1")

    private func listed(_ bucket: S3Bucket) async throws -> ObjectVersion {
        try #require(try await bucket.listed().items.first { $0.key == Self.key }).version
    }

    @Test("a scan asks as often as there are pages of objects, however many old versions there are")
    func pages() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        for number in 0..<4 {
            try await stage.server.run { s3 in
                for round in 0..<300 {
                    _ = try s3.put(stage.store, Array("songs/s\(number)".utf8), [UInt8(round % 7)])
                }
            }
        }
        try await stage.remove(ObjectKey("songs/s0"))
        let fresh = stage.another()
        stage.caller.arm()
        let found = try await fresh.listed()
        let sent = stage.caller.disarm()
        #expect(found.result.isComplete && found.result.keepsVersions)
        #expect(found.items.map(\.key.text).sorted() == ["songs/s1", "songs/s2", "songs/s3"])
        #expect(found.items.allSatisfy { $0.version.versionID == nil })
        // Two ranges of keys; the versions alone fill two pages.
        #expect(
            sent.sorted() == ["GetBucketVersioning", "ListObjectsV2", "ListObjectsV2"], "\(sent)")
    }

    @Test("what was listed is moved as the version that a look finds, and the note names its id")
    func moved() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(Self.key, "old")
        try await stage.put(Self.key, "content")
        let bucket = stage.bucket
        let version = try await listed(bucket)
        let looked = try await bucket.version(Self.key)
        #expect(version.versionID == nil && looked.versionID != nil && version.means(looked))
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(await bucket.head(Self.key) == .absent)
        let noted = try #require(try await stage.noted(Self.key, run(1)))
        #expect(noted == looked)
        // A journal without the id means what the note is about; one with another does not.
        let other = ObjectVersion(
            size: looked.size, etag: looked.etag, lastModified: looked.lastModified,
            versionID: "other")
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: other) != .done)
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == "content")
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(2)) == .done)
        #expect(try await bucket.sweep(Self.key, run: run(2), expecting: other) != .done)
        #expect(try await bucket.sweep(Self.key, run: run(2), expecting: version) == .done)
        #expect(await bucket.headQuarantined(Self.key, run: run(2)) == .absent)
    }

    @Test("the same bytes of a later second are another version, with an id and without")
    func laterSecond() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(Self.key, "content")
        let version = try await listed(stage.bucket)
        let looked = try await stage.bucket.version(Self.key)
        try await Task.sleep(for: .milliseconds(1_100))
        try await stage.put(Self.key, "content")
        for expected in [version, looked] {
            let outcome = try await stage.bucket.quarantine(
                Self.key, expecting: expected, run: run(1))
            #expect(outcome.staleness?.contains("was written at") == true)
        }
        #expect(try await stage.text(Self.key) == "content")
    }

    @Test("a tag is set and taken off by what was listed")
    func tagged() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(Self.key, "content")
        let bucket = stage.bucket
        let version = try await listed(bucket)
        #expect(try await bucket.tag(Self.key, expecting: version, value: "r") == .done)
        #expect(try await bucket.tagValue(Self.key) == "r")
        #expect(try await bucket.untag(Self.key, expecting: version, value: "r") == .done)
        #expect(try await bucket.tagValue(Self.key) == nil)
    }
}
