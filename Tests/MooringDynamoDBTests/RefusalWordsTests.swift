import MooringAWS
import MooringModel
import MooringText
import StoreConformance
import Synchronization
import Testing

@testable import MooringDynamoDB

/// What is said of a refusal of the service, and of a write that is not sent, or whose outcome is
/// not known: word for word, with what to do.
@Suite("The words of refusals of DynamoDB")
struct RefusalWordsTests {
    private static func client(_ caller: any AWSCaller) -> DynamoDBClient {
        DynamoDBClient(
            origin: Origin(host: "dynamodb.example.com"), region: "eu-west-1", caller: caller)
    }

    private func told(
        _ code: String, _ status: Int, call: String, message: String = ""
    ) throws -> StoreError {
        let refusal = DynamoDBRefusal(
            client: Self.client(ScriptedCaller { _ in .json("{}") }), table: "Song")
        return try #require(
            refusal.storeError(
                DynamoDBError(call: call, AWSResponse.error(status, code, message))))
    }

    /// A refusal: the code, what is found and what is to be done.
    struct Line: Sendable {
        let code: String
        var status = 400
        var call = "Scan"
        var message = ""
        let found: String
        var hint: String?
    }

    private static let again = "run the command again"
    private static let lines = [
        Line(
            code: "ThrottlingException",
            found: "the service asks to slow down, after several sendings still",
            hint: "set a lower readCapacity under dynamodb:, or give the table more capacity, and "
                + "run the command again"),
        Line(
            code: "UnrecognizedClientException",
            found: "the service does not know the access key, or its session token",
            hint: "check AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN or the profile"),
        Line(
            code: "InvalidSignatureException",
            found: "the signature is not the one that the service computes: the secret access key "
                + "is another one, or the endpoint is of another region than eu-west-1",
            hint: "check AWS_SECRET_ACCESS_KEY or the profile, and region and endpoint under "
                + "dynamodb:"),
        Line(
            code: "ExpiredTokenException", found: "the temporary credentials have ended",
            hint: "get new ones, and run the command again"),
        Line(
            code: "MissingAuthenticationToken",
            found: "the service wants another signature than that of DynamoDB",
            hint: "check endpoint under dynamodb:"),
        Line(
            code: "RequestTimeTooSkewed",
            found: "this machine's clock and the service's differ, more than a signature bears",
            hint: "set this machine's clock, and run the command again"),
        Line(
            code: "AccessDeniedException", found: "no permission; it needs dynamodb:Scan",
            hint: "`mooring iam-policy --for audit` or `--for repair` prints what to allow"),
        Line(
            code: "ResourceNotFoundException", found: "there is no such table in eu-west-1",
            hint: "check table under models, and region, tablePrefix and tableSuffix under "
                + "dynamodb:"),
        Line(
            code: "ResourceInUseException", found: "the table is being made or deleted",
            hint: "run the command again later"),
        Line(
            code: "UnknownOperationException", found: "the service does not know this call",
            hint: "check endpoint under dynamodb:"),
        Line(
            code: "TransactionConflictException", call: "UpdateItem",
            found: "a transaction of somebody else's writes the same record at this moment",
            hint: again),
        Line(
            code: "ItemCollectionSizeLimitExceededException", call: "PutItem",
            found: "the records under this partition key take all their room already"),
        Line(
            code: "ValidationException", call: "UpdateItem",
            message: "Item size has exceeded the maximum",
            found: "the record would be larger than the service takes (400 KB)"),
        Line(
            code: "InternalServerError", status: 500, found: "the service failed",
            hint: "run the command again when it is well"),
        Line(
            code: "InternalServerError", status: 500, call: "UpdateItem",
            found: "the service failed, and may have done what was asked",
            hint: "run the command again when it is well"),
        Line(code: "OddException", found: "the service refused"),
    ]

    @Test("each refusal is said with the next step", arguments: lines)
    func refusals(line: Line) throws {
        let error = try told(line.code, line.status, call: line.call, message: line.message)
        #expect(
            error.reason == "\(line.call): \(line.found) (\(line.code), status \(line.status))"
                || line.found == "the service refused", "\(error.reason)")
        #expect(error.reason.hasPrefix("\(line.call): \(line.found) ("), "\(error.reason)")
        #expect(error.hint == line.hint)
        #expect(error.isRefusal == (line.status < 500))
    }

    @Test("an answer that is none, or is not what its checksum says, is told")
    func damaged() async throws {
        let odd = DynamoDBRefusal(
            client: Self.client(ScriptedCaller { _ in .json("{}") }), table: nil)
        let fault = try #require(odd.storeError(ItemFault(reason: "holds no list of items")))
        #expect(fault.place == "dynamodb eu-west-1")
        #expect(fault.reason == "an answer holds no list of items")
        #expect(fault.hint == "see that the endpoint is DynamoDB's, or speaks its language")
        let liar = Self.client(ScriptedCaller { _ in .json("{}", checksum: 1) })
        let read = await #expect(throws: AWSFailure.self) {
            _ = try await liar.read("Scan", [])
        }
        #expect(
            read?.reason == "the answer is not what its checksum says, 3 times in a row")
        let write = await #expect(throws: AWSFailure.self) {
            _ = try await liar.write("UpdateItem", [])
        }
        #expect(write?.reason == "the answer is not what its checksum says")
        #expect(write?.mayHaveHappened == true)
    }

    // MARK: Writes

    private static let item = #"{"id":{"S":"1"},"x":{"S":"a"}}"#

    private func source(
        _ item: String = item, answer: String = "{}"
    ) -> (DynamoDBSource, ScriptedCaller) {
        let caller = ScriptedCaller { request in
            switch request.call {
            case "DescribeTable": .table
            case "ListTables": .json(#"{"TableNames":["Song"]}"#)
            case "GetItem": .json(#"{"Item":\#(item)}"#)
            default: .json(answer)
            }
        }
        return (caller.source { $0.models = [ModelMapping(model: "Song")] }, caller)
    }

    private func change(
        _ act: RecordChange.Act = .update, id: String = "id",
        expected: [ColumnValue] = [ColumnValue("x", .text([97]))],
        to assignments: [ColumnValue] = [ColumnValue("x", .null)]
    ) -> RecordChange {
        RecordChange(
            act, table: "Song", idColumns: [id], id: RecordID("1"), expected: expected,
            assignments: assignments)
    }

    @Test("a write that cannot be sent is refused, says why, and nothing is sent")
    func unsent() async throws {
        let key = "the record would get another key, under which nobody would find it"
        for (change, reason) in [
            (
                change(to: []),
                "the record would be assigned nothing, or be removed and assigned something"
            ),
            (change(to: [ColumnValue("id", .text([50]))]), key),
            (
                change(to: [ColumnValue("x", .real(0.5))]),
                "the record would get an attribute \"x\" that is a binary fraction, which "
                    + "DynamoDB's numbers are not"
            ),
            (
                change(to: [ColumnValue("x", .text([0xFF]))]),
                "the record would get an attribute \"x\" that is no UTF-8, which DynamoDB's "
                    + "strings are"
            ),
            (
                change(to: [ColumnValue("x", .json(Array("7".utf8)))]),
                "the record would get an attribute \"x\" that is neither a list nor a map"
            ),
            (
                change(id: "x"),
                "its key is \"id\", and the mapping says that the id is \"x\": one record cannot "
                    + "be read consistently by that"
            ),
        ] {
            let (source, caller) = source()
            let error = await #expect(throws: StoreError.self) {
                _ = try await source.update(change)
            }
            #expect(error?.reason == reason && error?.isRefusal == true, "\(error?.reason ?? "")")
            #expect(!caller.sent.contains { $0.call == "UpdateItem" })
        }
        let (other, _) = source()
        let misnamed = await #expect(throws: StoreError.self) {
            _ = try await other.update(change(id: "x"))
        }
        #expect(misnamed?.hint == "write id: [id] for the model")
        let (versioned, _) = source(
            #"{"id":{"S":"1"},"x":{"S":"a"},"_version":{"N":"3"},"_lastChangedAt":{"N":"1"}}"#)
        let kept = await #expect(throws: StoreError.self) {
            _ = try await versioned.update(change())
        }
        #expect(kept?.reason.contains("the record holds _version") == true)
    }

    @Test("a removal of what gained an attribute is stale, and one whose answer lacks it is told")
    func removal() async throws {
        let whole = [ColumnValue("id", .text([49])), ColumnValue("x", .text([97]))]
        let (gained, _) = source(#"{"id":{"S":"1"},"x":{"S":"a"},"new":{"S":"b"}}"#)
        #expect(
            try await gained.update(change(.delete, expected: whole, to: [])).staleness
                == "the record has an attribute that it had not: \"new\"")
        let (silent, _) = source()
        let error = await #expect(throws: StoreError.self) {
            _ = try await silent.update(change(.delete, expected: whole, to: []))
        }
        #expect(
            error?.reason == "an answer to DeleteItem does not tell what was deleted")
        #expect(error?.isRefusal == false)
    }

    @Test("a record is put back only under its own id")
    func insertion() async throws {
        let caller = ScriptedCaller { request in
            switch request.call {
            case "DescribeTable": .table
            case "ListTables": .json(#"{"TableNames":["Song"]}"#)
            default: .json("{}")
            }
        }
        let source = caller.source { $0.models = [ModelMapping(model: "Song")] }
        let error = await #expect(throws: StoreError.self) {
            _ = try await source.update(
                change(.insert, expected: [], to: [ColumnValue("id", .text([50]))]))
        }
        #expect(error?.reason == "the record would be put under another id than its own")
        #expect(!caller.sent.contains { $0.call == "PutItem" })
    }

    @Test("a write whose condition failed though the record is as it left it is no conflict")
    func doubtful() async throws {
        for (second, words) in [
            (
                #"{"id":{"S":"1"},"x":{"NULL":true}}"#,
                "the write was refused as if somebody else had written at this moment, and the "
                    + "record is as it would have left it"
            ), (#"{"id":{"S":"1"},"x":{"S":"b"}}"#, nil),
        ] as [(String, String?)] {
            let isSent = Mutex(false)
            let caller = ScriptedCaller { request in
                switch request.call {
                case "DescribeTable": return .table
                case "ListTables": return .json(#"{"TableNames":["Song"]}"#)
                case "GetItem":
                    return .json(#"{"Item":\#(isSent.withLock { $0 } ? second : Self.item)}"#)
                default:
                    isSent.withLock { $0 = true }
                    return .error(400, "ConditionalCheckFailedException")
                }
            }
            let source = caller.source { $0.models = [ModelMapping(model: "Song")] }
            guard let words else {
                #expect(try await source.update(change()).staleness != nil)
                continue
            }
            let error = await #expect(throws: StoreError.self) {
                _ = try await source.update(change())
            }
            #expect(error?.reason == words && error?.isRefusal == false)
        }
    }

    // MARK: Readings

    @Test("a page that is none says why")
    func pages() async throws {
        let song = TableColumns(table: "Song", columns: ["id", "cover"])
        for (body, reason) in [
            ("{}", "holds no list of items"),
            (
                #"{"Items":[{"id":{"S":"1"}}],"Count":2}"#,
                "holds 1 items and says that there are 2"
            ),
            (#"{"Items":[],"Count":1.5}"#, "holds a Count that is no whole number"),
            (
                #"{"Items":[],"LastEvaluatedKey":{"id":{"S":"1"}},"LastEvaluatedKey":null}"#,
                "holds a member twice"
            ),
            (
                #"{"Items":[{"id":{"S":"1"},"id":{"S":"2"}}],"Count":1}"#,
                "holds an attribute twice"
            ),
            (#"{"Items":[{"id":{"X":"1"}}],"Count":1}"#, "holds a value of an unknown type"),
            (#"{"Items":[{"id":{"N":"x"}}],"Count":1}"#, "holds a number that is none"),
            (#"{"Items":[{"id":{"B":"*"}}],"Count":1}"#, "holds bytes that are no base64"),
            (#"{"Items":[{"id":{"NULL":false}}],"Count":1}"#, "holds a NULL that is false"),
            (
                #"{"Items":[{"cover":{"M":{"a":{"S":"x"},"a":{"S":"y"}}}}],"Count":1}"#,
                "holds a name twice in a map"
            ),
        ] {
            let scan = try await ScriptedCaller { _ in .json(body) }.source()
                .read(.columns([song]))
            let told = scan.result.problems.first?.reason ?? ""
            #expect(told.contains(reason), "\(told)")
        }
        let circle = ScriptedCaller { _ in
            .json(#"{"Items":[],"Count":0,"LastEvaluatedKey":{"id":{"S":"1"}}}"#)
        }
        let told = try await circle.source().read(.columns([song])).result.problems.first
        #expect(
            told?.reason.contains("names a LastEvaluatedKey for the second time, after 2 pages")
                == true, "\(told?.reason ?? "")")
    }

    @Test("a list of tables that is none, or fits nothing, says why")
    func tables() async throws {
        for (answer, reason) in [
            (#"{"TableNames":[7]}"#, "of ListTables holds a name that is no text"),
            (
                #"{"TableNames":[],"LastEvaluatedTableName":"a"}"#,
                "of ListTables names the same next table again"
            ),
            (
                #"{"TableNames":["Song"]}"#,
                "no table fits tablePrefix and tableSuffix; check them, and region"
            ),
        ] {
            let source = ScriptedCaller { _ in .json(answer) }.source {
                $0.names = TableNames(prefix: "x.")
            }
            let told = try await source.read(.everything).result.problems.first?.reason ?? ""
            #expect(told.contains(reason), "\(told)")
        }
    }
}
