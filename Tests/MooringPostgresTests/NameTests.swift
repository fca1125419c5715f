import MooringText
import Testing

@testable import MooringPostgres

struct NameTests {
    private func parts(_ text: String) -> [String?]? {
        TableName(parsing: text).map { name in
            [name.schema, name.name].map { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
    }

    @Test("A table's name is read as it is written, with and without quotes")
    func parsing() {
        #expect(parts("Song") == [nil, "Song"])
        #expect(parts("app.Song") == ["app", "Song"])
        #expect(parts("\"Song\"") == [nil, "Song"])
        #expect(parts("\"odd.schema\".\"a \"\"b\"\".c\"") == ["odd.schema", "a \"b\".c"])
        #expect(parts("app.\"x.y\"") == ["app", "x.y"])
        #expect(parts("two words; --") == [nil, "two words; --"])
    }

    @Test(
        "What is no name is refused",
        arguments: [
            "", ".", "a.", ".b", "a.b.c", "\"a", "\"\"", "a\"b", "\"a\"b", "\"a\".\"b\".c",
            "a\0b",
        ])
    func refused(text: String) {
        #expect(TableName(parsing: text) == nil)
    }

    @Test("A name that is spelled is read as the same name")
    func spelling() {
        for name in ["Song", "a.b", "a\"b", "\"", ".", "e\u{301}", "x; DROP TABLE y"] {
            for schema in [nil, "app", "s.t"] {
                let (bytes, own) = (Array(name.utf8), schema.map { Array($0.utf8) })
                let read = TableName(parsing: TableName.spelled(schema: own, bytes))
                #expect(read?.name == bytes)
                #expect(read?.schema == own)
            }
        }
    }

    @Test("A name is quoted so that no byte of it ends it")
    func quoting() {
        let sql = SQLText.name(Array("a\"; DROP TABLE \"x".utf8))
        #expect(String(decoding: sql.bytes, as: UTF8.self) == "\"a\"\"; DROP TABLE \"\"x\"")
    }
}
