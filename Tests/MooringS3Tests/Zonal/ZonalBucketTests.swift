import MooringAWS
import MooringModel
import Synchronization
import Testing

@testable import MooringS3

@Suite("A directory bucket")
struct ZonalBucketTests {
    private func bucket(_ caller: any AWSCaller, prefixes: [String] = [""]) -> ZonalBucket {
        ZonalBucket(
            name: "media", client: ZonalStage.client(caller), quarantine: Array(".q/".utf8),
            prefixes: prefixes.map { Array($0.utf8) }, clock: { ZonalStage.start })
    }

    /// What a listing gives, and its result.
    private func list(
        _ bucket: ZonalBucket
    ) async throws -> (keys: [String], result: ScanResult) {
        var keys: [String] = []
        let result = try await bucket.list { keys += $0.map(\.key.text) }
        return (keys, result)
    }

    /// Pages by the token that leads to them.
    private static func pages(_ pages: [String: AWSResponse]) -> RecordingCaller {
        RecordingCaller { request in
            guard request.call == "ListObjectsV2" else { return .error(404) }
            return pages[request.text(of: "continuation-token") ?? ""] ?? .error(400, "BadToken")
        }
    }

    @Test("is listed whole whatever the order, by tokens alone and one page after the other")
    func whole() async throws {
        let caller = Self.pages([
            "": ZonalStage.page(["z/9", "a/1", ".q/run/x"], next: "t1"),
            "t1": ZonalStage.page([], next: "t2"),
            "t2": ZonalStage.page(["m", "a/0", ".mooring/lease", ".mooring/store"]),
        ])
        let (keys, result) = try await list(bucket(caller))
        #expect(keys == ["z/9", "a/1", "m", "a/0"])
        #expect(result.isComplete && result.requests == 3 && result.consistency == "moving")
        #expect(
            result.notes == [
                "is a directory bucket of S3: listed in one pass and in no order, for findings "
                    + "only; nothing in it is changed, and its open uploads are not looked at"
            ])
        for request in caller.sent {
            let names = Set(request.query.map(\.name))
            #expect(
                names.isSubset(of: [
                    "list-type", "encoding-type", "max-keys", "continuation-token",
                ]), "\(names)")
        }
    }

    @Test(
        "is incomplete where its listing does not end with a last page",
        arguments: [
            (["": ZonalStage.page(["a"], next: "t1")], "BadToken"),
            (
                ["": ZonalStage.page(["a"], next: "t1"), "t1": ZonalStage.page(["b"], next: "t1")],
                "names a token that came before"
            ),
            (
                [
                    "": ZonalStage.page(["a"], next: "t1"),
                    "t1": ZonalStage.page(["b"], next: "t2"),
                    "t2": ZonalStage.page(["c"], next: "t1"),
                ], "names a token that came before"
            ),
            (["": ZonalStage.page(["a"], more: true)], "does not say how to go on"),
            (
                ["": ZonalStage.page(["a"], next: "t1", more: false)],
                "says that it is the last, and names what follows"
            ),
            (["": ZonalStage.answer("<ListBucketResult>")], "ListObjectsV2: the answer"),
            (["": .error(403, "AccessDenied")], "needs the permission s3express:CreateSession"),
        ])
    func incomplete(pages: [String: AWSResponse], words: String) async throws {
        let (_, result) = try await list(bucket(Self.pages(pages)))
        #expect(!result.isComplete)
        let told = result.problems.map(\.reason).joined()
        #expect(told.contains(words), "\(told)")
    }

    @Test("never ends up in pages without objects")
    func endless() async throws {
        let count = Mutex(0)
        let caller = RecordingCaller { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return ZonalStage.page([], next: "t\(number)")
        }
        let (_, result) = try await list(bucket(caller))
        #expect(!result.isComplete && caller.sent.count == 100)
    }

    @Test("goes on where an answer was lost, with the same token")
    func lost() async throws {
        let count = Mutex(0)
        let caller = RecordingCaller { request in
            if request.text(of: "continuation-token") == "t1" {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number < 3 {
                    throw AWSFailure(call: "x", reason: "no answer", mayHaveHappened: false)
                }
                return ZonalStage.page(["b"])
            }
            return ZonalStage.page(["a"], next: "t1")
        }
        let (keys, result) = try await list(bucket(caller))
        #expect(keys == ["a", "b"] && result.isComplete)
    }

    @Test("lists below each prefix, and nothing that lies elsewhere")
    func prefixes() async throws {
        let caller = RecordingCaller { request in
            request.text(of: "prefix") == "a/"
                ? ZonalStage.page(["a/2", "a/1"]) : ZonalStage.page(["x"])
        }
        let (keys, result) = try await list(bucket(caller, prefixes: ["a/", "b/"]))
        #expect(keys == ["a/2", "a/1"])
        #expect(
            result.problems.map(\.reason).joined()
                .contains("lists other keys than it was asked for"))
    }

    @Test("a key that is written in two ways is the one that is there")
    func spelling() async throws {
        let caller = RecordingCaller { request in
            if request.call == "HeadObject" {
                return request.path == Array("/a b".utf8) ? ZonalStage.there : .error(404)
            }
            return ZonalStage.page(["a+b"])
        }
        let (keys, result) = try await list(bucket(caller))
        #expect(keys == ["a b"] && result.isComplete)
        let both = RecordingCaller { request in
            request.call == "HeadObject" ? ZonalStage.there : ZonalStage.page(["a+b"])
        }
        let doubtful = try await list(bucket(both))
        #expect(doubtful.keys.isEmpty && !doubtful.result.isComplete)
    }

    @Test("an object is absent only where the bucket itself answers")
    func looks() async throws {
        let caller = RecordingCaller { request in
            switch request.path {
            case Array("/there".utf8): ZonalStage.there
            case Array("/kept".utf8): .error(403)
            default: request.call == "HeadObject" ? .error(404) : ZonalStage.page([])
            }
        }
        let bucket = bucket(caller)
        guard case .present(let version) = await bucket.head(ObjectKey("there")) else {
            Issue.record("is not there")
            return
        }
        #expect(version.size == 3 && version.versionID == nil)
        #expect(await bucket.head(ObjectKey("gone")) == .absent)
        guard case .unknown(let reason) = await bucket.head(ObjectKey("kept")) else {
            Issue.record("is known")
            return
        }
        #expect(reason.contains("s3express:CreateSession"), "\(reason)")
        #expect(!reason.contains("requesterPays"), "\(reason)")
        // Neither its versions nor HeadBucket are asked for, which a session is not let ask.
        #expect(Set(caller.sent.map(\.call)) == ["HeadObject", "ListObjectsV2"])
        let nowhere = self.bucket(RecordingCaller { _ in .error(404, "NoSuchBucket") })
        guard case .unknown = await nowhere.head(ObjectKey("gone")) else {
            Issue.record("a bucket that is not there has no absent objects")
            return
        }
    }

    @Test("can be looked at, and nothing in it can be changed")
    func powerless() async throws {
        let bucket: any Bucket = bucket(Self.pages([:]))
        #expect(!(bucket is any ActingBucket))
        #expect(!bucket.isLive && bucket.isOnlyLookedAt && bucket.answersLooks)
        #expect(!bucket.needsTrial && !bucket.isFolder)
        #expect(bucket.lease == nil && bucket.marker == nil && bucket.versions == nil)
        #expect(bucket.uploads == nil && bucket.tags == nil && bucket.settings == nil)
        #expect(try await !bucket.listQuarantine { _ in }.isComplete)
        let run = RunID(startingAt: ZonalStage.start)
        guard case .unknown = await bucket.headQuarantined(ObjectKey("k"), run: run) else {
            Issue.record("has a quarantine")
            return
        }
    }
}
