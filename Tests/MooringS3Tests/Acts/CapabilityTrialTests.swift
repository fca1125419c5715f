import MooringAWS
import MooringModel
import PlainS3
import StoreConformance
import Synchronization
import TestServers
import Testing

@testable import MooringS3

@Suite("What a store is tried out with")
struct CapabilityTrialTests {
    private typealias Trial = StoreCapabilities.Trial

    // Everything that is left in the bucket, markers and open uploads included.
    private static func leftovers(_ stage: S3Stage) async throws -> [String] {
        try await stage.server.run { s3 in
            let objects =
                stage.scene.kind == .rclone
                ? try s3.list(stage.store).map(\.name)
                : try s3.versions(stage.store).map(\.name)
            guard stage.scene.kind != .rclone else { return objects }
            var call = PlainS3.Call("GET", stage.store)
            call.query = [("uploads", "")]
            let uploads = String(decoding: try s3.require(call).body, as: UTF8.self)
            return objects + (uploads.contains("<UploadId>") ? ["an open upload"] : [])
        }
    }

    @Test(
        "MiniStack does everything but a copy that replaces nothing", .requires(.ministack),
        arguments: [false, true])
    func ministack(versioned: Bool) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: versioned))
        let found = try await stage.bucket.capabilities()
        #expect(found.versioning == (versioned ? .enabled : .never))
        #expect(found.conditionalDelete == .honoured && found.conditionalBatch == .honoured)
        #expect(found.conditionalWrite == .honoured && found.conditionalCopy == .honoured)
        #expect(found.exclusiveCopy == .ignored)
        #expect(found.tagging == .honoured && found.multipartCopy == .honoured)
        #expect(try await stage.bucket.trial.findings().batchesVersions == versioned)
        #expect(try await Self.leftovers(stage) == [])
        #expect(stage.bucket.leaseStore != nil)
    }

    @Test("a store that sees no condition is found out", .requires(.ministack))
    func ignorance() async throws {
        let stage = try await S3Stage(S3Stage.Scene(ignoresAll: true))
        let found = try await stage.bucket.capabilities()
        #expect(found.conditionalDelete == .ignored && found.conditionalWrite == .ignored)
        #expect(found.conditionalCopy == .ignored && found.exclusiveCopy == .ignored)
        #expect(!found.removesSafely)
        #expect(try await Self.leftovers(stage) == [])
        #expect(stage.bucket.leaseStore == nil)
        await #expect(throws: StoreError.self) { try await stage.bucket.createLease([1]) }
    }

    @Test("a batch is trusted with versions only where exactly the named one went")
    func versionBatches() async throws {
        for (removed, isTrusted) in [("oldest", true), ("newest", false), ("none", false)] {
            let store = VersionedProbe(removing: removed)
            let place = S3Place(
                bucket: "media", endpoint: Origin(isSecure: false, host: "127.0.0.1", port: 1),
                usesPath: true)
            let calls = BucketCalls(
                S3Client(place: place, caller: store), clock: { .distantPast })
            let trial = CapabilityTrial(calls, calls, Array("q/".utf8))
            #expect(try await trial.tryVersionBatch() == isTrusted, "\(removed)")
        }
    }

    @Test("Ceph deletes whatever is there", .requires(.ceph), arguments: [false, true])
    func ceph(versioned: Bool) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: versioned, kind: .ceph))
        let found = try await stage.bucket.capabilities()
        #expect(found.versioning == (versioned ? .enabled : .never))
        #expect(found.conditionalDelete == .ignored && found.conditionalBatch == .ignored)
        #expect(found.conditionalWrite == (versioned ? .ignored : .honoured))
        #expect(found.conditionalCopy == .ignored && found.exclusiveCopy == .ignored)
        #expect(found.tagging == .honoured && found.multipartCopy == .honoured)
        #expect(try await Self.leftovers(stage) == [])
    }

    @Test("rclone takes tags for the object, and sees no condition", .requires(.rclone))
    func rclone() async throws {
        let stage = try await S3Stage(S3Stage.Scene(kind: .rclone))
        let found = try await stage.bucket.capabilities()
        #expect(found.versioning == .never && !found.removesSafely)
        #expect(found.conditionalDelete == .ignored && found.conditionalWrite == .ignored)
        #expect(!found.tagging.isHonoured && !found.multipartCopy.isHonoured)
        #expect(try await Self.leftovers(stage) == [])
        #expect(stage.bucket.leaseStore == nil)
        let key = ObjectKey("a")
        try await stage.put(key, "content")
        let version = try await stage.bucket.version(key)
        await #expect(throws: StoreError.self) {
            try await stage.bucket.tag(key, expecting: version, value: "x")
        }
        #expect(try await stage.text(key) == "content")
    }

    @Test("whoever asks at once gets the answers of one trial", .requires(.ministack))
    func once() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        stage.caller.arm()
        let all = try await withThrowingTaskGroup(of: StoreCapabilities.self) { group in
            for _ in 0..<8 { group.addTask { try await stage.bucket.capabilities() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(all).count == 1)
        #expect(stage.caller.disarm().count { $0 == "GetBucketVersioning" } == 1)
    }

    @Test(
        "one lost answer changes nothing of a trial, and nothing is left", .requires(.ministack),
        arguments: [false, true])
    func oneLost(versioned: Bool) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: versioned))
        let clean = try await stage.bucket.trial.findings()
        for fault in [SpyCaller.Fault.before, .after] {
            var number = 0
            while true {
                let bucket = stage.another()
                stage.caller.arm(faultAt: number, fault)
                let found = try await bucket.trial.findings()
                let sent = stage.caller.disarm()
                #expect(found == clean, "\(fault) \(number) of \(sent)")
                #expect(try await Self.leftovers(stage) == [], "\(fault) \(number)")
                number += 1
                if sent.count < number { break }
            }
        }
    }

    @Test("a store that is not there any more ends the trial", .requires(.ministack))
    func crash() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        for number in [0, 5, 20] {
            let bucket = stage.another()
            stage.caller.arm(faultAt: number, .crash)
            await #expect(throws: StoreError.self) { try await bucket.capabilities() }
            stage.caller.disarm()
        }
    }

    @Test(
        "what a killed trial left goes after a day, uploads too", .requires(.ministack),
        arguments: [false, true])
    func killed(versioned: Bool) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: versioned))
        for number in stride(from: 5, to: 40, by: 3) {
            let bucket = stage.another()
            stage.caller.arm(faultAt: number, .crash)
            // The process is gone, and tells nothing.
            _ = try? await bucket.capabilities()
            stage.caller.disarm()
        }
        let left = try await Self.leftovers(stage)
        #expect(left.contains("an open upload") && left.count > 5)
        for (hours, isGone) in [(Int64(23), false), (25, true)] {
            let later = Self.bucket(stage, ahead: .hours(hours))
            _ = try await later.capabilities()
            #expect(try await Self.leftovers(stage) == (isGone ? [] : left), "\(hours) h")
        }
    }

    private static func bucket(_ stage: S3Stage, ahead: Duration) -> S3Bucket {
        S3Bucket(
            name: "media",
            client: S3Client(
                place: S3Stage.place(stage.server, stage.store), caller: stage.caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine),
            clock: { S3Stage.now() + ahead })
    }

    @Test("one lost answer takes no lease away", .requires(.ministack))
    func lostLease() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        _ = try await stage.bucket.capabilities()
        for fault in [SpyCaller.Fault.before, .after] {
            // The look for a lease comes first, then the write.
            stage.caller.arm(faultAt: 1, fault)
            let taken = try #require(try await stage.bucket.createLease([1, 2]), "\(fault)")
            stage.caller.arm(faultAt: 1, fault)
            let found = try await stage.bucket.replaceLease(taken, with: [3])
            let replaced = try #require(found, "\(fault)")
            stage.caller.arm(faultAt: 1, fault)
            #expect(try await stage.bucket.removeLease(replaced), "\(fault)")
            stage.caller.disarm()
            #expect(try await stage.bucket.readLease() == nil)
        }
    }

    @Test("a trial in another process's quarantine is overlooked", .requires(.ministack))
    func overlooked() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        try await stage.put(ObjectKey(".mooring/quarantine/.probe-abc"), "left by a crash")
        let inside = try await stage.bucket.listedQuarantine()
        #expect(inside.items.isEmpty && inside.result.isComplete)
        try await stage.put(ObjectKey(".mooring/quarantine/stray"), "by somebody else")
        #expect(try await stage.bucket.listedQuarantine().problems.map(\.isOutside) == [true])
    }
}

/// A bucket with versions that says of every batch that it was carried out, and removes one of the
/// two versions of the only key, or none.
private final class VersionedProbe: AWSCaller {
    private let removed: String
    private let ids = Mutex(["newest", "oldest"])

    init(removing removed: String) { self.removed = removed }

    var requestCounts: [String: Int] { [:] }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        let body: String
        switch request.call {
        case "GetBucketVersioning":
            body = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        case "DeleteObjects":
            ids.withLock { $0.removeAll { $0 == removed } }
            let sent = String(decoding: request.body, as: UTF8.self)
            let key = sent.split(separator: "<Key>").last?.split(separator: "</Key>").first ?? ""
            body = "<DeleteResult><Deleted><Key>\(key)</Key></Deleted></DeleteResult>"
        default:
            let prefix = request.query.first { $0.name == "prefix" }?.value ?? []
            let key = String(decoding: prefix, as: UTF8.self)
            let versions = ids.withLock { $0 }.enumerated().map { index, id in
                "<Version><Key>\(key)</Key><VersionId>\(id)</VersionId>"
                    + "<IsLatest>\(index == 0)</IsLatest>"
                    + "<LastModified>2026-11-21T00:00:00.000Z</LastModified>"
                    + "<ETag>&quot;abc&quot;</ETag><Size>1</Size></Version>"
            }
            body =
                "<ListVersionsResult><IsTruncated>false</IsTruncated>\(versions.joined())"
                + "</ListVersionsResult>"
        }
        return AWSResponse(status: 200, headers: [], body: Array(body.utf8))
    }
}
