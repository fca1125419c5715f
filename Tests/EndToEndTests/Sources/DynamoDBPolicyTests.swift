import Testing

@Suite("The IAM policy for tables of DynamoDB")
struct DynamoDBPolicyTests {
    private func actions(
        for purpose: String, _ repair: String, _ tables: String = ""
    ) throws -> [String: Set<String>] {
        let folder = try Folder()
        try folder.write(
            "mooring.yaml",
            """
            version: 1
            ledger: ./mooring.ledger
            records:
              - name: app
                dynamodb: {region: eu-west-1, tablePrefix: x., tableSuffix: -dev\(tables)}
                models: [{model: Song, files: [{field: cover}]}]
            buckets: [{name: media, directory: ./files}]
            repair: {\(repair)}
            """)
        let result = try Program.run(["iam-policy", "--for", purpose], in: folder.path)
        #expect(result.status == 0, "\(result.told)")
        var found: [String: Set<String>] = [:]
        for statement in try result.json()["Statement"].elements {
            for resource in statement["Resource"].elements.compactMap(\.string) {
                found[resource, default: []].formUnion(
                    statement["Action"].elements.compactMap(\.string))
            }
        }
        return found
    }

    private let tables = "arn:aws:dynamodb:eu-west-1:*:table/x.*-dev"

    @Test("An audit reads; a repair writes by the strategies that are configured")
    func actions() throws {
        let audit = try actions(for: "audit", "dangling: nullify")
        #expect(audit["*"] == ["dynamodb:ListTables"])
        let calls = [
            "DescribeContinuousBackups", "DescribeTable", "DescribeTimeToLive", "GetItem", "Query",
            "Scan",
        ]
        let reads = Set(calls.map { "dynamodb:" + $0 })
        #expect(audit[tables] == reads)
        let nullify = try actions(for: "repair", "dangling: nullify")
        #expect(nullify[tables] == reads.union(["dynamodb:UpdateItem"]))
        let listed = try actions(for: "audit", "dangling: keep", ", tables: [Song, 'Play**']")
        #expect(
            Set(listed.keys) == [
                "*", tables.replacing("*-dev", with: "Song-dev"),
                tables.replacing("*-dev", with: "Play*-dev"),
            ])
        let delete = try actions(for: "repair", "dangling: delete-record")
        #expect(
            delete[tables]?.isSuperset(of: ["dynamodb:DeleteItem", "dynamodb:PutItem"]) == true)
    }
}
