import MooringDecisions
import MooringModel
import SeededNumbers
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

@Suite("Adding keys to a list")
struct ListAppendingTests {
    private func appending(_ added: [String], _ list: String) -> String? {
        ListEditing.appending(added.map { [UInt8]($0) }, to: [UInt8](list))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private func elements(_ list: String) -> [String]? {
        ListEditing.elements(of: [UInt8](list))?.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "what stands there keeps its bytes",
        arguments: [
            ("[]", [#""k""#], #"["k"]"#), ("[ ]", [#""k""#], #"[ "k"]"#),
            (#"["a"]"#, [#""k""#], #"["a","k"]"#), (#"["a"]"#, ["1", "2"], #"["a",1,2]"#),
            (#" [ "a" , null ] "#, [#""k""#], #" [ "a" , null,"k" ] "#),
            (#"[["a"],{"b":[1]}]"#, [#"{"k":[]}"#], #"[["a"],{"b":[1]},{"k":[]}]"#),
            (#"["]"]"#, [#""k""#], #"["]","k"]"#),
        ])
    func appending(list: String, added: [String], expected: String) {
        #expect(appending(added, list) == expected)
    }

    @Test("elements are told byte for byte, blanks around them left out")
    func elements() {
        #expect(elements("[]") == [])
        #expect(elements(" [ \n] ") == [])
        #expect(
            elements(#" [ "a" , "\u006b",[1, [2]] ,{"k": "]"}, null ] "#)
                == [#""a""#, #""\u006b""#, "[1, [2]]", #"{"k": "]"}"#, "null"])
    }

    @Test("a text that is no list has none, and gets none")
    func noList() {
        for text in ["", "{}", #""k""#, "null", #"["k""#, "[1] 2", #"{"a":["k"]}"#] {
            #expect(elements(text) == nil)
            #expect(appending(["1"], text) == nil)
        }
    }
}

@Suite("Taking keys out of random lists")
struct ListEditingPropertyTests {
    @Test("the elements that stay are those that a list without the others has")
    func naive() throws {
        var generator = SeededGenerator("list editing against a naive model")
        let elements = [
            #""a""#, #""\u00e9""#, "null", "17", #"{"k": [1, "]"]}"#, #""[,]""#, #"[ "x" , []]"#,
            "true",
        ]
        let blanks = ["", " ", "\n  ", "\t"]
        for _ in 0..<3_000 {
            let list = generator.some(6) { $0.one(of: elements) }
            var text = generator.one(of: blanks) + "["
            for (index, element) in list.enumerated() {
                if index > 0 { text += "," }
                text += generator.one(of: blanks) + element + generator.one(of: blanks)
            }
            text +=
                (list.isEmpty ? generator.one(of: blanks) : "") + "]" + generator.one(of: blanks)
            let removed = Set(list.indices.filter { _ in generator.bool() })
            let edited = try #require(
                ListEditing.removing(removed, from: Array(text.utf8)), "\(text)")
            let node = try JSONNode(parsing: edited)
            let left = try #require(node.elements).map {
                String(decoding: edited[$0.range], as: UTF8.self)
            }
            let expected = list.indices.filter { !removed.contains($0) }.map { list[$0] }
            #expect(left == expected, "\(text) without \(removed)")
            if removed.isEmpty { #expect(edited == Array(text.utf8)) }
        }
    }
}
