import MooringSchema
import MooringModel
import Testing

@testable import MooringAppSync

/// What an API's answers mean, and how pages follow one another.
@Suite("AppSync: answers")
struct GraphQLAnswerTests {
    private func answer(_ text: String) throws -> GraphQLAnswer {
        try #require(GraphQLAnswer(Array(text.utf8)))
    }

    @Test("Errors are told by their kinds alone")
    func kinds() throws {
        let answer = try answer(
            """
            {"data": null, "errors": [
              {"errorType": "DynamoDB:ConditionalCheckFailedException", "message": "secret"},
              {"errorType": null, "message": "Validation error of type FieldUndefined: Field 'x'"},
              {"message": "the row holds secret"}, {"errorType": "no <word>"},
              {"extensions": {"code": "THROTTLED"}}]}
            """)
        #expect(
            answer.errors == [
                "ConditionalCheckFailedException", "FieldUndefined", "an error of no known type",
                "an error of no known type", "THROTTLED",
            ])
        #expect(answer.isConflict && answer.isUndefined && answer.isInvalid)
        #expect(answer.told?.contains("secret") == false)
        #expect(answer.told?.contains("no known type (2 times)") == true)
    }

    @Test("What is no answer is none", arguments: ["", "<html>", "[]", "{}", "{\"data\"}"])
    func none(_ text: String) { #expect(GraphQLAnswer(Array(text.utf8)) == nil) }

    @Test("Slowing down is asked for only where nothing else is wrong")
    func slowDown() throws {
        #expect(try answer(#"{"errors": [{"errorType": "ThrottlingException"}]}"#).asksToSlowDown)
        let mixed = try answer(
            #"{"errors": [{"errorType": "ThrottlingException"}, {"errorType": "Unauthorized"}]}"#)
        #expect(!mixed.asksToSlowDown)
    }

    @Test("A loop of tokens is met, however long it is")
    func loops() throws {
        let model = APIModel(
            name: "Song", id: ["id"],
            columns: [APIModel.Column(name: "id", type: .named("ID"))],
            lists: [APIModel.ListQuery(name: "listSongs")])
        for length in [1, 2, 3, 7] {
            var pages = ListPages(number: 0, model: model, columns: model.columns, pageSize: 1)
            var count = 0
            while true {
                let token = "t\(count % length)"
                let (page, goesOn) = pages.read(
                    try answer(
                        "{\"data\": {\"result\": {\"items\": [], \"nextToken\": \"\(token)\"}}}"))
                count += 1
                guard goesOn else {
                    #expect(page.problems.joined().contains("came again"))
                    break
                }
                try #require(count < 100)
            }
        }
    }

    @Test("A record that is null without an error is missed, and so are those of no list")
    func missingRecords() throws {
        let model = APIModel(
            name: "Song", id: ["id"],
            columns: [APIModel.Column(name: "id", type: .named("ID"))],
            lists: [APIModel.ListQuery(name: "listSongs")])
        func read(_ result: String) throws -> ListPages.Page {
            var pages = ListPages(number: 0, model: model, columns: model.columns, pageSize: 1)
            return pages.read(try answer("{\"data\": {\"result\": \(result)}}")).page
        }
        let page = try read(#"{"items": [null, {"id": "1"}, null], "nextToken": null}"#)
        #expect(page.rows == [[.text("1")]])
        #expect(page.problems == ["2 records of a page are null"])
        #expect(try read(#"{"items": null}"#).problems == ["the answer holds no items"])
    }

    @Test("A value has one text, and is told from others")
    func values() throws {
        let text = Array(#"{ "b" : [ "\u00e9\n" , 1.50 ], "a": null }"#.utf8)
        let canonical = try #require(CanonicalText.of(text))
        #expect(
            String(decoding: canonical, as: UTF8.self)
                == "{\"a\":null,\"b\":[\"é\\u000a\",1.50]}")
        let list = APIModel.Column(name: "l", type: .list(.named("String")))
        let flag = APIModel.Column(name: "f", type: .named("Boolean"))
        let word = APIModel.Column(name: "w", type: .named("String"))
        #expect(InputValue.isSame(.text("[ \"a\" ]"), .json("[\"a\"]"), list))
        #expect(!InputValue.isSame(.text("[\"b\"]"), .json("[\"a\"]"), list))
        #expect(InputValue.isSame(.integer(1), .json("true"), flag))
        #expect(!InputValue.isSame(.integer(0), .null, flag))
        #expect(!InputValue.isSame(.json("\"a\""), .text("a"), word))
        // Equal letters of two spellings are two values.
        #expect(!InputValue.isSame(.text("e\u{301}"), .text("\u{E9}"), word))
        #expect(InputValue.json(.integer(1), for: flag) == Array("true".utf8))
        #expect(InputValue.json(.text("[\"a\"]"), for: list) == Array("[\"a\"]".utf8))
        #expect(InputValue.json(.text([0xFF]), for: word) == nil)
        #expect(InputValue.json(.blob([1]), for: word) == nil)
    }

    @Test("An identifier that a type cannot hold names no record")
    func keys() {
        let model = APIModel(
            name: "Song", id: ["n", "s"],
            columns: [
                APIModel.Column(name: "n", type: .named("Int")),
                APIModel.Column(name: "s", type: .named("ID")),
            ])
        func values(_ number: String, _ text: [UInt8]) -> [[UInt8]]? {
            RecordKey(
                model: model, idColumns: ["n", "s"],
                id: RecordID(parts: [Array(number.utf8), text])
            ).values
        }
        #expect(values("7", [97]) == [Array("7".utf8), Array("\"a\"".utf8)])
        #expect(values("07", [97]) == nil)
        #expect(values("7", [0xFF]) == nil)
    }
}
