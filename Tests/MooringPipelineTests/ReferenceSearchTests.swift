import MooringModel
import Testing

@testable import MooringPipeline

@Suite("The search for references to one object")
struct ReferenceSearchTests {
    private func search(
        _ change: (World) -> Void
    ) async throws -> (scans: Int, answer: ReferenceSearch.Answer) {
        let tables = Sample.tables.map { table in
            (table.name, table.columns.filter { $0 != "owner" })
        }
        let world = try World(tables: tables)
        for table in tables { world.source.insert(table.0, ["id": .text("x")]) }
        change(world)
        let search = ReferenceSearch(job: try world.job())
        let answer = try await search.run(ObjectKey("k"), bucket: 0)
        let scans = world.script.borders.count { $0.operation == .scan && $0.side == .before }
        return (scans, answer)
    }

    @Test("a column that no batch names is asked for by its name, and told where it is gone")
    func gone() async throws {
        let (scans, answer) = try await search { _ in }
        #expect(scans == 2)
        #expect(!answer.unread.isEmpty)
    }

    @Test("where rows name what they hold alone, a table that was read is not read once more")
    func sparse() async throws {
        let (scans, answer) = try await search { $0.source.nameHeldColumns() }
        #expect(scans == 1)
        #expect(answer.unread.isEmpty)
    }

    @Test("a table of such a source that no batch was of is asked for all the same")
    func unmet() async throws {
        let (scans, _) = try await search { world in
            world.source.nameHeldColumns()
            world.source.delete("Note", Array("x".utf8))
        }
        #expect(scans == 2)
    }
}
