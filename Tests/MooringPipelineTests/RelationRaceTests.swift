import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// What a device may do to the comment `c`, whose post `gone` is not there.
enum RelationAct: String, CaseIterable, Sendable {
    case createParent, otherParent, clear, deleteChild, writeElsewhere

    func run(_ world: World) {
        switch self {
        case .createParent: world.source.insert("Post", ["id": .text("gone")])
        case .otherParent: Self.write(world, ["postID": .text("here")])
        case .clear: Self.write(world, ["postID": .null])
        case .deleteChild: world.source.delete("Comment", Array("c".utf8))
        case .writeElsewhere: Self.write(world, ["text": .text("new")])
        }
    }

    private static func write(_ world: World, _ values: [String: FieldValue]) {
        let all = values.merging(["version": .integer(9)]) { given, _ in given }
        world.source.set("Comment", Array("c".utf8), all)
    }

    /// The parent that the device's own write leaves; nil where it writes none.
    var written: FieldValue? {
        switch self {
        case .otherParent: .text("here")
        case .clear: .null
        default: nil
        }
    }
}

@Suite("Repairing a relation while devices act")
struct RelationRaceTests {
    private static let tables: [(name: String, columns: [String])] = [
        ("Song", ["id", "cover"]), ("Post", ["id", "changed", "deleted"]),
        ("Comment", ["id", "postID", "text", "version", "changed", "deleted"]),
        ("Editor", ["id", "postID", "userID", "changed"]),
    ]

    private static func file(_ strategy: Strategy) -> String {
        """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Song
                files: [{field: cover}]
              - model: Post
                changed: changed
                deleted: deleted
              - model: Comment
                version: version
                changed: changed
                relations: [{field: postID, model: Post}]
              - model: Editor
                join: true
                changed: changed
                relations: [{field: postID, model: Post}, {field: userID, model: User}]
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        race: {preset: standard}
        repair: {dangling-relation: \(strategy.rawValue)}
        """
    }

    /// A world whose only step repairs the comment `c`, seen in two runs G apart.
    private func prepared(
        _ strategy: Strategy, isTombstone: Bool = false
    ) async throws -> (world: World, plan: Plan) {
        let world = try World(Self.file(strategy), tables: Self.tables)
        world.source.insert("Song", ["id": .text("s"), "cover": .text("keeper")])
        world.object("keeper")
        world.source.insert("Post", ["id": .text("here")])
        if isTombstone {
            world.source.insert(
                "Post",
                [
                    "id": .text("gone"), "deleted": .integer(1),
                    "changed": .moment(World.longAgo),
                ])
        }
        world.source.insert(
            "Comment",
            [
                "id": .text("c"), "postID": .text("gone"), "version": .integer(4),
                "changed": .moment(World.longAgo),
            ])
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(2))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [strategy])
        return (world, plan)
    }

    private func comment(_ world: World) -> [String: FieldValue]? {
        world.source.records("Comment").first { $0["id"] == .text("c") }
    }

    private func openCount(_ world: World) throws -> Int { try world.ledger().openIntents().count }

    @Test("the relation is nulled, undo takes it back, and a second audit rests")
    func nulled() async throws {
        for isTombstone in [false, true] {
            let (world, plan) = try await prepared(.nullify, isTombstone: isTombstone)
            #expect(try await world.repair(plan).map(\.outcome) == [.done])
            #expect(comment(world)?["postID"] == .null)
            #expect(comment(world)?["version"] == .integer(5))
            let run = try world.lastRun()
            #expect(try world.plan(try await world.audit()).steps.isEmpty)
            #expect(try await world.undo(run).map(\.outcome) == [.done])
            #expect(comment(world)?["postID"] == .text("gone"))
        }
    }

    @Test("at every border, each act of a device: no relation to a parent that is there is lost")
    func nulling() async throws {
        var outcomes: Set<StepOutcome> = []
        for act in RelationAct.allCases {
            for border in 0..<10 {
                let (world, plan) = try await prepared(.nullify)
                world.script.at(border: world.script.borders.count + border) { [weak world] in
                    world.map(act.run)
                }
                let outcome = try #require(try await world.repair(plan).first?.outcome)
                outcomes.insert(outcome)
                let why = Comment(rawValue: "\(act) at \(border): \(outcome)")
                // Border 8 stands before the last look at the parent.
                if act == .createParent {
                    #expect(comment(world)?["postID"] == (border <= 8 ? .text("gone") : .null), why)
                    #expect((outcome == .done) == (border > 8), why)
                }
                if let written = act.written { #expect(comment(world)?["postID"] == written, why) }
                if act == .deleteChild { #expect(comment(world) == nil, why) }
                if act == .writeElsewhere { #expect(comment(world)?["text"] == .text("new"), why) }
                #expect(try openCount(world) == 0, why)
            }
        }
        #expect(outcomes == [.done, .stale, .putBack])
    }

    @Test("a tombstone that is taken back counts as the parent")
    func revived() async throws {
        for border in 0..<10 {
            let (world, plan) = try await prepared(.nullify, isTombstone: true)
            world.script.at(border: world.script.borders.count + border) { [weak world] in
                world?.source.set("Post", Array("gone".utf8), ["deleted": .integer(0)])
            }
            try await world.repair(plan)
            #expect(
                comment(world)?["postID"] == (border <= 8 ? .text("gone") : .null), "\(border)")
        }
    }

    @Test("a mark of deletion that becomes unclear before the last look keeps the relation")
    func unclear() async throws {
        let (world, plan) = try await prepared(.nullify, isTombstone: true)
        world.source.set("Post", Array("gone".utf8), ["deleted": .text("active")])
        #expect(try await world.repair(plan).map(\.outcome) == [.stale])
        #expect(comment(world)?["postID"] == .text("gone"))
    }

    @Test("a child goes only if its parent was missing and no byte of it changed")
    func removal() async throws {
        for act in RelationAct.allCases {
            for border in 0..<10 {
                let (world, plan) = try await prepared(.deleteRecord)
                world.script.at(border: world.script.borders.count + border) { [weak world] in
                    world.map(act.run)
                }
                let outcome = try #require(try await world.repair(plan).first?.outcome)
                let why = Comment(rawValue: "\(act) at \(border): \(outcome)")
                // The parent is looked at between borders 2 and 3, what the child names between 4
                // and 5; the write is behind border 8.
                let seen = act == .createParent ? 2 : 8
                if act != .deleteChild {
                    #expect((comment(world) == nil) == (border > seen), why)
                    #expect((outcome == .done) == (border > seen), why)
                }
                #expect(try openCount(world) == 0, why)
            }
        }
    }

    @Test("undo says that a removed child cannot be brought back; a join row goes too")
    func join() async throws {
        let (world, plan) = try await prepared(.deleteRecord)
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        let undone = try await world.undo(try world.lastRun())
        #expect(undone.map(\.outcome) == [.stale])
        #expect(undone.first?.reason == "a deleted record cannot be brought back")
        world.source.insert(
            "Editor",
            ["id": .text("e"), "postID": .text("gone"), "changed": .moment(World.longAgo)])
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(2))
        #expect(try await world.auditAndRepair().map(\.outcome) == [.done])
        #expect(world.source.records("Editor").isEmpty)
    }

    @Test(
        "dead at any border, the next run ends it as the parent is by then",
        arguments: [Strategy.nullify, .deleteRecord], [true, false])
    func crashes(strategy: Strategy, appears: Bool) async throws {
        for border in 0..<10 {
            let (world, plan) = try await prepared(strategy)
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                _ = try await world.repair(plan)
            }
            if appears { RelationAct.createParent.run(world) }
            try await world.resume()
            #expect(try openCount(world) == 0, "border \(border)")
            if strategy == .nullify {
                let isNulled = border > 6 && !appears
                #expect(
                    comment(world)?["postID"] == (isNulled ? .null : .text("gone")),
                    "border \(border)")
            } else {
                #expect((comment(world) == nil) == (border > 8), "border \(border)")
            }
            world.remove()
        }
    }

    @Test(
        "a write that comes late, when the parent is there, is fenced off",
        arguments: [Strategy.nullify, .deleteRecord])
    func lateWrite(strategy: Strategy) async throws {
        let (world, plan) = try await prepared(strategy)
        world.script.fail(.before, .update)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results.first?.reason?.contains("nor can be any more") == true)
        RelationAct.createParent.run(world)
        #expect(try world.source.carryOutLate() == [.stale("the record is not as expected")])
        #expect(comment(world)?["postID"] == .text("gone"))
        #expect(try openCount(world) == 0)
    }

    @Test(
        "a write whose answer is lost is found out", arguments: [Strategy.nullify, .deleteRecord])
    func lostAnswer(strategy: Strategy) async throws {
        let (world, plan) = try await prepared(strategy)
        world.script.fail(.after, .update)
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(strategy == .nullify || comment(world) == nil)
        #expect(strategy == .deleteRecord || comment(world)?["postID"] == .null)
    }

    @Test("a parent that cannot be looked at fails the step, and behind the write puts it back")
    func unknown() async throws {
        for (look, outcome) in [(2, StepOutcome.failed), (4, .putBack)] {
            let (world, plan) = try await prepared(.nullify)
            let reads = world.script.borders.count { $0.operation == .rows && $0.side == .before }
            world.script.fail(.before, .rows, reads + look)
            #expect(try await world.repair(plan).map(\.outcome) == [outcome])
            #expect(comment(world)?["postID"] == .text("gone"))
        }
    }
}
