import MooringAWS
import MooringModel
import PlainS3
import StoreConformance
import Synchronization
import TestServers
import Testing

@testable import MooringS3

/// A bucket that says it keeps versions, and keeps fewer than it says.
@Suite("A bucket that is not what it says", .requires(.ministack), .timeLimit(.minutes(60)))
struct LyingBucketTests {
    private static let key = ObjectKey("songs/s1")
    private static let enabled = "<Status>Enabled</Status>"

    private static func bucket(
        _ stage: S3Stage, clock: @escaping @Sendable () -> Instant = { S3Stage.now() },
        elsewhere: String? = nil, _ bend: @escaping BentCaller.Bend
    ) -> S3Bucket {
        let caller = BentCaller(inner: stage.caller, bend: bend)
        func client(_ store: String) -> S3Client {
            S3Client(place: S3Stage.place(stage.server, store), caller: caller)
        }
        return S3Bucket(
            name: "media", client: client(stage.store),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine, in: elsewhere.map(client)),
            clock: clock)
    }

    // One that answers GetBucketVersioning with this, and everything else as it is.
    private static func saying(_ inside: String, _ stage: S3Stage) -> S3Bucket {
        bucket(stage) {
            $0.call == "GetBucketVersioning" ? BentCaller.versioning(inside) : nil
        }
    }

    private func litter(_ stage: S3Stage) async throws -> [String] {
        try await stage.server.run { s3 in
            try s3.versions(stage.store).map(\.name).filter { $0.contains(".probe-") }
        }
    }

    @Test(
        "says Enabled and keeps nothing: objects are copied, and come back",
        arguments: [true, false])
    func saysEnabled(conditions: Bool) async throws {
        let stage = try await S3Stage(S3Stage.Scene(ignoresDeletion: !conditions))
        let bucket = Self.saying(Self.enabled, stage)
        try await stage.put(Self.key, "content")
        let found = try await bucket.capabilities()
        #expect(found.versioning == .suspended && found.removesSafely == conditions)
        #expect(found.versionsDoubt == "two writes to one key did not leave two versions")
        #expect(try await litter(stage) == [])
        let version = try await bucket.version(Self.key)
        guard conditions else {
            await #expect(throws: StoreError.self) {
                try await bucket.quarantine(Self.key, expecting: version, run: run(1))
            }
            #expect(try await stage.text(Self.key) == "content")
            return
        }
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await stage.text(Self.key) == nil)
        #expect(try await stage.heldText(Self.key, run(1)) == "content")
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == "content")
    }

    @Test("keeps versions of writes and purges on DELETE", arguments: [nil, "elsewhere"])
    func purges(elsewhere: String?) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let other = elsewhere == nil ? nil : try await stage.server.makeBucket(versioned: true)
        let bucket = Self.bucket(stage, elsewhere: other) { request in
            guard request.call == "DeleteObject", !request.namesVersion else { return nil }
            return try await Self.purge(stage, request)
        }
        let found = try await bucket.capabilities()
        #expect(found.versioning == .suspended)
        #expect(
            found.versionsDoubt == "a DELETE did not leave a delete marker above the version")
        #expect(try await litter(stage) == [])
        try await stage.put(Self.key, "content")
        let version = try await bucket.version(Self.key)
        guard found.conditionalDelete.isHonoured else { return }
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == "content")
    }

    // Removes every version of a request's key, under the request's condition.
    private static func purge(
        _ stage: S3Stage, _ request: AWSRequest
    ) async throws -> AWSResponse {
        let wanted = request.headers.first { $0.name == "if-match" }?.value.replacing(
            "\"", with: "")
        let status = try await stage.server.run { s3 in
            let kept = try s3.versions(stage.store).filter {
                request.path.suffix($0.key.count).elementsEqual($0.key)
            }
            if let wanted, !kept.contains(where: { $0.isLatest && $0.etag == wanted }) {
                return 412
            }
            for entry in kept { try s3.delete(stage.store, entry.key, version: entry.version) }
            return 204
        }
        return AWSResponse(status: status, headers: [], body: [])
    }

    @Test(
        "excluded prefixes and folders are copied, also where they have a version id",
        arguments: ["songs/s1", "songs/other/a", "folder/", "else/s1"])
    func excluded(text: String) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let bucket = Self.saying(
            Self.enabled + "<ExcludedPrefixes><Prefix>none/</Prefix></ExcludedPrefixes>"
                + "<ExcludedPrefixes><Prefix>so*/</Prefix></ExcludedPrefixes>"
                + "<ExcludeFolders>true</ExcludeFolders>", stage)
        let key = ObjectKey(text)
        try await stage.put(key, "content")
        let version = try await bucket.version(key)
        #expect(try await bucket.capabilities().versioning == .enabled)
        #expect(try await bucket.quarantine(key, expecting: version, run: run(1)) == .done)
        #expect(try await stage.text(S3Stage.place(key, run(1))) == "content" || text == "else/s1")
        #expect(try await stage.heldText(key, run(1)) == "content")
        #expect(try await bucket.restore(key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(key) == "content")
    }

    @Test("an object from before versions were kept is copied")
    func nullVersion() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        try await stage.put(Self.key, "content")
        try await stage.server.run { try $0.setVersioning("Enabled", of: stage.store) }
        let bucket = stage.another()
        let version = try await bucket.version(Self.key)
        #expect(version.versionID == "null")
        // As a look told it, and as a listing does, which tells no id.
        for (number, version) in [version, version.withoutID].enumerated() {
            let run = run(Int64(number))
            let now = try await bucket.version(Self.key)
            let expected = number == 0 ? version : now.withoutID
            #expect(try await bucket.quarantine(Self.key, expecting: expected, run: run) == .done)
            #expect(try await stage.text(S3Stage.place(Self.key, run)) == "content")
            #expect(try await bucket.restore(Self.key, run: run, expecting: expected) == .done)
            #expect(try await stage.text(Self.key) == "content")
            // What came back has an id of its own, where the first had none.
            try await stage.server.run { s3 in
                try s3.setVersioning("Suspended", of: stage.store)
                _ = try s3.put(stage.store, Self.key.bytes, Array("content".utf8))
                try s3.setVersioning("Enabled", of: stage.store)
            }
        }
    }

    @Test("a note stays where its version is gone, and a later run leaves it")
    func noteStays() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(Self.key, "content")
        let version = try await stage.bucket.version(Self.key)
        // After its trial the bucket begins to purge, as a setting would make it.
        let bucket = Self.bucket(stage) { request in
            guard request.call == "DeleteObject", !request.namesVersion,
                request.path.suffix(8).elementsEqual("songs/s1".utf8)
            else { return nil }
            return try await Self.purge(stage, request)
        }
        await #expect {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        } throws: {
            "\($0)".contains("does not keep its version")
        }
        let place = S3Stage.place(Self.key, run(1))
        #expect(try await stage.text(place)?.contains(version.versionID ?? "none") == true)
        try await stage.bucket.finishMove(Self.key, run: run(1))
        #expect(try await stage.text(place) != nil)
        #expect(await stage.bucket.headQuarantined(Self.key, run: run(1)) == .absent)
    }

    @Test("what is suspended while a run is at work is seen a quarter of an hour later")
    func suspendedMeanwhile() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        // A clock of its own: a busy machine may need a minute for what comes next.
        let start = S3Stage.now()
        let ahead = Mutex(Duration.zero)
        let bucket = Self.bucket(stage, clock: { start + ahead.withLock { $0 } }) { _ in nil }
        #expect(try await bucket.capabilities().versioning == .enabled)
        try await stage.server.run { try $0.setVersioning("Suspended", of: stage.store) }
        ahead.withLock { $0 = .minutes(14) }
        #expect(try await bucket.capabilities().versioning == .enabled)
        ahead.withLock { $0 = .minutes(15) }
        #expect(try await bucket.capabilities().versioning == .suspended)
        #expect(try await litter(stage) == [])
    }

    @Test("a question about versions that is not answered says nothing", arguments: [405, 501])
    func unanswered(status: Int) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        for text in ["one", "two"] { try await stage.put(Self.key, text) }
        let refused = AWSResponse(status: status, headers: [], body: [])
        let bucket = Self.bucket(stage) { $0.call == "GetBucketVersioning" ? refused : nil }
        #expect(try await bucket.own.versioning() == .suspended)
        var found: [OlderVersion] = []
        let all = try await bucket.listOlderVersions(within: Array("songs/".utf8)) { found += $0 }
        #expect(all.isComplete && found.map(\.size) == [3])
        for version in found { try await bucket.remove(version) }
        #expect(try await stage.kept(Self.key, run(1)) == [Self.key.text])
        // The listing is refused too; an answer about an object tells.
        let silent = Self.bucket(stage) {
            ["GetBucketVersioning", "ListObjectVersions"].contains($0.call) ? refused : nil
        }
        #expect(try await silent.own.versioning() == .never)
        _ = await silent.head(Self.key)
        #expect(try await silent.own.versioning() == .suspended)
        let plain = try await S3Stage(S3Stage.Scene())
        try await plain.put(Self.key, "one")
        let without = Self.bucket(plain) { $0.call == "GetBucketVersioning" ? refused : nil }
        #expect(try await without.capabilities().versioning == .never)
        #expect(try await without.listOlderVersions(within: [0x73]) { found += $0 }.isComplete)
        #expect(found.count == 1)
    }

    @Test("versions in a bucket that says it has none are listed, and removed")
    func saysNone() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        for text in ["one", "two"] { try await stage.put(Self.key, text) }
        let bucket = Self.saying("", stage)
        var found: [OlderVersion] = []
        _ = try await bucket.listOlderVersions(within: Array("songs/".utf8)) { found += $0 }
        #expect(found.map(\.size) == [3])
        for version in found { try await bucket.remove(version) }
        #expect(try await stage.kept(Self.key, run(1)) == [Self.key.text])
    }
}
