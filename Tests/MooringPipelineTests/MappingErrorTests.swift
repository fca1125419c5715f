import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

@Suite("A mapping error, and what it proves nothing about")
struct MappingErrorTests {
    /// A world of so many songs whose covers lie under another prefix than their mapping says.
    private func prepared(_ count: Int = 110, rest: String = "") throws -> World {
        let world = try World(Sample.file(cover: "level: root", rest: rest))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        for number in 0..<count {
            world.song("s\(number)", cover: "x\(number).png")
            world.object("wrong/x\(number).png")
        }
        return world
    }

    private func answer(_ audit: Pipeline.Audit) throws -> RunSummary.Guard {
        try #require(MappingGuard.answer(in: audit.summary.guards))
    }

    @Test("it is one finding that keeps its id and counts its runs, and a plan is refused")
    func finding() async throws {
        let world = try prepared()
        let first = try #require(
            try await world.audit().findings.first { $0.kind == .mappingError })
        let audit = try await world.audit()
        let second = try #require(audit.findings.first { $0.kind == .mappingError })
        #expect(first.id == second.id)
        #expect(second.runs == 2 && second.firstSeen == first.firstSeen)
        #expect(second.cause == .prefix && second.verdict == .settled)
        #expect(audit.findings == audit.findings.sorted(by: Finding.precedes))
        #expect(audit.tally.steps == 0)
        #expect(try answer(audit).refused)
        #expect(
            try answer(audit).hint
                == "look at 'level' under files of Song.cover, and 'levels'; adding the prefix "
                + "'wrong/' to the values would fit; then run mooring audit")
        #expect(
            second.evidence.contains("'x0.png' means 'x0.png', and 'wrong/x0.png' is there"),
            "\(second.evidence)")
        #expect(
            second.evidence.contains("110 dangling references and 110 orphans are candidates"))
        #expect(throws: Refusal.self) { try world.plan(audit) }
    }

    @Test("a run with one is no sighting of an orphan")
    func noSighting() async throws {
        let world = try prepared()
        world.object("posts/x")
        #expect(try await world.audit().findings.about("posts/x")?.needs == MappingGuard.need)
        world.clock.advance(Sample.grace + .hours(1))
        for number in 0..<110 { world.object("x\(number).png") }
        let audit = try await world.audit()
        #expect(try !answer(audit).refused)
        #expect(audit.findings.about("posts/x")?.needs?.proof == "second sighting")
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await world.audit().findings.about("posts/x")?.needs == nil)
    }

    @Test("a run with one sweeps nothing, and counts against what lies in quarantine")
    func noCleanRun() async throws {
        let world = try prepared(9, rest: "repair: {retention: 1h}")
        world.object("posts/x")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let plan = try world.plan(try await world.audit())
        _ = try await world.repair(plan)
        world.clock.advance(.days(1))
        func need() async throws -> String? {
            let audit = try await world.audit()
            return try #require(
                audit.quarantine.first { $0.object.key == ObjectKey("posts/x") }
            ).need?.proof
        }
        _ = try await need()
        #expect(try await need()?.contains("(1 so far)") == true)
        world.clock.advance(Sample.grace + .hours(1))
        for number in 200..<310 {
            world.song("s\(number)", cover: "x\(number).png")
            world.object("wrong/x\(number).png")
        }
        #expect(try await need() == MappingGuard.need.proof)
        for number in 200..<310 { world.object("x\(number).png") }
        #expect(try await need()?.contains("(0 so far)") == true)
    }

    @Test("thumbnails of missing objects are none")
    func derived() async throws {
        let world = try World(
            Sample.file(cover: "level: root", bucket: "    derived: [\"thumbs/{key}\"]"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        for number in 0..<120 {
            world.song("s\(number)", cover: "x\(number).png")
            world.object("thumbs/x\(number).png")
        }
        let audit = try await world.audit()
        #expect(audit.findings.allSatisfy { $0.kind == .dangling })
        #expect(try !answer(audit).refused)
    }

    @Test("a side that was not read to its end is not asked")
    func incomplete() async throws {
        let world = try prepared()
        world.bucket.breakListings(true)
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        #expect(!audit.findings.contains { $0.kind == .mappingError })
        #expect(try answer(audit).value == "not looked for: a side is incomplete")
    }

    @Test("what is to be looked at is said for each way in which values and keys differ")
    func hints() async throws {
        for (value, key, hint) in [
            (
                "UP-NUMBER.PNG", "up-NUMBER.png",
                "files of Song.cover: find out which side changes the case"
            ),
            (
                "a%20b-NUMBER.png", "a b-NUMBER.png",
                "files of Song.cover: find out whether records or keys are percent-encoded"
            ),
            (
                "e\u{301}-NUMBER.png", "\u{E9}-NUMBER.png",
                "files of Song.cover: find out which side changes the Unicode form"
            ),
            (
                "https://cdn.example/x-NUMBER.png", "x-NUMBER.png",
                "files of Song.cover: its values are URLs, and Mooring follows keys"
            ),
            (
                "/x-NUMBER.png", "x-NUMBER.png",
                "'level' under files of Song.cover, 'levels', and how the app joins paths"
            ),
        ] {
            let world = try World(Sample.file(cover: "level: root"))
            world.song("keeper", cover: "keeper")
            world.object("keeper")
            for number in 0..<110 {
                let (value, key) = (
                    value.replacing("NUMBER", with: "\(number)"),
                    key.replacing("NUMBER", with: "\(number)")
                )
                world.song("s\(number)", cover: value)
                world.object(key)
            }
            let told = try answer(try await world.audit()).hint ?? ""
            #expect(told.hasPrefix("look at \(hint); "), "\(told)")
        }
    }
}
