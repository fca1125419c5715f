import SeededNumbers
import Testing

@testable import MooringSchema

struct ProjectParserTests {
    private func read(
        _ text: String, _ form: ProjectParser.Form = .json
    ) throws -> ProjectNode {
        try ProjectParser.parse(Array(text.utf8), file: "f", form: form)
    }

    private func refusal(_ text: String, _ form: ProjectParser.Form = .json) -> String {
        do {
            _ = try read(text, form)
            return "accepted"
        } catch {
            return "\(error)"
        }
    }

    @Test("JSON is read with the place of each name, and the last of equal names counts")
    func json() throws {
        let node = try read(
            "{\"a\": [1, \"x\\u00e9\\\"\", true, null, -1.5e3],\n \"b\": {\"c\": \"d\"}, "
                + "\"b\": {\"c\": \"e\"}}"
        )
        #expect(node["a"]?.elements.map(\.text) == [nil, "xé\"", nil, nil, nil])
        #expect(node["a"]?.elements[2].isTrue == true)
        #expect(node["b", "c"]?.text == "e")
        #expect(node.members[1].place == SchemaPlace(line: 2, column: 2))
        #expect(node["b", "c", "d"] == nil)
    }

    @Test(
        "what is no JSON is refused with its place",
        arguments: [
            ("", "f:1:1: found the end of the file, expected a value"),
            ("{\"a\" 1}", "f:1:6: found '1', expected ':' after the name"),
            ("{\"a\": 1,}", "f:1:9: found '}', expected another entry after the ','"),
            ("[1 2]", "f:1:4: found '2', expected ',' or ']'"),
            ("{'a': 1}", "f:1:2: found ''', expected a name in quotes, or '}'"),
            ("{\"a\": 1} // x", "f:1:10: found '/', expected the end of the file"),
            ("{\"a\": 01}", "f:1:7: found a number that is not written out"),
            ("{\"a\": undefined}", "f:1:7: found 'u', expected a value"),
            ("{\"a\":\n \"x\ny\"}", "f:2:2: found a string without an end"),
        ])
    func refused(text: String, expected: String) {
        #expect(refusal(text).hasPrefix(expected), "\(refusal(text))")
    }

    @Test("nesting is bounded, and bytes that are no UTF-8 are named")
    func bounds() {
        let deep = String(repeating: "[", count: 100_000)
        let words = "found brackets over 64 levels deep"
        #expect(refusal(deep) == "f:1:65: " + words)
        #expect(refusal("a = {b: " + deep, .script).hasSuffix(words))
        #expect(throws: SchemaError.self) {
            try ProjectParser.parse([0x7B, 0xFF, 0x7D], file: "f", form: .json)
        }
    }

    @Test("of a script the first object that is assigned or exported is read")
    func script() throws {
        let text = """
            /* { "a": 1 } */
            import { x } from "./y"; // = {
            const config = {
              'single': 'it\\'s', plain: `t`, "other": process.env.KEY || {a: [")"]},
              call: f(1, { b: 2 }), put: `a${x}b`, ...rest, short, sum: "a" + "b", last: "z",
            };
            export default config;
            """
        let node = try read(text, .script)
        #expect(node["single"]?.text == "it's")
        #expect(node["plain"]?.text == "t")
        #expect(node["last"]?.text == "z")
        for name in ["other", "call", "put", "sum"] {
            guard case .expression? = node[name]?.kind else {
                Issue.record("\(name) is an expression")
                continue
            }
        }
        #expect(try read("export default {\"a\": \"b\"}", .script)["a"]?.text == "b")
        #expect(
            refusal("const a = 1", .script)
                == "f:1:12: found the end of the file, expected an object such as {…}")
        #expect(
            refusal("const a = {\n b: f(1", .script) == "f:2:5: found an expression without an end")
    }

    @Test("of a Dart file the string in three quotes is read, at its own place")
    func dart() throws {
        let text = "// x\nconst a = ''' {\n \"a\": \"\\$b\" }''';\nconst c = '''{}''';"
        #expect(try read(text, .dart)["a"]?.text == "$b")
        #expect(try read("const a = r\"\"\"{\"a\": \"$b\"}\"\"\";", .dart)["a"]?.text == "$b")
        #expect(refusal("const a = '''\n{]''';", .dart).hasPrefix("f:2:2: found ']'"))
        #expect(refusal("const a = '''{}", .dart).contains("no string in three quotes"))
    }

    @Test("any bytes end in a value or in a refusal")
    func fuzz() {
        var generator = SeededGenerator(#function)
        let marks = Array("{}[]\":,'`$\\/* \nabc=default0-.".utf8)
        for _ in 0..<2_000 {
            let bytes = (0..<40).map { _ in marks.randomElement(using: &generator) ?? 0 }
            for form in [ProjectParser.Form.json, .script, .dart] {
                // Whether it is refused does not matter here, only that it ends.
                _ = try? ProjectParser.parse(bytes, file: "f", form: form)
            }
        }
    }

    @Test("secrets are named by the names they stand under, and empty ones are none")
    func secrets() throws {
        let node = try read(
            """
            {"apiKey": "x", "a": [{"AppClientSecret": "y", "client_secret": ""}],
             "passwordPolicy": {"min": 8}, "aws_appsync_apiKey": "z", "accessToken": "t"}
            """)
        #expect(node.secrets == ["AppClientSecret", "accessToken", "apiKey", "aws_appsync_apiKey"])
    }
}
