import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// What is ignored is no part of any number that a guard compares.
@Suite("Guards and ignored objects")
struct JudgedObjectsTests {
    private func world() throws -> World {
        let file = Sample.file(bucket: "    ignore: [\"junk-*\"]")
        return try World(file.replacing(PlaceGuardTests.limits + "\n", with: ""))
    }

    @Test("an ignored stray file makes an empty mount point no bucket with objects")
    func stray() async throws {
        let world = try world()
        PlaceGuardTests.fill(world, 30)
        for number in 0..<30 { world.bucket.remove(ObjectKey("s\(number)")) }
        world.object("junk-1")
        let audit = try await world.audit()
        #expect(PlaceGuardTests.refused(audit).contains("objectDrop:media"))
    }

    @Test("ignored objects dilute no share")
    func share() async throws {
        let world = try world()
        PlaceGuardTests.fill(world, 100)
        for number in 0..<900 { world.object("junk-\(number)") }
        for number in 0..<5 {
            world.song("x\(number)", cover: nil)
            world.object("x\(number)")
        }
        let audit = try await world.audit()
        #expect(PlaceGuardTests.refused(audit) == ["orphanShare:media"])
        let told = try #require(PlaceGuardTests.refusal(world, audit))
        #expect(told.description.contains("(5 of 105)"), "\(told)")
    }
}
