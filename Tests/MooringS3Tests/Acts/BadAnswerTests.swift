import MooringAWS
import MooringModel
import PlainS3
import StoreConformance
import Synchronization
import TestServers
import Testing

@testable import MooringS3

/// What is said where the store's own answers tell too little, or something comes between two of
/// them: nothing is lost in any of these, and a person learns why nothing was done.
@Suite(
    "The words of acts whose answers do not fit", .requires(.ministack), .timeLimit(.minutes(60)))
struct BadAnswerTests {
    private static let key = ObjectKey("songs/s1")
    private static let plain = S3Stage.Scene()
    private static let versioned = S3Stage.Scene(versioned: true)
    private static let empty = AWSResponse(status: 200, headers: [], body: [])
    private static let conflict = AWSResponse(status: 412, headers: [], body: [])
    private static let missing = AWSResponse(status: 404, headers: [], body: [])
    private static let denied = AWSResponse(
        status: 403, headers: [], body: Array("<Error><Code>AccessDenied</Code></Error>".utf8))

    private static func bucket(
        _ stage: S3Stage, limits: CopyLimits = CopyLimits(), _ bend: @escaping BentCaller.Bend
    ) -> S3Bucket {
        S3Bucket(
            name: "media",
            client: S3Client(
                place: S3Stage.place(stage.server, stage.store),
                caller: BentCaller(inner: stage.caller, bend: bend)),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), limits: limits,
            clock: { S3Stage.now() })
    }

    private static func isHeld(_ request: AWSRequest) -> Bool {
        let place = S3Stage.place(key, run(1)).bytes
        return request.path.suffix(place.count).elementsEqual(place)
    }

    private func put(_ stage: S3Stage) async throws -> ObjectVersion {
        try await stage.put(Self.key, "content")
        return try await stage.bucket.version(Self.key)
    }

    /// Why an act did not do what it was to do.
    private func words(_ act: () async throws -> MoveOutcome) async -> String {
        do {
            return try await act().staleness ?? "done"
        } catch let error as StoreError {
            return error.reason + (error.hint.map { "; " + $0 } ?? "")
        } catch {
            return "\(error)"
        }
    }

    @Test("an object is not moved where an answer tells too little of it, or it changes")
    func moves() async throws {
        for (call, answer, reason) in [
            ("HeadObject", Self.empty, "HeadObject told no size, ETag or time"),
            ("CopyObject", Self.conflict, "changed while it was copied"),
        ] {
            let stage = try await S3Stage(Self.plain)
            let version = try await put(stage)
            let bucket = Self.bucket(stage) { request in
                guard request.call == call, request.isOf(Self.key) || Self.isHeld(request)
                else { return nil }
                if call == "CopyObject" { try await stage.put(Self.key, "later") }
                return answer
            }
            let told = await words {
                try await bucket.quarantine(Self.key, expecting: version, run: run(1))
            }
            #expect(told == reason)
            #expect(
                try await stage.text(Self.key) == (call == "CopyObject" ? "later" : "content"))
        }
    }

    @Test("a note about a hidden version that is not kept as it was written undoes the move")
    func notes() async throws {
        for (number, answer, reason) in [
            (1, Self.empty, "PutObject told no ETag"),
            (2, Self.conflict, "its note in quarantine was changed by somebody"),
        ] {
            let stage = try await S3Stage(Self.versioned)
            let version = try await put(stage)
            let count = Mutex(0)
            let bucket = Self.bucket(stage) { request in
                guard request.call == "PutObject", Self.isHeld(request) else { return nil }
                return count.withLock {
                    $0 += 1
                    return $0 == number ? answer : nil
                }
            }
            let told = await words {
                try await bucket.quarantine(Self.key, expecting: version, run: run(1))
            }
            #expect(told == reason)
        }
    }

    @Test("what lies in quarantine stays there where an answer does not fit, or it changes")
    func held() async throws {
        for (scene, call, answer, reason) in [
            (
                Self.versioned, "GetObject", Self.empty,
                "GetObject gave another object, or not all of it"
            ),
            (
                Self.plain, "DeleteObject", Self.conflict,
                "its copy in quarantine was changed by somebody"
            ),
            (
                Self.versioned, "DeleteObject", Self.empty,
                "the store said that a version was deleted, and it is still there"
            ),
        ] {
            let stage = try await S3Stage(scene)
            let version = try await put(stage)
            #expect(
                try await stage.bucket.quarantine(Self.key, expecting: version, run: run(1))
                    == .done)
            let bucket = Self.bucket(stage) { request in
                if request.call == "DeleteObjects", call == "DeleteObject" {
                    return AWSResponse(
                        status: 200, headers: [], body: Array("<DeleteResult></DeleteResult>".utf8))
                }
                guard request.call == call, request.isOf(Self.key) || Self.isHeld(request)
                else { return nil }
                return answer
            }
            let told = await words {
                try await bucket.sweep(Self.key, run: run(1), expecting: version)
            }
            #expect(told == reason)
            #expect(
                try await stage.another().restore(Self.key, run: run(1), expecting: version)
                    == .done)
            #expect(try await stage.text(Self.key) == "content")
        }
    }

    @Test("an object that is copied in parts stays where a part of that cannot be told")
    func parts() async throws {
        var limits = CopyLimits()
        limits.wholeCopy = 3
        for (call, answer, reason) in [
            ("CreateMultipartUpload", Self.empty, "CreateMultipartUpload told no id"),
            ("UploadPartCopy", Self.empty, "UploadPartCopy told no ETag"),
            (
                "trial", Self.denied,
                "7 bytes have to be copied in parts, and the store does not; move it by hand, or "
                    + "keep it"
            ),
            (
                "HeadObject", Self.empty,
                "its metadata holds what no header can say again; move it by hand, or keep it"
            ),
        ] {
            let stage = try await S3Stage(Self.plain)
            let version = try await put(stage)
            let bucket = Self.bucket(stage, limits: limits) { request in
                if call == "trial", request.call == "UploadPartCopy" { return answer }
                guard request.call == call, request.isOf(Self.key) || Self.isHeld(request)
                else { return nil }
                guard call == "HeadObject" else { return answer }
                let own = try await stage.caller.send(request)
                return AWSResponse(
                    status: own.status,
                    headers: own.headers + [(name: "x-amz-missing-meta", value: "1")],
                    body: own.body)
            }
            let told = await words {
                try await bucket.quarantine(Self.key, expecting: version, run: run(1))
            }
            #expect(told == reason)
            #expect(try await stage.text(Self.key) == "content")
        }
    }

    @Test("what is put back stays in quarantine where it changes there, or goes at once")
    func restores() async throws {
        for (call, answer, reason) in [
            ("GetObject", Self.missing, "it changed in quarantine while it was copied"),
            ("HeadObject", Self.missing, "put back, and removed by somebody else at once"),
        ] {
            let stage = try await S3Stage(Self.plain)
            let version = try await put(stage)
            #expect(
                try await stage.bucket.quarantine(Self.key, expecting: version, run: run(1))
                    == .done)
            let isWritten = Mutex(false)
            let bucket = Self.bucket(stage) { request in
                if request.call == "PutObject", request.isOf(Self.key) {
                    isWritten.withLock { $0 = true }
                }
                guard request.call == call else { return nil }
                let isLater = isWritten.withLock { $0 } && request.isOf(Self.key)
                return isLater || call == "GetObject" && Self.isHeld(request) ? answer : nil
            }
            let told = await words {
                try await bucket.restore(Self.key, run: run(1), expecting: version)
            }
            #expect(told == reason)
            #expect(try await stage.heldText(Self.key, run(1)) == "content")
        }
    }

    @Test("what a trial saw of a condition is said of the store")
    func trials() async throws {
        let stage = try await S3Stage(Self.plain)
        func found(_ bend: @escaping BentCaller.Bend) async throws -> StoreCapabilities {
            try await Self.bucket(stage, bend).capabilities()
        }
        let kept = try await found { request in
            request.call == "DeleteObject"
                && request.headers.contains { $0.name.lowercased() == "if-match" }
                ? AWSResponse(status: 204, headers: [], body: []) : nil
        }
        #expect(
            kept.conditionalDelete == .unknown("the store said that it deleted, and did not"))
        let unfit = "no condition fits, not even the right one"
        let never = try await found { request in
            request.call == "PutObject"
                && request.headers.contains { $0.name.lowercased() == "if-match" }
                ? Self.conflict : nil
        }
        #expect(never.conditionalWrite == .refused(unfit))
        let batch = try await found { request in
            guard request.call == "DeleteObjects" else { return nil }
            let body = String(decoding: request.body, as: UTF8.self)
            let key = body.split(separator: "<Key>").last?.split(separator: "<").first ?? ""
            guard body.contains("<ETag>") else { return nil }
            return AWSResponse(
                status: 200, headers: [],
                body: Array(
                    ("<DeleteResult><Error><Key>\(key)</Key><Code>PreconditionFailed</Code></Error>"
                        + "</DeleteResult>").utf8))
        }
        #expect(batch.conditionalBatch == .refused(unfit))
        let probe = Array(".probe-".utf8)
        let changed = try await found { request in
            guard request.call == "PutObject", request.path.contains(probe),
                request.headers.contains(where: { $0.name.lowercased() == "if-none-match" })
            else { return nil }
            let key = request.path.dropFirst(stage.store.utf8.count + 2)
            try await stage.put(ObjectKey(Array(key)), "another")
            return Self.conflict
        }
        #expect(
            changed.conditionalWrite
                == .unknown("an object changed that a condition should have kept"))
        let gone = try await found { request in
            request.call == "HeadObject" && request.path.contains(probe) ? Self.missing : nil
        }
        #expect(gone.conditionalCopy == .unknown("the object vanished"))
        #expect(gone.exclusiveCopy == .unknown("the object vanished"))
    }

    @Test("a copy that is not what it is of is taken back, by what tells it")
    func unequalCopies() async throws {
        let other = String(repeating: "0", count: 32)
        for (etag, checksums, reason) in [
            (other, nil, "its copy is not equal: its ETag is another"),
            ("x-1", ("AAAA", "BBBB"), "its copy is not equal: its checksum is another"),
        ] as [(String, (String, String)?, String)] {
            let stage = try await S3Stage(Self.plain)
            let version = try await put(stage)
            let bucket = Self.bucket(stage) { request in
                guard request.call == "HeadObject", request.isOf(Self.key) || Self.isHeld(request)
                else { return nil }
                let own = try await stage.caller.send(request)
                guard own.status == 200 else { return own }
                let isCopy = Self.isHeld(request)
                var headers = own.headers.filter {
                    !(isCopy && $0.name.lowercased() == "etag")
                        && !$0.name.lowercased().hasPrefix("x-amz-checksum")
                }
                if isCopy { headers.append((name: "etag", value: "\"\(etag)\"")) }
                if let checksums {
                    headers.append(
                        (
                            name: "x-amz-checksum-sha256",
                            value: isCopy ? checksums.0 : checksums.1
                        ))
                }
                return AWSResponse(status: 200, headers: headers, body: own.body)
            }
            let told = await words {
                try await bucket.quarantine(Self.key, expecting: version, run: run(1))
            }
            #expect(told == reason)
            #expect(try await stage.text(Self.key) == "content")
        }
    }

    @Test("a version that is gone behind its note is told, with what to find out")
    func goneVersion() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true, ignoresDeletion: true))
        let version = try await put(stage)
        let bucket = Self.bucket(stage) { request in
            guard request.call == "PutObject", Self.isHeld(request) else { return nil }
            try await stage.server.run { s3 in
                for entry in try s3.versions(stage.store) where entry.key == Self.key.bytes {
                    try s3.delete(stage.store, entry.key, version: entry.version)
                }
            }
            return nil
        }
        let told = await words {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        #expect(
            told == "changed since it was listed; the bucket does not keep its version "
                + "\(version.versionID ?? "") any more, and the note about it stays in quarantine; "
                + "find out what removes versions from this bucket")
    }

    @Test("an object from before versions is not copied where no deletion can be conditional")
    func beforeVersions() async throws {
        let stage = try await S3Stage(S3Stage.Scene(ignoresDeletion: true))
        _ = try await put(stage)
        try await stage.server.run { try $0.setVersioning("Enabled", of: stage.store) }
        let bucket = stage.another()
        let version = try await bucket.version(Self.key)
        let told = await words {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        #expect(
            told == "the store has neither a version of this object nor conditional deletions, so "
                + "that an upload at the last moment would be lost; switch versioning on, or use "
                + "keys with {uuid}, which are never used again")
        #expect(try await stage.text(Self.key) == "content")
    }

    @Test("why a bucket's name stands in the path is told")
    func pathReasons() {
        for (bucket, host, reason) in [
            (
                "a.b", "s3.amazonaws.com",
                "the bucket's name has a dot, and no certificate covers such a host"
            ),
            (
                "Old_Bucket", "s3.amazonaws.com",
                "the bucket's name cannot stand in the name of a host"
            ),
            ("ab", "127.0.0.1", "the endpoint is an address, which has no names below"),
            ("ab", "s3.amazonaws.com", nil),
        ] as [(String, String, String?)] {
            let place = S3Place(bucket: bucket, endpoint: Origin(host: host), usesPath: false)
            #expect(place.pathReason == reason && place.usesPath == (reason != nil))
        }
    }
}
