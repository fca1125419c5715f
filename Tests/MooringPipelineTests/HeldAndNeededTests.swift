import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("What lies in quarantine and is needed")
struct HeldAndNeededTests {
    private func prepared(_ text: String, _ keys: String...) async throws -> World {
        let world = try World(text)
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        // So many references that one more or less is no loss to any guard.
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.object("album-\(number)")
        }
        for key in keys { world.object(key) }
        return world
    }

    @Test("a derived object in quarantine is not swept while its source is there or referenced")
    func derived() async throws {
        let world = try await prepared(
            Sample.file(
                bucket: "    derived: [\"thumbs/{key}\"]", rest: "repair: {retention: 30d}"),
            "gone", "thumbs/gone")
        // The source goes first, and what was made from it a grace later.
        for _ in 0..<4 {
            try await world.auditAndRepair()
            world.clock.advance(Sample.grace + .hours(1))
        }
        #expect(world.bucket.held.count == 2)
        world.write(song: "gone", ["cover": .text("gone")])
        #expect(try await need(world, "thumbs/gone") == "no reference")
        try await world.auditAndRepair()
        #expect(world.has("gone"))
        for _ in 0..<3 {
            world.clock.advance(.days(30))
            #expect(try await need(world, "thumbs/gone") == "no reference")
        }
        // It goes in the end, once its source is gone for good.
        world.write(song: "gone", ["cover": .null])
        #expect(try await need(world, "thumbs/gone") == "no reference")
        world.bucket.remove(ObjectKey("gone"))
        for _ in 0..<3 {
            _ = try await world.audit()
            world.clock.advance(.days(30))
        }
        #expect(try await need(world, "thumbs/gone") == nil)
    }

    private func need(_ world: World, _ key: String) async throws -> String? {
        let audit = try await world.audit()
        let state = try #require(audit.quarantine.first { $0.object.key == ObjectKey(key) })
        return state.need?.proof
    }

    @Test("what is moved into quarantine behind the listing's back is not missed by a reference")
    func movedMeanwhile() async throws {
        for operation in [Operation.listQuarantine, .list] {
            for side in [Side.before, .after] {
                let world = try await prepared(Sample.file(), "one")
                world.song("one", cover: "one")
                world.script.at(side, operation) { [bucket = world.bucket] in
                    let key = ObjectKey("one")
                    guard let stored = bucket.objects[key] else { return }
                    bucket.hold(key, run: RunID(startingAt: World.start), stored.content)
                    bucket.remove(key)
                }
                try await world.auditAndRepair()
                #expect(world.cover("one") == "one", "\(side) \(operation)")
                try await world.auditAndRepair()
                #expect(world.has("one"), "\(side) \(operation)")
            }
        }
    }

    @Test("it comes back to a record also where other dangling references are kept")
    func keptReferences() async throws {
        let world = try await prepared(Sample.file(rest: "repair: {dangling: keep}"), "gone")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        #expect(!world.has("gone"))
        world.write(song: "gone", ["cover": .text("gone")])
        try await world.auditAndRepair()
        #expect(world.has("gone"))
    }
}
