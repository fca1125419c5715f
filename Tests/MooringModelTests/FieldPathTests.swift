import MooringModel
import Testing

@Suite("Paths into nested values")
struct FieldPathTests {
    @Test(
        "are read as they are written",
        arguments: [
            ("cover", "cover", []),
            ("cover.key", "cover", [.member("key")]),
            ("pages[].image", "pages", [.elements, .member("image")]),
            ("a.b[].c.d", "a", [.member("b"), .elements, .member("c"), .member("d")]),
            ("keys[]", "keys", [.elements]),
            (#""a.b"."c[]""#, "a.b", [.member("c[]")]),
            (#""say \"x\" \\ y""#, #"say "x" \ y"#, []),
        ] as [(String, String, [FieldPath.Step])])
    func reads(_ text: String, column: String, steps: [FieldPath.Step]) throws {
        let path = try #require(FieldPath(parsing: text))
        #expect(path.column == column)
        #expect(path.steps == steps)
    }

    @Test(
        "are refused where they lead nowhere",
        arguments: [
            "", ".", "a.", ".a", "a..b", "a[", "a[0]", "a[][]", "a[].b[]", "a]", #""a"#, #""""#,
            #""a"b"#, #""\n""#,
        ])
    func refuses(_ text: String) {
        #expect(FieldPath(parsing: text) == nil)
    }

    @Test("that are a column keep its name, whatever that holds")
    func columns() {
        #expect(FieldPath(column: "a.b[]").column == "a.b[]")
        #expect(FieldPath(column: "a.b[]").steps.isEmpty)
    }
}

@Suite("DynamoDB's own JSON")
struct AttributeTextTests {
    @Test(
        "says the same as plain JSON",
        arguments: [
            (#"{"S":"a\"b"}"#, #""a\"b""#), (#"{"N":"12.50"}"#, "12.50"),
            (#"{"BOOL":true}"#, "true"),
            (#"{"NULL":true}"#, "null"), (#"{"SS":["a","b"]}"#, #"["a","b"]"#),
            (#"{"NS":["1","2"]}"#, "[1,2]"), (#"{"L":[{"S":"a"},{"NULL":true}]}"#, #"["a",null]"#),
            (#"{"M":{"k":{"L":[{"N":"1"}]},"l":{"S":"x"}}}"#, #"{"k":[1],"l":"x"}"#),
            (#"{"BS":["YS94LnBuZw==","/w=="]}"#, #"["a/x.png","/w=="]"#),
            (#"{"M":{"k":{"B":"YQ=="}}}"#, #"{"k":"a"}"#), (#"{"L":[]}"#, "[]"),
            (#"{"M":{}}"#, "{}"),
        ])
    func plain(_ typed: String, text: String) {
        #expect(AttributeText.plain(Array(typed.utf8)) == Array(text.utf8))
        #expect(FieldValue.attribute(Array(typed.utf8)).bytes == Array(text.utf8))
    }

    @Test(
        "of no known type has no plain form", arguments: ["{", "[]", #"{"X":"a"}"#, #"{"L":[1]}"#])
    func unknown(_ typed: String) {
        #expect(AttributeText.plain(Array(typed.utf8)) == nil)
    }

    @Test("of a set is sorted, and comes back from the journal")
    func sets() throws {
        let set = AttributeText.stringSet([Array(#""b""#.utf8), Array(#""a""#.utf8)])
        #expect(set == Array(#"{"SS":["a","b"]}"#.utf8))
        #expect(AttributeText.isStringSet(set))
        #expect(!AttributeText.isStringSet(Array(#"{"S":"a"}"#.utf8)))
        let value = ColumnValue("keys", .attribute(set))
        #expect(try ColumnValue(json: try JSONNode(parsing: value.json.rendered)) == value)
    }
}
