import MooringConfiguration
import MooringModel
import Testing

@Suite("Fields as paths")
struct NestedFieldTests {
    private func field(_ text: String, in source: String) throws -> FileField {
        let keys = Sample.model("files: [{field: '\(text)'}]")
        let file = keys.replacing("sqlite: ./app.sqlite", with: source)
        return try #require(try Sample.read(file).records[0].mapping.models[0].files.first)
    }

    @Test("lead into nested values, where rows hold some")
    func paths() throws {
        let field = try field("pages[].image", in: "jsonl: ./app.jsonl")
        #expect(field.field == "pages[].image")
        #expect(field.column == "pages")
        #expect(field.path.steps == [.elements, .member("image")])
    }

    @Test("are a column's name as it is, where rows hold none")
    func columns() throws {
        for source in ["sqlite: ./app.sqlite", "csv: ./app.csv"] {
            #expect(
                try field("pages[].image", in: source).path == FieldPath(column: "pages[].image"))
        }
    }

    @Test("are refused where they lead nowhere, or a list is named twice")
    func refusals() {
        func refusal(_ files: String) -> String {
            Sample.refusal(
                Sample.model("files: [\(files)]")
                    .replacing("sqlite: ./app.sqlite", with: "jsonl: ./app.jsonl"))
        }
        #expect(
            refusal("{field: 'a[0]'}")
                == "mooring.yaml:7: 'a[0]' is no path such as cover.key or pages[].image, with one "
                + "list at most; a name that holds a dot or a bracket stands in quotes")
        #expect(
            refusal("{field: 'a[].b', list: true}")
                == "mooring.yaml:7: '[]' in the path says already that there is a list")
    }
}
