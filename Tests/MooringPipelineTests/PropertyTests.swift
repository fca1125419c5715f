import Glibc
import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

@Suite("Random apps, through audit, plan, repair and undo")
struct PropertyTests {
    /// Seeds to run: those of every test run, or the one that `MOORING_SEED` replays.
    private static var seeds: [UInt64] {
        guard let text = getenv("MOORING_SEED").map({ String(cString: $0) }),
            let seed = UInt64(text)
        else { return Array(1...200) }
        return [seed]
    }

    /// The stores as they stood at one moment.
    private struct State {
        let objects: [ObjectKey: FakeBucket.Stored]
        let rows: [String: [[String: FieldValue]]]

        init(_ world: World) {
            objects = world.bucket.objects
            rows = Dictionary(
                uniqueKeysWithValues: ["Song", "Album", "Page"].map {
                    ($0, world.source.records($0))
                })
        }

        func field(_ table: String, _ row: Int) -> FieldValue? {
            rows[table]?[row][table == "Song" ? "cover" : "images"]
        }
    }

    @Test("nothing that is needed goes, undo gives the first state back, and a second audit rests")
    func apps() async throws {
        var (removed, nulled) = (0, 0)
        for seed in Self.seeds {
            let counts = try await check(seed)
            removed += counts.removed
            nulled += counts.nulled
        }
        // A property that acts on nothing would always hold.
        if Self.seeds.count > 1 { #expect(removed > 200 && nulled > 50) }
    }

    private func check(_ seed: UInt64) async throws -> (removed: Int, nulled: Int) {
        var app = RandomApp(seed: seed)
        let world = try World(Sample.file(cover: app.cover))
        app.fill(world)
        let before = State(world)
        if seed.isMultiple(of: 2) {
            // Every other app has the proof of two runs.
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(2))
        }
        let results = try await world.auditAndRepair()
        let run = try world.lastRun()
        let after = State(world)
        expectSafe(app, before, after, seed)
        for object in before.objects {
            let isHeld = world.bucket.held.contains {
                $0.key == object.key && $0.stored == object.value
            }
            #expect(isHeld != (after.objects[object.key] == object.value), "seed \(seed)")
        }
        // What could not be carried out, such as on two rows with one id, may be tried again.
        let left = Set(results.filter { $0.outcome != .done }.map(\.step.id))
        // Nulling takes references away, in so small an app more than the guard allows.
        let again = try world.plan(try await world.audit())
        for step in again.steps where !left.contains(step.id) {
            let why = results.first { $0.step.finding == step.finding }
            Issue.record("seed \(seed): \(step) after \(String(describing: why))")
        }

        let undone = try await world.undo(run)
        #expect(undone.allSatisfy { $0.outcome == .done }, "seed \(seed)")
        let restored = State(world)
        #expect(restored.objects == before.objects, "seed \(seed)")
        for (table, rows) in before.rows {
            for row in rows.indices {
                #expect(
                    restored.field(table, row) == before.field(table, row), "seed \(seed)")
            }
        }
        let done = results.filter { $0.outcome == .done }.map(\.step.strategy)
        return (done.count { $0 == .quarantine }, done.count { $0 == .nullify })
    }

    private func expectSafe(_ app: RandomApp, _ before: State, _ after: State, _ seed: UInt64) {
        for meaning in app.meanings {
            let meant = before.objects.filter { meaning.means($0.key) }
            for object in meant {
                #expect(after.objects[object.key] == object.value, "seed \(seed)")
            }
            if meaning.isTombstone || !meant.isEmpty || meaning.table == "Song" {
                let old = before.field(meaning.table, meaning.row)
                let new = after.field(meaning.table, meaning.row)
                if meaning.table == "Song" {
                    let mayGo = meant.isEmpty && !meaning.isTombstone && app.level != "any"
                    #expect(new == old || (mayGo && new == .null), "seed \(seed)")
                } else {
                    #expect(holds(new, meaning.value), "seed \(seed)")
                }
            }
        }
        for (table, rows) in before.rows {
            for (row, old) in rows.enumerated() {
                guard let new = after.rows[table]?[row] else {
                    Issue.record("seed \(seed): a row is gone")
                    continue
                }
                for (column, value) in old
                where !["cover", "images", "version", "changed"].contains(column) {
                    #expect(new[column] == value, "seed \(seed)")
                }
            }
        }
    }

    private func holds(_ list: FieldValue?, _ value: [UInt8]) -> Bool {
        // What is no list any more holds nothing, and that is the answer.
        guard let bytes = list?.bytes, let node = try? JSONNode(parsing: bytes) else {
            return false
        }
        return (node.elements ?? []).contains { $0.stringBytes == value }
    }
}
