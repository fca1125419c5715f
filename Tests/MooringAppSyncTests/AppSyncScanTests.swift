import Foundation
import MooringAWS
import MooringSchema
import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringAppSync

/// What a pass over an API reads, and what makes it incomplete.
@Suite("AppSync: scans", .requires(.appsync), .timeLimit(.minutes(60)))
struct AppSyncScanTests {
    private static let song = """
        {"id": "s1", "title": "One", "cover": "a/b", "images": ["x", null], "plays": 3,
         "length": 2, "isLive": true, "postID": "p1",
         "file": {"region": "r", "key": "k", "bucket": "b", "place": {"latitude": 1.5}}}
        """

    private func numbered(_ count: Int) -> String {
        let rows = (0..<count).map { "{\"id\": \"s\($0)\", \"title\": \"t\"}" }
        return "{\"Song\": [\(rows.joined(separator: ","))]}"
    }

    @Test("Values keep their classes, and nested ones have one spelling")
    func values() async throws {
        let stage = try await AppSyncStage()
        try stage.api.load("{\"Song\": [\(Self.song), {\"id\": \"s2\"}]}")
        let columns = ["id", "images", "plays", "length", "isLive", "file", "title"]
        let scan = try await stage.source.read(
            .columns([TableColumns(table: "Song", columns: columns)]))
        #expect(scan.result.isComplete)
        let rows = scan.batches.flatMap(\.rows)
        #expect(
            rows.first == [
                .text("s1"), .json("[\"x\",null]"), .integer(3), .real(2), .json("true"),
                .json(
                    "{\"bucket\":\"b\",\"key\":\"k\",\"place\":{\"latitude\":1.5},"
                        + "\"region\":\"r\"}"), .text("One"),
            ])
        #expect(rows.last == [.text("s2"), .null, .null, .null, .null, .null, .null])
    }

    @Test("Pass A asks for the columns wanted, pass B for every field of every model")
    func everything() async throws {
        let stage = try await AppSyncStage(mode: "optimistic")
        try stage.api.load(
            "{\"Song\": [\(Self.song)], \"Post\": [{\"id\": \"p1\", \"title\": \"P\"}]}")
        let wanted = TableColumns(table: "Song", columns: ["id", "cover"])
        _ = try await stage.source.read(.columns([wanted]))
        let first = try stage.api.texts(of: "listSongs")
        #expect(first.count == 1)
        #expect(first[0].contains("items { id cover } nextToken"))
        let scan = try await stage.source.read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)")
        #expect(Set(scan.batches.map(\.table)) == ["Song", "Post"])
        let columns = Set(scan.batches.first { $0.table == "Song" }?.columns ?? [])
        #expect(columns.isSuperset(of: ["file", "postID", "_version", "_deleted", "createdAt"]))
        #expect(columns.isDisjoint(with: ["post"]))
        #expect(scan.result.requests == 2)
    }

    @Test("Pages are read to the end, models side by side")
    func pages() async throws {
        let stage = try await AppSyncStage(options: { $0.pageSize = 10 })
        try stage.api.load(numbered(35))
        let scan = try await stage.source.read(.everything)
        #expect(scan.result.isComplete)
        #expect(scan.batches.filter { $0.table == "Song" }.map(\.rows.count) == [10, 10, 10, 5])
        #expect(Set(scan.batches.flatMap(\.rows).map { $0[0] }).count == 35)
    }

    @Test("A token that comes again ends the scan, and makes it incomplete")
    func repeatedToken() async throws {
        let stage = try await AppSyncStage(options: { $0.pageSize = 10 })
        try stage.api.load(numbered(35))
        try stage.api.fault(#"[{"kind": "repeat", "on": "listSongs", "after": 1}]"#)
        let scan = try await stage.source.read(.everything)
        #expect(scan.result.problems.map(\.reason).joined().contains("nextToken came again"))
        #expect(try stage.api.log().count < 10)
    }

    @Test("Partial data is delivered, and is no whole")
    func partial() async throws {
        let stage = try await AppSyncStage()
        try stage.api.load(numbered(3))
        try stage.api.fault(#"[{"kind": "partial", "on": "listSongs"}]"#)
        let scan = try await stage.source.read(.everything)
        #expect(scan.batches.flatMap(\.rows).count == 2)
        let reasons = scan.result.problems.map(\.reason)
        #expect(reasons.count == 1)
        #expect(
            reasons.first
                == "the API answered with errors: Unauthorized; what it left out was not read")
    }

    @Test("Throttling is waited for, in either form")
    func throttling() async throws {
        let stage = try await AppSyncStage()
        try stage.api.load(numbered(3))
        try stage.api.fault(
            """
            [{"kind": "status", "on": "listSongs", "status": 429, "times": 2},
             {"kind": "errors", "on": "listSongs", "times": 2,
              "type": "DynamoDB:ProvisionedThroughputExceededException"},
             {"kind": "status", "on": "listSongs", "status": 503, "times": 1}]
            """)
        let scan = try await stage.source.read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)")
        #expect(scan.batches.flatMap(\.rows).count == 3)
        #expect(try stage.api.log().filter { $0 == "listSongs" }.count == 6)
    }

    @Test("An API that stays broken is a problem, and the other models are read")
    func broken() async throws {
        let stage = try await AppSyncStage()
        try stage.api.load(
            #"{"Song": [{"id": "s"}], "Post": [{"id": "p", "title": "P"}]}"#)
        try stage.api.fault(#"[{"kind": "status", "on": "listSongs", "status": 500}]"#)
        let scan = try await stage.source.read(.everything)
        #expect(
            scan.result.problems.map(\.reason).joined().contains("the API answered HTTP 500"))
        #expect(scan.batches.map(\.table) == ["Post"])
    }

    @Test("A model without a list, and one that the API lacks, are problems")
    func unlisted() async throws {
        let models = """
            {"Song": {"fields": {"id": "ID!", "cover": "String"}, "without": ["list", "sync"]}}
            """
        let stage = try await AppSyncStage(models: models)
        let scan = try await stage.source.read(.everything)
        #expect(scan.result.problems.map(\.reason).joined().contains("no query of the schema"))
        let none = try await stage.source.read(
            .columns([TableColumns(table: "Sing", columns: ["id"])]))
        #expect(
            none.result.problems.map(\.reason).joined().contains(
                "the schema has no model \"Sing\"; its models begin with Song"))
        let field = try await stage.source.read(
            .columns([TableColumns(table: "Song", columns: ["covers"])]))
        #expect(
            field.result.problems.first?.reason.hasPrefix(
                "there is no field \"covers\"; its fields are id") == true)
    }

    @Test("Where only a sync query lists a model, that is asked")
    func sync() async throws {
        let models = #"{"Song": {"fields": {"id": "ID!"}, "without": ["list"]}}"#
        let stage = try await AppSyncStage(mode: "automerge", models: models)
        try stage.api.load(#"{"Song": [{"id": "s1", "_deleted": true}]}"#)
        let scan = try await stage.source.read(
            .columns([TableColumns(table: "Song", columns: ["id", "_deleted"])]))
        #expect(scan.result.isComplete)
        #expect(scan.batches.flatMap(\.rows) == [[.text("s1"), .json("true")]])
        #expect(try stage.api.log().contains("syncSongs"))
    }

    @Test("Deleted records whose mark nobody named are told of")
    func tombstones() async throws {
        let stage = try await AppSyncStage(mode: "optimistic")
        let scan = try await stage.source.read(
            .columns([TableColumns(table: "Song", columns: ["id"])]))
        #expect(
            scan.result.notes.contains(
                "model Song: the API keeps deleted records, and the configuration does not name "
                    + "their mark; write deleted: _deleted"))
    }

    @Test("The generated names of a schema of Amplify's directives are the API's own")
    func generated() async throws {
        let text = """
            type Song @model { id: ID! title: String cover: String images: [String] file: S3Object
              plays: Int length: Float isLive: Boolean postID: ID
              post: Post @belongsTo(fields: ["postID"]) }
            type Post @model { id: ID! title: String! }
            type S3Object { bucket: String! key: String! region: String! place: Place }
            type Place { latitude: Float }
            """
        let document = try text.document
        let schema = AppSyncSchema.document(
            document, try .read(document), detectsConflicts: true)
        let stage = try await AppSyncStage(
            mode: "optimistic", settings: ", \"introspection\": false", schema: schema)
        try stage.api.load("{\"Song\": [\(Self.song)]}")
        let scan = try await stage.source.read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)")
        #expect(scan.batches.flatMap(\.rows).count == 1)
        #expect(try await stage.row("s1", ["cover", "_version"]) == [.text("a/b"), .integer(1)])
        let change = stage.change(
            "s1", expecting: [("cover", .text("a/b"))], setting: [("cover", .null)])
        #expect(try await stage.source.update(change) == .written)
    }

    @Test("Where a plural may be one of two, the API's own is found")
    func plurals() async throws {
        let models = #"{"Box": {"fields": {"id": "ID!"}, "plural": "Boxs"}}"#
        let document = try "type Box @model { id: ID! }".document
        let stage = try await AppSyncStage(
            models: models,
            schema: .document(document, try .read(document), detectsConflicts: false))
        try stage.api.load(#"{"Box": [{"id": "b1"}]}"#)
        let scan = try await stage.source.read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)")
        #expect(try stage.api.log() == ["listBoxes", "listBoxs"])
    }
}
