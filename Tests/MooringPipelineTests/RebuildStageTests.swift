import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("Quarantine read back into a ledger")
struct RebuildStageTests {
    private func run(_ hour: Int64) -> RunID { RunID(startingAt: World.longAgo + .hours(hour)) }

    private func rebuild(_ world: World) async throws -> [RebuildStage.Missing] {
        let job = try world.job()
        let quarantine = try await RebuildStage.list(job.buckets, job.interruption)
        try #require(quarantine.isComplete)
        let missing = try RebuildStage(job: job).missing(quarantine)
        try RebuildStage(job: job).write(missing)
        return missing
    }

    @Test("Each object becomes a repair of its run, once, with the owners that its key names")
    func once() async throws {
        let world = try World()
        for hour in [Int64(2), 1] {
            world.bucket.hold(ObjectKey("song-1"), run: run(hour))
            world.bucket.hold(ObjectKey([0xFF, 0x0A]), run: run(hour))
        }
        let missing = try await rebuild(world)
        #expect(missing.map(\.run.summary.id) == [run(1), run(2)])
        let ledger = try world.ledger()
        #expect(try ledger.runs().map(\.id) == [run(2), run(1)])
        for hour in [Int64(1), 2] {
            let row = try #require(try ledger.run(run(hour)))
            #expect(row.command == "repair" && row.status == .complete)
            #expect(row.startedAt == World.longAgo + .hours(hour))
            #expect(row.repairs.done == 2 && row.notes == [RebuildStage.note])
            let entries = try ledger.journal(run: run(hour))
            #expect(entries.count == 2)
            for entry in entries {
                #expect(entry.outcome == .done && entry.step.strategy == .quarantine)
                #expect(entry.step.isIntact && entry.step.precondition.quarantinedBy == nil)
                let key = try #require(entry.step.key)
                #expect(
                    await world.bucket.headQuarantined(key, run: entry.run)
                        == entry.step.precondition.object.map { .present($0) })
            }
            let owned = try #require(entries.first { $0.step.key == ObjectKey("song-1") })
            #expect(owned.step.precondition.owners.contains { $0.model == "Song" })
        }
        let count = try ledger.journal(about: "media", key: ObjectKey("song-1")).count
        #expect(count == 2)
        #expect(try await rebuild(world).isEmpty)
        #expect(try ledger.journal(about: "media", key: ObjectKey("song-1")).count == count)
        #expect(try ledger.runs().count == 2)
    }

    @Test("What the journal knows is left, however it ended; only what is missing is added")
    func known() async throws {
        let world = try World()
        let job = try world.job()
        for key in ["known", "new"] { world.bucket.hold(ObjectKey(key), run: run(1)) }
        let step = PlanStep(
            id: "s", hash: "", strategy: .quarantine, finding: "f", bucket: "media",
            key: ObjectKey("known"), record: nil, precondition: Precondition())
        let open = try job.ledger.intend(
            JournalEntry(run: run(1), plan: nil, step: step, intendedAt: World.longAgo))
        let missing = try await rebuild(world)
        #expect(missing.map(\.isKnown) == [false] && missing.map(\.knownObjects) == [1])
        #expect(try job.ledger.openIntents().map(\.number) == [open.number])
        #expect(try job.ledger.journal(run: run(1)).map(\.step.key?.text) == ["known", "new"])
    }

    @Test("A run's folder whose name is no date is left alone, and said to be")
    func noDate() async throws {
        let world = try World()
        let odd = try #require(RunID("20261399T000000Z-abcdef"))
        world.bucket.hold(ObjectKey("song-1"), run: odd)
        world.bucket.hold(ObjectKey("song-2"), run: run(1))
        let quarantine = try await RebuildStage.list([world.bucket], Interruption())
        #expect(quarantine.isComplete && Array(quarantine.runs.keys) == [run(1)])
        #expect(quarantine.leftAlone.map(\.place) == [odd.text])
        #expect(quarantine.leftAlone.map(\.reason) == ["its name is no date"])
    }

    @Test("A listing that broke off is not complete")
    func incomplete() async throws {
        let world = try World()
        for number in 0..<9 { world.bucket.hold(ObjectKey("\(number)"), run: run(1)) }
        world.bucket.breakListings(true)
        let quarantine = try await RebuildStage.list([world.bucket], Interruption())
        #expect(!quarantine.isComplete && quarantine.problems.count == 1)
        let refusal = await #expect(throws: Refusal.self) {
            _ = try await Pipeline.quarantine(of: [world.bucket], Interruption())
        }
        #expect(refusal?.kind == .incomplete)
        #expect(
            refusal?.found
                == "the quarantine could not be listed to its end: media: the listing broke off")
        #expect(refusal?.refused == "the rebuild, and nothing was written")
        #expect(refusal?.next == "mend it, then run the same command again")
    }
}
