import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("Stores whose moves are copies, so that what lies in quarantine has another time")
struct CopyingStoreTests {
    private func prepared() async throws -> (World, Plan) {
        let world = try World()
        world.bucket.become(.s3(.never, deletes: .honoured))
        world.song("k", cover: "keeper")
        for number in 0..<6 { world.song("s\(number)", cover: "keeper") }
        world.object("keeper")
        world.object("k")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.quarantine])
        return (world, plan)
    }

    @Test("another process gives it back, and sweeps it")
    func anotherProcess() async throws {
        let (world, plan) = try await prepared()
        let before = try #require(world.bucket.objects[ObjectKey("k")])
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(world.bucket.held.first?.stored.version != before.version)
        world.bucket.forget()
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.done])
        #expect(world.bucket.objects[ObjectKey("k")]?.content == before.content)
    }

    @Test("retention over, it is swept although its stamp is not the one that was judged")
    func sweeps() async throws {
        let (world, plan) = try await prepared()
        try await world.repair(plan)
        world.bucket.forget()
        world.clock.advance(.days(31))
        for _ in 0..<2 {
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
        }
        let audit = try await world.audit()
        let job = try world.job()
        let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
        var results: [StepResult] = []
        try await stage.run(stage.items(audit.quarantine), by: try await world.rights(job)) {
            results.append($0)
        }
        #expect(results.map(\.outcome) == [.done] && world.bucket.held.isEmpty)
    }

    @Test("dying at every border, then an association, then the next run: the object is there")
    func killed() async throws {
        for border in 0..<30 {
            let (world, plan) = try await prepared()
            let start = world.script.borders.count
            await world.untilDeath(atBorder: start + border) { try await world.repair(plan) }
            // The repair had ended before that border.
            guard world.script.borders.count > start + border else { break }
            world.write(song: "k", ["cover": .text("k")])
            try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty)
            #expect(world.has("k"), "at \(border)")
            world.remove()
        }
    }

    @Test("a move whose answer is lost is taken back by what was found")
    func lostAnswer() async throws {
        let (world, plan) = try await prepared()
        world.script.fail(.after, .quarantine)
        world.script.at(.after, .quarantine) { [weak world] in
            world?.bucket.forget()
            world?.write(song: "k", ["cover": .text("k")])
        }
        #expect(try await world.repair(plan).map(\.outcome) == [.putBack])
        #expect(world.has("k"))
    }
}

@Suite("What a deletion request takes beside objects")
struct EraseRemainsTests {
    @Test("older versions, markers and uploads under the prefix go, and nobody else's")
    func removes() async throws {
        let world = try World()
        world.bucket.become(.s3(.enabled, deletes: .honoured))
        for owner in ["me", "you"] {
            world.object("private/\(owner)/a")
            world.object("private/\(owner)/a")
            world.object("private/\(owner)/b")
            world.bucket.remove(ObjectKey("private/\(owner)/b"))
            world.bucket.upload("private/\(owner)/c", id: owner, begun: World.start)
        }
        let job = try world.job()
        let run = try world.begin(job, "erase").id
        let scope = try ErasureScope(
            .prefix(Array("private/me/".utf8)), bucket: nil, levels: [],
            buckets: job.bucketMappings)
        let remains = EraseRemains(job: job, run: run, scope: scope)
        let survey = try await remains.survey()
        #expect(survey.versions == 2 && survey.markers == 1 && survey.uploads == 1)
        #expect(world.bucket.openUploads == ["me", "you"])
        let outcome = try await remains.remove(by: try await world.rights(job))
        #expect(outcome == survey && outcome.failures.isEmpty)
        #expect(world.bucket.openUploads == ["you"])
        #expect(world.bucket.olderVersions.count == 3)
        #expect(
            world.bucket.olderVersions.allSatisfy { $0.key.hasPrefix(Array("private/you/".utf8)) })
        // What was deleted stays deleted.
        #expect(!world.has("private/me/b"))
        #expect(try await remains.survey().isEmpty)
    }
}
