import MooringDecisions
import Testing

@Suite("Taking keys out of a list")
struct ListEditingTests {
    @Test(
        "what stays keeps its bytes and its order",
        arguments: [
            (#"["a","b","c"]"#, [0], #"["b","c"]"#), (#"["a","b","c"]"#, [1], #"["a","c"]"#),
            (#"["a","b","c"]"#, [2], #"["a","b"]"#), (#"[ "a" , "b" ]"#, [0], #"[ "b" ]"#),
            (#"[ "a" , "b" ]"#, [1], #"[ "a" ]"#), (#"["a"]"#, [0], "[]"),
            ("[\n  \"a\",\n  \"\\u0062\",\n  null\n]", [0], "[\n  \"\\u0062\",\n  null\n]"),
            (#"["a","b","a"]"#, [0, 2], #"["b"]"#),
        ])
    func removing(list: String, indexes: [Int], expected: String) {
        let edited = ListEditing.removing(Set(indexes), from: Array(list.utf8))
        #expect(edited.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("a text that is no list, or an index outside it, gives nothing")
    func refusals() {
        #expect(ListEditing.removing([0], from: Array("{}".utf8)) == nil)
        #expect(ListEditing.removing([1], from: Array("[1]".utf8)) == nil)
    }
}
