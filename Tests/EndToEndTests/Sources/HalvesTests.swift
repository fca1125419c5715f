import Foundation
import PlainS3
import TestServers
import Testing

/// What the doctor says of apps of which one half is gone.
@Suite("Lost halves", .requires(.ministack), .timeLimit(.minutes(60)))
struct HalvesTests {
    private static let api = "abcdefghijklmnopqrstuvwxyz"

    /// An app by Amplify's names, of which tests make the parts that are there.
    private final class Halves: Folder {
        let tables: DynamoDBTestServer
        let server: S3TestServer
        let head = "halves" + UUID().uuidString.lowercased().filter(\.isLetter) + "x"
        let prefix = DynamoDBTestServer.makePrefix()

        init(_ s3: String? = nil) async throws {
            tables = try await DynamoDBTestServer.start(.ministack)
            server = try await S3TestServer.ministack()
            super.init(path: try Folder.make())
            try write(
                "mooring.yaml",
                """
                version: 1
                records:
                  - name: app
                    dynamodb: {region: \(tables.region),
                      endpoint: "http://127.0.0.1:\(tables.port)", tablePrefix: "\(prefix)",
                      tableSuffix: "-\(HalvesTests.api)-dev"}
                    models: [{model: Song, files: [{field: cover}]}]
                buckets:
                  - name: media
                    s3: {bucket: \(head)12-dev, region: \(server.region),
                      endpoint: "\(s3 ?? "\(server.endpoint)")", pathStyle: true}
                """)
        }

        func table(_ environment: String) async throws {
            let name = "\(prefix)Song-\(HalvesTests.api)-\(environment)"
            try await tables.run { try $0.makeTable(name, hash: "id") }
        }

        func bucket(_ number: String, _ environment: String) async throws {
            let name = "\(head)\(number)-\(environment)"
            try await server.run { try $0.makeBucket(name, versioned: false) }
        }

        /// The doctor's lines about halves and environments, each as `RESULT DETAIL`.
        func told(_ status: Int32) throws -> [String] {
            let result = try Program.run(
                ["doctor", "--json"], in: path, environment: S3Folder.variables())
            #expect(result.status == status, "\(result.told)")
            return try result.json()["checks"].elements
                .filter {
                    ["halves of app and media", "environments of media"]
                        .contains($0["name"].string ?? "")
                }
                .map { "\($0["result"].string ?? "") \($0["detail"].string ?? "")" }
        }
    }

    @Test("Tables whose bucket is gone, and a bucket whose tables are gone")
    func configured() async throws {
        let noBucket = try await Halves()
        try await noBucket.table("dev")
        let first = try noBucket.told(2)
        #expect(first.first?.hasPrefix("FAILED half is gone: the tables of app are there") == true)
        #expect(first.first?.contains("bucket media (\(noBucket.head)12-dev) is not") == true)
        let noTables = try await Halves()
        try await noTables.bucket("12", "dev")
        let second = try noTables.told(2)
        #expect(second.first?.hasPrefix("FAILED half is gone: bucket media") == true, "\(second)")
        let nothing = try await Halves()
        #expect(try nothing.told(2).first?.hasPrefix("FAILED both are gone") == true)
    }

    @Test("Other environments with one half alone are noted, and change no status")
    func siblings() async throws {
        let app = try await Halves()
        try await app.table("dev")
        try await app.bucket("12", "dev")
        #expect(try app.told(0).map { $0.hasPrefix("ok no other environment") } == [true])
        for environment in ["old", "prod"] { try await app.table(environment) }
        try await app.bucket("34", "prod")
        try await app.bucket("", "test")
        #expect(
            try app.told(0) == [
                "note beside dev, by their names in this account and region: old has tables (1 of "
                    + "1 mapped) and no bucket; test has a bucket (\(app.head)-test) and no "
                    + "tables; 1 with both. Nothing is done about them"
            ])
        let other = "\(app.head)-test"
        let held = try await app.server.run { try $0.list(other) }
        #expect(held.isEmpty && !app.exists("mooring.ledger"))
    }

    @Test("Where buckets may not be listed, nothing is looked at, and that is said")
    func refused() async throws {
        let proxy = try await S3TestServer.ministack().proxy()
        let app = try await Halves(proxy.endpoint)
        try await app.table("dev")
        try await app.bucket("12", "dev")
        proxy.set(
            FaultRule(
                .answer(403, body: "<Error><Code>AccessDenied</Code><Message/></Error>"),
                where: { $0.path == "/" }))
        let told = try app.told(0)
        #expect(told.count == 1 && told[0].hasPrefix("note not looked at:"), "\(told)")
        #expect(told[0].contains("AccessDenied") && told[0].contains("s3:ListAllMyBuckets"))
    }
}
