import Foundation
import MooringAWS
import MooringModel
import PlainS3
import StoreConformance
import TestServers
import Testing

@testable import MooringS3

@Suite("Versions, uploads and tags in S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct SubPortTests {
    private static let key = ObjectKey("a b+c/ü&<")

    @Test("a deletion by somebody else is seen, taken back, and made again")
    func deletions() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let (bucket, key) = (stage.bucket, Self.key)
        #expect(try await bucket.deletion(of: key) == nil)
        try await stage.put(key, "content")
        let version = try await bucket.version(key)
        #expect(try await bucket.deletion(of: key) == nil)
        try await stage.remove(key)
        let first = try #require(try await bucket.deletion(of: key))
        #expect(first.hidden == version && !first.coversMarker)
        try await stage.remove(key)
        let deletion = try #require(try await bucket.deletion(of: key))
        #expect(deletion.hidden == version && deletion.coversMarker)
        #expect(try await bucket.undelete(key, deletion) == .done)
        #expect(try await bucket.version(key) == version)
        #expect(try await bucket.undelete(key, deletion) == .done)
        #expect(try await bucket.deleteAgain(key, expecting: version) == .done)
        #expect(await bucket.head(key) == .absent)
        let again = try #require(try await bucket.deletion(of: key))
        try await stage.put(key, "a new life")
        #expect(try await bucket.undelete(key, again).staleness != nil)
        #expect(try await bucket.deleteAgain(key, expecting: version).staleness != nil)
        #expect(try await stage.text(key) == "a new life")
    }

    @Test("older versions and markers are listed, and removed by their ids")
    func olderVersions() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let (bucket, key) = (stage.bucket, Self.key)
        for text in ["one", "two", "three"] { try await stage.put(key, text) }
        try await stage.remove(ObjectKey("gone"))
        var found: [OlderVersion] = []
        let all = try await bucket.listOlderVersions(within: []) { found += $0 }
        #expect(all.isComplete && found.count == 3)
        #expect(found.filter(\.isMarker).map(\.key) == [ObjectKey("gone")])
        #expect(found.filter { $0.key == key }.map(\.size) == [3, 3])
        for version in found { try await bucket.remove(version) }
        for version in found { try await bucket.remove(version) }
        #expect(try await stage.text(key) == "three")
        found = []
        _ = try await bucket.listOlderVersions(within: Array("a".utf8)) { found += $0 }
        #expect(found.isEmpty)
        let plain = try await S3Stage(S3Stage.Scene())
        await #expect(throws: StoreError.self) {
            try await plain.bucket.remove(
                OlderVersion(
                    key: key, id: "null", size: 1, writtenAt: .distantPast, isMarker: false,
                    isNewest: false))
        }
    }

    @Test("open uploads are listed with their parts, and aborted")
    func uploads() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        let key = Self.key
        let id = try await stage.server.run { s3 -> String in
            var call = PlainS3.Call("POST", stage.store, key.bytes)
            call.query = [("uploads", "")]
            let text = String(decoding: try s3.require(call).body, as: UTF8.self)
            let id = PlainS3.value("UploadId", in: text[...]) ?? ""
            var part = PlainS3.Call("PUT", stage.store, key.bytes)
            part.query = [("partNumber", "1"), ("uploadId", id)]
            part.body = [1, 2, 3]
            try s3.require(part)
            var own = PlainS3.Call("POST", stage.store, S3Stage.place(key, run(1)).bytes)
            own.query = [("uploads", "")]
            try s3.require(own)
            return id
        }
        var found: [OpenUpload] = []
        let result = try await stage.bucket.listUploads { found += $0 }
        #expect(result.isComplete && found.map(\.key) == [key] && found.map(\.id) == [id])
        let upload = try #require(found.first)
        let parts = try #require(try await stage.bucket.parts(of: upload))
        #expect(parts.count == 1 && parts.bytes == 3 && parts.newestAt != nil)
        #expect(try await stage.bucket.abort(upload) == .done)
        #expect(try await stage.bucket.parts(of: upload) == nil)
        #expect(try await stage.bucket.abort(upload).staleness != nil)
    }

    @Test("a tag is added to the expected version and taken off again", arguments: [false, true])
    func tags(versioned: Bool) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: versioned))
        let (bucket, key) = (stage.bucket, Self.key)
        try await stage.put(key, "content", headers: [("x-amz-tagging", "app=yes")])
        let version = try await bucket.version(key)
        #expect(try await bucket.tagValue(key) == nil)
        #expect(try await bucket.tag(key, expecting: version, value: "orphan") == .done)
        #expect(try await bucket.tagValue(key) == "orphan")
        #expect(try await bucket.own.tags(of: key).map(\.name) == ["app", S3Bucket.tagName])
        #expect(try await bucket.untag(key, expecting: version, value: "another") == .done)
        #expect(try await bucket.tagValue(key) == "orphan")
        #expect(try await bucket.untag(key, expecting: version, value: "orphan") == .done)
        #expect(try await bucket.own.tags(of: key).map(\.name) == ["app"])
        #expect(try await stage.text(key) == "content")
        try await stage.put(key, "a new life")
        #expect(try await bucket.tag(key, expecting: version, value: "orphan").staleness != nil)
        #expect(try await bucket.tagValue(key) == nil)
    }

    @Test("what is uploaded while a tag is set does not keep it", arguments: [false, true])
    func tagRace(versioned: Bool) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: versioned))
        let (bucket, key) = (stage.bucket, Self.key)
        _ = try await bucket.capabilities()
        for number in 0..<4 {
            try await stage.put(key, "content")
            let version = try await bucket.version(key)
            stage.caller.arm(rivalAt: number) { try await stage.put(key, "the rival's") }
            _ = try await bucket.tag(key, expecting: version, value: "orphan")
            let sent = stage.caller.disarm()
            if sent.count > number { #expect(try await bucket.tagValue(key) == nil) }
        }
    }

    @Test("a batch tells for each key how it ended")
    func batch() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        let keys = (0..<1_203).map { ObjectKey("b/\($0) &<>\"ü") }
        try await stage.server.fill(stage.store, keys.map { ($0.bytes, [1]) })
        let odd = ObjectKey([0x62, 0x01, 0x0D])
        try await stage.put(odd, "x")
        let etag = try await stage.bucket.version(keys[0]).etag
        var items = keys.map { BatchItem(key: $0, etag: etag) }
        items[7].etag = "0123"
        items.insert(BatchItem(key: odd), at: 5)
        stage.caller.arm()
        let ends = try await stage.bucket.own.removeBatch(items)
        #expect(stage.caller.disarm().count { $0 == "DeleteObjects" } == 2)
        #expect(ends.count == items.count)
        #expect(ends.enumerated().allSatisfy { ($1 == .removed) == ($0 != 8) })
        #expect(ends[8] == .refused("PreconditionFailed"))
        let left = try await stage.server.run { try $0.list(stage.store).map(\.name) }
        #expect(left == [keys[7].text])
    }

    @Test("a missing key is absent only where the bucket answers")
    func missingBucket() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        #expect(await stage.bucket.head(Self.key) == .absent)
        let client = S3Client(
            place: S3Stage.place(stage.server, "test-no-such-bucket"), caller: stage.caller)
        let nowhere = S3Bucket(
            name: "media", client: client, quarantine: S3Quarantine(prefix: S3Stage.quarantine),
            clock: { S3Stage.now() })
        guard case .unknown = await nowhere.head(Self.key) else {
            Issue.record("a key of a bucket that is not there was called absent")
            return
        }
        await #expect(throws: StoreError.self) { try await nowhere.capabilities() }
        #expect(try await !nowhere.listed().result.isComplete)
        #expect(try await !nowhere.listedQuarantine().result.isComplete)
    }

    @Test("a deletion that is carried out later is found and finished")
    func lateDeletion() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let (bucket, key) = (stage.bucket, ObjectKey("late"))
        try await stage.put(key, "content")
        let version = try await bucket.version(key)
        _ = try await bucket.capabilities()
        // HEAD, the versions, PUT of the note, DELETE.
        stage.caller.arm(faultAt: 3)
        await #expect(throws: StoreError.self) {
            try await bucket.quarantine(key, expecting: version, run: run(1))
        }
        stage.caller.disarm()
        let before = try await stage.resumed(key, run(1), by: bucket)
        #expect(before.held == nil && before.original == version)
        try await stage.remove(key)
        let after = try await stage.resumed(key, run(1), by: bucket)
        #expect(after.held == version && after.original == nil)
        #expect(try await bucket.restore(key, run: run(1), expecting: version) == .done)
        #expect(try await stage.kept(key, run(1)) == [key.text])
    }
}
