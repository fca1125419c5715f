import MooringAWS
import MooringModel
import StoreConformance
import Testing

@testable import MooringDynamoDB

/// What is said of tables that tell too little, and of a removal that met more than was read.
@Suite("The words of DynamoDB's answers that do not fit")
struct AnswerWordsTests {
    private func source(
        _ script: @escaping @Sendable (AWSRequest) throws -> AWSResponse
    ) -> DynamoDBSource {
        ScriptedCaller { request in
            request.call == "ListTables" ? .json(#"{"TableNames":["Song"]}"#) : try script(request)
        }.source { $0.models = [ModelMapping(model: "Song")] }
    }

    @Test("a description that tells of no table, or of no key, is none")
    func descriptions() async throws {
        for (body, reason) in [
            ("{}", "an answer tells of no table"), ("no JSON", "an answer tells of no table"),
            (#"{"Table":{}}"#, "an answer tells of no key"),
            (
                #"{"Table":{"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}}"#,
                "an answer tells of no key"
            ),
        ] {
            let source = source { _ in .json(body) }
            let error = await #expect(throws: StoreError.self) { _ = try await source.identity() }
            #expect(error?.reason == reason && error?.isRefusal == false)
        }
    }

    @Test("a table whose service tells no id of it is named, and its part is unread")
    func noID() async throws {
        let identity = try await source { _ in .table }.identity()
        #expect(identity.unread == [#"the service tells no id of table "Song""#])
        #expect(identity.unreadParts == ["table Song"] && identity.parts.isEmpty)
    }

    @Test("an answer to a look by the first half of a key alone has to hold items")
    func query() async throws {
        let table = AWSResponse.json(
            #"{"Table":{"TableName":"Song","KeySchema":[{"AttributeName":"id","KeyType":"HASH"},"#
                + #"{"AttributeName":"at","KeyType":"RANGE"}],"AttributeDefinitions":["#
                + #"{"AttributeName":"id","AttributeType":"S"},"#
                + #"{"AttributeName":"at","AttributeType":"S"}]}}"#)
        let source = source { $0.call == "DescribeTable" ? table : .json("{}") }
        let error = await #expect(throws: StoreError.self) {
            _ = try await source.rows(
                table: "Song", idColumns: ["id"], id: RecordID("1"), columns: ["id"])
        }
        #expect(error?.reason == "an answer to Query holds no items")
    }

    // MARK: Removals

    private func removal(of item: [(name: String, text: String)]) -> RecordChange {
        RecordChange(
            .delete, table: "Song", idColumns: ["id"], id: RecordID("1"),
            expected: item.map { ColumnValue($0.name, .text(Array($0.text.utf8))) },
            assignments: [])
    }

    private static func text(_ item: [(name: String, text: String)]) -> String {
        "{" + item.map { #""\#($0.name)":{"S":"\#($0.text)"}"# }.joined(separator: ",") + "}"
    }

    @Test("what a record gained while it was removed brings it back, or is told with what helps")
    func gained() async throws {
        let item = [(name: "id", text: "1"), (name: "x", text: "a")]
        let more = Self.text(item + [(name: "new", text: "b")])
        func source(_ put: AWSResponse) -> DynamoDBSource {
            self.source { request in
                switch request.call {
                case "DescribeTable": .table
                case "GetItem": .json(#"{"Item":\#(Self.text(item))}"#)
                case "DeleteItem": .json(#"{"Attributes":\#(more)}"#)
                default: put
                }
            }
        }
        #expect(
            try await source(.json("{}")).update(removal(of: item)).staleness
                == #"the record gained attribute "new" while it was removed; it was put back"#)
        #expect(
            try await source(.error(400, "ConditionalCheckFailedException"))
                .update(removal(of: item)).staleness
                == "the record was written at this moment by somebody else, or put back as it was")
        let error = await #expect(throws: StoreError.self) {
            _ = try await source(.error(400, "AccessDeniedException")).update(removal(of: item))
        }
        #expect(
            error?.reason == #"the record was removed with attribute "new", which it had not when "#
                + "it was read, and could not be put back")
        #expect(error?.hint == "restore it from the table's backup")
    }

    @Test("a record of more attributes than a condition compares is not removed")
    func tooMany() async throws {
        let item = [(name: "id", text: "1")] + (1...150).map { (name: "a\($0)", text: "x") }
        let caller = ScriptedCaller { request in
            switch request.call {
            case "ListTables": .json(#"{"TableNames":["Song"]}"#)
            case "DescribeTable": .table
            default: .json(#"{"Item":\#(Self.text(item))}"#)
            }
        }
        let source = caller.source { $0.models = [ModelMapping(model: "Song")] }
        let error = await #expect(throws: StoreError.self) {
            _ = try await source.update(removal(of: item))
        }
        #expect(
            error?.reason
                == "the record has 151 attributes, more than one condition may compare")
        #expect(error?.isRefusal == true && !caller.sent.contains { $0.call == "DeleteItem" })
    }
}
