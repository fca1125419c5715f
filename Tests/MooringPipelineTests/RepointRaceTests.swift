import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// What a device may do to the song `r`, which holds `Abc`, while that is made `abc`.
enum RepointingAct: String, CaseIterable, Sendable {
    case upload, removeTarget, replaceTarget, associateOther, clear, deleteRecord, writeElsewhere

    func run(_ world: World) {
        switch self {
        case .upload: world.object("Abc", at: world.clock.now)
        case .removeTarget: world.bucket.remove(ObjectKey("abc"))
        case .replaceTarget: world.object("abc", at: world.clock.now)
        case .associateOther: world.write(song: "r", ["cover": .text("keeper")])
        case .clear: world.write(song: "r", ["cover": .null])
        case .deleteRecord: world.source.delete("Song", Array("r".utf8))
        case .writeElsewhere: world.write(song: "r", ["owner": .text("me")])
        }
    }

    /// The last border before which the act is still seen; nil where the record itself tells.
    var lastLook: Int? {
        switch self {
        case .upload: 10
        case .removeTarget, .replaceTarget: 12
        default: nil
        }
    }
}

@Suite("Pointing a reference to its twin while devices act")
struct RepointRaceTests {
    // Record, old object, target, record, write, old object, target; a border on either side.
    private static let borders = 14

    /// A world whose only step makes the reference of `r` to the missing `Abc` mean `abc`.
    private func prepared() async throws -> (world: World, plan: Plan) {
        let world = try World(Sample.file(rest: "repair: {orphan: keep, dangling: repoint}"))
        world.song("other", cover: "keeper")
        world.object("keeper")
        world.song("r", cover: "Abc")
        world.object("abc")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.repoint])
        #expect(plan.steps.first?.target == ObjectPlace(bucket: "media", key: ObjectKey("abc")))
        return (world, plan)
    }

    private func openCount(_ world: World) throws -> Int { try world.ledger().openIntents().count }

    @Test("both objects are looked at before the write and behind it; undo takes it back")
    func done() async throws {
        let (world, plan) = try await prepared()
        let before = world.script.borders.count
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(
            world.script.borders.dropFirst(before).filter { $0.side == .before }
                .map(\.operation)
                == [.rows, .head, .head, .rows, .update, .head, .head])
        #expect(world.cover("r") == "abc")
        let run = try world.lastRun()
        #expect(try world.plan(try await world.audit()).steps.isEmpty)
        #expect(try await world.undo(run).map(\.outcome) == [.done])
        #expect(world.cover("r") == "Abc" && world.has("abc"))
    }

    @Test("at every border, each act of a device: the key stays if its file is there again")
    func injected() async throws {
        var outcomes: Set<StepOutcome> = []
        for act in RepointingAct.allCases {
            for border in 0..<Self.borders {
                let (world, plan) = try await prepared()
                world.script.at(border: world.script.borders.count + border) { [weak world] in
                    world.map(act.run)
                }
                let outcome = try #require(try await world.repair(plan).first?.outcome)
                outcomes.insert(outcome)
                let why = Comment(rawValue: "\(act) at \(border): \(outcome)")
                if let last = act.lastLook {
                    #expect(world.cover("r") == (border <= last ? "Abc" : "abc"), why)
                    #expect((outcome == .done) == (border > last), why)
                }
                if act == .associateOther { #expect(world.cover("r") == "keeper", why) }
                if act == .clear || act == .deleteRecord {
                    #expect(world.cover("r") == nil, why)
                }
                if act == .writeElsewhere {
                    #expect(world.cover("r") == (outcome == .done ? "abc" : "Abc"), why)
                }
                #expect(world.has("abc") == (act != .removeTarget), why)
                #expect(try openCount(world) == 0, why)
            }
        }
        #expect(outcomes == [.done, .stale, .putBack])
    }

    @Test(
        "dead at any border, the next run ends it as the stores are by then",
        arguments: [nil, .upload, .removeTarget, .replaceTarget] as [RepointingAct?])
    func crashes(meanwhile act: RepointingAct?) async throws {
        for border in 0..<Self.borders {
            let (world, plan) = try await prepared()
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                _ = try await world.repair(plan)
            }
            act?.run(world)
            try await world.resume()
            #expect(try openCount(world) == 0, "border \(border)")
            let isWritten = act == nil && border > 8
            #expect(world.cover("r") == (isWritten ? "abc" : "Abc"), "border \(border)")
            world.remove()
        }
    }

    @Test("a write that comes late, when the old file is back, is fenced off")
    func lateWrite() async throws {
        var late = 0
        for border in 0..<16 {
            let (world, plan) = try await prepared()
            world.script.fail(.before, .update)
            world.script.at(border: world.script.borders.count + border) { [weak world] in
                world?.object("Abc")
                #expect(throws: Never.self) { try world?.source.carryOutLate() }
            }
            let outcome = try await world.repair(plan).first?.outcome
            world.object("Abc")
            try world.source.carryOutLate()
            #expect(world.cover("r") == "Abc", "at \(border): \(String(describing: outcome))")
            #expect(try openCount(world) == 0)
            // The object that comes early ends the step before it writes.
            if !world.script.mayMiss() { late += 1 }
        }
        #expect(late > 4)
    }

    @Test("a write whose answer is lost is found out, and put back if it has to be")
    func lostAnswer() async throws {
        let (world, plan) = try await prepared()
        world.script.fail(.after, .update)
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(world.cover("r") == "abc")
        let other = try await prepared()
        other.world.script.fail(.after, .update)
        other.world.script.at(.after, .update) { [weak world = other.world] in
            world?.bucket.remove(ObjectKey("abc"))
        }
        #expect(try await other.world.repair(other.plan).map(\.outcome) == [.putBack])
        #expect(other.world.cover("r") == "Abc")
    }

    @Test("a look that fails writes nothing before the write, and puts back behind it")
    func unknown() async throws {
        for look in 1...4 {
            let (world, plan) = try await prepared()
            let heads = world.script.borders.count { $0.operation == .head && $0.side == .before }
            world.script.fail(.before, .head, heads + look)
            let outcome = try await world.repair(plan).first?.outcome
            #expect(outcome == (look <= 2 ? .failed : .putBack), "look \(look)")
            #expect(world.cover("r") == "Abc")
        }
    }

    @Test("an object that another record references, or may mean, is no target")
    func taken() async throws {
        for (held, isTarget) in [("abc", false), ("ABC", false), ("Abc", true)] {
            let world = try World(Sample.file(rest: "repair: {orphan: keep, dangling: repoint}"))
            world.song("r", cover: "Abc")
            world.song("other", cover: held)
            world.object("abc")
            let audit = try await world.audit()
            let finding = try #require(audit.findings.first { $0.key == ObjectKey("Abc") })
            #expect(finding.cause == .twin && finding.verdict == .undecided)
            #expect((finding.target != nil) == isTarget)
            let isSaid = finding.evidence.contains { $0.contains("another reference means it") }
            #expect(isSaid == !isTarget)
            if !isTarget { #expect(finding.needs?.proof.hasPrefix("one object") == true) }
            #expect(try world.plan(audit).steps.isEmpty == !isTarget)
        }
    }

    @Test("two objects that may be meant, and one in quarantine, are no target")
    func refused() async throws {
        let world = try World(Sample.file(rest: "repair: {orphan: keep, dangling: repoint}"))
        world.song("r", cover: "Abc")
        world.object("abc")
        world.object("ABC")
        let two = try #require(try await world.audit().findings.about("Abc", .dangling))
        #expect(two.action == .repoint && two.target == nil)
        #expect(two.needs?.proof == "one object that the field can name")
        world.bucket.remove(ObjectKey("ABC"))
        world.bucket.remove(ObjectKey("abc"))
        world.bucket.hold(ObjectKey("abc"), run: RunID(startingAt: World.longAgo))
        let held = try #require(try await world.audit().findings.about("Abc", .dangling))
        #expect(held.cause == .twin && held.target == nil)
        #expect(try world.plan(try await world.audit()).steps.isEmpty)
    }
}
