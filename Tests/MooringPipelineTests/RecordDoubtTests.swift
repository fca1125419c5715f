import MooringModel
import MooringPipeline
import Testing

@Suite("Records of which one reference is missing and another in doubt")
struct RecordDoubtTests {
    private func removed(_ images: String) async throws -> Bool {
        let world = try World(Sample.file(rest: "repair: {dangling: delete-record}"))
        world.song("keeper", cover: "one")
        world.object("one")
        world.object("kept")
        world.source.insert(
            "Page",
            [
                "id": .text("p"), "images": .text(images), "changed": .moment(World.longAgo),
            ])
        for _ in 0..<2 {
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
        }
        try await world.repair(try world.plan(try await world.audit()))
        return world.source.records("Page").isEmpty
    }

    @Test("an object whose owner's own reference is in doubt says so")
    func ownerInDoubt() async throws {
        let world = try World()
        world.song("k", cover: "https://cdn.example/elsewhere.png")
        world.object("k")
        let finding = try #require(try await world.audit().findings.about("k"))
        #expect(
            finding.evidence.contains("what its owner references is in doubt: Song/k cover"),
            "\(finding.evidence)")
    }

    @Test("a record is not removed while a reference of it may mean an object that is there")
    func twin() async throws {
        #expect(try await !removed("[\"gone\", \"KEPT\"]"))
        #expect(try await removed("[\"gone\", \"lost\"]"))
    }
}
