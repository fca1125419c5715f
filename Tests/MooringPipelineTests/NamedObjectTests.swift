import MooringModel
import MooringPipeline
import Testing

/// A missing reference whose value holds the name of an object that no listing told of.
@Suite("Objects that a value names, and that only a look by name finds")
struct NamedObjectTests {
    private static let key = "old/photo.jpg"
    private static let values = [
        "![x](KEY)", "KEY?v=2", "\"KEY\"", "KEY ", "see KEY.", "https://host/KEY", "media/KEY",
        "files/media/KEY", "KEY,x1", "url('KEY')", "https://host/media/old%2Fphoto.jpg",
    ]

    /// A world whose song `s` holds this value, with another song whose object is there.
    private func world(_ value: String, _ bucket: String = "") throws -> World {
        let world = try World(
            Sample.file(cover: "level: root", bucket: bucket, rest: "repair: {orphan: quarantine}"))
        world.songsOfEveryForm()
        world.song("t", cover: "covers/t")
        world.object("covers/t")
        world.song("s", cover: value.replacing("KEY", with: Self.key))
        return world
    }

    @Test("what is ignored keeps the reference that names it", arguments: values)
    func ignored(value: String) async throws {
        let world = try world(value, "    ignore: [\"old/photo.jpg\"]")
        try await expectKept(world)
    }

    @Test(
        "so does what lies outside the prefixes",
        arguments: ["covers/s?next=KEY", "covers/![x](KEY)", "covers/s, KEY", "covers/KEY"])
    func outside(value: String) async throws {
        let world = try world(value, "    prefixes: [\"covers/\"]")
        try await expectKept(world)
    }

    private func expectKept(_ world: World) async throws {
        world.object(Self.key)
        let held = try #require(world.cover("s"))
        for _ in 0..<2 {
            let audit = try await world.audit()
            let finding = try #require(audit.findings.first { $0.kind == .dangling })
            #expect(finding.verdict == .undecided, "\(finding.evidence)")
            #expect(
                finding.evidence.contains { $0.contains(Self.isThere) }, "\(finding.evidence)")
            #expect(try world.plan(audit).steps.isEmpty)
            world.clock.advance(Sample.grace + .hours(1))
        }
        #expect(world.cover("s") == held && world.has(Self.key))
    }

    private static let isThere = "its value holds the key of an object that is there"

    @Test("a look by name that gets no answer is a doubt")
    func unseen() async throws {
        let world = try world("see KEY.", "    ignore: [\"old/photo.jpg\"]")
        for number in 1...8 { world.script.fail(.before, .head, number) }
        let finding = try #require(
            try await world.audit().findings.first { $0.kind == .dangling })
        world.script.mayMiss()
        #expect(finding.verdict == .undecided)
        let doubt = "whether its value holds another key could not be seen: "
        #expect(finding.evidence.contains { $0.contains(doubt) }, "\(finding.evidence)")
    }

    @Test("without such an object it is nulled, but for an address", arguments: values)
    func absent(value: String) async throws {
        let world = try world(value, "    ignore: [\"old/photo.jpg\"]")
        let isAddress = value.contains("://")
        #expect(try await world.auditAndRepair().map(\.outcome) == (isAddress ? [] : [.done]))
        #expect((world.cover("s") == nil) == !isAddress)
    }

    @Test(
        "made after the listing, before the plan or before the write, it keeps the reference",
        arguments: values, [false, true])
    func late(value: String, isPlanned: Bool) async throws {
        let world = try world(value)
        let held = try #require(world.cover("s"))
        if !isPlanned {
            world.script.at(.after, .list) { [weak world] in
                world?.object(Self.key, at: World.start)
            }
        }
        let plan = try world.plan(try await world.audit())
        if isPlanned { world.object(Self.key, at: world.clock.now) }
        #expect(try await world.repair(plan).allSatisfy { $0.outcome == .stale })
        #expect(world.cover("s") == held)
        // What the value names is nobody's orphan, either.
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            try await world.auditAndRepair()
        }
        #expect(world.cover("s") == held && world.has(Self.key))
    }

    @Test("under the record's own identity, too")
    func identity() async throws {
        let world = try World(Sample.file(cover: "level: private"))
        world.song("t", cover: "t", owner: "me")
        world.object("private/me/t")
        world.song("s", cover: "photo.jpg?v=2", owner: "me")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.nullify])
        world.object("private/me/photo.jpg")
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale] && results.map(\.reason) == [Self.isThere])
        #expect(world.cover("s") == "photo.jpg?v=2")
    }

    @Test("an identifier inside a value stands for its record, in a plan as in a look")
    func identifier() async throws {
        let world = try World(Sample.file(cover: "level: root, template: \"{id}\""))
        world.songsOfEveryForm()
        world.song("7", cover: "7")
        world.object("7")
        world.song("s", cover: "posts/7")
        #expect(try await world.auditAndRepair().map(\.outcome) == [.done])
        #expect(world.cover("s") == nil && world.has("7"))
    }

    @Test("what a plan holds, no look doubts for an object that was listed", arguments: values)
    func listed(value: String) async throws {
        for key in ["old/photo.jpg", "photo.jpg", "a/b", "ab"] {
            let world = try world("")
            let text = value.replacing("KEY", with: key)
            world.source.set("Song", Array("s".utf8), ["cover": .text(text)])
            world.song("other", cover: key)
            world.object(key)
            let plan = try world.plan(try await world.audit())
            let outcomes = try await world.repair(plan).map(\.outcome)
            #expect(!outcomes.contains(.stale), "\(text)")
        }
    }

    @Test("a text of more words than are looked for is no plan's matter", arguments: [30, 300])
    func long(words: Int) async throws {
        let world = try world((0..<words).map { String($0, radix: 36) }.joined(separator: " "))
        let audit = try await world.audit()
        let finding = try #require(audit.findings.first { $0.kind == .dangling })
        #expect((finding.verdict == .undecided) == (words > 256))
        let isTold = finding.evidence.contains { $0.contains("more texts than are looked for") }
        #expect(isTold == (words > 256))
        let results = try await world.repair(try world.plan(audit))
        #expect(results.map(\.outcome) == (words > 256 ? [] : [.done]))
    }

    @Test("one that appears while the reference is nulled gets it back")
    func meanwhile() async throws {
        let world = try world("![x](KEY)")
        let plan = try world.plan(try await world.audit())
        let key = Self.key
        world.script.at(.after, .update) { [weak world] in world?.object(key) }
        #expect(try await world.repair(plan).map(\.outcome) == [.putBack])
        #expect(world.cover("s") == "![x](\(Self.key))")
    }
}
