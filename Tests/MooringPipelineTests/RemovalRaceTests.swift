import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// What a device may do to the object `k` of the song `k` while it is being removed.
enum RemovalAct: String, CaseIterable, Sendable {
    case uploadOther, uploadSame, associate, uploadAndAssociate, writeBackElsewhere
    case deleteOwner, recreateOwner, removeObject, removeAndUpload

    func run(_ world: World) {
        switch self {
        case .uploadOther: world.bucket.put(ObjectKey("k"), Array("new".utf8))
        case .uploadSame: world.bucket.put(ObjectKey("k"), Array("content of k".utf8))
        case .associate: world.write(song: "k", ["cover": .text("k")])
        case .uploadAndAssociate:
            world.bucket.put(ObjectKey("k"), Array("new".utf8))
            world.write(song: "k", ["cover": .text("k")])
        case .writeBackElsewhere: world.write(song: "other", ["cover": .text("k")])
        case .deleteOwner: world.source.delete("Song", Array("k".utf8))
        case .recreateOwner:
            world.source.delete("Song", Array("k".utf8))
            world.write(song: "k", ["cover": .text("k")])
        case .removeObject: world.bucket.remove(ObjectKey("k"))
        case .removeAndUpload:
            world.bucket.remove(ObjectKey("k"))
            world.bucket.put(ObjectKey("k"), Array("new".utf8))
        }
    }

    /// Whether the owner of `k`, which the protocol reads again, references it afterwards.
    var isSeenByOwner: Bool {
        [.associate, .uploadAndAssociate, .recreateOwner].contains(self)
    }
    /// Whether a new object lies at `k` afterwards.
    var uploads: Bool {
        [.uploadOther, .uploadSame, .uploadAndAssociate, .removeAndUpload].contains(self)
    }
    /// Whether the device itself did away with the object that the audit saw.
    var endsFirstVersion: Bool { uploads || self == .removeObject }
}

@Suite("Removing an orphan while devices act")
struct RemovalRaceTests {
    /// A world whose only finding is the settled orphan `k`, and the plan that quarantines it.
    private func prepared() async throws -> (world: World, plan: Plan, first: FakeBucket.Stored) {
        let world = try World()
        world.song("k", cover: "keeper")
        world.song("other", cover: "keeper")
        // Enough references that the loss of one is no drop.
        for number in 0..<6 { world.song("s\(number)", cover: "keeper") }
        world.object("keeper")
        world.object("k")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.quarantine])
        return (world, plan, try #require(world.bucket.objects[ObjectKey("k")]))
    }

    /// How many borders the repeated pass B passes before the step, which has eight more.
    private func confirmBorders() async throws -> Int {
        let (world, plan, _) = try await prepared()
        let before = world.script.borders.count
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        return world.script.borders.count - before - 8
    }

    @Test(
        "a reference that spells it otherwise keeps an object, unless its own is there",
        arguments: [false, true])
    func twin(isThere: Bool) async throws {
        let (world, plan, _) = try await prepared()
        if isThere { world.bucket.put(ObjectKey("K"), Array("another".utf8)) }
        world.write(song: "other", ["cover": .text("K")])
        #expect(try await world.repair(plan).map(\.outcome) == [isThere ? .done : .stale])
        #expect(world.has("k") == !isThere)
    }

    @Test("the protocol repeats pass B, then reads owners, looks, moves, and reads owners again")
    func borders() async throws {
        let (world, plan, _) = try await prepared()
        let before = world.script.borders.count
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.done])
        let operations = world.script.borders.dropFirst(before).filter { $0.side == .before }
            .map(\.operation)
        #expect(operations.first == .scan)
        #expect(operations.dropFirst().prefix { $0 == .batch }.count >= Sample.tables.count)
        #expect(
            operations.dropFirst().drop { $0 == .batch } == [.rows, .head, .quarantine, .rows])
        #expect(!world.has("k") && world.bucket.held.count == 1)
    }

    @Test("at every border, each act of a device", arguments: RemovalAct.allCases)
    func injected(act: RemovalAct) async throws {
        let scanned = try await confirmBorders()
        for border in 0..<(scanned + 8) {
            let (world, plan, first) = try await prepared()
            world.script.at(border: world.script.borders.count + border) { [weak world] in
                world.map(act.run)
            }
            let results = try await world.repair(plan)
            #expect(results.count == 1)
            // The sixth border of the step stands before the last look at the owners.
            if act.isSeenByOwner, border <= scanned + 6 {
                #expect(world.has("k"), "\(act) at \(border)")
            }
            // No owner that is read again: only pass B sees it, from its first border on.
            if act == .writeBackElsewhere, border == 0 {
                #expect(results.map(\.outcome) == [.stale] && world.has("k"))
            }
            try expectHonest(world, act, first, border)
            try await expectHealed(world, act, border)
        }
    }

    @Test("dying at every border, then each act, then the next run", arguments: RemovalAct.allCases)
    func killed(act: RemovalAct) async throws {
        for border in 0..<(try await confirmBorders() + 8) {
            let (world, plan, first) = try await prepared()
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                try await world.repair(plan)
            }
            act.run(world)
            try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty)
            if act.isSeenByOwner { #expect(world.has("k"), "\(act) at \(border)") }
            try expectHonest(world, act, first, border)
            try await expectHealed(world, act, border)
            world.remove()
        }
    }

    /// Nothing is lost, and the journal says what the stores show.
    private func expectHonest(
        _ world: World, _ act: RemovalAct, _ first: FakeBucket.Stored, _ border: Int
    ) throws {
        let held = world.bucket.held.filter { $0.stored == first }
        let stays = world.bucket.objects[ObjectKey("k")] == first
        if !act.endsFirstVersion {
            #expect((held.count == 1) != stays, "\(act) at \(border)")
        }
        if act.uploads { #expect(world.has("k"), "\(act) at \(border)") }
        let entries = try world.ledger().journal(about: "media", key: ObjectKey("k"))
        let done = entries.filter { $0.outcome == .done }
        // A restore that a newer object stands in the way of is named as such.
        let named = entries.filter { $0.reason?.contains("stays in quarantine") == true }
        #expect((done + named).count == (held.isEmpty ? 0 : 1), "\(act) at \(border)")
        for entry in done + named { #expect(held.map(\.run) == [entry.run]) }
    }

    /// The next whole run brings back what a record references, and takes nothing that it needs.
    private func expectHealed(_ world: World, _ act: RemovalAct, _ border: Int) async throws {
        let wanted = world.source.records("Song").contains { $0["cover"] == .text("k") }
        try await world.auditAndRepair()
        if wanted, act != .removeObject { #expect(world.has("k"), "\(act) at \(border)") }
        #expect(world.has("keeper"))
    }

    @Test("a move whose answer is lost is looked at: done, or nothing changed")
    func unknownMoves() async throws {
        for side in [Side.before, .after] {
            let (world, plan, first) = try await prepared()
            world.script.fail(side, .quarantine)
            try await world.repair(plan)
            try expectHonest(world, .deleteOwner, first, 0)
            try await world.resume()
            try expectHonest(world, .deleteOwner, first, 0)
        }
    }

    @Test("a move whose answer is lost is undone when an owner references the object by then")
    func unknownMoveAndAssociation() async throws {
        let (world, plan, first) = try await prepared()
        world.script.fail(.after, .quarantine)
        world.script.at(.after, .quarantine) { [weak world] in
            world?.write(song: "k", ["cover": .text("k")])
        }
        try await world.repair(plan)
        try await world.resume()
        #expect(world.bucket.objects[ObjectKey("k")] == first)
        try expectHonest(world, .associate, first, 0)
    }

    @Test("a restore that fails is tried again by the next run")
    func failedRestore() async throws {
        let (world, plan, first) = try await prepared()
        world.script.at(.after, .quarantine) { [weak world] in
            world?.write(song: "k", ["cover": .text("k")])
        }
        world.script.fail(.before, .restore)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.failed])
        try await world.resume()
        #expect(world.bucket.objects[ObjectKey("k")] == first)
    }
}
