import MooringAWS
import MooringModel
import Synchronization
import Testing

@testable import MooringS3

/// A key is absent only in a bucket that is there.
@Suite("Whether the bucket is there")
struct BucketPresenceTests {
    /// A store without any key, which answers each look at its bucket a while later.
    private final class EmptyStore: AWSCaller {
        private let looks = Mutex(0)
        private let bucketStatus: Int

        init(bucketStatus: Int) { self.bucketStatus = bucketStatus }

        var requestCounts: [String: Int] { ["HeadBucket": looks.withLock { $0 }] }

        func send(_ request: AWSRequest) async throws -> AWSResponse {
            var status = 404
            if request.call == "HeadBucket" {
                looks.withLock { $0 += 1 }
                try await Task.sleep(for: .milliseconds(50))
                status = bucketStatus
            }
            return AWSResponse(
                status: ["GetBucketVersioning", "ListObjectVersions"].contains(request.call)
                    ? 501 : status, headers: [],
                body: [])
        }
    }

    private func calls(_ store: EmptyStore) -> BucketCalls {
        BucketCalls(
            S3Client(
                place: S3Place(
                    bucket: "media", endpoint: Origin(isSecure: false, host: "none", port: 1),
                    usesPath: true),
                caller: store),
            clock: { .distantPast })
    }

    @Test("many that miss a key at once wait for one look")
    func oneLook() async throws {
        let store = EmptyStore(bucketStatus: 200)
        let calls = calls(store)
        try await withThrowingTaskGroup { group in
            for number in 0..<64 {
                group.addTask { try await calls.facts(ObjectKey("k\(number)")) }
            }
            for try await facts in group { #expect(facts == nil) }
        }
        #expect(store.requestCounts == ["HeadBucket": 1])
    }

    @Test("a bucket that is not there makes no key absent, however often it is asked for")
    func noBucket() async {
        let store = EmptyStore(bucketStatus: 404)
        let calls = calls(store)
        for _ in 0..<2 {
            await #expect(throws: StoreError.self) { try await calls.facts(ObjectKey("k")) }
        }
        #expect(store.requestCounts == ["HeadBucket": 2])
    }
}
