import MooringConfiguration
import MooringModel
import Testing

@Suite("How values of a field become keys")
struct StoredLayoutTests {
    private func file(_ words: String) -> String {
        Sample.model("files: [{field: cover\(words)}]")
    }

    private func field(_ words: String) throws -> FileField {
        try #require(try Sample.read(file(words)).records[0].mapping.models[0].files.first)
    }

    @Test("is as they stand unless 'stored' says a layout, in lists and objects too")
    func layouts() throws {
        #expect(try field("").stored == .plain)
        #expect(try field(", stored: '{key}'").stored == .plain)
        let text = "{key:0:2}/{key:2:2}/{key}"
        for form in ["", ", list: true", ", complex: true"] {
            #expect(try field(form + ", stored: '\(text)'").stored.text == text)
        }
    }

    @Test("a configuration that says the default has the hash of one that says nothing")
    func hash() throws {
        let plain = try Sample.read(file("")).fingerprint
        #expect(try Sample.read(file(", stored: '{key}'")).fingerprint == plain)
        #expect(try Sample.read(file(", stored: 'v1/{key}'")).fingerprint != plain)
    }

    @Test(
        "what is no layout is refused with its line",
        arguments: [
            ("covers/", "holds no value: write {key}, {key:START} and {key:START:COUNT}"),
            ("{key", "holds a brace without its other one"),
            (
                "{id}/{key}",
                "holds a brace '{id}' that is none of {key}, {key:START} and {key:START:COUNT}"
            ),
            (
                "{kye:0:2}/{key}",
                "holds a brace '{kye:0:2}' that is none of {key}, {key:START} and "
                    + "{key:START:COUNT}; did you mean '{key:0:2}'?"
            ),
            (
                "{key:0:0}/{key}",
                "holds a slice '{key:0:0}' of no bytes of a value: START is 0 or more, COUNT 1 or "
                    + "more, and no key is longer than 1024 bytes"
            ),
            (
                "{key:0:2}/{key:4}",
                "leaves bytes of the value out, so that a key does not tell what a record holds "
                    + "for it; every byte stands in a slice, as with {key} or a last {key:START}"
            ),
        ])
    func refused(text: String, message: String) {
        #expect(
            Sample.refusal(file(", stored: '\(text)'"))
                == "mooring.yaml:7: the layout '\(text)' of 'stored' " + message)
    }

    @Test("a misspelt key is told with the nearest one")
    func misspelt() {
        #expect(Sample.refusal(file(", store: '{key}'")).contains("did you mean 'stored'?"))
    }
}
