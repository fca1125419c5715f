import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// What the configuration says in words of a source's texts: which say what was, and which are not
/// read at all.
@Suite("Histories and unread tables")
struct HistoryTests {
    private func world(
        _ line: String, race: String = "", rest: String = "repair: {retention: 30d}",
        bucket: String = ""
    ) throws -> World {
        let world = try World(
            Sample.file(bucket: bucket, race: race, rest: rest).replacing(
                "    sqlite: ./app.sqlite\n", with: "    sqlite: ./app.sqlite\n    \(line)\n"))
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("keeper")
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.object("album-\(number)")
        }
        world.song("gone", cover: nil)
        world.object("gone")
        return world
    }

    private func mention(_ world: World) {
        world.source.insert("Setting", ["id": .text("1"), "value": .text("was gone")])
        world.source.insert("Setting", ["id": .text("2"), "value": .text("gone")])
    }

    private func nights(_ world: World, _ count: Int) async throws {
        for _ in 0..<count {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
    }

    private func need(_ world: World) async throws -> ProofNeed? {
        try #require(try await world.audit().quarantine.first).need
    }

    @Test(
        "what only a history names is quarantined, and kept twice the retention",
        arguments: ["Setting", "Setting.value", "Set*.v*"])
    func retention(pattern: String) async throws {
        let world = try world("notReferences: [\"\(pattern)\"]")
        mention(world)
        let audit = try await world.audit()
        let finding = try #require(audit.findings.about("gone"))
        #expect(finding.evidence.contains { $0.contains("('notReferences') still names it") })
        #expect(!audit.findings.contains { $0.kind == .unmappedReference })
        let began = world.clock.now
        #expect(try await world.repair(world.plan(audit)).map(\.outcome) == [.done])
        try await nights(world, 31)
        let need = try #require(try await need(world))
        #expect(need.proof == "retention")
        #expect(need.after.map { $0 - began > .days(60) && $0 - began < .days(61) } == true)
        try await nights(world, 30)
        #expect(try await self.need(world) == nil)
    }

    @Test("once no history names it any more, one retention is enough")
    func forgotten() async throws {
        let world = try world("notReferences: [Setting]")
        mention(world)
        try await world.auditAndRepair()
        try await nights(world, 31)
        #expect(try await need(world)?.proof == "retention")
        for id in ["1", "2"] { world.source.delete("Setting", Array(id.utf8)) }
        #expect(try await need(world) == nil)
    }

    @Test("a history takes no protection away: what another column names stays where it is")
    func otherColumn() async throws {
        for pattern in ["Setting.id", "Setting.values", "setting", "Other"] {
            let world = try world("notReferences: [\(pattern)]")
            mention(world)
            let audit = try await world.audit()
            #expect(audit.findings.about("gone", .unmappedReference) != nil, "\(pattern)")
            #expect(try world.plan(audit).steps.isEmpty && world.has("gone"))
        }
    }

    @Test("what a history names behind the plan is not removed for good")
    func namedSince() async throws {
        let world = try world(
            "notReferences: [Setting]", race: ", relink: never",
            rest: "repair: {orphan: delete}")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.delete])
        mention(world)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results.map(\.reason) == ["what says what was names the key"])
        #expect(world.has("gone"))
    }

    @Test("what is for good waits until no history names the object", arguments: [false, true])
    func delete(isTag: Bool) async throws {
        let world = try world(
            "notReferences: [Setting]", race: ", relink: never",
            rest: "repair: {orphan: \(isTag ? "tag" : "delete")}")
        if isTag { world.bucket.become(.s3(.enabled, deletes: .honoured)) }
        mention(world)
        for _ in 0..<3 {
            let audit = try await world.audit()
            #expect(
                audit.findings.about("gone")?.needs?.proof
                    == "nothing in notReferences that names it")
            #expect(try world.plan(audit).steps.isEmpty)
            world.clock.advance(Sample.grace + .hours(1))
        }
        for id in ["1", "2"] { world.source.delete("Setting", Array(id.utf8)) }
        #expect(try world.plan(try await world.audit()).steps.count == 1)
    }
}

@Suite("Tables that nobody reads")
struct UnreadTableTests {
    private static let second = "  - {name: other, directory: ./other, quarantine: .o/}"

    private func world(_ rest: String, race: String = "", isUnread: Bool = true) throws -> World {
        let line = isUnread ? "    unread: [Setting]\n" : ""
        let world = try World(
            Sample.file(bucket: Self.second, race: race, rest: rest)
                .replacing("scan, bucket: media", with: "scan, bucket: other")
                .replacing(
                    "    sqlite: ./app.sqlite\n", with: "    sqlite: ./app.sqlite\n" + line))
        world.source.breakTable("Setting")
        PlaceGuardTests.fill(world, 20)
        for id in ["kept", "gone"] {
            world.source.insert(
                "Note",
                [
                    "id": .text(id), "scan": id == "kept" ? .text("notes/kept") : .null,
                    "changed": .moment(World.longAgo),
                ])
            try world.bucket("other").put("notes/\(id)", at: World.longAgo)
        }
        world.song("lost", cover: nil)
        world.object("lost")
        return world
    }

    @Test("a table that cannot be read makes the run incomplete, unless it is left out in words")
    func complete() async throws {
        let world = try world("", isUnread: false)
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        #expect(throws: Refusal.self) { try world.plan(audit) }
        let other = try self.world("")
        let told = try await other.audit()
        #expect(told.summary.status == .complete)
        #expect(
            told.summary.notes.contains { $0.contains("unread leaves Setting out of") },
            "\(told.summary.notes)")
    }

    @Test("what can be taken back is done; nothing is swept, in no bucket, however long it lies")
    func sweep() async throws {
        let world = try world("repair: {retention: 1d}")
        #expect(try await world.auditAndRepair().map(\.outcome) == [.done, .done])
        for _ in 0..<40 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let states = try await world.audit().quarantine
        #expect(Set(states.map(\.bucket)) == ["media", "other"])
        #expect(states.allSatisfy { $0.need?.proof == "a source without unread tables" })
        #expect(states.allSatisfy { $0.proof == nil })
    }

    @Test(
        "no object is deleted or tagged and no record deleted, in no bucket",
        arguments: ["orphan: delete", "orphan: tag", "dangling: delete-record"])
    func forGood(policy: String) async throws {
        let world = try world("repair: {\(policy)}", race: ", relink: never")
        if policy.hasSuffix("tag") {
            for name in ["media", "other"] {
                try world.bucket(name).become(.s3(.enabled, deletes: .honoured))
            }
        }
        world.song("missing", cover: "missing")
        var held = 0
        for _ in 0..<3 {
            let audit = try await world.audit()
            let irreversible = audit.findings.filter {
                $0.action.map { [.delete, .tag, .deleteRecord].contains($0) } == true
            }
            held += irreversible.count
            #expect(
                irreversible.allSatisfy { $0.needs?.proof == "a source without unread tables" })
            let acts = try world.plan(audit).steps.map(\.strategy)
            #expect(!acts.contains { [.delete, .tag, .deleteRecord].contains($0) })
            world.clock.advance(Sample.grace + .hours(1))
        }
        #expect(held > 0)
    }
}
