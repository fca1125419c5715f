import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("Open multipart uploads")
struct UploadTests {
    private static let aborting = "repair: {abandoned-upload: abort}"

    private func world(_ rest: String = "") throws -> World {
        let world = try World(Sample.file(rest: rest))
        world.bucket.become(.s3(.enabled, deletes: .honoured))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        return world
    }

    private func begun(_ ago: Duration) -> Instant { World.start - ago }

    @Test("an orphan whose key is being uploaded to is explained, until no part can come")
    func orphanInFlight() async throws {
        let world = try world()
        world.object("k")
        world.bucket.upload("k", id: "u", begun: begun(.days(20)), parts: [begun(.days(3))])
        let orphan = try #require(try await world.audit().findings.about("k"))
        #expect(orphan.verdict == .explained)
        #expect(orphan.explanation?.workflow == "multipart upload")
        #expect(orphan.explanation?.until == begun(.days(3)) + .days(7) + .hours(1))
        #expect(orphan.evidence.last?.contains("is open since") == true)
        world.clock.advance(.days(5))
        #expect(try await world.audit().findings.about("k")?.verdict == .settled)
    }

    @Test("a missing object that is being uploaded is explained")
    func danglingInFlight() async throws {
        let world = try world()
        world.song("r", cover: "k")
        world.bucket.upload("k", id: "u", begun: begun(.minutes(5)))
        let finding = try #require(try await world.audit().findings.about("k", .dangling))
        #expect(finding.verdict == .explained && finding.explanation?.step == "complete")
        world.clock.advance(.days(8))
        #expect(try await world.audit().findings.about("k", .dangling)?.verdict == .settled)
    }

    @Test("an upload past the upload window is a finding of its key, settled when M is over")
    func finding() async throws {
        let world = try world()
        world.bucket.upload("k", id: "new", begun: begun(.minutes(30)))
        #expect(try await world.audit().findings.isEmpty)
        world.bucket.upload(
            "k", id: "old", begun: begun(.days(9)), parts: [begun(.days(9)), begun(.days(6))])
        let open = try #require(try await world.audit().findings.about("k", .abandonedUpload))
        #expect(open.verdict == .explained && open.object?.size == 200)
        #expect(open.explanation?.until == begun(.days(6)) + .days(7))
        world.clock.advance(.days(2))
        let audit = try await world.audit()
        let settled = try #require(audit.findings.about("k", .abandonedUpload))
        #expect(settled.verdict == .settled && settled.id == open.id)
        // Of two uploads of a key it is about the one that is over.
        #expect(settled.basis.uploads.map(\.id) == ["old"])
        #expect(settled.evidence.count == 2 && settled.action == .keep)
        #expect(audit.summary.counts[.abandonedUpload]?.settledBytes == 200)
    }

    @Test("uploads that cannot be listed make their bucket incomplete, and nothing is planned")
    func incomplete() async throws {
        let world = try world()
        world.object("k")
        world.script.fail(.before, .listUploads)
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        #expect(audit.summary.incompleteSides == ["media"])
        #expect(throws: Refusal.self) { try world.plan(audit) }
    }

    @Test("parts that are not told leave a doubt, and keep what may be in flight")
    func unknownParts() async throws {
        let world = try world()
        world.object("k")
        world.bucket.upload("k", id: "u", begun: begun(.days(20)))
        world.script.fail(.before, .parts)
        let audit = try await world.audit()
        #expect(audit.findings.about("k", .abandonedUpload)?.verdict == .undecided)
        #expect(audit.findings.about("k")?.verdict == .explained)
    }

    @Test("it is ended after two runs a grace apart, for good, and a fresh one of its key stays")
    func aborts() async throws {
        let world = try world(Self.aborting)
        world.bucket.upload("k", id: "old", begun: begun(.days(20)))
        let first = try #require(
            try await world.audit().findings.about("k", .abandonedUpload))
        #expect(first.action == .abort && first.needs?.proof == "second sighting")
        world.clock.advance(Sample.grace + .hours(1))
        world.bucket.upload("k", id: "new", begun: World.start + Sample.grace)
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.abort])
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(world.bucket.openUploads == ["new"])
        let undone = try await world.undo(try world.lastRun())
        #expect(undone.map(\.outcome) == [.stale])
        #expect(undone[0].reason?.contains("cannot be brought back") == true)
    }

    @Test("one that got a part since the plan is left, and so is one begun since")
    func freshPart() async throws {
        let world = try world(Self.aborting)
        let upload = world.bucket.upload("k", id: "old", begun: begun(.days(20)))
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let plan = try world.plan(try await world.audit())
        world.bucket.upload(
            "k", id: upload.id, begun: upload.begunAt, parts: [World.start + Sample.grace])
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results[0].reason?.contains("it got a part at") == true)
        #expect(world.bucket.openUploads == ["old"])
    }

    @Test("a clock that differs makes the wait longer when it is ended, too")
    func clockDifference() async throws {
        let world = try world(Self.aborting)
        let upload = world.bucket.upload("k", id: "old", begun: begun(.days(20)))
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let plan = try world.plan(try await world.audit())
        let part = world.clock.now - .days(7) - .seconds(30)
        world.bucket.upload("k", id: "old", begun: upload.begunAt, parts: [part])
        world.source.setClock(.minutes(2))
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results[0].reason?.contains("it got a part at") == true)
        #expect(world.bucket.openUploads == ["old"])
    }

    @Test("whenever the program dies, the next run finds out what was ended")
    func killed() async throws {
        for border in 0..<8 {
            let world = try world(Self.aborting)
            world.bucket.upload("k", id: "old", begun: begun(.days(20)))
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
            let plan = try world.plan(try await world.audit())
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                try await world.repair(plan)
            }
            let results = try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty)
            let entries = try world.ledger().journal(about: "media", key: ObjectKey("k"))
            let done = (entries.count { $0.outcome == .done }) == 1
            #expect(done == world.bucket.openUploads.isEmpty, "at \(border): \(results)")
            world.remove()
        }
    }

    @Test("an answer that is lost is looked for: ended, or still open")
    func lostAnswer() async throws {
        for side in [Side.before, .after] {
            let world = try world(Self.aborting)
            world.bucket.upload("k", id: "old", begun: begun(.days(20)))
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
            let plan = try world.plan(try await world.audit())
            world.script.fail(side, .abort)
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [side == .before ? .failed : .done])
            #expect(world.bucket.openUploads.isEmpty == (side == .after))
        }
    }
}
