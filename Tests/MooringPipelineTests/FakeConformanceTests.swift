import MooringModel
import MooringPipeline
import StoreConformance
import Testing

private struct BucketOfObjects: VersionFixture {
    let fake = FakeBucket("media", script: CallScript(), clock: TestClock(World.start))

    init(_ traits: StoreTraits) { fake.become(traits) }

    var bucket: any ActingBucket { fake }
    var keepsVersions: Bool { fake.versions != nil }

    func remove(_ key: ObjectKey) async throws { fake.remove(key) }

    func put(_ key: ObjectKey, _ content: [UInt8]) async throws { fake.put(key, content) }

    func content(_ key: ObjectKey) async throws -> [UInt8]? { fake.objects[key]?.content }

    func putQuarantined(_ key: ObjectKey, run: RunID, _ content: [UInt8]) async throws {
        fake.hold(key, run: run, content)
    }

    func quarantinedContent(_ key: ObjectKey, run: RunID) async throws -> [UInt8]? {
        fake.held.first { $0.run == run && $0.key == key }?.stored.content
    }
}

/// A bucket whose inventory is as new as each listing.
private struct InventoriedObjects: BucketFixture {
    let objects: BucketOfObjects
    let bucket: any ActingBucket

    init(_ traits: StoreTraits) {
        objects = BucketOfObjects(traits)
        bucket = InventoriedBucket(
            objects.fake, listedBy: objects.fake, notOlderThan: .days(1), clock: { World.start })
    }

    func put(_ key: ObjectKey, _ content: [UInt8]) async throws {
        try await objects.put(key, content)
    }

    func content(_ key: ObjectKey) async throws -> [UInt8]? { try await objects.content(key) }

    func putQuarantined(_ key: ObjectKey, run: RunID, _ content: [UInt8]) async throws {
        try await objects.putQuarantined(key, run: run, content)
    }

    func quarantinedContent(_ key: ObjectKey, run: RunID) async throws -> [UInt8]? {
        try await objects.quarantinedContent(key, run: run)
    }
}

private struct TablesOfRows: RecordFixture {
    let fake = FakeRecordSource(
        "app", tables: RecordConformance.tables, script: CallScript(),
        clock: TestClock(World.start))
    var source: any ActingRecordSource { fake }

    func insert(_ table: String, _ row: [FieldValue]) async throws {
        fake.insert(table, row: row)
    }

    func stored(_ table: String) async throws -> [[FieldValue]] { fake.rows(table) }
}

@Suite("The fakes that the other tests stand on")
struct FakeConformanceTests {
    @Test("the bucket in memory does what every bucket does")
    func bucket() async throws {
        for traits in [
            StoreTraits(), .s3(.enabled, deletes: .honoured), .s3(.never, deletes: .ignored),
        ] {
            try await BucketConformance { BucketOfObjects(traits) }.verify()
        }
    }

    @Test("a bucket with its inventory does what every bucket does")
    func inventoried() async throws {
        for traits in [StoreTraits(), .s3(.enabled, deletes: .honoured)] {
            try await BucketConformance { InventoriedObjects(traits) }.verify()
        }
    }

    @Test("the records in memory do what every live source does")
    func records() async throws {
        try await RecordConformance { TablesOfRows() }.verify()
    }
}
