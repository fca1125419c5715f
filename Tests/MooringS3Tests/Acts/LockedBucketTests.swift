import MooringAWS
import MooringModel
import MooringS3
import StoreConformance
import Synchronization
import TestServers
import Testing

/// A bucket whose object lock keeps whatever is written for some days.
@Suite("A bucket that keeps what is written", .requires(.ministack), .timeLimit(.minutes(60)))
struct LockedBucketTests {
    private static let key = ObjectKey("songs/s1")
    private static let kept = answer(
        "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>"
            + "<Mode>GOVERNANCE</Mode><Days>30</Days></DefaultRetention></Rule>")

    private static func answer(_ inside: String) -> AWSResponse {
        let body = "<ObjectLockConfiguration>\(inside)</ObjectLockConfiguration>"
        return AWSResponse(status: 200, headers: [], body: Array(body.utf8))
    }

    /// What was written where, by calls and paths.
    private final class Writes: Sendable {
        private let all = Mutex<[String]>([])

        func note(_ request: AWSRequest) {
            guard !["GET", "HEAD"].contains(request.method) else { return }
            all.withLock { $0.append(String(decoding: request.path, as: UTF8.self)) }
        }

        func paths(in store: String) -> [String] {
            all.withLock { $0.filter { $0.contains("/\(store)") } }
        }
    }

    // The adapter over a bucket and a quarantine, each with its answer about its lock.
    private static func bucket(
        _ stage: S3Stage, _ writes: Writes, elsewhere: String? = nil,
        _ lock: @escaping @Sendable (String) -> AWSResponse?
    ) -> S3Bucket {
        let caller = BentCaller(inner: stage.caller) { request in
            writes.note(request)
            guard request.call == "GetObjectLockConfiguration" else { return nil }
            let path = String(decoding: request.path, as: UTF8.self)
            return lock(elsewhere.map { path.contains($0) ? $0 : stage.store } ?? stage.store)
        }
        func client(_ store: String) -> S3Client {
            S3Client(place: S3Stage.place(stage.server, store), caller: caller)
        }
        return S3Bucket(
            name: "media", client: client(stage.store),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine, in: elsewhere.map(client)),
            clock: { S3Stage.now() })
    }

    @Test("nothing is tried where it could not be removed; a quarantine elsewhere is asked for")
    func refused() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(Self.key, "content")
        let writes = Writes()
        let bucket = Self.bucket(stage, writes) { _ in Self.kept }
        let version = try await bucket.version(Self.key)
        for _ in 0..<2 {
            await #expect {
                try await bucket.quarantine(Self.key, expecting: version, run: run(1))
            } throws: {
                let words = "\($0)"
                return words.contains("30 days (GOVERNANCE)")
                    && words.contains("quarantine: {bucket: …}")
            }
        }
        await #expect(throws: StoreError.self) { try await bucket.capabilities() }
        #expect(writes.paths(in: stage.store).isEmpty)
        #expect(try await stage.text(Self.key) == "content")
    }

    @Test("with a quarantine elsewhere the bucket itself is not written to, and not believed")
    func elsewhere() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let other = try await stage.server.makeBucket(versioned: true)
        let writes = Writes()
        let bucket = Self.bucket(stage, writes, elsewhere: other) {
            $0 == other ? Self.answer("<ObjectLockEnabled>Enabled</ObjectLockEnabled>") : Self.kept
        }
        let found = try await bucket.capabilities()
        #expect(found.versioning == .suspended)
        #expect(found.versionsDoubt?.contains("30 days (GOVERNANCE)") == true)
        #expect(writes.paths(in: stage.store).isEmpty && !writes.paths(in: other).isEmpty)
    }

    @Test("what may not be asked is no answer: nothing is tried in a bucket with versions")
    func hidden() async throws {
        let refused = AWSResponse(
            status: 403, headers: [], body: Array("<Error><Code>AccessDenied</Code></Error>".utf8))
        for isVersioned in [true, false] {
            let stage = try await S3Stage(S3Stage.Scene(versioned: isVersioned))
            let writes = Writes()
            let bucket = Self.bucket(stage, writes) { _ in refused }
            guard isVersioned else {
                // A lock needs versions, so that there is none.
                #expect(try await bucket.capabilities().versioning == .never)
                continue
            }
            await #expect {
                try await bucket.capabilities()
            } throws: {
                "\($0)".contains("s3:GetBucketObjectLockConfiguration")
            }
            #expect(writes.paths(in: stage.store).isEmpty)
        }
    }

    @Test("every write says its checksum, without which such a bucket takes none")
    func checksums() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(Self.key, "content")
        let refusal = AWSResponse(
            status: 400, headers: [],
            body: Array("<Error><Code>InvalidRequest</Code></Error>".utf8))
        let caller = BentCaller(inner: stage.caller) { request in
            guard request.call == "PutObject" else { return nil }
            return request.headers.contains { $0.name == "content-md5" } ? nil : refusal
        }
        let bucket = S3Bucket(
            name: "media",
            client: S3Client(place: S3Stage.place(stage.server, stage.store), caller: caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), clock: { S3Stage.now() })
        let version = try await bucket.version(Self.key)
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await bucket.createLease([1]) != nil)
    }
}
