import MooringModel
import Testing

@testable import MooringPipeline

@Suite("Names that differ by their Unicode form alone")
struct EqualNameTests {
    private func problem(_ batches: [(table: String, columns: [String])]) -> String? {
        var names = EqualNames()
        for (table, columns) in batches {
            names.read(RecordBatch(table: table, columns: columns, rows: []))
        }
        return names.problem(in: "app")?.text
    }

    @Test("are told of columns and of tables")
    func told() {
        let columns = problem([("Bild", ["id", "bild\u{E9}", "bilde\u{301}"])])
        #expect(columns?.hasPrefix("app: two columns of 'Bild' are called 'bild") == true)
        let tables = problem([("Bild\u{E9}", ["id"]), ("Song", ["id"]), ("Bilde\u{301}", ["id"])])
        #expect(tables?.hasPrefix("app: two tables are called 'Bild") == true)
    }

    @Test("others are not: the same table again, another case, a compatible letter")
    func others() {
        let same = ("Bild\u{E9}", ["id", "bild\u{E9}", "Bild\u{E9}", "bilde"])
        #expect(problem([same, same, ("bild\u{E9}", ["\u{FB01}le", "file"])]) == nil)
    }
}
