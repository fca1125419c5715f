import MooringModel
import MooringPipeline
import Testing

/// Owners that keys spell otherwise than their records, and owners that nobody ever saw.
@Suite("Owners that are not as their keys name them")
struct NearOwnerTests {
    private func world(song id: String, object key: String) throws -> World {
        let world = try World(sawOwners: false)
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song(id, cover: nil)
        world.object(key)
        return world
    }

    @Test(
        "an owner that is spelt alike is a doubt that names it",
        arguments: [
            ("Abc", "abc"), ("abc", "ABC"), ("\u{C9}t\u{E9}", "\u{E9}t\u{E9}"),
            (
                "0F8FAD5B-D9CB-469F-A165-70867728950E", "0f8fad5b-d9cb-469f-a165-70867728950e"
            ),
            ("0f8fad5bd9cb469fa16570867728950e", "0f8fad5b-d9cb-469f-a165-70867728950e"),
            ("{0f8fad5b-d9cb-469f-a165-70867728950e}", "0F8FAD5BD9CB469FA16570867728950E"),
        ])
    func alike(record: String, key: String) async throws {
        let world = try world(song: record, object: key)
        for _ in 0..<2 {
            let audit = try await world.audit()
            let finding = try #require(audit.findings.about(key))
            #expect(finding.verdict == .undecided)
            let doubt =
                "no record is spelt as its key names it, but Song '\(record)' is spelt alike"
            #expect(finding.evidence.contains(doubt))
            #expect(try world.plan(audit).steps.isEmpty)
            world.clock.advance(Sample.grace + .hours(1))
        }
    }

    @Test("an owner that is there as its key spells it is that one, whoever is spelt alike")
    func exact() async throws {
        let world = try world(song: "abc", object: "abc")
        world.song("ABC", cover: nil)
        #expect(try await world.audit().findings.about("abc")?.verdict == .settled)
    }

    @Test("a key that names more owners than are looked for is a doubt")
    func tooMany() async throws {
        let world = try World(Sample.file(cover: "template: \"{id}{*}\""), sawOwners: false)
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        // Each of its beginnings may be an id.
        let key = String(repeating: "abcdefgh", count: 8)
        world.object(key)
        let finding = try #require(try await world.audit().findings.about(key))
        #expect(finding.verdict == .undecided)
        #expect(
            finding.evidence.contains("its key may name more owners than were looked for"))
    }

    @Test("what is spelt otherwise is no doubt")
    func others() async throws {
        let world = try world(song: "abd", object: "abc")
        #expect(try await world.audit().findings.about("abc")?.verdict == .settled)
    }

    @Test("an object in quarantine whose owner is spelt alike is not swept")
    func quarantined() async throws {
        let world = try World(Sample.file(rest: "repair: {retention: 0s}"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.object("abc")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        world.song("ABC", cover: nil)
        for _ in 0..<12 {
            world.clock.advance(.days(4))
            let audit = try await world.audit()
            #expect(audit.quarantine.count == 1)
            #expect(audit.quarantine.allSatisfy { $0.proof == nil })
        }
        #expect(
            try await world.audit().quarantine.first?.need?.proof
                == "an owner spelt as its key spells it")
    }

    @Test("an owner that no run ever saw needs a second sighting")
    func neverSeen() async throws {
        let world = try world(song: "other", object: "gone")
        let first = try #require(try await world.audit().findings.about("gone"))
        #expect(first.verdict == .settled && first.needs?.proof == "second sighting")
        world.clock.advance(Sample.grace + .minutes(1))
        #expect(try await world.audit().findings.about("gone")?.needs == nil)
    }

    @Test("one that a run saw is gone when it is gone")
    func seenBefore() async throws {
        let world = try world(song: "gone", object: "gone")
        #expect(try await world.audit().findings.about("gone")?.cause == .unassociated)
        world.source.delete("Song", Array("gone".utf8))
        let audit = try await world.audit()
        #expect(audit.findings.about("gone")?.cause == .ownerless)
        #expect(audit.findings.about("gone")?.needs == nil)
    }
}
