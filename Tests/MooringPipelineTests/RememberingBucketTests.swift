import MooringModel
import MooringPipeline
import Testing

/// What lies in a quarantine of before is nobody's to list, to look at or to move as an object.
@Suite("A bucket that remembers a quarantine of before")
struct RememberingBucketTests {
    @Test("its keys are no objects by themselves, whatever the mapping covers")
    func keys() async throws {
        let world = try World()
        world.object("keeper")
        world.object(".old/keeper")
        let bucket = RememberingBucket(
            world.bucket,
            earlier: [RememberingBucket.Earlier(prefix: ObjectKey(".old/"), bucket: world.bucket)])
        var listed: [ObjectKey] = []
        _ = try await bucket.list { batch in listed += batch.map(\.key) }
        #expect(listed == [ObjectKey("keeper")])
        let (key, run) = (ObjectKey(".old/keeper"), RunID(startingAt: World.start))
        let version = try #require(world.bucket.objects[key]).version
        let once = "the key lies in what was the quarantine once"
        #expect(await bucket.head(key) == .unknown(once))
        let error = await #expect(throws: StoreError.self) {
            try await bucket.quarantine(key, expecting: version, run: run)
        }
        #expect(error?.reason == once)
        #expect(world.bucket.held.isEmpty)
    }
}
