import Foundation
import MooringAWS
import MooringModel
import StoreConformance
import Synchronization
import TestServers
import Testing

@testable import MooringS3

/// What stands between the program and the store sends a deletion twice, answers for it, or hands
/// it on late: the object is at its key or comes back, whatever the answer said.
@Suite(
    "Deletions in S3 whose answer is not about what was done", .requires(.ministack),
    .timeLimit(.minutes(60)))
struct DoubtfulDeletionTests {
    /// What comes back for a deletion.
    enum Answer: Hashable, Sendable, CaseIterable {
        /// The store's own answer to the same request sent again.
        case second
        case status(Int)
        /// As it was, without the headers that tell of a marker.
        case stripped

        static let allCases: [Answer] = [
            .second, .status(404), .status(408), .status(409), .status(412), .status(504),
            .stripped,
        ]
    }

    private static let key = ObjectKey("songs/s1")
    private static let content = "the one object"

    // The adapter behind something that bends the first deletion of the object itself.
    private static func bucket(
        _ stage: S3Stage, _ bend: @escaping @Sendable (AWSRequest) async throws -> AWSResponse?
    ) -> S3Bucket {
        let isBent = Mutex(false)
        let caller = BentCaller(inner: stage.caller) { request in
            guard request.call == "DeleteObject", !request.namesVersion,
                request.isOf(key),
                !isBent.withLock({ $0 })
            else { return nil }
            isBent.withLock { $0 = true }
            return try await bend(request)
        }
        return S3Bucket(
            name: "media",
            client: S3Client(place: S3Stage.place(stage.server, stage.store), caller: caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), clock: { S3Stage.now() })
    }

    private static func answer(
        _ answer: Answer, to request: AWSRequest, of stage: S3Stage
    ) async throws -> AWSResponse {
        let first = try await stage.caller.send(request)
        switch answer {
        case .second: return try await stage.caller.send(request)
        case .status(let status): return AWSResponse(status: status, headers: [], body: [])
        case .stripped:
            return AWSResponse(
                status: first.status,
                headers: first.headers.filter { !$0.name.lowercased().hasPrefix("x-amz-") },
                body: first.body)
        }
    }

    private func put(_ stage: S3Stage) async throws -> ObjectVersion {
        try await stage.put(Self.key, Self.content)
        return try await stage.bucket.version(Self.key)
    }

    private func quarantine(_ bucket: S3Bucket, _ version: ObjectVersion) async -> String {
        do {
            return "\(try await bucket.quarantine(Self.key, expecting: version, run: run(1)))"
        } catch {
            return "\(error)"
        }
    }

    @Test("a key that its versions are not listed by is not hidden: nothing could bring it back")
    func unlistedVersions() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let version = try await put(stage)
        let caller = BentCaller(inner: stage.caller) { request in
            guard request.call == "ListObjectVersions",
                request.query.contains(where: {
                    $0.name == "prefix" && $0.value == Self.key.bytes
                })
            else { return nil }
            let body = "<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>"
            return AWSResponse(status: 200, headers: [], body: Array(body.utf8))
        }
        let bucket = S3Bucket(
            name: "media",
            client: S3Client(place: S3Stage.place(stage.server, stage.store), caller: caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), clock: { S3Stage.now() })
        #expect(
            await quarantine(bucket, version)
                .contains("does not list the version that HeadObject told"))
        #expect(await stage.bucket.head(Self.key) == .present(version))
        #expect(await stage.bucket.headQuarantined(Self.key, run: run(1)) == .absent)
    }

    @Test("what a trial left goes, also where a store lists markers apart from versions")
    func markersApart() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        _ = try await put(stage)
        _ = try await stage.bucket.own.delete(Self.key)
        _ = try await put(stage)
        let caller = BentCaller(inner: stage.caller) { request in
            guard request.call == "ListObjectVersions" else { return nil }
            let answer = try await stage.caller.send(request)
            return AWSResponse(
                status: answer.status, headers: answer.headers,
                body: Self.markersFirst(answer.body))
        }
        let bucket = S3Bucket(
            name: "media",
            client: S3Client(place: S3Stage.place(stage.server, stage.store), caller: caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), clock: { S3Stage.now() })
        await #expect(throws: StoreError.self) { _ = try await bucket.own.stack(of: Self.key) }
        #expect(try await stage.bucket.own.stack(of: Self.key).entries.count == 3)
        try await bucket.own.removeAll(Self.key)
        #expect(try await stage.bucket.own.stack(of: Self.key).entries == [])
    }

    private static func markersFirst(_ body: [UInt8]) -> [UInt8] {
        var text = String(decoding: body, as: UTF8.self)
        guard let end = text.range(of: "</ListVersionsResult>"),
            let first = text.range(of: "<Version>"),
            let marker = text.range(of: "<DeleteMarker>"),
            let behind = text.range(of: "</DeleteMarker>"), end.lowerBound > marker.lowerBound
        else { return body }
        let moved = text[marker.lowerBound..<behind.upperBound]
        text.removeSubrange(marker.lowerBound..<behind.upperBound)
        text.insert(contentsOf: moved, at: first.lowerBound)
        return Array(text.utf8)
    }

    @Test("a key that has no place in quarantine is not moved, and nothing of it lies there")
    func noPlace() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        let key = ObjectKey(String(repeating: "k", count: 1_000))
        try await stage.put(key, Self.content)
        let version = try await stage.bucket.version(key)
        await #expect(throws: StoreError.self) {
            _ = try await stage.bucket.quarantine(key, expecting: version, run: run(1))
        }
        try await stage.bucket.finishMove(key, run: run(1))
        #expect(await stage.bucket.headQuarantined(key, run: run(1)) == .absent)
        #expect(await stage.bucket.head(key) == .present(version))
    }

    @Test(
        "carried out: it is quarantined, and comes back",
        arguments: [
            S3Stage.Scene(), S3Stage.Scene(versioned: true),
            S3Stage.Scene(versioned: true, ignoresDeletion: true),
        ], Answer.allCases)
    func carriedOut(_ scene: S3Stage.Scene, _ answer: Answer) async throws {
        let stage = try await S3Stage(scene)
        let bucket = Self.bucket(stage) { try await Self.answer(answer, to: $0, of: stage) }
        let version = try await put(stage)
        let outcome = await quarantine(bucket, version)
        #expect(outcome == "done", "\(scene.testDescription), \(answer)")
        #expect(try await stage.text(Self.key) == nil)
        #expect(try await stage.heldText(Self.key, run(1)) == Self.content)
        let later = stage.another()
        try await later.finishMove(Self.key, run: run(1))
        #expect(await later.headQuarantined(Self.key, run: run(1)) != .absent)
        #expect(try await later.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == Self.content)
        #expect(try await stage.kept(Self.key, run(1)) == [Self.key.text])
    }

    @Test(
        "not carried out: it stays at its key, and only a refusal takes its copy or note back",
        arguments: [S3Stage.Scene(), S3Stage.Scene(versioned: true)],
        [(408, true), (409, true), (412, false), (403, false), (504, true), (204, true)])
    func leftUndone(_ scene: S3Stage.Scene, _ answer: (status: Int, isKept: Bool)) async throws {
        let stage = try await S3Stage(scene)
        let bucket = Self.bucket(stage) { _ in
            AWSResponse(status: answer.status, headers: [], body: [])
        }
        let version = try await put(stage)
        let outcome = await quarantine(bucket, version)
        #expect(outcome != "done")
        let isSaidDone = answer.status == 204
        let words =
            scene.versioned
            ? "the store said that it was deleted, and named no delete marker"
            : "the store said that it was deleted, and it is still there"
        #expect(outcome.contains(words) == isSaidDone, "\(outcome)")
        if answer.status == 412, scene.versioned {
            #expect(outcome.contains("changed at the last moment"), "\(outcome)")
        }
        #expect(try await stage.text(Self.key) == Self.content)
        // Without versions a conflict over what did not change is a riddle, and is left open.
        let isKept = answer.isKept || (answer.status == 412 && !scene.versioned)
        let held = try await stage.text(S3Stage.place(Self.key, run(1)))
        #expect((held != nil) == isKept, "\(scene.testDescription), \(answer.status)")
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await stage.heldText(Self.key, run(1)) == Self.content)
    }

    @Test("carried out late, between two looks of a second attempt: the copy stays")
    func late() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        _ = try await stage.bucket.capabilities()
        var number = 0
        while true {
            let version = try await put(stage)
            let lost = Mutex<AWSRequest?>(nil)
            let bucket = Self.bucket(stage) { request in
                lost.withLock { $0 = request }
                return AWSResponse(status: 504, headers: [], body: [])
            }
            #expect(await quarantine(bucket, version) != "done")
            let request = try #require(lost.withLock { $0 })
            stage.caller.arm(rivalAt: number) { _ = try await stage.caller.inner.send(request) }
            _ = await quarantine(stage.bucket, version)
            let sent = stage.caller.disarm().count
            let text = try await stage.text(Self.key)
            let held = try await stage.heldText(Self.key, run(1))
            #expect(text == Self.content || held == Self.content, "before request \(number)")
            if sent <= number { break }
            number += 1
            try await stage.remove(S3Stage.place(Self.key, run(1)))
        }
        #expect(number > 3)
    }

    @Test(
        "sent twice around somebody's upload: what was uploaded is there",
        arguments: [false, true])
    func twiceAround(ignoresDeletion: Bool) async throws {
        let stage = try await S3Stage(
            S3Stage.Scene(versioned: true, ignoresDeletion: ignoresDeletion))
        let bucket = Self.bucket(stage) { request in
            _ = try await stage.caller.send(request)
            try await stage.put(Self.key, "another")
            return try await stage.caller.send(request)
        }
        let version = try await put(stage)
        _ = await quarantine(bucket, version)
        #expect(try await stage.text(Self.key) == "another")
    }

    @Test("sent twice behind somebody's upload: what was uploaded is there")
    func twiceBehind() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true, ignoresDeletion: true))
        let bucket = Self.bucket(stage) { request in
            try await stage.put(Self.key, "another")
            _ = try await stage.caller.send(request)
            return try await stage.caller.send(request)
        }
        let version = try await put(stage)
        _ = await quarantine(bucket, version)
        #expect(try await stage.text(Self.key) == "another")
        #expect(try await stage.text(S3Stage.place(Self.key, run(1))) == nil)
    }

    @Test(
        "carried out late, over somebody's upload: what was uploaded comes back, how often it came",
        arguments: [1, 2])
    func lateOver(times: Int) async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true, ignoresDeletion: true))
        let lost = Mutex<AWSRequest?>(nil)
        let bucket = Self.bucket(stage) { request in
            lost.withLock { $0 = request }
            return AWSResponse(status: 504, headers: [], body: [])
        }
        let version = try await put(stage)
        #expect(await quarantine(bucket, version) != "done")
        let later = stage.another()
        try await later.finishMove(Self.key, run: run(1))
        try await stage.put(Self.key, "another")
        let request = try #require(lost.withLock { $0 })
        for _ in 0..<times { _ = try await stage.caller.send(request) }
        #expect(try await stage.text(Self.key) == nil)
        _ = try await later.restore(Self.key, run: run(1), expecting: version)
        #expect(try await stage.text(Self.key) == "another")
    }

    @Test("the same bytes uploaded again while it is under way: they are somewhere")
    func sameBytesBetween() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        let lost = Mutex<AWSRequest?>(nil)
        let bucket = Self.bucket(stage) { request in
            lost.withLock { $0 = request }
            try await Task.sleep(for: .milliseconds(1_100))
            try await stage.put(Self.key, Self.content)
            return AWSResponse(status: 504, headers: [], body: [])
        }
        let version = try await put(stage)
        #expect(await quarantine(bucket, version) != "done")
        _ = try await stage.caller.send(try #require(lost.withLock { $0 }))
        let text = try await stage.text(Self.key)
        let held = try await stage.heldText(Self.key, run(1))
        #expect(text == Self.content || held == Self.content)
    }

    // An adapter that answers calls as `bend` does, and leaves the rest to the server.
    private static func bent(
        _ stage: S3Stage, _ bend: @escaping BentCaller.Bend
    ) -> S3Bucket {
        S3Bucket(
            name: "media",
            client: S3Client(
                place: S3Stage.place(stage.server, stage.store),
                caller: BentCaller(inner: stage.caller, bend: bend)),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), clock: { S3Stage.now() })
    }

    @Test("a listing of versions that lags behind it: the note stays")
    func laggingListing() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let version = try await put(stage)
        let before = Mutex<AWSResponse?>(nil)
        let isDeleted = Mutex(false)
        let bucket = Self.bent(stage) { request in
            if request.call == "DeleteObject", request.isOf(Self.key), !request.namesVersion {
                isDeleted.withLock { $0 = true }
            }
            // The versions of the key before its deletion are what is told behind it, once.
            guard request.call == "ListObjectVersions", isDeleted.withLock({ $0 }) else {
                return nil
            }
            return before.withLock { kept in
                defer { kept = nil }
                return kept
            }
        }
        _ = try await bucket.capabilities()
        let listed = Mutex<AWSResponse?>(nil)
        let listing = Self.bent(stage) { request in
            let answer = try await stage.caller.send(request)
            if request.call == "ListObjectVersions" { listed.withLock { $0 = answer } }
            return answer
        }
        _ = try await listing.own.stack(of: Self.key)
        before.withLock { $0 = listed.withLock { $0 } }
        let words = "ListObjectVersions does not list the delete marker that was just made"
        let outcome = await quarantine(bucket, version)
        #expect(outcome.contains(words), "\(outcome)")
        #expect(try await stage.heldText(Self.key, run(1)) == Self.content)
        let later = stage.another()
        try await later.finishMove(Self.key, run: run(1))
        #expect(try await later.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == Self.content)
    }

    @Test("our marker over somebody's upload does not go though its removal is answered: open")
    func unremoved() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true, ignoresDeletion: true))
        let isOut = Mutex(true)
        let bucket = Self.bent(stage) { request in
            guard request.call == "DeleteObject", request.isOf(Self.key) else { return nil }
            if request.namesVersion {
                return isOut.withLock { $0 }
                    ? AWSResponse(status: 404, headers: [], body: []) : nil
            }
            try await stage.put(Self.key, "another")
            _ = try await stage.caller.send(request)
            return AWSResponse(status: 504, headers: [], body: [])
        }
        let version = try await put(stage)
        _ = try await bucket.capabilities()
        let words = "the store said that a delete marker was removed, and it is still there"
        let outcome = await quarantine(bucket, version)
        #expect(outcome.contains(words), "\(outcome)")
        #expect(try await stage.text(S3Stage.place(Self.key, run(1))) != nil)
        isOut.withLock { $0 = false }
        try await bucket.finishMove(Self.key, run: run(1))
        #expect(try await stage.text(Self.key) == "another")
    }
}
