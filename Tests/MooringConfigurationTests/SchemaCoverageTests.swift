import MooringConfiguration
import MooringSchema
import Testing

struct SchemaCoverageTests {
    private static let schema = """
        type Song @model { id: ID! coverArtKey: String }
        type Album @model { id: ID! imageKeys: [String] key: String inner: Inner }
        type Inner { fileKey: String }
        """

    private func coverage(_ models: String, except: String...) throws -> SchemaCoverage {
        let text = Sample.replacing("      - model: Song", models)
        return SchemaCoverage(
            schema: try AmplifySchema.parse(Array(Self.schema.utf8), file: "schema.graphql"),
            records: try Sample.read(text).records,
            exceptions: except)
    }

    private let song = "      - {model: Song, files: [{field: coverArtKey}]}\n"
    private let album = "      - {model: Album, files: [{field: imageKeys, list: true}]}\n"

    @Test("a field that is mapped nowhere is a gap, with what to write")
    func gaps() throws {
        let none = try coverage(
            "      - {model: Song, files: [{field: other}], relations: [{field: a, model: Song}]}\n"
        )
        #expect(
            none.gaps.map { "\($0.field.place.line) \($0.field.name) \($0.message)" } == [
                "1 Song.coverArtKey may hold keys, and model Song does not map it; name it under "
                    + "its files",
                "2 Album.imageKeys may hold keys, and there is no model Album in the "
                    + "configuration; add it",
                "3 Inner.fileKey may hold keys inside another value, and model Album does not map "
                    + "inner.fileKey; name it under its files, where the source's rows hold such "
                    + "values",
            ])
        #expect(
            none.notes == [
                "schema.graphql:2:49: Album.key may hold keys of files, and is not mapped",
                "Song.other is mapped, and the schema has no such field",
                "Song.a is mapped, and the schema has no such field",
            ])
    }

    @Test("what is mapped or excepted is no gap")
    func covered() throws {
        let all = try coverage(song + album, except: "Inner.fileKey", "Album.key")
        #expect(all.gaps.isEmpty)
        #expect(all.notes.isEmpty)
        let table = "      - {model: Any, table: Song, files: [{field: coverArtKey}]}\n"
        #expect(try coverage(table + album, except: "Inner.fileKey").gaps.isEmpty)
    }

    @Test("another form, another model, and an exception for nothing are notes")
    func notes() throws {
        let plain = "      - {model: Album, files: [{field: imageKeys}]}\n"
        let old = "      - {model: Old, files: [{field: x}]}\n"
        let result = try coverage(
            song + plain + old, except: "Inner.fileKey", "Album.key", "No.one")
        #expect(result.gaps.isEmpty)
        #expect(
            result.notes == [
                "schema.graphql:2:29: Album.imageKeys is a list in the schema, and none in the "
                    + "configuration",
                "No.one is excepted, and the schema has no such field that may hold keys",
                "model Old is not in the schema",
            ])
    }
}
