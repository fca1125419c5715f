import PlainS3
import TestServers
import Testing

@Suite("Records in DynamoDB", .requires(.ministack))
struct DynamoDBTests {
    @Test("The demo's records give the same findings from there, and are repaired and restored")
    func demo() async throws {
        let app = try await DynamoDBApp()
        let expected = try app.demo.expected()
        try await app.move(", versionedTables: write")
        #expect(try app.demo.findings() == expected)
        try app.demo.round()
    }

    @Test("moto gives the same findings, and is repaired and restored", .requires(.moto))
    func moto() async throws {
        let app = try await DynamoDBApp(.moto)
        let expected = try app.demo.expected()
        try await app.move(", versionedTables: write")
        #expect(try app.demo.findings() == expected)
        try app.demo.round()
    }

    @Test("Tables under conflict detection are read, and no record of them is written")
    func versioned() async throws {
        let app = try await DynamoDBApp()
        let expected = try app.demo.expected()
        let proxy = try app.server.proxy()
        try await app.move(port: proxy.port)
        #expect(try app.demo.findings() == expected)
        let doctor = try app.demo.mooring("doctor")
        #expect(doctor.output.contains("records are not written"))
        _ = try app.demo.mooring("plan")
        let repair = try app.demo.mooring("repair", "Reports/Runs/latest/plan.json", "--apply")
        #expect([0, 5].contains(repair.status), "\(repair.told)")
        let calls = Set(proxy.log.compactMap { $0["x-amz-target"]?.split(separator: ".").last })
        #expect(calls.isSubset(of: ["Scan", "GetItem", "DescribeTable", "ListTables"]))
    }

    @Test("Throttled scans end whole; one that gives up is incomplete and leaves with 4")
    func throttled() async throws {
        let app = try await DynamoDBApp()
        let expected = try app.demo.expected()
        let proxy = try app.server.proxy()
        try await app.move(port: proxy.port, ", readCapacity: 100000/s")
        let slower = FaultRule.Fault.answer(
            400, body: #"{"__type":"x#ProvisionedThroughputExceededException","message":""}"#)
        proxy.set(FaultRule(slower, turns: 2...5))
        #expect(try app.demo.findings() == expected)
        proxy.set(
            FaultRule(
                .answer(400, body: #"{"__type":"x#AccessDeniedException","message":"no"}"#),
                where: { $0["x-amz-target"]?.hasSuffix("Scan") == true }))
        let refused = try app.demo.mooring("audit")
        #expect(refused.status == 4, "\(refused.told)")
        #expect(refused.told.contains("dynamodb:Scan"))
        #expect(try app.demo.mooring("plan").status != 0)
    }

    @Test("Paths, sets, S3Objects in maps, and lists with nulls and numbers are read and repaired")
    func nested() async throws {
        let server = try await DynamoDBTestServer.start(.ministack)
        let prefix = DynamoDBTestServer.makePrefix()
        let table = prefix + "Post"
        try await server.run { plain in
            try plain.makeTable(table, hash: "id")
            try plain.put(
                table,
                #"{"id":{"S":"1"},"updatedAt":{"S":"2020-01-01T00:00:00.000Z"},"#
                    + #""cover":{"M":{"key":{"S":"gone1"},"alt":{"S":"x"}}},"#
                    + #""pages":{"L":[{"M":{"image":{"S":"here1"}}},{"M":{"image":{"S":"gone2"}}}]},"#
                    + #""tags":{"SS":["here2","gone3"]},"#
                    + #""list":{"L":[{"S":"here3"},{"NULL":true},{"S":"gone4"}]},"#
                    + #""file":{"M":{"bucket":{"S":"media"},"key":{"S":"gone5"},"#
                    + #""region":{"S":"eu-west-1"}}},"count":{"N":"7"}}"#)
        }
        let folder = try Folder()
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
                dynamodb: {region: us-east-1, endpoint: "\(server.endpoint)", tablePrefix: "\(prefix)"}
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
            repair: {dangling: nullify}
            """)
        func mooring(_ words: String...) throws -> Program.Result {
            try Program.run(words, in: folder.path, environment: server.environment)
        }
        let before = try await server.items(table)
        #expect(try mooring("audit").status == 0)
        let findings = try mooring("findings", "--json", "--kind", "dangling").json()["findings"]
        #expect(
            Set(findings.elements.compactMap { $0["key"].string })
                == ["gone1", "gone2", "gone3", "gone4", "gone5"])
        #expect(try mooring("plan").status == 0)
        let repair = try mooring("repair", "Reports/Runs/latest/plan.json", "--apply")
        #expect(repair.status == 0, "\(repair.told)")
        let item = try #require(try await server.items(table).first)
        func text(_ name: String) throws -> String { try JSON(item[name] as Any).text() }
        #expect(try text("cover").contains(#""key":{"NULL":true}"#))
        #expect(try text("cover").contains(#""alt":{"S":"x"}"#))
        #expect(try text("pages").contains("here1") && !text("pages").contains("gone2"))
        #expect(try text("tags") == #"{"SS":["here2"]}"#)
        #expect(try text("list") == #"{"L":[{"S":"here3"},{"NULL":true}]}"#)
        #expect(try !text("file").contains("gone5"))
        #expect(try text("count") == #"{"N":"7"}"#)
        let undo = try mooring("undo", "latest", "--apply")
        #expect(undo.status == 0, "\(undo.told)")
        let after = try await server.items(table)
        for name in ["cover", "pages", "tags", "list", "file", "count"] {
            #expect(JSON(before[0][name] as Any).names == JSON(after[0][name] as Any).names)
        }
        #expect(try mooring("audit").status == 0)
        let again = try mooring("findings", "--json", "--kind", "dangling").json()["findings"]
        #expect(again.elements.count == 5)
    }
}
