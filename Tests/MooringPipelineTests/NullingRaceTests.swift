import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// What a device may do to the song `r` and its missing object `k` while the reference is nulled.
enum NullingAct: String, CaseIterable, Sendable {
    case upload, uploadAndAssociate, writeBack, deleteRecord, recreateRecord
    case associateOther, clear, writeElsewhere

    func run(_ world: World) {
        switch self {
        case .upload: world.object("k", at: world.clock.now)
        case .uploadAndAssociate:
            world.object("k", at: world.clock.now)
            world.write(song: "r", ["cover": .text("k")])
        case .writeBack: world.write(song: "r", ["cover": .text("k")])
        case .deleteRecord: world.source.delete("Song", Array("r".utf8))
        case .recreateRecord:
            world.source.delete("Song", Array("r".utf8))
            // Versions go on where a tombstone was; without that the row is told apart by nothing.
            world.write(song: "r", ["cover": .text("k"), "version": .integer(7)])
        case .associateOther:
            world.object("l", at: world.clock.now)
            world.write(song: "r", ["cover": .text("l")])
        case .clear: world.write(song: "r", ["cover": .null])
        case .writeElsewhere: world.write(song: "r", ["owner": .text("me")])
        }
    }

    /// What the device's own write leaves in the field; nil where it writes none.
    var written: String?? {
        switch self {
        case .uploadAndAssociate, .writeBack, .recreateRecord: .some("k")
        case .associateOther: .some("l")
        case .deleteRecord, .clear: .some(nil)
        case .upload, .writeElsewhere: nil
        }
    }
}

@Suite("Nulling a reference while devices act")
struct NullingRaceTests {
    /// A world whose only finding is the settled reference of `r` to the missing `k`.
    private func prepared() async throws -> (world: World, plan: Plan) {
        let world = try World()
        world.song("r", cover: "k")
        world.song("other", cover: "keeper")
        world.object("keeper")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.nullify])
        return (world, plan)
    }

    @Test("the protocol reads, looks, reads, writes and looks again")
    func borders() async throws {
        let (world, plan) = try await prepared()
        let before = world.script.borders.count
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(
            world.script.borders.dropFirst(before).filter { $0.side == .before }
                .map(\.operation) == [.rows, .head, .rows, .update, .head])
        #expect(world.cover("r") == nil)
        let row = try #require(world.source.records("Song").first)
        #expect(row["version"] == .integer(2))
        #expect(row["changed"] != .moment(World.longAgo))
    }

    @Test("at every border, each act of a device", arguments: NullingAct.allCases)
    func injected(act: NullingAct) async throws {
        for border in 0..<10 {
            let (world, plan) = try await prepared()
            world.script.at(border: world.script.borders.count + border) { [weak world] in
                world.map(act.run)
            }
            let results = try await world.repair(plan)
            #expect(results.count == 1)
            expectHonest(world, act, border, results[0].outcome)
            // Border 8 stands before the last look at the object.
            if act == .upload, border <= 8 { #expect(world.cover("r") == "k") }
        }
    }

    @Test("dying at every border, then each act, then the next run", arguments: NullingAct.allCases)
    func killed(act: NullingAct) async throws {
        for border in 0..<10 {
            let (world, plan) = try await prepared()
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                try await world.repair(plan)
            }
            act.run(world)
            let results = try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty)
            expectHonest(world, act, border, results.first?.outcome, afterDeath: true)
            if act == .upload { #expect(world.cover("r") == "k", "at \(border)") }
            world.remove()
        }
    }

    /// The device's own write always stands, and `done` means that the reference is gone.
    private func expectHonest(
        _ world: World, _ act: NullingAct, _ border: Int, _ outcome: StepOutcome?,
        afterDeath: Bool = false
    ) {
        if let written = act.written {
            #expect(world.cover("r") == written, "\(act) at \(border)")
        } else if outcome == .done {
            #expect(world.cover("r") == nil, "\(act) at \(border)")
        } else {
            // What was written since a crash is not ours to judge: the entry says so.
            #expect(
                world.cover("r") == "k" || outcome == nil || afterDeath, "\(act) at \(border)")
        }
        if act == .writeElsewhere {
            let row = world.source.records("Song").first { $0["id"] == .text("r") }
            #expect(row?["owner"] == .text("me"))
        }
        #expect(world.cover("other") == "keeper")
    }

    /// The object of `r` appears, and a device writes another column of `r`.
    private func healAndTouch(_ world: World) {
        world.object("k")
        world.write(song: "r", ["owner": .text("me")])
    }

    private func expectBack(_ world: World) throws {
        let row = try #require(world.source.records("Song").first { $0["id"] == .text("r") })
        #expect(row["cover"] == .text("k") && row["owner"] == .text("me"))
        // Nulled, written by the device, and put back.
        #expect(row["version"] == .integer(4))
        #expect(try world.ledger().openIntents().isEmpty)
    }

    @Test("a device that writes another column before the put back does not keep the reference out")
    func touchedBeforePutBack() async throws {
        // From behind the null write to between the put back's read and its write.
        for border in 7...12 {
            let (world, plan) = try await prepared()
            let begin = world.script.borders.count
            if border == 7 {
                world.script.at(.after, .update) { [weak world] in world.map(healAndTouch) }
            } else {
                world.script.at(.after, .update) { [weak world] in world?.object("k") }
                world.script.at(border: begin + border) { [weak world] in
                    world?.write(song: "r", ["owner": .text("me")])
                }
            }
            #expect(try await world.repair(plan).map(\.outcome) == [.putBack], "at \(border)")
            try expectBack(world)
        }
    }

    @Test("nor does one that writes it while the answer is lost, or the program is dead")
    func touchedInTheDark() async throws {
        let (lost, plan) = try await prepared()
        lost.script.at(.after, .update) { [weak lost] in lost.map(healAndTouch) }
        lost.script.fail(.after, .update)
        #expect(try await lost.repair(plan).map(\.outcome) == [.putBack])
        try expectBack(lost)
        let (dead, again) = try await prepared()
        await dead.untilDeath(atBorder: dead.script.borders.count + 7) {
            try await dead.repair(again)
        }
        healAndTouch(dead)
        #expect(try await dead.resume().map(\.outcome) == [.putBack])
        try expectBack(dead)
        dead.remove()
    }

    @Test("a put-back that fails once is tried again at once")
    func repeatedPutBack() async throws {
        for side in [Side.before, .after] {
            let (world, plan) = try await prepared()
            world.script.at(.after, .update) { [weak world] in world?.object("k") }
            world.script.fail(side, .update, 2)
            let outcome: StepOutcome = side == .before ? .putBack : .stale
            #expect(try await world.repair(plan).map(\.outcome) == [outcome])
            #expect(world.cover("r") == "k")
            #expect(try world.ledger().openIntents().isEmpty)
        }
    }

    @Test("a put-back that fails again and again is made good by the next run")
    func failedPutBack() async throws {
        let (world, plan) = try await prepared()
        world.script.at(.after, .update) { [weak world] in world?.object("k") }
        for attempt in 2...4 { world.script.fail(.before, .update, attempt) }
        #expect(try await world.repair(plan).map(\.outcome) == [.failed])
        #expect(world.cover("r") == nil)
        #expect(try await world.resume().map(\.outcome) == [.putBack])
        #expect(world.cover("r") == "k")
    }

    @Test("a write whose answer is lost is finished by looking at the object again")
    func lostAnswer() async throws {
        let (world, plan) = try await prepared()
        world.script.at(.after, .update) { [weak world] in world?.object("k") }
        world.script.fail(.after, .update)
        try await world.repair(plan)
        try await world.resume()
        #expect(world.cover("r") == "k")
        #expect(try world.ledger().openIntents().isEmpty)
    }

    @Test("a write that failed is not called done, and can come no more")
    func failedWrite() async throws {
        let (world, plan) = try await prepared()
        world.script.fail(.before, .update)
        #expect(try await world.repair(plan).map(\.outcome) == [.stale])
        #expect(world.cover("r") == "k")
        #expect(try world.source.carryOutLate() != [.written])
        try await world.resume()
        #expect(world.cover("r") == "k")
        #expect(try world.ledger().openIntents().isEmpty)
    }

    @Test("a record that names another bucket by now keeps its reference")
    func otherBucket() async throws {
        let text = Sample.file(
            bucket: "  - name: second\n    directory: ./second\n    quarantine: .q/")
        let world = try World(text)
        world.song("other", cover: "keeper")
        world.object("keeper")
        func file(_ bucket: String) -> FieldValue {
            .text("{\"bucket\":\"\(bucket)\",\"key\":\"posts/k\"}")
        }
        world.source.insert(
            "Post",
            ["id": .text("p"), "file": file("media"), "changed": .moment(World.longAgo)])
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.nullify])
        try world.bucket("second").put("posts/k")
        world.source.set("Post", Array("p".utf8), ["file": file("second")])
        #expect(try await world.repair(plan).map(\.outcome) == [.stale])
        #expect(world.source.records("Post").first?["file"] == file("second"))
    }
}
