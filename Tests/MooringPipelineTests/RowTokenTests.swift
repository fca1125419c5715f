import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// A plan and what is written behind it, where records have no version.
@Suite("Plans that outlive what they were judged by")
struct RowTokenTests {
    private static let tables = Sample.tables.map { table in
        (name: table.name, columns: table.columns + ["title"])
    }

    /// A world whose notes miss these scans.
    private func prepared(_ notes: String...) throws -> World {
        let world = try World(tables: Self.tables)
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        for note in notes {
            world.source.insert(
                "Note",
                [
                    "id": .text(note), "scan": .text("notes/\(note)"),
                    "changed": .moment(World.longAgo), "title": .text("a title"),
                ])
        }
        return world
    }

    private func scan(_ world: World, _ note: String) -> FieldValue? {
        world.source.records("Note").first { $0["id"] == .text(note) }?["scan"]
    }

    @Test("a record that was written behind the plan keeps its reference, whatever was written")
    func rewritten() async throws {
        let writes: [[String: FieldValue]] = [
            ["changed": .moment(World.start)], ["title": .text("another title")],
            ["title": .null], ["scan": .text("notes/other")],
        ]
        for values in writes {
            let world = try prepared("n")
            let plan = try world.plan(try await world.audit())
            #expect(plan.steps.map(\.strategy) == [.nullify])
            world.source.set("Note", Array("n".utf8), values)
            #expect(try await world.repair(plan).map(\.outcome) == [.stale], "\(values)")
            #expect(scan(world, "n") == values["scan"] ?? .text("notes/n"))
        }
    }

    @Test("a record as it was judged is written")
    func unchanged() async throws {
        let world = try prepared("n")
        #expect(try await world.auditAndRepair().map(\.outcome) == [.done])
        #expect(scan(world, "n") == .null)
    }

    @Test("what an earlier step of the same plan wrote is no other's write")
    func ownSteps() async throws {
        let world = try prepared()
        world.source.insert(
            "Page",
            [
                "id": .text("p"), "images": .text(#"["pages/a","pages/b","pages/c"]"#),
                "changed": .moment(World.longAgo), "title": .text("a title"),
            ])
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.nullify, .nullify, .nullify])
        #expect(try await world.repair(plan).map(\.outcome) == [.done, .done, .done])
        // A write between two steps is one, though.
        let other = try prepared()
        other.source.insert(
            "Page",
            [
                "id": .text("p"), "images": .text(#"["pages/a","pages/b"]"#),
                "changed": .moment(World.longAgo),
            ])
        let two = try other.plan(try await other.audit())
        var first = two
        first.steps = [two.steps[0]]
        #expect(try await other.repair(first).map(\.outcome) == [.done])
        other.source.set("Page", Array("p".utf8), ["title": .text("new")])
        #expect(try await other.repair(two).map(\.outcome) == [nil, .stale])
    }

    @Test("a plan of an older program, which does not tell its records' rows, is refused")
    func oldPlan() async throws {
        let world = try prepared("n")
        var plan = try world.plan(try await world.audit())
        plan.id += "-old"
        plan.steps = plan.steps.map { step in
            var old = step
            old.precondition.rowToken = nil
            return old.sealed()
        }
        try world.ledger().save(plan)
        let refusal = await #expect(throws: Refusal.self) { try await world.repair(plan) }
        #expect(refusal?.found.contains("an older mooring made it") == true)
        #expect(scan(world, "n") == .text("notes/n"))
    }

    @Test("only the newest complete run is planned")
    func newestRun() async throws {
        let world = try prepared("n")
        let old = try await world.audit()
        let new = try await world.audit()
        let refusal = #expect(throws: Refusal.self) { try world.plan(old) }
        #expect(refusal?.found.contains(new.summary.id.text) == true)
        #expect(try world.plan(new).steps.count == 1)
        // A run that could not read everything has not looked at everything.
        world.source.breakTable("Note")
        _ = try await world.audit()
        world.source.breakTable(nil)
        #expect(try world.plan(new).steps.count == 1)
        // Nor has one that judged as of another moment.
        _ = try await world.audit(asOf: World.start - .days(30))
        #expect(try world.plan(new).steps.count == 1)
    }

    @Test("a plan expires so long after its scan, and not after it was made")
    func expiry() async throws {
        let world = try prepared("n")
        let audit = try await world.audit()
        let confirmedAt = try #require(audit.summary.confirmedAt)
        world.clock.advance(.hours(23))
        let plan = try world.plan(audit)
        #expect(plan.expiresAt == confirmedAt + .hours(24))
        world.clock.advance(.hours(2))
        await #expect(throws: Refusal.self) { try await world.repair(plan) }
        let refusal = #expect(throws: Refusal.self) { try world.plan(audit) }
        #expect(refusal?.found.contains("its scan ended at") == true)
        #expect(scan(world, "n") == .text("notes/n"))
    }
}
