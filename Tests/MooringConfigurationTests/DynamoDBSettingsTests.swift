import MooringConfiguration
import MooringModel
import Testing

@Suite("Sources in DynamoDB")
struct DynamoDBSettingsTests {
    private func text(_ source: String) -> String {
        Sample.model("files: [{field: cover.key}]").replacing("sqlite: ./app.sqlite", with: source)
    }

    private func store(_ source: String) throws -> RecordStore {
        try Sample.read(text(source)).records[0].store
    }

    @Test("Live tables have defaults, and every setting is read")
    func live() throws {
        #expect(try store("dynamodb: {tables: all}") == .dynamodb(DynamoDBSettings()))
        var settings = DynamoDBSettings()
        settings.region = "eu-west-1"
        settings.endpoint = S3Settings.Endpoint(url: "http://127.0.0.1:8000")
        settings.profile = "audit"
        (settings.tablePrefix, settings.tableSuffix) = ("x.", "-abc-dev")
        (settings.segments, settings.readCapacity) = (8, 100)
        (settings.consistent, settings.writesVersioned) = (true, true)
        settings.isOnlyWriter = true
        #expect(
            try store(
                "dynamodb: {region: eu-west-1, endpoint: 'http://127.0.0.1:8000', profile: audit, "
                    + "tablePrefix: x., tableSuffix: -abc-dev, segments: 8, readCapacity: 100/s, "
                    + "consistent: true, versionedTables: write, writers: thisRegion}")
                == .dynamodb(settings))
    }

    @Test("Which tables are the app's is said by a list, globs, a prefix, a suffix, or 'all'")
    func tables() throws {
        func tables(_ keys: String) throws -> [String]? {
            guard case .dynamodb(let settings) = try store("dynamodb: {\(keys)}") else { return [] }
            return settings.tables?.map(\.pattern)
        }
        #expect(try tables("tables: [Song, 'Play*']") == ["Song", "Play*"])
        #expect(try tables("tables: Song") == ["Song"])
        #expect(try tables("tables: [Song, all]") == ["Song", "all"])
        for keys in ["tables: all", "tablePrefix: x.", "tableSuffix: -dev"] {
            #expect(try tables(keys) == nil)
        }
    }

    @Test("An export is a folder, a prefix of a bucket, or a map of more")
    func exports() throws {
        guard case .dynamodbExport(let folder) = try store("dynamodbExport: ./export"),
            case .folder(let path) = folder.place
        else {
            Issue.record("no folder")
            return
        }
        #expect(path.hasSuffix("/export"))
        #expect(
            try store("dynamodbExport: s3://b/some/where")
                == .dynamodbExport(
                    DynamoDBExportSettings(place: .bucket("b", prefix: "some/where"))))
        var settings = DynamoDBExportSettings(place: .bucket("b", prefix: ""))
        (settings.region, settings.tableSuffix) = ("eu-west-1", "-dev")
        #expect(
            try store("dynamodbExport: {path: 's3://b', region: eu-west-1, tableSuffix: -dev}")
                == .dynamodbExport(settings))
        settings.appliesChanges = true
        let applied =
            "dynamodbExport: {path: 's3://b', region: eu-west-1, tableSuffix: -dev, "
            + "incremental: apply}"
        #expect(try store(applied) == .dynamodbExport(settings))
    }

    @Test(
        "What cannot be meant is refused",
        arguments: [
            (
                "dynamodb: {region: eu-west-1}",
                "'tables' is missing in 'dynamodb'; nothing says which tables of the account are "
                    + "the app's, and the confirm scan would read every one of the region; write "
                    + "tables: [NAME, …] with names or globs, tablePrefix or tableSuffix, or "
                    + "tables: all for every table"
            ),
            ("dynamodb: {tables: []}", "'tables' is empty"),
            ("dynamodb: {tables: ['a/b']}", "'tables' needs names of tables"),
            ("dynamodb: {tables: {Song: 1}}", "'tables' needs a list"),
            (
                "dynamodb: {tables: [Album, 'Songs*']}",
                "'tables' leaves out Song, the table of model Song"
            ),
            ("dynamodb: {readCapacity: 100}", "'readCapacity' needs units a second"),
            ("dynamodb: {readCapacity: 0/s}", "'readCapacity' needs units a second"),
            ("dynamodb: {segments: 0}", "'segments' needs a number from 1 to 256"),
            (
                "dynamodb: {tablePrefix: 'a/b'}",
                "'tablePrefix' needs a part of a table's name (letters, digits, '-', '.', '_'); "
                    + "found 'a/b'"
            ),
            (
                "dynamodb: {tables: all}\n    taken: 2026-11-21T02:00:00Z",
                "'taken' is for copies, and a table is live"
            ),
            ("dynamodb: {versionedTables: never}", "versionedTables"),
            ("dynamodb: {writers: us-east-1}", "writers"),
            ("dynamodb: {regoin: x}", "did you mean 'region'?"),
            ("dynamodb: true", "needs a map"),
            ("dynamodbExport: s3://", "needs s3://BUCKET/PREFIX"),
            (
                "dynamodbExport: {region: x}",
                "'path' is missing in 'dynamodbExport'; write a folder, or s3://BUCKET/PREFIX"
            ),
            ("dynamodbExport: https://example.com/x", "found a URL"),
            ("dynamodbExport: {path: ./x, incremental: yes}", "incremental"),
        ])
    func refusals(_ source: String, _ words: String) {
        let refusal = Sample.refusal(text(source))
        #expect(refusal.contains(words), "\(refusal)")
    }

    @Test("What decides what is there changes the fingerprint; how it is reached does not")
    func fingerprint() throws {
        func print(_ source: String) throws -> String {
            try Sample.read(text("dynamodb: " + source)).fingerprint
        }
        let plain = try print("{tables: all, region: eu-west-1}")
        #expect(try print("{tables: all, region: eu-west-2}") != plain)
        #expect(try print("{tables: all, region: eu-west-1, tablePrefix: x}") != plain)
        #expect(try print("{tables: [Song], region: eu-west-1}") != plain)
        #expect(try print("{tables: all, region: eu-west-1, versionedTables: write}") != plain)
        #expect(try print("{tables: all, region: eu-west-1, writers: thisRegion}") != plain)
        #expect(try print("{tables: all, region: eu-west-1, segments: 9, profile: x}") == plain)
        func export(_ more: String) throws -> String {
            try Sample.read(text("dynamodbExport: {path: ./x\(more)}")).fingerprint
        }
        #expect(try export(", incremental: evidence") == export(""))
        #expect(try export(", incremental: apply") != export(""))
    }
}
