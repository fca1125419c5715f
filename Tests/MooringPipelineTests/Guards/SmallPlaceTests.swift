import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// What is small is not hidden by what is big beside it: each guard names the place that it means.
@Suite("Guards on small places beside big ones")
struct SmallPlaceTests {
    private static let few = 18

    /// 600 songs in `media`, and 18 notes whose scans lie in a bucket of their own, or in `media`.
    private func world(
        _ rest: String = "", bucket: String = "small", below folder: String = ""
    ) throws -> World {
        let world = try World(
            Sample.file(
                bucket: "  - {name: small, directory: ./small, quarantine: .s/}", rest: rest
            ).replacing(PlaceGuardTests.limits + "\n", with: "")
                .replacing("scan, bucket: media", with: "scan, bucket: \(bucket)"))
        PlaceGuardTests.fill(world, 600)
        for number in 0..<Self.few {
            world.source.insert(
                "Note",
                [
                    "id": .text("n\(number)"), "scan": .text("\(folder)n\(number)"),
                    "changed": .moment(World.longAgo),
                ])
            try world.bucket(bucket).put("\(folder)n\(number)", at: World.longAgo)
        }
        return world
    }

    private func scans(_ world: World) -> Int {
        world.source.records("Note").count { $0["scan"]?.bytes != nil }
    }

    private func expectRefused(
        _ world: World, _ titles: [String], _ words: String...,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        let audit = try await world.audit()
        #expect(PlaceGuardTests.refused(audit) == titles, sourceLocation: place)
        let told = try #require(PlaceGuardTests.refusal(world, audit), sourceLocation: place)
        for word in words {
            #expect(told.description.contains(word), "\(told)", sourceLocation: place)
        }
    }

    @Test("a small bucket that is empty writes no record, on a first run or a later one")
    func emptied() async throws {
        for seen in [true, false] {
            let world = try world()
            if seen { _ = try await world.audit() }
            let small = try world.bucket("small")
            for key in small.objects.keys { small.remove(key) }
            try await expectRefused(
                world, ["objectDrop:small", "recordShare:app.Note.scan"],
                "bucket 'small' is empty")
            #expect(scans(world) == Self.few)
        }
    }

    @Test("one that lost most of its objects is not covered by the big one's count")
    func halved() async throws {
        let world = try world("limits: {recordShare: 100%}")
        _ = try await world.audit()
        for number in 0..<12 { try world.bucket("small").remove(ObjectKey("n\(number)")) }
        try await expectRefused(
            world, ["objectDrop:small"], "objectDrop at small is 66.67% (18 to 6)")
    }

    @Test("all objects of a small bucket are never orphans at once")
    func orphans() async throws {
        let world = try world("limits: {referenceDrop: 100%}", below: "notes/")
        for number in 0..<Self.few {
            world.source.set("Note", Array("n\(number)".utf8), ["scan": .null])
        }
        try await expectRefused(
            world, ["orphanShare:small"], "no key of bucket 'small' is referenced",
            "orphanShare at small is 100% (18 of 18)")
        #expect(try world.bucket("small").objects.count == Self.few)
        #expect(try world.bucket("small").held.isEmpty)
    }

    @Test("a small model beside a big one, in the same bucket, is bounded by its own count")
    func model() async throws {
        let world = try world(bucket: "media")
        _ = try await world.audit()
        for number in 0..<Self.few { world.bucket.remove(ObjectKey("n\(number)")) }
        try await expectRefused(
            world, ["recordShare:app.Note.scan"],
            "none of its 18 values is the key of an object: is app.Note.scan a field of keys",
            "recordShare at app.Note.scan is 100% (18 of 18)")
        #expect(scans(world) == Self.few)
    }

    @Test("so are its references: the objects of a small model that was emptied stay")
    func references() async throws {
        let world = try world("limits: {orphanShare: 100%}", bucket: "media", below: "notes/")
        _ = try await world.audit()
        for number in 0..<Self.few { world.source.delete("Note", Array("n\(number)".utf8)) }
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            try await expectRefused(
                world, ["referenceDrop:app.Note.scan"], "app.Note.scan has no records left")
        }
        #expect(world.bucket.objects.count == 600 + Self.few)
    }
}
