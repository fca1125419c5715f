package import MooringModel
import Testing

/// What every bucket has to do that is a copy: a list of objects from some moment, whatever file
/// holds it.
package struct CopyConformance {
    private let make: @Sendable ([ListedObject]) async throws -> any Bucket

    /// The checks of the buckets that a closure makes of the objects in them.
    package init(_ make: @escaping @Sendable ([ListedObject]) async throws -> any Bucket) {
        self.make = make
    }

    /// Runs all checks; what does not hold is recorded as an issue.
    package func verify() async throws {
        try await listsAllObjects()
        try await listsInBoundedBatches()
        try await listsNothing()
        try await tellsNothingOfNow()
    }

    /// An object for tests; its ETag tells parts where the number is even.
    package static func object(_ key: ObjectKey, _ number: Int = 1) -> ListedObject {
        ListedObject(
            key: key,
            version: ObjectVersion(
                size: Int64(number), etag: number % 2 == 0 ? "d41d-\(number)" : "d41d\(number)x",
                lastModified: Instant(seconds: 1_763_690_400 + Int64(number))))
    }

    private func listsAllObjects() async throws {
        let keys =
            [
                "a", "b/c", "b//d/", "/", "ü", "u\u{308}", "=cmd()", "<script>", "two words", "a+b",
                "100%", "%2F", "line\r\nbreak", "\"quoted\", and more", "\0", "\u{feff}",
                String(repeating: "k", count: 1_024),
            ].map { ObjectKey($0) } + [ObjectKey([0xFF, 0xC3, 0x28])]
        let objects = keys.enumerated().map { Self.object($1, $0) }
        let listing = try await make(objects).listed()
        #expect(listing.result.isComplete, "\(listing.problems.map(\.text))")
        #expect(listing.items == objects)
        #expect(listing.result.window.from <= listing.result.window.to)
    }

    private func listsInBoundedBatches() async throws {
        let objects = (0..<5_432).map { Self.object(ObjectKey("many/\($0 % 7)/\($0)"), $0) }
        let bucket = try await make(objects)
        let listing = try await bucket.listed()
        #expect(listing.items == objects)
        #expect(listing.batchSizes.allSatisfy { (1...4_000).contains($0) })
        var slabbed: [ListedObject] = []
        let result = try await bucket.listBatches { batch in
            #expect(batch.slab != nil)
            slabbed += batch.objects
        }
        #expect(result.isComplete && slabbed == objects)
    }

    private func listsNothing() async throws {
        let listing = try await make([]).listed()
        #expect(listing.result.isComplete && listing.items.isEmpty)
    }

    private func tellsNothingOfNow() async throws {
        let key = ObjectKey("a")
        let bucket = try await make([Self.object(key)])
        #expect(!bucket.isLive && !(bucket is any ActingBucket))
        #expect(await bucket.head(key).doubt?.contains("copy") == true)
        #expect(await bucket.headQuarantined(key, run: run(1)).doubt != nil)
        let quarantine = try await bucket.listedQuarantine()
        #expect(!quarantine.result.isComplete && quarantine.items.isEmpty)
        #expect(bucket.lease == nil && bucket.marker == nil && bucket.uploads == nil)
        #expect(bucket.versions == nil && bucket.tags == nil)
    }
}
