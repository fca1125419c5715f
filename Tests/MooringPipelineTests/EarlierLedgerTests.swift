import Foundation
import GRDBSQLite
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// A ledger that the program wrote before it counted by place, with nine migrations: a run that
/// put `gone` and `back` into quarantine beside 60 songs with their covers, and an audit behind it.
///
/// `Ledgers/before-places.sql` is that program's own file, as `sqlite3 ledger .dump` prints it,
/// behind its application id.
@Suite("A ledger of before the counts by place")
struct EarlierLedgerTests {
    private static let quarantining = RunID("20261122T160834Z-tzkrtc")

    private func prepared(
        _ rest: String = "repair: {retention: 30d}", cover: String = "template: \"{id}\""
    ) throws -> World {
        let world = try PlaceGuardTests.world(rest, cover: cover)
        try restore(to: world.folder + "/ledger")
        PlaceGuardTests.fill(world, 60)
        for id in ["gone", "back"] { world.song(id, cover: nil) }
        let ledger = try world.ledger()
        let audited = try #require(try ledger.runs().first?.finishedAt)
        world.clock.advance(audited - World.start + .hours(20))
        for watched in try ledger.quarantineWatch(bucket: "media") {
            world.bucket.hold(watched.object)
        }
        #expect(world.bucket.held.count == 2)
        return world
    }

    private func restore(to path: String) throws {
        let dump = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Ledgers/before-places.sql")
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        let sql = try String(contentsOf: dump, encoding: .utf8)
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    @Test("it opens with all that it knew, sound and in order")
    func opens() throws {
        let world = try prepared()
        let ledger = try world.ledger()
        #expect(try ledger.check().isEmpty)
        #expect(try ledger.verifyJournal().isSound)
        #expect(try ledger.runs().map(\.command) == ["audit", "run"])
        #expect(try ledger.quarantineWatch(bucket: "media").map(\.cleanRuns) == [1, 1])
        #expect(try ledger.placeCounts(before: RunID(startingAt: world.clock.now)).isEmpty)
    }

    @Test("references and objects are compared with its last complete run")
    func counts() async throws {
        let calm = try prepared()
        #expect(PlaceGuardTests.refused(try await calm.audit()).isEmpty)

        let fewer = try prepared()
        for number in 0..<20 { fewer.source.delete("Song", Array("s\(number)".utf8)) }
        let references = try await fewer.audit()
        #expect(PlaceGuardTests.refused(references).contains("referenceDrop:app"))
        let told = try #require(PlaceGuardTests.refusal(fewer, references))
        #expect(told.description.contains("(60 to 40)"), "\(told)")

        let emptied = try prepared("limits: {recordShare: 100%}")
        for number in 0..<20 { emptied.bucket.remove(ObjectKey("s\(number)")) }
        let objects = try await emptied.audit()
        #expect(PlaceGuardTests.refused(objects) == ["objectDrop:media"])
        #expect(
            PlaceGuardTests.refusal(emptied, objects)?.description.contains("(60 to 40)") == true)
    }

    @Test("a run that was not refused is where its own counts begin")
    func ownCounts() async throws {
        let world = try prepared("limits: {recordShare: 100%}")
        PlaceGuardTests.fill(world, 40, from: 60)
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        for number in 0..<30 { world.bucket.remove(ObjectKey("s\(number)")) }
        let audit = try await world.audit()
        #expect(
            PlaceGuardTests.refusal(world, audit)?.description.contains("(100 to 70)") == true)
    }

    @Test("what lies in its quarantine comes back to a record, and by its undo")
    func comesBack() async throws {
        let world = try prepared()
        world.write(song: "back", ["cover": .text("back")])
        #expect(try await world.auditAndRepair().map(\.step.strategy) == [.restore])
        #expect(world.has("back") && world.cover("back") == "back")
        let run = try #require(Self.quarantining)
        let undone = try await world.undo(run)
        #expect(Set(undone.map(\.outcome)) == [.done, .stale])
        #expect(world.has("gone") && world.bucket.held.isEmpty)
    }

    @Test("one that vanished from there is doubted, as one of today is")
    func lost() async throws {
        let world = try prepared()
        world.bucket.release()
        world.source.set("Song", Array("gone".utf8), ["cover": .text("gone")])
        let finding = try #require(try await world.audit().findings.about("gone", .dangling))
        #expect(finding.verdict == .undecided)
        #expect(finding.evidence.contains { $0.contains("put an object of this key into") })
    }

    private func needs(_ world: World) async throws -> [String?] {
        try await world.audit().quarantine.map { $0.need?.proof }
    }

    @Test("nothing of it is swept at once, however long it lay there")
    func sweep() async throws {
        let world = try prepared()
        world.clock.advance(.days(40))
        func proof(_ counted: Int) -> String {
            "2 complete runs without a reference (\(counted) so far)"
        }
        // The looks of then do not tell which sources they read, and begin anew.
        for counted in 0...1 {
            let needs = try await needs(world)
            #expect(needs == [proof(counted), proof(counted)])
            world.clock.advance(.days(9))
        }
        let needs = try await needs(world)
        #expect(needs == [nil, nil])
    }

    @Test("where no owner tells, the looks of then are far from those of today")
    func looks() async throws {
        let world = try prepared(cover: "level: root")
        for id in ["gone", "back"] { world.source.delete("Song", Array(id.utf8)) }
        #expect(try await needs(world) == ["retention", "retention"])
        world.clock.advance(.days(40))
        _ = try await needs(world)
        world.clock.advance(.days(1))
        for _ in 0..<10 {
            let needs = try await needs(world)
            #expect(needs.allSatisfy { $0?.contains("looks so close") == true }, "\(needs)")
            world.clock.advance(.days(1))
        }
        for _ in 0..<3 {
            _ = try await needs(world)
            world.clock.advance(.days(1))
        }
        #expect(try await needs(world) == [nil, nil])
    }
}
