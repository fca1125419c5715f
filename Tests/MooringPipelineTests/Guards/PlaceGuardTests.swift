import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

/// Ordinary accidents under the default limits: what may be taken away is bounded where it lies.
@Suite("Guards where it happens")
struct PlaceGuardTests {
    static let limits = "limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}"

    static func world(_ rest: String = "", cover: String = "template: \"{id}\"") throws -> World {
        try World(
            Sample.file(cover: cover, rest: rest).replacing(limits + "\n", with: ""))
    }

    /// So many songs with a cover each.
    static func fill(_ world: World, _ count: Int, from first: Int = 0) {
        for number in first..<(first + count) {
            world.song("s\(number)", cover: "s\(number)")
            world.object("s\(number)")
        }
    }

    static func refusal(
        _ world: World, _ audit: Pipeline.Audit, _ acceptance: Acceptance = Acceptance()
    ) -> Refusal? {
        do {
            _ = try world.plan(audit, accepting: acceptance)
            return nil
        } catch {
            return error as? Refusal
        }
    }

    static func refused(_ audit: Pipeline.Audit) -> [String] {
        audit.summary.guards.filter(\.refused).map(\.title)
    }

    @Test("an empty mount point nulls nothing, on a first run or a later one, and is named first")
    func emptyMount() async throws {
        for seen in [true, false] {
            let world = try Self.world()
            Self.fill(world, 300)
            if seen { _ = try await world.audit() }
            for number in 0..<300 { world.bucket.remove(ObjectKey("s\(number)")) }
            let audit = try await world.audit()
            #expect(Self.refused(audit).contains("objectDrop:media"))
            let told = try #require(Self.refusal(world, audit))
            #expect(told.found.hasPrefix("bucket 'media' is empty: is its folder mounted"))
            #expect(!told.next.contains("mooring plan"), "\(told)")
        }
    }

    @Test("a bucket that lost a quarter writes no record, though each reference has its proof")
    func shrunkenBucket() async throws {
        let world = try Self.world("limits: {recordShare: 100%}")
        Self.fill(world, 40)
        _ = try await world.audit()
        for number in 0..<10 { world.bucket.remove(ObjectKey("s\(number)")) }
        let audit = try await world.audit()
        #expect(audit.tally.steps == 10)
        let told = try #require(Self.refusal(world, audit))
        #expect(told.description.contains("objectDrop at media is 25% (40 to 30)"))
        #expect(told.next.contains("mooring plan --accept objectDrop:media=25%"))
        let accepted = Acceptance(
            texts: ["objectDrop:media": "25%"], numbers: ["objectDrop:media": 0.25])
        #expect(Self.refusal(world, audit, accepted) == nil)
        // An accepted run is the new usual count.
        world.clock.advance(.hours(30))
        #expect(Self.refusal(world, try await world.audit()) == nil)
    }

    @Test("records that would all be deleted are counted where they lie")
    func deletedRecords() async throws {
        let world = try Self.world("repair: {dangling: delete-record}")
        world.album("a", #"["there"]"#)
        world.object("there")
        for number in 0..<400 { world.song("s\(number)", cover: "s\(number)") }
        for _ in 0..<2 {
            let audit = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
            guard audit.tally.steps > 0 else { continue }
            #expect(audit.tally.steps == 400)
            #expect(
                Self.refused(audit) == ["recordShare:app.Song.cover", "recordShare:app.Song"])
            #expect(Self.refusal(world, audit)?.next.contains("--accept") == false)
        }
    }

    @Test("a field mapped by mistake is named as what it is, and none of its values is nulled")
    func titles() async throws {
        let world = try Self.world()
        for number in 0..<30 {
            world.album("a\(number)", "[\"i\(number)\"]")
            world.object("i\(number)")
        }
        for number in 0..<300 { world.song("s\(number)", cover: "A title \(number)") }
        let audit = try await world.audit()
        #expect(Self.refused(audit) == ["recordShare:app.Song.cover"])
        let told = try #require(Self.refusal(world, audit))
        #expect(
            told.found.hasPrefix("none of its 300 values is the key of an object"), "\(told)")
        let field = try #require(audit.summary.fields.first { $0.field == "Song.cover" })
        #expect(field.held == 300 && field.listed == 0 && field.source == "app")
    }

    @Test("a wrong level of few records is a mapping error, beside whatever else is missing")
    func wrongLevel() async throws {
        let world = try Self.world(
            "limits: {orphanShare: 100%, recordShare: 100%}", cover: "level: root")
        for number in 0..<90 {
            world.song("s\(number)", cover: "s\(number).png")
            world.object("public/s\(number).png")
        }
        for number in 0..<400 { world.album("a\(number)", "[\"gone-\(number)\"]") }
        for number in 0..<400 { world.object("other/\(number * 7919)") }
        let audit = try await world.audit()
        let answer = try #require(MappingGuard.answer(in: audit.summary.guards))
        #expect(answer.refused && answer.place == "app.Song")
    }

    @Test("a run that a loss refused is no usual count, whether or not its orphans had their proof")
    func poisonedBaseline() async throws {
        let world = try Self.world(cover: "level: root")
        Self.fill(world, 400)
        _ = try await world.audit()
        for number in 0..<200 { world.source.delete("Song", Array("s\(number)".utf8)) }
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(audit.tally.steps == 0)
            #expect(Self.refused(audit) == ["referenceDrop:app.Song.cover"])
            #expect(Self.refusal(world, audit) != nil)
        }
    }

    @Test("sightings of a place that lost its references count for nothing until it is accepted")
    func sightings() async throws {
        let world = try Self.world(
            "limits: {orphanShare: 100%}", cover: "level: root")
        Self.fill(world, 100)
        _ = try await world.audit()
        for number in 0..<30 { world.source.delete("Song", Array("s\(number)".utf8)) }
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(audit.findings.about("s1")?.needs?.proof == "second sighting")
        }
        let accepted = Acceptance(
            texts: ["referenceDrop:app.Song.cover": "30%"],
            numbers: ["referenceDrop:app.Song.cover": 0.3])
        let audit = try await world.audit(accepting: accepted)
        #expect(Self.refused(audit).isEmpty)
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await world.audit().tally.steps == 30)
    }

    @Test("a share alone holds its sightings back until one as large is accepted")
    func heldSightings() async throws {
        let world = try Self.world(cover: "level: root")
        Self.fill(world, 80)
        for number in 0..<20 { world.object("posts/\(number)") }
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        #expect(Self.refused(try await world.audit()) == ["orphanShare:media"])
        for number in 20..<25 { world.object("posts/\(number)") }
        // Seen first in a run that the share refused.
        #expect(Self.refused(try await world.audit()) == ["orphanShare:media"])
        world.clock.advance(Sample.grace + .hours(1))
        let audit = try await world.audit()
        #expect(audit.tally.steps == 20)
        let accepted = Acceptance(
            texts: ["orphanShare:media": "25%"], numbers: ["orphanShare:media": 0.25])
        let own = try await world.audit(accepting: accepted)
        #expect(own.tally.steps == 25 && Self.refused(own).isEmpty)
        #expect(try world.plan(own).steps.count == 25)
    }

    @Test("a clock that was ahead once removes no usual count, and the newest run stays the newest")
    func clockAhead() async throws {
        let world = try Self.world(cover: "level: root")
        Self.fill(world, 300)
        _ = try await world.audit()
        world.clock.advance(.days(3_650))
        _ = try await world.audit()
        world.clock.advance(.zero - .days(3_649))
        for number in 0..<200 { world.source.delete("Song", Array("s\(number)".utf8)) }
        for clock in [["clockBound"], []] {
            let audit = try await world.audit()
            // The first run behind it cannot tell which of the two clocks was wrong.
            #expect(Self.refused(audit) == ["referenceDrop:app.Song.cover"] + clock)
            #expect(try world.ledger().runs().first?.id == audit.summary.id)
            #expect(
                try world.ledger().lastCompleteAudit(of: Pipeline.auditCommands)?.id
                    == audit.summary.id)
        }
    }

    @Test("a slow drain of references is seen against the largest count of seven days")
    func slowDrain() async throws {
        let world = try Self.world("limits: {orphanShare: 100%}", cover: "level: root")
        Self.fill(world, 400)
        _ = try await world.audit()
        var nights = 0
        for night in 0..<7 {
            world.clock.advance(.hours(23))
            for number in 0..<16 {
                world.source.delete("Song", Array("s\(night * 16 + number)".utf8))
            }
            if Self.refused(try await world.audit()).isEmpty { nights += 1 }
        }
        // Four in a hundred each night: the sixth night is over a fifth.
        #expect(nights == 5)
    }

    @Test("each hour's share counts with those of a day")
    func hourly() async throws {
        let world = try Self.world("repair: {dangling: keep}")
        Self.fill(world, 500)
        var removed = 0
        for hour in 0..<6 {
            for number in 0..<5 {
                world.song("x\(hour)-\(number)", cover: nil)
                world.object("x\(hour)-\(number)")
            }
            world.clock.advance(.hours(1))
            let audit = try await world.audit()
            guard Self.refusal(world, audit) == nil else { continue }
            removed += try await world.repair(world.plan(audit)).count
        }
        #expect(removed == 5)
        world.clock.advance(.hours(25))
        let audit = try await world.audit()
        let told = try #require(Self.refusal(world, audit))
        #expect(told.description.contains("(25 of 525)"), "\(told)")
    }

    @Test("a plan that waited is refused when another took the day's share meanwhile")
    func twoPlans() async throws {
        let world = try Self.world()
        Self.fill(world, 600)
        func add(_ name: String) {
            for number in 0..<4 {
                world.song("\(name)\(number)", cover: nil)
                world.object("\(name)\(number)")
            }
        }
        add("a")
        let first = try world.plan(try await world.audit())
        let checked = try GuardedPlan(checking: first, try world.job(), except: first.run)
        let held = (0..<4).compactMap { world.bucket.objects[ObjectKey("a\($0)")] }
        for number in 0..<4 { world.bucket.remove(ObjectKey("a\(number)")) }
        add("b")
        let rest = try world.plan(try await world.audit())
        for (number, one) in held.enumerated() {
            world.bucket.put(
                ObjectKey("a\(number)"), one.content, etag: one.version.etag, at: World.longAgo)
        }
        #expect((0..<4).compactMap { world.bucket.objects[ObjectKey("a\($0)")] } == held)
        #expect(first.steps.count == 4 && rest.steps.count == 4)
        // The check before would refuse it by now, since a newer run has looked: this one began
        // before that.
        let job = try world.job()
        let run = try world.begin(job, "repair").id
        let stage = RepairStage(try await world.rights(job), run: run)
        #expect(throws: Refusal.self) { try GuardedPlan(checking: first, job, except: run) }
        var outcomes: [StepOutcome?] = []
        try await stage.run(checked) { outcomes.append($0.outcome) }
        #expect(outcomes == Array(repeating: .done, count: 4))
        await #expect {
            try await world.repair(rest)
        } throws: { error in
            "\(error)".contains("4 and 4 of the last 24 hours")
        }
        #expect(world.has("b1"))
    }

    @Test("a prefix in which nothing lies is refused, though every reference lies outside of it")
    func wrongPrefix() async throws {
        let file = Sample.file(bucket: "    prefixes: [\"privat/\"]")
        let world = try World(file.replacing(Self.limits + "\n", with: ""))
        Self.fill(world, 474)
        let audit = try await world.audit()
        #expect(audit.summary.status == .complete)
        #expect(Self.refused(audit) == ["objectDrop:media"])
        #expect(Self.refusal(world, audit)?.found.contains("474 references mean it") == true)
    }
}
