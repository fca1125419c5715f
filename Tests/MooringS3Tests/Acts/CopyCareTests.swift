import MooringAWS
import MooringModel
import MooringS3
import StoreConformance
import Synchronization
import TestServers
import Testing

/// Copies that would lose something, or cost something, that nobody asked for.
@Suite("Copies with care", .requires(.ministack), .timeLimit(.minutes(60)))
struct CopyCareTests {
    private static let key = ObjectKey("a/film")
    private static let refused = AWSResponse(
        status: 403, headers: [],
        body: Array("<Error><Code>AccessDenied</Code><Message>no</Message></Error>".utf8))

    private static func bucket(
        _ stage: S3Stage, _ bend: @escaping BentCaller.Bend
    ) -> S3Bucket {
        let caller = BentCaller(inner: stage.caller, bend: bend)
        return S3Bucket(
            name: "media",
            client: S3Client(place: S3Stage.place(stage.server, stage.store), caller: caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), limits: stage.scene.limits,
            clock: { S3Stage.now() })
    }

    @Test(
        "what was restored for some days lies in its archive: a copy would go back there",
        arguments: ["GLACIER", "DEEP_ARCHIVE"])
    func archived(storageClass: String) async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        try await stage.put(Self.key, "cold")
        let bucket = Self.bucket(stage) { request in
            guard request.call == "HeadObject", request.path.suffix(6).elementsEqual("a/film".utf8)
            else { return nil }
            let answer = try await stage.caller.send(request)
            let restored = #"ongoing-request="false", expiry-date="Fri, 1 Jan 2100 00:00:00 GMT""#
            let told = [
                (name: "x-amz-storage-class", value: storageClass),
                (name: "x-amz-restore", value: restored),
            ]
            return AWSResponse(
                status: answer.status, headers: answer.headers + told, body: answer.body)
        }
        let version = try await bucket.version(Self.key)
        await #expect {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        } throws: {
            "\($0)".contains("archive \(storageClass)")
        }
        #expect(try await stage.text(Self.key) == "cold")
        #expect(try await stage.text(S3Stage.place(Self.key, run(1))) == nil)
    }

    @Test("a copy in parts is refused where its tags cannot be read")
    func hiddenTags() async throws {
        let stage = try await S3Stage(S3Stage.Scene(limits: InterruptedMoveTests.parts))
        try await stage.put(Self.key, "thirteen byte", headers: [("x-amz-tagging", "t=1")])
        let bucket = Self.bucket(stage) {
            ["GetObjectTagging", "PutObjectTagging"].contains($0.call) ? Self.refused : nil
        }
        let version = try await bucket.version(Self.key)
        await #expect {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        } throws: {
            "\($0)".contains("tags cannot be read") && "\($0)".contains("s3:GetObjectTagging")
        }
        #expect(try await stage.text(Self.key) == "thirteen byte")
        #expect(try await stage.text(S3Stage.place(Self.key, run(1))) == nil)
    }

    @Test("tags that can only be read go along, and a store that knows none has none to lose")
    func unwritableTags() async throws {
        let stage = try await S3Stage(S3Stage.Scene(limits: InterruptedMoveTests.parts))
        try await stage.put(Self.key, "thirteen byte", headers: [("x-amz-tagging", "t=1")])
        let created = Mutex<[String]>([])
        let reading = Self.bucket(stage) { request in
            if request.call == "CreateMultipartUpload" {
                created.withLock { names in
                    names += request.headers.filter { $0.name == "x-amz-tagging" }.map(\.value)
                }
            }
            return request.call == "PutObjectTagging" ? Self.refused : nil
        }
        let version = try await reading.version(Self.key)
        #expect(try await reading.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(created.withLock { $0 } == ["t=1"])
        let other = ObjectKey("a/other")
        try await stage.put(other, "thirteen byte")
        let unknown = AWSResponse(status: 501, headers: [], body: [])
        let without = Self.bucket(stage) {
            ["GetObjectTagging", "PutObjectTagging"].contains($0.call) ? unknown : nil
        }
        let second = try await without.version(other)
        #expect(try await without.quarantine(other, expecting: second, run: run(1)) == .done)
        #expect(try await stage.text(S3Stage.place(other, run(1))) == "thirteen byte")
    }

    @Test("parts are copied side by side, a few at a time, and put together in their order")
    func sideBySide() async throws {
        var scene = S3Stage.Scene(limits: InterruptedMoveTests.parts)
        scene.limits.part = 1
        let stage = try await S3Stage(scene)
        let content = "abcdefghijklmnopqrstuvwxyz"
        try await stage.put(Self.key, content)
        let counts = Mutex((now: 0, most: 0))
        let bucket = Self.bucket(stage) { request in
            guard request.call == "UploadPartCopy" else { return nil }
            counts.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            defer { counts.withLock { $0.now -= 1 } }
            try await Task.sleep(for: .milliseconds(20))
            return try await stage.caller.send(request)
        }
        let version = try await bucket.version(Self.key)
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await stage.heldText(Self.key, run(1)) == content)
        let most = counts.withLock { $0.most }
        #expect(most > 1 && most <= scene.limits.partsAtOnce, "\(most) at once")
    }
}
