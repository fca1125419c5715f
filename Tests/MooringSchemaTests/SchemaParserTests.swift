import Testing
import MooringSchema

struct SchemaParserTests {
    private func only(_ text: String) throws -> SchemaDefinition {
        let all = try SchemaSample.definitions(text)
        return try #require(all.count == 1 ? all[0] : nil, "\(all.count) definitions")
    }

    @Test("types, wrappers, arguments, defaults and directives are read with their places")
    func fields() throws {
        let type = try only(
            """
            type A implements B & C @x @y(n: 1) {
              "said of it" plain: [String!]!
              with(a: Int = 3, b: [ID] @z): D @deprecated(reason: "old")
            }
            """)
        #expect(type.kind == .object)
        #expect(type.members == ["B", "C"])
        #expect(type.directives.map(\.name) == ["x", "y"])
        #expect(type.directives[1]["n"] == .integer("1"))
        let plain = type.fields[0]
        #expect(plain.type == .nonNull(.list(.nonNull(.named("String")))))
        #expect(plain.type.isList)
        #expect(plain.type.base == "String")
        #expect(plain.place == SchemaPlace(line: 2, column: 16))
        let with = type.fields[1]
        #expect(with.arguments.map(\.name) == ["a", "b"])
        #expect(with.arguments[0].defaultValue == .integer("3"))
        #expect(with.arguments[1].directives.map(\.name) == ["z"])
        #expect(with.directive("deprecated")?["reason"] == .string("old"))
        #expect(!with.type.isList)
    }

    @Test("every kind of definition is read")
    func kinds() throws {
        let text = """
            schema { query: Query, mutation: Mutation }
            extend schema @link
            scalar Time @specifiedBy(url: "x")
            extend scalar Time @more
            interface Node implements Old New { id: ID! }
            extend interface Node { more: Int }
            union Any @u = | A | B
            union Empty
            enum Colour { RED @a "green" GREEN BLUE }
            input Filter { a: Int = 1 @x, b: [String] = ["c"] }
            type Empty2
            type Empty3 {}
            extend type A @model { more: String }
            directive @aws(a: [String!]) repeatable on OBJECT | FIELD_DEFINITION
            directive @b on | FIELD
            """
        let all = try SchemaSample.definitions(text)
        #expect(
            all.map(\.kind) == [
                .schema, .schema, .scalar, .scalar, .interface, .interface, .union, .union,
                .enumeration, .input, .object, .object, .object, .directive, .directive,
            ])
        #expect(all.filter(\.isExtension).count == 4)
        #expect(all[4].members == ["Old", "New"])
        #expect(all[6].members == ["A", "B"])
        #expect(all[8].members == ["RED", "GREEN", "BLUE"])
        #expect(all[9].fields[1].defaultValue == .list([.string("c")]))
        #expect(all[13].members == ["OBJECT", "FIELD_DEFINITION"])
    }

    @Test("every form of a value is read")
    func values() throws {
        let type = try only(
            """
            type A @v(a: -12, b: 1.5e+3, c: true, d: null, e: WORD, f: [1 [2]], g: {h: {i: []}}
              j: \"""
                two
                  lines
              \""", k: "\\u00e9\\uD83D\\uDE00\\u{1F600}\\n\\"\\\\\\/", l: "", m: \"""\\\"""q\""")
            """)
        let value = try #require(type.directive("v"))
        #expect(value["a"] == .integer("-12"))
        #expect(value["b"] == .decimal("1.5e3"))
        #expect(value["c"] == .boolean(true))
        #expect(value["d"] == .null)
        #expect(value["e"] == .enumeration("WORD"))
        #expect(value["f"] == .list([.integer("1"), .list([.integer("2")])]))
        #expect(value["g"]?["h"]?["i"] == .list([]))
        #expect(value["j"] == .string("two\n  lines"))
        #expect(value["k"] == .string("é😀😀\n\"\\/"))
        #expect(value["l"] == .string(""))
        #expect(value["m"] == .string("\"\"\"q"))
        #expect(value["n"] == nil)
    }

    @Test("marks of byte order, commas, comments and every line end are blanks")
    func blanks() throws {
        let text = "\u{FEFF},,# a\rtype A,{\r\n,a:Int,#b\n\tb\n:\nInt}\u{FEFF}# end"
        let type = try only(text)
        #expect(type.place == SchemaPlace(line: 2, column: 6))
        #expect(type.fields.map(\.place.line) == [3, 4])
        #expect(try SchemaSample.definitions("").isEmpty)
        #expect(try SchemaSample.definitions("# nothing").isEmpty)
    }

    @Test("columns count characters, so that an editor finds the place")
    func columns() throws {
        let error = SchemaSample.refusal("type A @a(b: \"é😀\") { c }")
        #expect(error.hasPrefix("s.graphql:1:24:"), "\(error)")
    }

    @Test(
        "what is wrong is told with its place, what was found and what was expected",
        arguments: [
            ("type", "1:5: found the end of the file, expected the name of the type"),
            (
                "typ A",
                "1:1: found 'typ', expected a definition: type, interface, union, enum, "
                    + "input, scalar, extend, schema or directive"
            ),
            (
                "query { a }",
                "1:1: found 'query', expected a definition: type, interface, union, "
                    + "enum, input, scalar, extend, schema or directive"
            ),
            ("type A {\n  a String }", "2:5: found 'String', expected ':' and the type of 'a'"),
            ("type A { a: }", "1:13: found '}', expected a type, such as String or [String]"),
            ("type A { a: [B }", "1:16: found '}', expected ']' after the type in the list"),
            (
                "type A { a: B",
                "1:14: found the end of the file, expected the name of a field, "
                    + "or '}'"
            ),
            ("type A @a(b: $c)", "1:14: found '$', expected a value; a schema has no variables"),
            ("type A @a(b 1)", "1:13: found the number 1, expected ':' and the value of 'b'"),
            ("type A @a(b: [1", "1:16: found the end of the file, expected a value"),
            ("type A @", "1:9: found the end of the file, expected the name of a directive"),
            (
                "type A @a(b: \"c\n\")",
                "1:14: found a string without an end, expected '\"' before "
                    + "the line ends"
            ),
            ("\"\"\"a\"", "1:1: found a block string without an end, expected '\"\"\"'"),
            (
                "type A @a(b: \"\\q\")",
                "1:15: found an escape that is none of "
                    + "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"
            ),
            (
                "type A @a(b: \"\\uD800\")",
                "1:15: found an escape of no character, expected one "
                    + "such as \\u00E9"
            ),
            (
                "type A @a(b: 01)",
                "1:14: found a number that is not written out, expected one "
                    + "such as 12 or 1.5"
            ),
            (
                "type A @a(b: 1x)",
                "1:14: found a number that is not written out, expected one "
                    + "such as 12 or 1.5"
            ),
            ("type A \u{1}", "1:8: found U+0001, which no schema holds here"),
            ("type A é", "1:8: found U+00E9, which no schema holds here"),
            ("type A %", "1:8: found '%', which no schema holds here"),
            (
                "extend directive @a on B",
                "1:8: found 'directive', expected what is extended: "
                    + "type, interface, union, enum, input, scalar or schema"
            ),
            ("directive a on B", "1:11: found 'a', expected '@' before the directive's name"),
            ("directive @a B", "1:14: found 'B', expected 'on' and where it may stand"),
            ("union A = ", "1:11: found the end of the file, expected the name of a type"),
            ("enum A { 1 }", "1:10: found the number 1, expected a value of the enum, or '}'"),
            ("schema", "1:7: found the end of the file, expected '{' and the fields of the schema"),
            (
                "type A { a(1: B): C }",
                "1:12: found the number 1, expected the name of an argument, or ')'"
            ),
            (
                "type A implements { a: B }",
                "1:19: found '{', expected the name of an interface"
            ),
            (
                "type A implements B & { a: B }",
                "1:23: found '{', expected the name of an interface"
            ),
            ("type A { ...B }", "1:10: found '...', expected the name of a field, or '}'"),
            (
                "type A { a: B }\ntype A { c: D }",
                "2:6: found another type 'A', which line 1 "
                    + "defines; keep one of them"
            ),
            (
                "type A { a: B a: C }",
                "1:15: found another field 'a' of type 'A'; keep one of "
                    + "them"
            ),
            (
                "type A { a: B }\nextend type A { a: C }",
                "2:17: found another field 'a' of type "
                    + "'A'; keep one of them"
            ),
        ])
    func errors(text: String, message: String) {
        #expect(SchemaSample.refusal(text) == "s.graphql:" + message)
    }

    @Test("bytes that are no UTF-8 are told with their place")
    func invalidBytes() {
        let bytes = Array("type A {\n  é: ".utf8) + [0xFF] + Array("Int }".utf8)
        #expect(
            SchemaSample.refusal(bytes) == "s.graphql:2:6: found a byte that is not UTF-8; save "
                + "the file as UTF-8 text")
    }

    @Test("a string's content is never repeated, and a long name is cut")
    func printing() {
        #expect(!SchemaSample.refusal("type A \"hunter2\" }").contains("hunter2"))
        let name = String(repeating: "x", count: 10_000)
        #expect(SchemaSample.refusal(name).count < 300)
    }
}
