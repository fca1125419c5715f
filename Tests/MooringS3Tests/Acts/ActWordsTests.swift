import MooringAWS
import MooringModel
import PlainS3
import StoreConformance
import Synchronization
import TestServers
import Testing

@testable import MooringS3

/// What is said of an act that finds something else than was expected, or a store that does not do
/// what it says: a person decides by it, and nothing is lost in any of them.
@Suite("The words of acts in S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct ActWordsTests {
    private static let key = ObjectKey("songs/s1")
    private static let plain = S3Stage.Scene()
    private static let versioned = S3Stage.Scene(versioned: true)

    private static func bucket(_ stage: S3Stage, _ bend: @escaping BentCaller.Bend) -> S3Bucket {
        S3Bucket(
            name: "media",
            client: S3Client(
                place: S3Stage.place(stage.server, stage.store),
                caller: BentCaller(inner: stage.caller, bend: bend)),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), clock: { S3Stage.now() })
    }

    private func put(_ stage: S3Stage, _ content: String = "content") async throws
        -> ObjectVersion
    {
        try await stage.put(Self.key, content)
        return try await stage.bucket.version(Self.key)
    }

    /// The error of an act, which has to be one.
    private func error(_ act: () async throws -> some Sendable) async throws -> StoreError {
        try #require(await #expect(throws: StoreError.self) { _ = try await act() })
    }

    private func removeVersions(_ stage: S3Stage) async throws {
        try await stage.server.run { s3 in
            for entry in try s3.versions(stage.store) where entry.key == Self.key.bytes {
                try s3.delete(stage.store, entry.key, version: entry.version)
            }
        }
    }

    // MARK: Deletions by others

    @Test("a deletion that is another one by now is not taken back")
    func undelete() async throws {
        let stage = try await S3Stage(Self.versioned)
        let bucket = stage.bucket
        let version = try await put(stage)
        try await stage.remove(Self.key)
        let deletion = try #require(try await bucket.deletion(of: Self.key))
        try await stage.remove(Self.key)
        #expect(
            try await bucket.undelete(Self.key, deletion).staleness
                == "another delete marker hides it now")
        _ = try await put(stage, "a new life")
        #expect(
            try await bucket.undelete(Self.key, deletion).staleness
                == "not moved: an object has this key again")
        try await removeVersions(stage)
        #expect(
            try await bucket.undelete(Self.key, deletion).staleness
                == "nothing is kept of the object any more")
        #expect(
            try await bucket.deleteAgain(Self.key, expecting: version).staleness
                == "it is gone already")
    }

    @Test("a deletion is made again only where it can be taken back")
    func deleteAgain() async throws {
        let plain = try await S3Stage(Self.plain)
        let lost = try await put(plain)
        let refused = try await error {
            try await plain.bucket.deleteAgain(Self.key, expecting: lost)
        }
        #expect(refused.reason == "the bucket keeps no versions, so that it would be lost")
        #expect(refused.isRefusal)
        #expect(try await plain.text(Self.key) == "content")
        let stage = try await S3Stage(Self.versioned)
        let version = try await put(stage)
        let bucket = Self.bucket(stage) {
            $0.call == "DeleteObject" && $0.isOf(Self.key)
                ? AWSResponse(status: 412, headers: [], body: []) : nil
        }
        #expect(
            try await bucket.deleteAgain(Self.key, expecting: version).staleness
                == "changed at the last moment")
        #expect(try await stage.text(Self.key) == "content")
    }

    // MARK: Uploads and tags

    @Test("an upload that is over is not ended, and one whose parts still arrive stays open")
    func uploads() async throws {
        let stage = try await S3Stage(Self.plain)
        let upload = OpenUpload(key: Self.key, id: "none", begunAt: .distantPast)
        #expect(
            try await stage.bucket.abort(upload).staleness == "the upload is not open any more")
        let body = "<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>"
        let bucket = Self.bucket(stage) { request in
            switch request.call {
            case "ListParts": AWSResponse(status: 200, headers: [], body: Array(body.utf8))
            case "AbortMultipartUpload": AWSResponse(status: 204, headers: [], body: [])
            default: nil
            }
        }
        let error = try await error { try await bucket.abort(upload) }
        #expect(error.reason == "parts still arrive, so that the upload stays open")
        #expect(error.hint == "run again when the device has finished or given up")
    }

    @Test("an object that can take no tag, and a store that keeps none, are named")
    func tags() async throws {
        let stage = try await S3Stage(Self.plain)
        let ten = (0..<10).map { "t\($0)=1" }.joined(separator: "&")
        try await stage.put(Self.key, "content", headers: [("x-amz-tagging", ten)])
        let version = try await stage.bucket.version(Self.key)
        let full = try await error {
            try await stage.bucket.tag(Self.key, expecting: version, value: "orphan")
        }
        #expect(full.reason == "it has ten tags already, and can have no more")
        #expect(full.isRefusal)
        let refused = AWSResponse(
            status: 403, headers: [], body: Array("<Error><Code>AccessDenied</Code></Error>".utf8))
        let without = Self.bucket(stage) { $0.call == "PutObjectTagging" ? refused : nil }
        let untried = try await error {
            try await without.tag(Self.key, expecting: version, value: "orphan")
        }
        #expect(untried.reason.hasPrefix("the store was not seen to keep tags: "))
        #expect(untried.hint == "choose another strategy" && untried.isRefusal)
        let isTried = Mutex(false)
        let odd = Self.bucket(stage) { request in
            request.call == "GetObjectTagging" && isTried.withLock { $0 }
                ? AWSResponse(status: 200, headers: [], body: Array("content".utf8)) : nil
        }
        _ = try await odd.capabilities()
        isTried.withLock { $0 = true }
        let none = try await error { try await odd.tagValue(Self.key) }
        #expect(none.reason == "GetObjectTagging gave no tags")
    }

    // MARK: Copies

    @Test("an object that no copy stands for stays at its key, and why is said")
    func uncopyable() async throws {
        for (name, value, reason, hint) in [
            (
                "x-amz-object-lock-legal-hold", "ON",
                "a legal hold or retention lies on it, which its copy would not have",
                "take the lock off first, or keep it"
            ),
            (
                "x-amz-archive-status", "DEEP_ARCHIVE_ACCESS",
                "it lies in the archive DEEP_ARCHIVE_ACCESS, from which a copy in quarantine "
                    + "could not be given back at once",
                "copy it over itself into another storage class first, or keep it"
            ),
        ] {
            let stage = try await S3Stage(Self.plain)
            let version = try await put(stage)
            let bucket = Self.bucket(stage) { request in
                guard request.call == "HeadObject", request.isOf(Self.key) else { return nil }
                let answer = try await stage.caller.send(request)
                return AWSResponse(
                    status: answer.status, headers: answer.headers + [(name: name, value: value)],
                    body: answer.body)
            }
            let error = try await error {
                try await bucket.quarantine(Self.key, expecting: version, run: run(1))
            }
            #expect(error.reason == reason && error.hint == hint && error.isRefusal)
            #expect(try await stage.text(Self.key) == "content")
        }
        let weak = try await S3Stage(S3Stage.Scene(ignoresDeletion: true))
        let version = try await put(weak)
        let error = try await error {
            try await weak.bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        #expect(
            error.reason
                == "the store has neither versions nor conditional deletions, so that an upload at "
                + "the last moment would be lost")
        #expect(
            error.hint
                == "switch versioning on, or use keys with {uuid}, which are never used again")
    }

    @Test("a key whose place in quarantine would be too long is refused")
    func longKey() async throws {
        let stage = try await S3Stage(Self.plain)
        let key = ObjectKey(String(repeating: "x", count: 1_000))
        try await stage.put(key, "content")
        let version = try await stage.bucket.version(key)
        let error = try await error {
            try await stage.bucket.quarantine(key, expecting: version, run: run(1))
        }
        #expect(error.reason == "its key in quarantine would be longer than 1,024 bytes")
        #expect(
            error.hint
                == "shorten the bucket's quarantine prefix, or move the object by hand")
        #expect(error.isRefusal)
    }

    @Test("a copy that is gone, or is another, leaves the object at its key")
    func badCopy() async throws {
        let place = S3Stage.place(Self.key, run(1))
        for isGone in [true, false] {
            let stage = try await S3Stage(Self.plain)
            let version = try await put(stage)
            let isCopied = Mutex(false)
            let bucket = Self.bucket(stage) { request in
                if request.call == "CopyObject",
                    request.path.suffix(8).elementsEqual("songs/s1".utf8)
                {
                    isCopied.withLock { $0 = true }
                }
                guard request.call == "HeadObject", isCopied.withLock({ $0 }),
                    request.path.suffix(place.bytes.count).elementsEqual(place.bytes)
                else { return nil }
                if isGone { return AWSResponse(status: 404, headers: [], body: []) }
                try await stage.put(place, "something else")
                return nil
            }
            _ = try await bucket.capabilities()
            let outcome: String
            do {
                outcome =
                    try await bucket.quarantine(Self.key, expecting: version, run: run(1))
                    .staleness ?? "done"
            } catch let error as StoreError {
                outcome = error.reason
            }
            #expect(
                outcome
                    == (isGone
                        ? "its copy in quarantine is gone"
                        : "its copy is not equal: it holds 14 bytes, not 7"))
            #expect(try await stage.text(Self.key) == "content")
        }
    }

    @Test("a removal that the store says it made, and did not, is no success")
    func pretended() async throws {
        let stage = try await S3Stage(Self.plain)
        let version = try await put(stage)
        #expect(
            try await stage.bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        let held = Self.bucket(stage) { request in
            guard request.call.hasPrefix("DeleteObject"),
                request.path.suffix(8).elementsEqual("songs/s1".utf8)
                    || request.call == "DeleteObjects"
            else { return nil }
            return AWSResponse(
                status: 200, headers: [],
                body: Array("<DeleteResult></DeleteResult>".utf8))
        }
        let error = try await error {
            try await held.sweep(Self.key, run: run(1), expecting: version)
        }
        #expect(
            error.reason
                == "the store said that its copy was deleted, and it is still there")
        #expect(try await stage.heldText(Self.key, run(1)) == "content")
    }

    // MARK: Delete markers

    @Test("a version that is gone, or hidden by somebody else, is not given back")
    func restores() async throws {
        let stage = try await S3Stage(Self.versioned)
        let bucket = stage.bucket
        let version = try await put(stage)
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        _ = try await put(stage, "a new life")
        try await stage.remove(Self.key)
        #expect(
            try await bucket.restore(Self.key, run: run(1), expecting: version).staleness
                == "not moved: somebody else deleted what has its key again")
        try await removeVersions(stage)
        #expect(
            try await bucket.restore(Self.key, run: run(1), expecting: version).staleness
                == "the version that was moved is not kept any more")
    }

    @Test("a sweep leaves what is at its key again, and what an interrupted move left")
    func sweeps() async throws {
        let stage = try await S3Stage(Self.versioned)
        let bucket = stage.bucket
        let version = try await put(stage)
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        let deletion = try #require(try await bucket.deletion(of: Self.key))
        #expect(try await bucket.undelete(Self.key, deletion) == .done)
        #expect(
            try await bucket.sweep(Self.key, run: run(1), expecting: version).staleness
                == "the object is at its key again")
        #expect(try await stage.text(Self.key) == "content")
        // HEAD, the versions, PUT of the note, DELETE: the look behind it, and the note's end,
        // never come.
        stage.caller.arm(faultAt: 4, .crash)
        _ = try await error {
            try await bucket.quarantine(Self.key, expecting: version, run: run(2))
        }
        stage.caller.disarm()
        #expect(try await stage.text(Self.key) == nil)
        #expect(
            try await bucket.sweep(Self.key, run: run(2), expecting: version).staleness
                == "an interrupted move had to be finished first; the next sweep removes it")
        #expect(try await bucket.restore(Self.key, run: run(2), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == "content")
    }

    // MARK: Around the objects

    @Test("a store that ignores conditions can hold no lease, and what to see to is said")
    func lease() async throws {
        let stage = try await S3Stage(S3Stage.Scene(ignoresAll: true))
        let error = try await error { try await stage.bucket.createLease([1]) }
        #expect(
            error.reason == "the store ignores conditions on writes, and can hold no lease")
        #expect(error.hint == "see to it that one ledger alone acts on this bucket")
        #expect(error.isRefusal)
    }

    @Test("what lies in the quarantine and in no run is told, and a clock that nobody tells too")
    func strayAndClock() async throws {
        let stage = try await S3Stage(Self.plain)
        try await stage.put(ObjectKey(".mooring/quarantine/stray"), "x")
        let listing = try await stage.bucket.listedQuarantine().result
        #expect(
            listing.problems.map(\.reason) == ["lies in the quarantine and in no run"])
        let bucket = Self.bucket(stage) { request in
            guard request.call == "HeadBucket" else { return nil }
            return AWSResponse(status: 200, headers: [], body: [])
        }
        let error = try await error { try await bucket.measureClock() }
        #expect(error.reason == "HeadBucket told no date")
        #expect(
            error.hint
                == "ask whoever runs the store, or what stands between, to send Date headers")
    }

    @Test("what tells a version from the expected one is said")
    func differences() {
        func version(_ size: Int64, _ etag: String, _ seconds: Int64, _ id: String? = nil)
            -> ObjectVersion
        {
            ObjectVersion(
                size: size, etag: etag, lastModified: Instant(seconds: seconds), versionID: id)
        }
        let expected = version(7, "e", 1_000, "v")
        for (found, words) in [
            (version(8, "e", 1_000, "w"), "changed: holds 8 bytes, not 7"),
            (
                version(7, "e", 2_000, "w"),
                "changed: was written at 1970-01-01T00:33:20Z, not at 1970-01-01T00:16:40Z"
            ),
            (version(7, "f", 1_000, "w"), "changed: holds something else"),
            (version(7, "e", 1_000, "w"), "changed: is another version of the same content"),
        ] {
            #expect(expected.difference(to: found) == words)
        }
        #expect(expected.difference(to: expected) == nil)
    }
}
