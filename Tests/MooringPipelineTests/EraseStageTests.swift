import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("A deletion request against rivals, faults and crashes")
struct EraseStageTests {
    private static let mine = ["private/me/a", "protected/me/b", "private/me/held"]

    private func scope() throws -> ErasureScope {
        try ErasureScope(
            .identity(Array("me".utf8)), bucket: nil, levels: AccessLevel.amplify, buckets: [])
    }

    /// Two objects at their keys and one in quarantine, and another person's beside them.
    private func world() throws -> World {
        let world = try World()
        world.song("other", cover: "keeper")
        world.object("keeper")
        for key in Self.mine.prefix(2) { world.object(key) }
        world.object("private/me2/a")
        world.bucket.hold(
            ObjectKey(Self.mine[2]), run: RunID(startingAt: World.start - .days(2)))
        return world
    }

    @discardableResult
    private func erase(_ world: World) async throws -> [StepResult] {
        let job = try world.job()
        _ = try job.ledger.closeCrashedRuns()
        let run = try world.begin(job, "erase")
        var results: [StepResult] = []
        let rights = try await world.rights(job)
        let stage = EraseStage(job: job, run: run.id, scope: try scope())
        try await stage.run(try await stage.survey().items, by: rights) { results.append($0) }
        _ = try job.ledger.erase(scope(), by: run.id, at: job.clock())
        var summary = run
        summary.status = .complete
        try job.ledger.update(summary)
        return results
    }

    private func keys(_ world: World) -> Set<String> {
        Set(world.bucket.objects.keys.map(\.text))
            .union(world.bucket.held.map { "held " + $0.key.text })
    }

    private func isDone(_ world: World) throws -> Bool {
        try keys(world) == ["keeper", "private/me2/a"] && world.ledger().openIntents().isEmpty
            && world.ledger().verifyJournal().isSound
    }

    @Test("everything of the person goes, and nothing else")
    func whole() async throws {
        let world = try world()
        let results = try await erase(world)
        #expect(results.map(\.outcome) == [.done, .done, .done])
        #expect(try isDone(world))
        #expect(try await erase(world).isEmpty)
    }

    @Test("killed at every border, the next erasure finishes it")
    func killed() async throws {
        let probe = try world()
        try await erase(probe)
        for border in 0..<probe.script.borders.count {
            let world = try world()
            await world.untilDeath(atBorder: border) { try await erase(world) }
            try await erase(world)
            #expect(try isDone(world), "at \(border): \(keys(world))")
            // The killed program holds its connection for ever.
            world.remove()
        }
    }

    @Test("killed at every border, the resume of any command ends what was open")
    func resumed() async throws {
        let probe = try world()
        try await erase(probe)
        for border in 0..<probe.script.borders.count {
            let world = try world()
            await world.untilDeath(atBorder: border) { try await erase(world) }
            let results = try await world.resume()
            #expect(results.count <= 1)
            #expect(try world.ledger().openIntents().isEmpty, "at \(border)")
            // What it had moved for an order is removed, and not left in quarantine.
            let held = world.bucket.held.map(\.key.text).filter { $0 != Self.mine[2] }
            #expect(held.isEmpty, "at \(border): \(held)")
            world.remove()
        }
    }

    @Test("an object that is written behind the listing is left, whenever that is")
    func newer() async throws {
        let probe = try world()
        try await erase(probe)
        let listed = try #require(
            probe.script.borders.firstIndex { $0.operation == .list && $0.side == .after })
        var left = 0
        for border in (listed + 1)..<probe.script.borders.count {
            let world = try world()
            let key = ObjectKey(Self.mine[0])
            world.script.at(border: border) { [weak world] in
                world?.bucket.put(key, [9, 9])
            }
            let results = try await erase(world)
            #expect(world.bucket.objects[key]?.content == [9, 9], "at \(border)")
            if results[0].outcome == .stale { left += 1 }
            try await erase(world)
            #expect(try isDone(world), "at \(border)")
        }
        #expect(left > 0)
    }

    @Test("an answer that is lost is found out, and what is not known stays open")
    func lost() async throws {
        for operation in [Operation.quarantine, .sweep] {
            for (side, look) in [(Side.before, Side.before), (.after, .before), (.after, .after)] {
                let world = try world()
                world.script.fail(side, operation)
                world.script.fail(look, .headQuarantined)
                let results = try await erase(world)
                for result in results where result.outcome == .done {
                    #expect(
                        !keys(world).contains(result.step.key?.text ?? ""), "\(operation) \(side)")
                }
                try await erase(world)
                #expect(try isDone(world), "\(operation) \(side): \(keys(world))")
            }
        }
    }

    @Test("it counts what records hold, mapped or not, and names what cannot be read or changed")
    func survey() async throws {
        let world = try world()
        world.song("s", cover: Self.mine[0])
        world.source.insert(
            "Setting", ["id": .text("1"), "value": .text("see \(Self.mine[2]) there")])
        let job = try world.job()
        let run = try world.begin(job, "erase")
        let stage = EraseStage(job: job, run: run.id, scope: try scope())
        let survey = try await stage.survey()
        #expect(survey.items.count == 3 && survey.referenced == 2)
        #expect(survey.items.filter(\.isHeld).map(\.step.key?.text) == [Self.mine[2]])
        #expect(survey.incomplete.isEmpty && survey.copies.isEmpty)
        world.bucket.breakListings(true)
        #expect(try await stage.survey().incomplete == ["media"])
        let copies = try World(bucketsAreLive: false)
        let other = try copies.job()
        let dry = try await EraseStage(job: other, run: run.id, scope: try scope()).survey()
        #expect(dry.copies == ["media"] && dry.items.isEmpty)
    }

    @Test("what an erasure took out cannot be taken back, and stops no other undo")
    func undo() async throws {
        let world = try World(Sample.file(rest: "repair: {retention: 1d}"))
        world.song("other", cover: "keeper")
        for key in ["keeper", "k", "private/me/a"] { world.object(key) }
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        #expect(keys(world) == ["keeper", "held k", "held private/me/a"])
        let run = try world.lastRun()
        try await erase(world)
        #expect(keys(world) == ["keeper", "held k"])
        let results = try await world.undo(run)
        #expect(Set(results.map(\.outcome)) == [.done, .stale])
        #expect(
            results.compactMap(\.reason) == ["what it acted on was erased on request"])
        #expect(keys(world) == ["keeper", "k"])
    }

    // MARK: What is beside objects

    /// Two older versions and a marker of the person's, and an upload.
    private func versioned(bucketsAreLive: Bool = true) throws -> World {
        let world = try World(bucketsAreLive: bucketsAreLive)
        world.bucket.become(.s3(.enabled, deletes: .honoured))
        for _ in 0..<2 { world.object(Self.mine[0]) }
        world.bucket.remove(ObjectKey(Self.mine[0]))
        world.bucket.upload(Self.mine[1], id: "u", begun: World.longAgo)
        return world
    }

    @Test(
        "versions that could not be listed, or removed, are told, and the next request finds them")
    func versionRemains() async throws {
        for (operation, number, failures, left) in [
            (Operation.listVersions, 1, ["versions not listed: a planted fault"], 1),
            (
                .removeVersion, 2,
                [
                    "older versions are left: a planted fault",
                    "still listed afterwards: 1 older versions and 1 delete markers",
                ], 2
            ),
        ] as [(Operation, Int, [String], Int)] {
            let world = try versioned()
            let job = try world.job()
            let run = try world.begin(job, "erase")
            let rights = try await world.rights(job)
            world.script.fail(.before, operation, number)
            let outcome = try await EraseRemains(job: job, run: run.id, scope: try scope())
                .remove(by: rights)
            for failure in failures { #expect(outcome.failures.contains(failure), "\(outcome)") }
            #expect(outcome.versions == 0 || operation == .listVersions, "\(left)")
            let rest = try await EraseRemains(job: job, run: run.id, scope: try scope())
                .remove(by: rights)
            #expect(rest.failures.isEmpty && world.bucket.olderVersions.isEmpty)
        }
    }

    @Test(
        "what is beside objects and could not be listed or removed is told, and is not done",
        arguments: [
            (Operation.listUploads, "uploads not listed: a planted fault"),
            (.abort, "an upload is still open: a planted fault"),
        ])
    func remains(operation: Operation, failure: String) async throws {
        let world = try versioned()
        let job = try world.job()
        let run = try world.begin(job, "erase")
        let rights = try await world.rights(job)
        world.script.fail(.before, operation)
        let outcome = try await EraseRemains(job: job, run: run.id, scope: try scope())
            .remove(by: rights)
        #expect(outcome.failures == [failure] && outcome.uploads == 0)
        #expect(outcome.versions == 2 && outcome.markers == 1)
        #expect(world.bucket.openUploads == ["u"] && world.bucket.olderVersions.isEmpty)
        let rest = try await EraseRemains(job: job, run: run.id, scope: try scope())
            .remove(by: rights)
        #expect(rest.failures.isEmpty && rest.uploads == 1)
    }
}
