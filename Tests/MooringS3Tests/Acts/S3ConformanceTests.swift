import MooringModel
import MooringS3
import PlainS3
import StoreConformance
import TestServers
import Testing

/// A bucket of a real server for the suite that every store passes.
private struct StageFixture: VersionFixture {
    let stage: S3Stage
    var bucket: any ActingBucket { stage.bucket }
    // rclone keeps objects as files, and knows no conditions.
    var keepsControlCharacters: Bool { stage.scene.kind != .rclone }
    // In a bucket that keeps versions Ceph ignores the conditions of writes.
    var holdsLeases: Bool {
        stage.scene.kind == .ministack || (stage.scene.kind == .ceph && !stage.scene.versioned)
    }

    var keepsVersions: Bool { stage.scene.versioned }

    func remove(_ key: ObjectKey) async throws { try await stage.remove(key) }

    func put(_ key: ObjectKey, _ content: [UInt8]) async throws {
        try await stage.server.run { _ = try $0.put(stage.store, key.bytes, content) }
    }

    func put(many objects: [(key: ObjectKey, content: [UInt8])]) async throws {
        try await stage.server.fill(stage.store, objects.map { ($0.key.bytes, $0.content) })
    }

    func content(_ key: ObjectKey) async throws -> [UInt8]? {
        try await stage.text(key).map { Array($0.utf8) }
    }

    func putQuarantined(_ key: ObjectKey, run: RunID, _ content: [UInt8]) async throws {
        try await put(S3Stage.place(key, run), content)
    }

    func quarantinedContent(_ key: ObjectKey, run: RunID) async throws -> [UInt8]? {
        try await stage.heldText(key, run).map { Array($0.utf8) }
    }
}

@Suite("S3 does what every store does")
struct S3ConformanceTests {
    private static func verify(_ scene: S3Stage.Scene) async throws {
        try await BucketConformance {
            StageFixture(stage: try await S3Stage(scene))
        }.verify()
    }

    @Test(
        "on MiniStack", .requires(.ministack),
        arguments: [
            S3Stage.Scene(), S3Stage.Scene(versioned: true),
            S3Stage.Scene(versioned: true, ignoresDeletion: true),
        ])
    func ministack(_ scene: S3Stage.Scene) async throws { try await Self.verify(scene) }

    @Test(
        "on Ceph", .requires(.ceph),
        arguments: [
            S3Stage.Scene(neverReused: true, kind: .ceph),
            S3Stage.Scene(versioned: true, kind: .ceph),
        ])
    func ceph(_ scene: S3Stage.Scene) async throws { try await Self.verify(scene) }

    @Test("on rclone, as far as it keeps keys", .requires(.rclone))
    func rclone() async throws {
        try await Self.verify(S3Stage.Scene(neverReused: true, kind: .rclone))
    }
}
