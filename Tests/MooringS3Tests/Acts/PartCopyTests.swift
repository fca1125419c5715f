import MooringAWS
import MooringModel
import MooringS3
import PlainS3
import StoreConformance
import Synchronization
import TestServers
import Testing

/// Changes what a real server answers to the end of an upload in parts, and keeps what came.
private final class CompletionCaller: AWSCaller {
    private let inner: any AWSCaller
    private let change: @Sendable (AWSResponse) -> AWSResponse
    private let bodies = Mutex<[String]>([])

    init(_ inner: any AWSCaller, _ change: @escaping @Sendable (AWSResponse) -> AWSResponse) {
        (self.inner, self.change) = (inner, change)
    }

    var requestCounts: [String: Int] { inner.requestCounts }

    /// What the server itself answered.
    var answers: [String] { bodies.withLock { $0 } }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        let response = try await inner.send(request)
        guard request.call == "CompleteMultipartUpload", response.status == 200 else {
            return response
        }
        bodies.withLock { $0.append(String(decoding: response.body, as: UTF8.self)) }
        return change(response)
    }
}

@Suite("Copies in parts, as servers answer them", .requires(.ministack), .timeLimit(.minutes(60)))
struct PartCopyTests {
    private static let key = ObjectKey("a/film")

    private static func bucket(_ stage: S3Stage, _ caller: any AWSCaller) -> S3Bucket {
        S3Bucket(
            name: "media",
            client: S3Client(place: S3Stage.place(stage.server, stage.store), caller: caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), limits: stage.scene.limits,
            clock: { S3Stage.now() }, neverReused: { _ in stage.scene.neverReused })
    }

    private static func answer(_ body: String) -> @Sendable (AWSResponse) -> AWSResponse {
        { AWSResponse(status: $0.status, headers: $0.headers, body: Array(body.utf8)) }
    }

    /// Moves an object away and back; how both ended.
    private func goThere(
        _ stage: S3Stage, _ bucket: S3Bucket, _ content: String
    ) async throws {
        try await stage.put(
            Self.key, content, headers: [("content-type", "video/mp4"), ("x-amz-meta-who", "me")])
        let version = try await bucket.version(Self.key)
        #expect(
            try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await stage.text(Self.key) == nil)
        #expect(try await stage.heldText(Self.key, run(1)) == content)
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == content)
        #expect(try await stage.heldText(Self.key, run(1)) == nil)
        let head = try await stage.server.run { try $0.head(stage.store, Self.key.bytes) }
        #expect(head?["content-type"] == "video/mp4" && head?["x-amz-meta-who"] == "me")
    }

    @Test(
        "11: an ETag that CompleteMultipartUpload tells is not needed: empty, wrong, or not there",
        arguments: [
            "<CompleteMultipartUploadResult><ETag></ETag></CompleteMultipartUploadResult>",
            "<CompleteMultipartUploadResult><ETag>\"0\"</ETag></CompleteMultipartUploadResult>",
            "",
        ])
    func emptyTag(_ body: String) async throws {
        let stage = try await S3Stage(S3Stage.Scene(limits: InterruptedMoveTests.parts))
        let caller = CompletionCaller(stage.caller, Self.answer(body))
        try await goThere(stage, Self.bucket(stage, caller), "thirteen byte")
        #expect(caller.answers.count >= 2)
    }

    @Test("11: an error under 200 is no copy, whatever comes of it: the object stays")
    func errorUnder200() async throws {
        let stage = try await S3Stage(S3Stage.Scene(limits: InterruptedMoveTests.parts))
        let isOn = Mutex(false)
        let failure = Self.answer("<Error><Code>InternalError</Code></Error>")
        let caller = CompletionCaller(stage.caller) { response in
            isOn.withLock { $0 } ? failure(response) : response
        }
        let bucket = Self.bucket(stage, caller)
        try await stage.put(Self.key, "thirteen byte")
        let version = try await bucket.version(Self.key)
        _ = try await bucket.capabilities()
        isOn.withLock { $0 = true }
        let error = await #expect(throws: StoreError.self) {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        #expect(error?.reason.contains("CompleteMultipartUpload") == true, "\(error as Any)")
        #expect(try await bucket.version(Self.key) == version)
        isOn.withLock { $0 = false }
        #expect(
            try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await stage.text(Self.key) == nil)
    }

    @Test("11: on Ceph, which tells an empty one", .requires(.ceph))
    func ceph() async throws {
        // Two parts, the first as small as a part may be.
        var limits = CopyLimits()
        (limits.wholeCopy, limits.throughMemory, limits.part) = (1 << 20, 0, 5 << 20)
        let stage = try await S3Stage(
            S3Stage.Scene(neverReused: true, limits: limits, kind: .ceph))
        let caller = CompletionCaller(stage.caller) { $0 }
        let content = String(repeating: "0123456789abcdef", count: (5 << 16) + 1)
        try await goThere(stage, Self.bucket(stage, caller), content)
        let tags = caller.answers.map { PlainS3.value("ETag", in: $0[...]) ?? "" }
        #expect(tags.count >= 2 && tags.allSatisfy(\.isEmpty), "\(tags)")
    }
}
