import MooringDecisions
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("An audit from end to end")
struct AuditTests {
    private let uuid = "123e4567-e89b-12d3-a456-426614174000"

    @Test("every cause of an orphan is told from the owner that its key names")
    func orphanCauses() async throws {
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("empty", cover: nil, changed: World.longAgo - .days(9))
        world.object("empty")
        world.song("cleared", cover: nil, changed: World.longAgo + .days(9))
        world.object("cleared")
        world.song("other", cover: "keeper")
        world.object("other")
        world.object("nobody")
        world.album("list", "[\"keeper\"]")
        world.object("list-\(uuid)")
        let findings = try await world.audit().findings.filter { $0.kind == .orphan }
        let causes = Dictionary(
            uniqueKeysWithValues: findings.map { ($0.key?.text ?? "", $0.cause) })
        #expect(
            causes == [
                "empty": .unassociated, "cleared": .cleared, "other": .superseded,
                "nobody": .ownerless, "list-\(uuid)": .detached,
            ])
        #expect(findings.allSatisfy { $0.verdict == .settled })
        #expect(findings.about("cleared")?.action == .keep)
        #expect(findings.about("other")?.action == .quarantine)
        #expect(findings.about("other")?.needs == nil)
    }

    @Test("a key that fits no template is unattributed")
    func unattributed() async throws {
        let world = try World(Sample.file(cover: "level: root"))
        world.song("keeper", cover: "posts/kept")
        world.object("posts/kept")
        world.object("posts/anything")
        let finding = try #require(try await world.audit().findings.about("posts/anything"))
        #expect(finding.cause == .unattributed && finding.owners.isEmpty)
        #expect(finding.needs?.proof == "second sighting")
    }

    @Test("an object within the grace is explained, and settled from its last instant on")
    func grace() async throws {
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.object("young", at: World.start)
        let first = try #require(try await world.audit().findings.about("young"))
        #expect(first.verdict == .explained)
        #expect(first.explanation?.until == World.start + Sample.grace)
        #expect(first.needs?.proof == "settled verdict")
        world.clock.advance(Sample.grace - .seconds(10))
        #expect(try await world.audit().findings.about("young")?.verdict == .explained)
        world.clock.advance(.seconds(10))
        #expect(try await world.audit().findings.about("young")?.verdict == .settled)
    }

    @Test("a dangling reference is missing, quarantined, foreign, explained or undecided")
    func danglingCauses() async throws {
        let world = try World()
        world.song("a", cover: "missing")
        world.song("b", cover: "held")
        world.song("c", cover: "young", changed: World.start - .hours(1))
        world.source.insert(
            "Post", ["id": .text("p"), "file": .text("{\"bucket\":\"else\",\"key\":\"k\"}")])
        world.bucket.hold(ObjectKey("held"), run: RunID(startingAt: World.longAgo))
        let findings = try await world.audit().findings.filter { $0.kind == .dangling }
        #expect(findings.count == 4)
        #expect(findings.about("missing", .dangling)?.cause == .missing)
        #expect(findings.about("missing", .dangling)?.action == .nullify)
        #expect(findings.about("held", .dangling)?.cause == .quarantined)
        #expect(findings.about("held", .dangling)?.action == .restore)
        #expect(findings.about("young", .dangling)?.verdict == .explained)
        let foreign = try #require(findings.about("k", .dangling))
        #expect(foreign.cause == .foreign && foreign.verdict == .undecided)
        #expect(foreign.action == .keep && foreign.bucket == "else")
    }

    @Test("a look that gives no answer, and a level that is not known, leave a doubt")
    func doubts() async throws {
        let world = try World(Sample.file(cover: "level: any, template: \"{id}\""))
        world.song("any", cover: "x", owner: "me")
        world.source.insert(
            "Note", ["id": .text("n"), "scan": .text("gone"), "changed": .moment(World.longAgo)])
        world.script.fail(.before, .head)
        let findings = try await world.audit().findings.filter { $0.kind == .dangling }
        #expect(findings.count == 2)
        #expect(findings.allSatisfy { $0.verdict == .undecided && $0.action == .keep })
        let any = try #require(findings.first { $0.record?.identity.model == "Song" })
        #expect(
            Set(any.candidates.map(\.text))
                == ["x", "public/x", "protected/me/x", "private/me/x"])
    }

    @Test("a place that is not listed and gives no answer may hold what a reference means")
    func unseenElsewhere() async throws {
        let world = try World(
            Sample.file(
                cover: "level: guest, template: \"{id}\"", bucket: "    prefixes: [public/]"))
        world.song("there", cover: "there")
        world.object("public/there")
        world.song("s", cover: "s")
        // The first look is at its own key.
        world.script.fail(.before, .head, 2)
        let finding = try #require(
            try await world.audit().findings.first { $0.kind == .dangling })
        #expect(finding.verdict == .undecided && finding.action == .keep)
        #expect(
            finding.evidence.contains(
                "whether it lies elsewhere could not be seen: head: a planted fault"),
            "\(finding.evidence)")
    }

    @Test("an identity with a slash hides what records without an identity mean: incomplete")
    func hiddenIdentity() async throws {
        for (owner, isHidden) in [("a/b", true), ("ab", false)] {
            let world = try World(Sample.file(cover: "level: private, template: \"{id}\""))
            world.song("s", cover: "s", owner: owner)
            world.song("t", cover: "t")
            let scans = try await world.audit().summary.records.map(\.scan)
            let words =
                "app: an identity holds a slash, so that it cannot be told which objects the "
                + "records without an identity mean: give each record its identity, or correct "
                + "the one with the slash"
            #expect(scans.flatMap(\.problems) == (isHidden ? [words] : []))
        }
    }

    @Test("a copy of a listing that names objects twice is none of one moment, and incomplete")
    func repeatedListing() async throws {
        let world = try World(bucketsAreLive: false)
        var traits = StoreTraits()
        traits.listsTwice = true
        world.bucket.become(traits)
        for key in ["a", "b"] { world.object(key) }
        let scan = try #require(try await world.audit().summary.buckets.first?.scan)
        #expect(
            scan.problems == [
                "media: 2 objects listed more than once: it is no list of one moment; make it anew"
            ])
    }

    @Test("a marker that cannot be written is told, and one that is none of Mooring's refuses")
    func markers() async throws {
        let world = try World()
        var traits = StoreTraits()
        traits.marker = FakeMarker()
        world.bucket.become(traits)
        let job = try world.job()
        let stage = IdentityStage(job: job, run: try world.begin(job, "run").id)
        let told = try await stage.adoptNew(
            try await stage.check(), by: try await world.rights(job))
        #expect(
            told == [
                "bucket media has no marker that would tell it from another one, since none could "
                    + "be written: media: a planted fault"
            ])
        traits.marker = FakeMarker(content: [1])
        world.bucket.become(traits)
        let refusal = await #expect(throws: IdentityRefusal.self) {
            try await stage.refuseOthers(refused: "the run")
        }
        #expect(
            refusal?.refusal.found.contains(
                "\(StoreMarker.key.text) is no marker of Mooring's, or of a later version; find "
                    + "out who wrote it") == true)
    }

    @Test("shared, empty and invalid are findings of their own, and kept")
    func recordFindings() async throws {
        let world = try World()
        world.song("a", cover: "both")
        world.song("b", cover: "both")
        world.object("both")
        world.song("c", cover: "hollow")
        world.bucket.put(ObjectKey("hollow"), [], at: World.longAgo)
        world.song("d", cover: "/lead")
        world.album("e", "[null]")
        let findings = try await world.audit().findings
        #expect(findings.about("both", .shared)?.records.count == 2)
        #expect(findings.about("hollow", .emptyObject)?.verdict == .settled)
        #expect(findings.filter { $0.kind == .invalidKey }.count == 2)
        #expect(findings.allSatisfy { $0.kind != .dangling && $0.action == .keep })
    }

    @Test("a key in a table that nobody mapped protects its object")
    func unmapped() async throws {
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.object("posts/wanted.jpg")
        world.source.insert(
            "Setting",
            ["id": .text("1"), "value": .text("see https://cdn.example/posts/wanted.jpg?w=1")])
        let findings = try await world.audit().findings
        #expect(findings.about("posts/wanted.jpg") == nil)
        let finding = try #require(findings.about("posts/wanted.jpg", .unmappedReference))
        #expect(finding.verdict == .undecided && finding.action == .keep)
        #expect(finding.value == Array("posts/wanted.jpg".utf8))
    }

    @Test("a key that moves from a record not yet read to one read already is no orphan")
    func keyMovesDuringPassA() async throws {
        let world = try World()
        for id in ["a", "b", "c"] { world.song(id, cover: nil) }
        world.song("d", cover: "moving")
        world.object("moving")
        // The first batch holds a, b and c; the second would hold d.
        world.script.at(.after, .batch) { [source = world.source] in
            source.set("Song", Array("a".utf8), ["cover": .text("moving")])
            source.set("Song", Array("d".utf8), ["cover": .null])
        }
        let findings = try await world.audit().findings
        #expect(findings.filter { $0.kind == .orphan || $0.kind == .dangling }.isEmpty)
    }

    @Test(
        "a reference that appears after the listing saves its object, and a new one is no finding")
    func referenceAppearsAfterListing() async throws {
        let world = try World()
        world.song("r", cover: "old")
        world.object("old")
        world.object("k")
        world.script.at(.after, .list) { [source = world.source, bucket = world.bucket] in
            source.set("Song", Array("r".utf8), ["cover": .text("k")])
            bucket.put("later")
        }
        let findings = try await world.audit().findings
        #expect(findings.isEmpty)
    }

    @Test("records under another identity, tombstones and derived objects protect")
    func protections() async throws {
        let world = try World(
            Sample.file(
                cover: "level: private, template: \"{id}\"",
                bucket: "    derived: [\"thumbs/{key}\"]"))
        world.song("a", cover: "x")
        world.object("private/somebody/x")
        world.song("b", cover: "y", owner: "me")
        world.object("private/me/y")
        world.object("thumbs/private/me/y")
        world.song("gone", cover: "z", owner: "me")
        world.source.set("Song", Array("gone".utf8), ["deleted": .integer(1)])
        world.object("private/me/z")
        let findings = try await world.audit().findings
        #expect(findings.isEmpty)
    }
    @Test(
        "a tombstone protects the twin of its object, under its own identity or an unknown one",
        arguments: [
            ("caf\u{E9}.jpg", "cafe\u{301}.jpg"), ("up.jpg", "UP.jpg"), ("a b.jpg", "a%20b.jpg"),
        ])
    func buriedTwin(value: String, name: String) async throws {
        for owner in ["me", nil] {
            let world = try World(Sample.file(cover: "level: private"))
            for number in 0..<5 {
                world.song("keeper-\(number)", cover: "keeper-\(number)", owner: "me")
                world.object("private/me/keeper-\(number)")
            }
            world.song("gone", cover: value, owner: owner)
            world.source.set("Song", Array("gone".utf8), ["deleted": .integer(1)])
            world.object("private/me/" + name)
            let findings = try await world.audit().findings
            #expect(findings.map(\.kind) == [.orphan], "\(value), \(owner ?? "nobody")")
            #expect(findings.map(\.verdict) == [.undecided], "\(value), \(owner ?? "nobody")")
        }
    }

    @Test("a tombstone does not protect a twin that is another's")
    func buriedNamesake() async throws {
        let world = try World(Sample.file(cover: "level: private"))
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("private/me/keeper")
        world.song("gone", cover: "avatar.png", owner: "me")
        world.source.set("Song", Array("gone".utf8), ["deleted": .integer(1)])
        world.object("private/you/AVATAR.png")
        let findings = try await world.audit().findings
        #expect(findings.map(\.kind) == [.orphan])
        #expect(findings.map(\.verdict) == [.settled])
    }
}
