import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

@Suite("Fields that hold no key as they are mapped")
struct FieldFormsTests {
    private func told(
        _ file: FileField, _ values: [FieldValue], columns: [String] = []
    ) throws -> [String] {
        let model = SourceModel(
            source: "app", mapping: ModelMapping(model: "Song", files: [file]))
        let names = ["id", file.column]
        let reader = try #require(RecordReader(mapping: model.mapping, columns: names))
        var forms = FieldForms([model])
        for value in values {
            let row = [FieldValue.text([1]), value]
            forms.add(try #require(reader.read(row)), model: 0, row: row, columns: names)
        }
        forms.see(columns: columns, table: "Song", source: "app")
        return forms.sentences
    }

    private func json(_ text: String) -> FieldValue { .json(Array(text.utf8)) }

    @Test("a column that no record fills is told with the nearest other ones")
    func column() throws {
        let file = FileField(field: "coverKey")
        let columns = ["id", "coverKey", "cover_key", "title"]
        #expect(
            try told(file, Array(repeating: .null, count: 200), columns: columns) == [
                "field app.Song.coverKey: none of 200 records holds a key there; the nearest are "
                    + "\"cover_key\", \"title\"; correct 'field' in mooring.yaml where it is "
                    + "misspelt"
            ])
        #expect(try told(file, Array(repeating: .null, count: 9), columns: columns) == [])
        let one = Array(repeating: FieldValue.null, count: 199) + [.text(Array("k".utf8))]
        #expect(try told(file, one, columns: columns) == [])
    }

    @Test("a path that ends too early is told with the names that stand in its place")
    func path() throws {
        var file = FileField(field: "pages[].imgae")
        file.path = try #require(FieldPath(parsing: file.field))
        let pages = Array(repeating: json(#"[{"image": "a", "text": "t"}]"#), count: 10)
        let sentence = try #require(try told(file, pages).first)
        #expect(sentence.contains("none of 10 records"))
        #expect(sentence.contains("the nearest are \"image\", \"text\""), "\(sentence)")
    }

    @Test("a list or an object in place of a key is told with the word that is missing")
    func forms() throws {
        let list = FieldValue.text(Array(#"["a"]"#.utf8))
        let object = json(#"{"bucket": "b", "key": "k"}"#)
        let file = FileField(field: "keys")
        #expect(
            try told(file, [list]) == [
                "field app.Song.keys: lists stand there in place of a key; add list: true"
            ])
        #expect(try told(file, [object])[0].hasSuffix("add complex: true"))
        #expect(try told(FileField(field: "keys", isList: true), [list]) == [])
        #expect(try told(FileField(field: "keys", isComplex: true), [object]) == [])
        let keys = [FieldValue.text(Array("k".utf8)), .text(Array("l".utf8))]
        #expect(try told(file, keys + [list]) == [])
    }
}
