import MooringConfiguration
import MooringModel
import Testing

@Suite("What a nulled key becomes")
struct EmptyFormTests {
    private func field(_ words: String) throws -> FileField {
        let file = Sample.model("files: [{field: cover\(words)}]")
        return try #require(try Sample.read(file).records[0].mapping.models[0].files.first)
    }

    private func refusal(_ words: String) -> String {
        Sample.refusal(Sample.model("files: [{field: cover\(words)}]"))
    }

    @Test("is NULL unless the field says an empty text")
    func forms() throws {
        #expect(try field("").empty == .null)
        #expect(try field(", empty: null").empty == .null)
        #expect(try field(", empty: ''").empty == .text)
    }

    @Test("is nothing else, and nothing that a list has")
    func refusals() {
        #expect(refusal(", empty: none").contains("'empty' is null or \"\"; found 'none'"))
        #expect(refusal(", empty: []").contains("'empty' is null or \"\""))
        #expect(refusal(", list: true, empty: ''").contains("a list loses the key's element"))
    }
}
