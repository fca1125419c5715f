import MooringModel
import MooringPipeline
import Testing

/// What an inventory says is of its own moment; what is done is decided by what is there now.
@Suite("A live bucket that an inventory lists")
struct InventoriedBucketTests {
    // One orphan that names no owner, and one that a song's template names and that song lacks.
    private func prepared(
        _ kind: BucketKind = .versions, bucket: String = "", rest: String = ""
    ) throws -> World {
        let world = try World(Sample.file(bucket: bucket, rest: rest))
        world.bucket.become(kind.traits)
        world.song("keeper", cover: "keeper")
        world.song("old", cover: "other")
        world.object("keeper")
        world.object("other")
        world.object("old")
        return world
    }

    @Test(
        "what it lists and nobody references goes, and comes back", arguments: BucketKind.allCases)
    func thereAndBack(kind: BucketKind) async throws {
        let world = try prepared(kind)
        world.takeInventory()
        world.clock.advance(.hours(30))
        let audit = try await world.audit()
        #expect(audit.findings.count == 1)
        #expect(audit.findings.about("old")?.verdict == .settled)
        #expect(audit.summary.buckets.first?.scan.complete == true)
        #expect(audit.summary.buckets.first?.kind == world.bucket.kind)
        let results = try await world.repair(try world.plan(audit))
        #expect(results.map(\.outcome) == [.done])
        #expect(!world.has("old") && world.has("keeper"))
        // The inventory goes on listing it.
        #expect(try await world.audit().findings.isEmpty)
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.done])
        #expect(world.has("old"))
    }

    @Test("an object that a record written since references is no orphan, and no act takes it")
    func linkedSince() async throws {
        let world = try prepared()
        world.takeInventory()
        world.clock.advance(.hours(30))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.count == 1)
        world.write(song: "new", ["cover": .text("old")])
        #expect(try await world.repair(plan).map(\.outcome) == [.stale])
        #expect(world.has("old"))
        #expect(try await world.audit().findings.about("old") == nil)
    }

    @Test("what was written again since is another object", arguments: [1, 40])
    func replacedSince(hours: Int) async throws {
        let world = try prepared()
        world.takeInventory()
        world.clock.advance(.hours(Int64(hours)))
        world.object("old", at: world.clock.now)
        world.clock.advance(.days(6))
        let audit = try await world.audit()
        let finding = try #require(audit.findings.about("old"))
        #expect(finding.verdict == .undecided)
        #expect(finding.evidence.contains("it is another version now than its inventory lists"))
        #expect(try world.plan(audit).steps.isEmpty)
    }

    @Test("the same bytes written in another second, and another size in the same, are others")
    func nearlySame() async throws {
        for version in [
            ObjectVersion(size: 5, etag: "e", lastModified: World.longAgo + .seconds(1)),
            ObjectVersion(size: 6, etag: "e", lastModified: World.longAgo),
            ObjectVersion(size: 5, etag: "f", lastModified: World.longAgo),
        ] {
            let world = try prepared()
            world.bucket.place(
                ObjectKey("old"),
                ObjectVersion(size: 5, etag: "e", lastModified: World.longAgo, versionID: "v1"))
            world.takeInventory()
            world.bucket.place(
                ObjectKey("old"),
                ObjectVersion(
                    size: version.size, etag: version.etag, lastModified: version.lastModified,
                    versionID: "v2"))
            let finding = try await world.audit().findings.about("old")
            #expect(finding?.verdict == .undecided)
        }
    }

    @Test("what is gone by now, or hidden by a delete marker, is no finding")
    func goneSince() async throws {
        let world = try prepared()
        world.takeInventory()
        world.bucket.remove(ObjectKey("old"))
        world.clock.advance(.hours(30))
        let audit = try await world.audit()
        #expect(audit.findings.isEmpty)
    }

    @Test("a reference to an object that is newer than the inventory is not dangling")
    func newerObject() async throws {
        let world = try prepared()
        world.takeInventory()
        world.clock.advance(.hours(30))
        // The record is older than the inventory by far, so that nothing else explains it.
        world.song("late", cover: "late")
        world.object("late", at: world.clock.now)
        let audit = try await world.audit()
        #expect(audit.findings.about("late", .dangling) == nil)
        #expect(audit.summary.notes.contains { $0.contains("1 object that records reference") })
        #expect(audit.summary.status == .complete)
        // It counts as listed for whatever else is found of it.
        world.bucket.put(ObjectKey("late"), [], at: world.clock.now)
        #expect(try await world.audit().findings.about("late", .emptyObject) != nil)
    }

    @Test("a reference without an object in both is judged by the inventory's moment, and kept")
    func dangling() async throws {
        let world = try prepared()
        world.takeInventory()
        let moment = world.clock.now
        world.song("gone", cover: "gone")
        world.song("young", cover: "young", changed: moment - Sample.grace + .hours(1))
        world.clock.advance(.days(5))
        let audit = try await world.audit()
        let gone = try #require(audit.findings.about("gone", .dangling))
        #expect(gone.verdict == .settled)
        #expect(gone.needs?.proof == "a listing of the bucket itself")
        // By the run's own moment it would be settled.
        #expect(audit.findings.about("young", .dangling)?.verdict == .explained)
    }

    @Test("what was written behind the inventory's moment less the grace waits for the next one")
    func youngOrphan() async throws {
        let world = try prepared()
        world.object("old", at: world.clock.now - .hours(20))
        world.takeInventory()
        world.clock.advance(.days(7))
        #expect(try await world.audit().findings.about("old")?.verdict == .explained)
        world.takeInventory()
        #expect(try await world.audit().findings.about("old")?.verdict == .settled)
    }

    @Test("an inventory beyond its age judges nothing")
    func age() async throws {
        let world = try prepared()
        world.takeInventory()
        world.clock.advance(.days(8) + .seconds(1))
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        let problem = try #require(audit.summary.buckets.first?.scan.problems.first)
        #expect(problem.contains("more than 8d ago") && problem.contains("inventoryAge"))
    }

    @Test("one that says it is of tomorrow is of now at most")
    func tomorrow() async throws {
        let world = try prepared()
        world.song("young", cover: "young", changed: world.clock.now - Sample.grace + .hours(2))
        world.takeInventory(at: world.clock.now + .hours(12))
        #expect(try await world.audit().findings.about("young", .dangling)?.verdict == .explained)
    }

    @Test("a second sighting takes a second inventory")
    func sightings() async throws {
        let world = try World(Sample.file(cover: "level: root"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.object("posts/x")
        world.takeInventory()
        func proof() async throws -> String? {
            try #require(try await world.audit().findings.about("posts/x")).needs?.proof
        }
        #expect(try await proof() == "second sighting")
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await proof() == "second sighting")
        world.takeInventory()
        #expect(try await proof() == nil)
    }

    @Test("an object under another spelling that came since is a twin, and the reference stays")
    func twinSince() async throws {
        for (held, lies) in [
            ("gon\u{e9}", "gone\u{301}"), ("gone\u{301}", "gon\u{e9}"), ("a%20b", "a b"),
            ("a b", "a%20b"), ("Gone", "gone"),
        ] {
            let world = try prepared()
            world.song("twin", cover: held)
            world.takeInventory()
            world.clock.advance(.hours(30))
            world.object(lies, at: world.clock.now)
            let audit = try await world.audit()
            let finding = try #require(audit.findings.about(held, .dangling))
            #expect(finding.cause == .twin && finding.verdict == .undecided, "\(held)")
            #expect(try world.plan(audit).steps.allSatisfy { $0.key != ObjectKey(held) })
        }
    }

    private static let otherNames = [
        ("gon\u{e9}", "gone\u{301}"), ("Gone", "gone"), ("a%20b", "a b"), ("gone", "public/gone"),
        ("gone", "protected/eu-1:x/gone"), ("a/summer-007.jpg", "b/summer-007.jpg"),
        ("summer-007.jpg", "summer-007.png"), ("C:\\summer 7.jpg", "summer_7.jpg"),
    ]

    @Test("what a reference may mean stays, once its own object is gone", arguments: otherNames)
    func meantSince(held: String, lies: String) async throws {
        let world = try prepared()
        world.song("named", cover: held)
        world.object(held)
        world.object(lies)
        world.takeInventory()
        world.clock.advance(.hours(30))
        world.bucket.remove(ObjectKey(held))
        let audit = try await world.audit()
        #expect(audit.summary.status == .complete)
        #expect(audit.findings.about(held, .dangling)?.verdict == .undecided)
        let orphan = try #require(audit.findings.about(lies))
        #expect(orphan.verdict == .undecided)
        #expect(orphan.evidence.contains { $0.contains("a record may mean it: Song/named cover") })
        let plan = try world.plan(audit)
        #expect(plan.steps.map(\.key) == [ObjectKey("old")])
        _ = try await world.repair(plan)
        #expect(world.has(lies))
        // Nothing of that is said of one whose reference has its object.
        world.object(held)
        #expect(try await world.audit().findings.about(lies)?.verdict == .settled)
    }

    @Test("a tombstone whose object is gone since protects a twin of it, and no other name")
    func tombstoneSince() async throws {
        for (lies, verdict) in [("Gone", Verdict.undecided), ("public/gone", .settled)] {
            let world = try prepared()
            world.song("buried", cover: "gone")
            world.source.set("Song", Array("buried".utf8), ["deleted": .integer(1)])
            world.object("gone")
            world.object(lies)
            world.takeInventory()
            world.bucket.remove(ObjectKey("gone"))
            let audit = try await world.audit()
            #expect(audit.findings.about(lies)?.verdict == verdict, "\(lies)")
            #expect(audit.findings.about("gone", .dangling) == nil)
        }
    }

    @Test("what a list lacks since the inventory is told for its own record alone")
    func listSince() async throws {
        let world = try prepared()
        world.album("a", "[\"a-1.png\", \"a-2.png\", \"a-1.png\"]")
        world.album("b", "[\"a-1.png\"]")
        for key in ["a-1.png", "a-2.png", "A-1.png"] { world.object(key) }
        world.takeInventory()
        world.bucket.remove(ObjectKey("a-1.png"))
        let audit = try await world.audit()
        let missed = audit.findings.filter { $0.kind == .dangling }
        #expect(missed.map(\.key) == [ObjectKey("a-1.png"), ObjectKey("a-1.png")])
        let records = Set(missed.compactMap(\.record?.identity.id.joined))
        #expect(records == [Array("a".utf8), Array("b".utf8)])
        #expect(audit.findings.about("A-1.png")?.verdict == .undecided)
        // What nobody is to find as shared, since it is not there.
        #expect(audit.findings.about("a-1.png", .shared) == nil)
    }

    @Test("what stands in a value stays, once the value's own object is gone")
    func insideSince() async throws {
        let world = try prepared()
        world.song("named", cover: "2026/summer-007.jpg")
        world.object("2026/summer-007.jpg")
        world.object("summer-007.jpg")
        world.takeInventory()
        world.bucket.remove(ObjectKey("2026/summer-007.jpg"))
        let audit = try await world.audit()
        #expect(audit.findings.about("summer-007.jpg") == nil)
        #expect(audit.findings.about("2026/summer-007.jpg", .dangling)?.verdict == .undecided)
        #expect(try world.plan(audit).steps.map(\.key) == [ObjectKey("old")])
    }

    @Test("a name that more records hold than are looked at leaves an orphan of it in doubt")
    func commonName() async throws {
        let world = try World(Sample.file(cover: "level: protected"))
        func add(_ number: Int) {
            world.song("s\(number)", cover: "me.png", owner: "eu-1:\(number)")
            world.object("protected/eu-1:\(number)/me.png")
        }
        for number in 0..<1_000 { add(number) }
        world.object("protected/eu-1:x/me.png")
        world.takeInventory()
        func finding() async throws -> Finding {
            try #require(try await world.audit().findings.about("protected/eu-1:x/me.png"))
        }
        #expect(try await finding().verdict == .settled)
        add(1_000)
        world.takeInventory()
        let doubted = try await finding()
        #expect(doubted.verdict == .undecided)
        #expect(doubted.evidence.contains { $0.hasPrefix("more than 1000 records hold its name") })
    }

    // Pass B protects what stands in a value that misses its object, under whatever identity.
    @Test("what stands in a value stays under an identity too, once the value's own object is gone")
    func standsInValue() async throws {
        let (held, lies) = ("f0/photo 9913803.jpg", "protected/eu-1:x/photo 9913803.jpg")
        var verdicts: [Verdict?] = []
        for isInventoried in [false, true] {
            let world = try prepared()
            world.song("named", cover: held)
            world.object(held)
            world.object(lies)
            if isInventoried { world.takeInventory() }
            world.clock.advance(.hours(30))
            world.bucket.remove(ObjectKey(held))
            verdicts.append(try await world.audit().findings.about(lies, .orphan)?.verdict)
        }
        #expect(verdicts[0] == verdicts[1] && verdicts[0] != .settled)
    }

    @Test("what its owner may mean stays, however that is called, once its own object is gone")
    func ownedSince() async throws {
        let world = try prepared()
        world.source.insert(
            "Note",
            ["id": .text("n1"), "scan": .text("old/n1"), "changed": .moment(World.longAgo)])
        world.object("old/n1")
        world.object("notes/n1")
        world.takeInventory()
        #expect(try await world.audit().findings.about("notes/n1")?.verdict == .settled)
        world.bucket.remove(ObjectKey("old/n1"))
        #expect(try await world.audit().findings.about("notes/n1")?.verdict == .undecided)
    }

    @Test("what a reference under any identity may mean elsewhere is in doubt")
    func anyIdentity() async throws {
        let world = try World(Sample.file(cover: "level: protected"))
        world.song("s", cover: "me.png")
        world.object("protected/eu-1:1/me.png")
        world.object("public/me.png")
        world.takeInventory()
        let finding = try #require(try await world.audit().findings.about("public/me.png"))
        #expect(finding.verdict == .undecided)
        #expect(
            finding.evidence.contains {
                $0.hasSuffix("whether the object that Song/s cover references is there")
            })
    }

    @Test("what a reference may mean stays, where its own object cannot be looked at")
    func meantUnseen() async throws {
        let world = try prepared()
        world.song("named", cover: "gon\u{e9}")
        world.object("gon\u{e9}")
        world.object("gone\u{301}")
        world.takeInventory()
        let before = world.script.count(of: .head)
        _ = try await world.audit()
        let looks = world.script.count(of: .head) - before
        #expect(looks == 4)
        // Two orphans, then what the reference means, and what the owner of the other one holds.
        world.script.fail(.before, .head, world.script.count(of: .head) + 3)
        let finding = try #require(try await world.audit().findings.about("gone\u{301}"))
        #expect(finding.verdict == .undecided)
        #expect(finding.evidence.contains { $0.contains("could not be looked at") })
    }

    @Test("an object that the inventory lists and that is gone is a dangling reference's")
    func goneUnderReference() async throws {
        let world = try prepared(bucket: "    derived: [\"thumbs/{key}\"]")
        world.song("named", cover: "gone.jpg")
        world.object("gone.jpg")
        world.object("Gone.jpg")
        world.object("thumbs/gone.jpg")
        world.takeInventory()
        world.bucket.remove(ObjectKey("gone.jpg"))
        let audit = try await world.audit()
        #expect(audit.findings.about("gone.jpg", .dangling) != nil)
        #expect(
            audit.summary.notes.contains {
                $0 == "bucket 'media': 1 object that records reference and its inventory lists is "
                    + "gone"
            }, "\(audit.summary.notes)")
        #expect(try world.plan(audit).steps.map(\.key) == [ObjectKey("old")])
    }

    @Test("a key that it lists twice makes it incomplete")
    func duplicates() async throws {
        let world = try prepared()
        world.takeInventory()
        world.changeInventory { objects in objects += objects }
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        #expect(audit.findings.filter { $0.key == ObjectKey("old") }.count == 1)
    }

    @Test("one that lacks what had been there long before lists a part alone, and judges nothing")
    func filtered() async throws {
        for count in [9, 10] {
            let world = try prepared()
            for number in 0..<count {
                world.song("s\(number)", cover: "s\(number)")
                world.object("s\(number)")
            }
            world.takeInventory()
            world.changeInventory { objects in
                objects.removeAll { $0.key.text.hasPrefix("s") }
            }
            let audit = try await world.audit()
            #expect((audit.summary.status == .complete) == (count == 9))
            #expect(audit.findings.allSatisfy { $0.kind != .dangling })
        }
    }

    @Test("what cannot be looked at is undecided")
    func unknown() async throws {
        let world = try prepared()
        world.takeInventory()
        world.script.fail(.before, .head, 1)
        let finding = try #require(try await world.audit().findings.about("old"))
        #expect(finding.verdict == .undecided)
        #expect(finding.evidence.contains { $0.hasPrefix("it could not be looked at: ") })
    }

    @Test("what is made from an object that came since lives with it")
    func derived() async throws {
        let world = try prepared(bucket: "    derived: [\"thumbs/{key}\"]")
        world.bucket.remove(ObjectKey("old"))
        world.object("thumbs/old")
        world.takeInventory()
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        world.takeInventory()
        let before = try world.plan(try await world.audit())
        #expect(before.steps.map(\.key) == [ObjectKey("thumbs/old")])
        world.object("old", at: world.clock.now)
        // The first look is at the candidate itself, the second at what it is derived from.
        world.script.fail(.before, .head, world.script.count(of: .head) + 2)
        let doubted = try await world.audit()
        let finding = try #require(doubted.findings.about("thumbs/old"))
        #expect(finding.verdict == .undecided)
        #expect(finding.evidence.contains("what it is derived from could not be looked at"))
        #expect(try world.plan(doubted).steps.isEmpty)
        #expect(try world.plan(try await world.audit()).steps.isEmpty)
    }

    @Test("what a record references again comes back from quarantine, though it is listed still")
    func watched() async throws {
        let world = try prepared()
        world.takeInventory()
        world.clock.advance(.hours(30))
        #expect(try await world.auditAndRepair().map(\.outcome) == [.done])
        world.write(song: "new", ["cover": .text("old")])
        let audit = try await world.audit()
        let finding = try #require(audit.findings.first { $0.action == .restore })
        #expect(finding.key == ObjectKey("old"))
        #expect(try await world.repair(try world.plan(audit)).map(\.outcome) == [.done])
        #expect(world.has("old"))
    }

    @Test("a deletion request lists the bucket itself")
    func listsNow() async throws {
        let world = try prepared()
        world.takeInventory()
        world.object("new", at: world.clock.now)
        let bucket = try #require(try world.job().bucket("media"))
        var keys: [String] = []
        _ = try await bucket.listNow { keys += $0.map(\.key.text) }
        #expect(keys.sorted() == ["keeper", "new", "old", "other"])
        keys = []
        _ = try await bucket.list { keys += $0.map(\.key.text) }
        #expect(keys.sorted() == ["keeper", "old", "other"])
    }
}
