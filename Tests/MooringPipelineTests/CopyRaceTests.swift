import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// What may happen to the song `s` and its copy while the copy is refreshed.
enum CopyAct: String, CaseIterable, Sendable {
    case authorityWritten, authorityDeleted, copyAhead, copyWritten, copyRemoved

    func run(_ world: World) {
        let (id, app, phone) = (Array("s".utf8), world.app, world.phone)
        switch self {
        case .authorityWritten:
            app?.set("Song", id, ["version": .integer(6), "cover": .text("newer")])
        case .authorityDeleted: app?.delete("Song", id)
        case .copyAhead: phone?.set("Song", id, ["version": .integer(7), "cover": .text("mine")])
        case .copyWritten: phone?.set("Song", id, ["cover": .text("mine")])
        case .copyRemoved: phone?.delete("Song", id)
        }
    }
}

extension World {
    fileprivate var app: FakeRecordSource? { try? source("app") }  // nil fails every expectation
    fileprivate var phone: FakeRecordSource? { try? source("phone") }  // the same
}

@Suite("Refreshing a copy while its authority and its device write")
struct CopyRaceTests {
    // Copy, authority, copy, authority, write; a border on either side.
    private static let borders = 10

    private static let file = """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Song
                version: version
                changed: changed
                deleted: deleted
                files: [{field: cover}]
          - name: phone
            sqlite: ./phone.sqlite
            replicaOf: app
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        race: {preset: standard}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        """

    private static let original: [String: FieldValue] = [
        "id": .text("s"), "version": .integer(5), "changed": .moment(World.longAgo),
        "cover": .text("new"), "owner": .text("her"),
    ]
    // The title nobody mapped, a value of another class, a time that is no time: all come back.
    private static let copy: [String: FieldValue] = [
        "id": .text("s"), "version": .integer(3), "changed": .text("long ago"),
        "cover": .blob([0xFF, 0]), "owner": .real(1.5),
    ]

    /// A world whose only step refreshes the phone's copy of `s`, or takes it away.
    private func prepared(
        deleted: Bool = false
    ) async throws -> (world: World, plan: Plan) {
        let world = try World(Self.file)
        for key in ["new", "newer", "mine"] { world.object(key) }
        for (number, key) in ["new", "newer", "mine"].enumerated() {
            world.app?.insert(
                "Song",
                [
                    "id": .text("other\(number)"), "version": .integer(1),
                    "changed": .moment(World.longAgo), "cover": .text(key),
                ])
        }
        if !deleted { world.app?.insert("Song", Self.original) }
        world.phone?.insert("Song", Self.copy)
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(2))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.requery])
        return (world, plan)
    }

    private func copy(_ world: World) -> [String: FieldValue]? {
        world.phone?.records("Song").first { $0["id"] == .text("s") }
    }

    private func openCount(_ world: World) throws -> Int { try world.ledger().openIntents().count }

    private func full(_ row: [String: FieldValue]) -> [String: FieldValue] {
        row.merging(["deleted": .null]) { given, _ in given }
    }

    @Test("the copy says what its authority says, and undo gives back every byte of it")
    func refreshed() async throws {
        let (world, plan) = try await prepared()
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(copy(world) == full(Self.original))
        let run = try world.lastRun()
        #expect(try world.plan(try await world.audit()).steps.isEmpty)
        #expect(try await world.undo(run).map(\.outcome) == [.done])
        #expect(copy(world) == full(Self.copy))
        #expect(try await world.undo(run).map(\.outcome) == [.stale])
    }

    @Test("a copy of a record that is gone goes, and undo gives back every byte of it")
    func removed() async throws {
        let (world, plan) = try await prepared(deleted: true)
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(copy(world) == nil)
        let run = try world.lastRun()
        #expect(try world.plan(try await world.audit()).steps.isEmpty)
        #expect(try await world.undo(run).map(\.outcome) == [.done])
        #expect(copy(world) == full(Self.copy))
    }

    @Test("undo leaves what the device wrote since, and a row that came since")
    func undoneLate() async throws {
        for deleted in [false, true] {
            let (world, plan) = try await prepared(deleted: deleted)
            try await world.repair(plan)
            if deleted { world.phone?.insert("Song", ["id": .text("s")]) }
            CopyAct.copyAhead.run(world)
            #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.stale])
            #expect(copy(world)?["cover"] == .text("mine"))
        }
    }

    @Test("at every border, each act: what a device wrote is never written over")
    func injected() async throws {
        for act in CopyAct.allCases {
            for border in 0..<Self.borders {
                let (world, plan) = try await prepared()
                world.script.at(border: world.script.borders.count + border) { [weak world] in
                    world.map(act.run)
                }
                let outcome = try #require(try await world.repair(plan).first?.outcome)
                let why = Comment(rawValue: "\(act) at \(border): \(outcome)")
                let found = copy(world)
                switch act {
                case .copyAhead: #expect(found?["cover"] == .text("mine"), why)
                case .copyRemoved: #expect(found == nil, why)
                case .copyWritten where border > 0: #expect(found?["cover"] == .text("mine"), why)
                case .copyWritten: break
                case .authorityWritten, .authorityDeleted:
                    // What was read twice and alike is written, and nothing that came between.
                    // A record that the authority lost since the audit takes no copy with it.
                    let isEarly = act == .authorityWritten && border <= 2
                    #expect((outcome == .done) == (isEarly || border >= 7), why)
                    let isLate = border >= 7
                    if outcome == .stale {
                        #expect(found == full(Self.copy), why)
                    } else if act == .authorityWritten {
                        #expect(found?["version"] == .integer(isLate ? 5 : 6), why)
                    } else {
                        #expect((found == nil) == !isLate, why)
                    }
                }
                #expect(try openCount(world) == 0, why)
            }
        }
    }

    @Test("at every border, a copy that is written or sent stays, though it was to go")
    func removalInjected() async throws {
        for act in [CopyAct.copyAhead, .copyWritten] {
            for border in 1..<9 {
                let (world, plan) = try await prepared(deleted: true)
                world.script.at(border: world.script.borders.count + border) { [weak world] in
                    world.map(act.run)
                }
                #expect(try await world.repair(plan).map(\.outcome) == [.stale])
                #expect(copy(world)?["cover"] == .text("mine"), "\(act) at \(border)")
            }
        }
        for border in 0..<Self.borders {
            let (world, plan) = try await prepared(deleted: true)
            world.script.at(border: world.script.borders.count + border) { [weak world] in
                world?.app?.insert("Song", Self.copy)
            }
            let outcome = try await world.repair(plan).first?.outcome
            #expect((copy(world) == nil) == (border > 6), "sent at \(border)")
            #expect((outcome == .done) == (border > 6), "sent at \(border)")
        }
    }

    @Test("dead at any border, the next run ends it", arguments: [false, true])
    func crashes(deleted: Bool) async throws {
        for border in 0..<Self.borders {
            let (world, plan) = try await prepared(deleted: deleted)
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                _ = try await world.repair(plan)
            }
            try await world.resume()
            #expect(try openCount(world) == 0, "border \(border)")
            let written = deleted ? nil : full(Self.original)
            #expect(copy(world) == (border > 8 ? written : full(Self.copy)), "border \(border)")
            world.remove()
        }
    }

    @Test("a write that comes late meets the copy as it was, or nothing", arguments: [false, true])
    func lateWrite(deleted: Bool) async throws {
        for isWritten in [false, true] {
            let (world, plan) = try await prepared(deleted: deleted)
            world.script.fail(.before, .update)
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [.stale])
            #expect(results.first?.reason?.contains("it may still be written") == true)
            #expect(try openCount(world) == 0)
            #expect(copy(world) == full(Self.copy))
            if isWritten { CopyAct.copyAhead.run(world) }
            try world.phone?.carryOutLate()
            let written = deleted ? nil : full(Self.original)
            if !isWritten { #expect(copy(world) == written) }
            if isWritten { #expect(copy(world)?["cover"] == .text("mine")) }
        }
    }

    @Test("a write whose answer is lost is found out", arguments: [false, true])
    func lostAnswer(deleted: Bool) async throws {
        let (world, plan) = try await prepared(deleted: deleted)
        world.script.fail(.after, .update)
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(copy(world) == (deleted ? nil : full(Self.original)))
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.done])
        #expect(copy(world) == full(Self.copy))
    }

    @Test("an authority that cannot be read leaves the copy, and the step failed")
    func unread() async throws {
        for read in [2, 4] {
            let (world, plan) = try await prepared()
            let reads = world.script.borders.count { $0.operation == .rows && $0.side == .before }
            world.script.fail(.before, .rows, reads + read)
            #expect(try await world.repair(plan).map(\.outcome) == [.failed])
            #expect(copy(world) == full(Self.copy))
        }
    }
}
