import PlainS3
import TestServers
import Testing

@Suite("Nested values in DynamoDB", .requires(.ministack), .timeLimit(.minutes(60)))
struct DynamoDBNestedTests {
    private static let item =
        #"{"id":{"S":"1"},"updatedAt":{"S":"2020-01-01T00:00:00.000Z"},"#
        + #""cover":{"M":{"key":{"S":"gone1"},"alt":{"S":"x"}}},"#
        + #""pages":{"L":[{"M":{"image":{"S":"here1"}}},{"M":{"image":{"S":"gone2"}}}]},"#
        + #""tags":{"SS":["here2","gone3"]},"#
        + #""list":{"L":[{"S":"here3"},{"NULL":true},{"S":"gone4"}]},"#
        + #""file":{"M":{"bucket":{"S":"media"},"key":{"S":"gone5"},"#
        + #""region":{"S":"eu-west-1"}}},"count":{"N":"7"}}"#

    private struct App {
        let server: DynamoDBTestServer
        let table: String
        let folder: Folder

        init(_ repair: String) async throws {
            server = try await DynamoDBTestServer.start(.ministack)
            let prefix = DynamoDBTestServer.makePrefix()
            let table = prefix + "Post"
            try await server.run { plain in
                try plain.makeTable(table, hash: "id")
                try plain.put(table, DynamoDBNestedTests.item)
            }
            self.table = table
            folder = try Folder()
            for key in ["here1", "here2", "here3"] {
                try folder.write("files/" + key, key, age: 86_400)
            }
            try folder.write(
                "mooring.yaml",
                """
                version: 1
                ledger: ./mooring.ledger
                records:
                  - name: app
                    dynamodb:
                      region: us-east-1
                      endpoint: "\(server.endpoint)"
                      tablePrefix: "\(prefix)"
                    models:
                      - model: Post
                        changed: updatedAt
                        files:
                          - {field: cover.key}
                          - {field: "pages[].image"}
                          - {field: tags, list: true}
                          - {field: list, list: true}
                          - {field: file, complex: true}
                buckets: [{name: media, directory: ./files}]
                race: {preset: testing}
                repair: {\(repair)}
                """)
        }

        func mooring(_ words: String...) throws -> Program.Result {
            try Program.run(words, in: folder.path, environment: server.environment)
        }

        func dangling() throws -> Set<String> {
            #expect(try mooring("audit").status == 0)
            let found = try mooring("findings", "--json", "--kind", "dangling").json()["findings"]
            return Set(found.elements.compactMap { $0["key"].string })
        }

        func repair() throws {
            let plan = try mooring("plan")
            #expect(plan.status == 0, "\(plan.told)")
            let repair = try mooring("repair", "Reports/Runs/latest/plan.json", "--apply")
            #expect(repair.status == 0, "\(repair.told)")
        }

        // The only item, each attribute as text.
        func stored() async throws -> [String: String] {
            let items = try await server.items(table)
            return try (items.first ?? [:]).mapValues { try JSON($0 as Any).text() }
        }
    }

    private let gone: Set = ["gone1", "gone2", "gone3", "gone4", "gone5"]

    @Test("Paths, sets, S3Objects in maps, and lists with nulls are read, repaired and restored")
    func nullify() async throws {
        let app = try await App("dangling: nullify")
        #expect(try app.dangling() == gone)
        try app.repair()
        let item = try await app.stored()
        #expect(item["cover"]?.contains(#""key":{"NULL":true}"#) == true)
        #expect(item["cover"]?.contains(#""alt":{"S":"x"}"#) == true)
        #expect(item["pages"]?.contains("here1") == true)
        #expect(item["pages"]?.contains("gone2") == false)
        #expect(item["tags"] == #"{"SS":["here2"]}"#)
        #expect(item["list"] == #"{"L":[{"S":"here3"},{"NULL":true}]}"#)
        #expect(item["file"]?.contains("gone5") == false)
        #expect(item["count"] == #"{"N":"7"}"#)
        let undo = try app.mooring("undo", "latest", "--apply")
        #expect(undo.status == 0, "\(undo.told)")
        #expect(try app.dangling() == gone)
    }
}
