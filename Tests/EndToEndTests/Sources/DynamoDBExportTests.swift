import Foundation
import PlainS3
import TestServers
import Testing

@Suite("Records in exports of DynamoDB")
struct DynamoDBExportTests {
    @Test("The demo's records give the same findings from exports, and none of them is repaired")
    func demo() throws {
        let demo = try DemoApp()
        let expected = try Self.identifiers(demo.expected())
        try Self.export(demo) { path, bytes in
            try demo.folder.write("app/exports/" + path, bytes)
        }
        try demo.move(to: "dynamodbExport: ./exports")
        let found = try Self.identifiers(demo.findings())
        #expect(found == expected)
        let doctor = try demo.mooring("doctor")
        #expect(doctor.output.contains("dynamodbExport"))
        let plan = try demo.mooring("plan", "--json")
        #expect(try plan.status != 0 || plan.json()["steps"].elements.isEmpty, "\(plan.told)")
    }

    @Test("A folder of exports that a link puts into the bucket holds no objects, and is told")
    func inBucket() throws {
        let demo = try DemoApp()
        let expected = try Self.identifiers(demo.expected())
        try Self.export(demo) { path, bytes in
            try demo.folder.write("app/files/exports/" + path, bytes)
        }
        try #require(symlink("files/exports", demo.folder.path + "/app/exports") == 0)
        try demo.move(to: "dynamodbExport: ./exports")
        #expect(try Self.identifiers(demo.findings()) == expected)
        let report = try JSON(
            parsing: try #require(demo.folder.read("app/Reports/Runs/latest/report.json")))
        let notes = report["notes"].elements.compactMap(\.string)
        #expect(
            notes.contains { $0.contains("'exports' is the folder of source 'app'") }, "\(notes)")
    }

    @Test(
        "The same from a bucket of S3; a part that is missing there leaves with 4",
        .requires(.ministack))
    func bucket() async throws {
        let server = try await S3TestServer.ministack()
        let demo = try DemoApp(
            environment: [
                "AWS_ACCESS_KEY_ID": server.accessKey, "AWS_SECRET_ACCESS_KEY": server.secretKey,
            ])
        let expected = try Self.identifiers(demo.expected())
        let bucket = try await server.makeBucket()
        try Self.export(demo) { path, text in try server.s3.put(bucket, "some/where/" + path, text)
        }
        try demo.move(
            to: "dynamodbExport: {path: \"s3://\(bucket)/some/where\", region: us-east-1, "
                + "endpoint: \"\(server.endpoint)\"}")
        let found = try Self.identifiers(demo.findings())
        #expect(found == expected)
        try server.s3.delete(
            bucket, Array("some/where/AWSDynamoDB/Song/data/Song.json".utf8))
        let audit = try demo.mooring("audit")
        #expect(audit.status == 4, "\(audit.told)")
        #expect(audit.told.contains("Song.json"))
    }

    @Test("Old images tell when a record lost its reference")
    func explain() throws {
        let folder = try Folder()
        let change =
            #"{"Metadata":{"WriteTimestampMicros":{"N":"1763600000000000"}},"#
            + #""Keys":{"id":{"S":"1"}},"OldImage":{"id":{"S":"1"},"cover":{"S":"a.png"}},"#
            + #""NewImage":{"id":{"S":"1"}}}"#
        let form = WrittenForm(table: "Song", id: "Song", isIncremental: false)
        try form.write([#"{"Item":{"id":{"S":"1"}}}"#]) { try folder.write("exports/" + $0, $1) }
        let changes = WrittenForm(table: "Song", id: "changes", isIncremental: true)
        try changes.write([change]) { try folder.write("exports/" + $0, $1) }
        try folder.write("files/a.png", "a", age: 86_400)
        try folder.write(
            "mooring.yaml",
            """
            version: 1
            ledger: ./mooring.ledger
            records:
              - name: app
                dynamodbExport: ./exports
                models: [{model: Song, files: [{field: cover}]}]
            buckets: [{name: media, directory: ./files}]
            """)
        #expect(try Program.run(["audit"], in: folder.path).status == 0)
        let key = try Program.run(["explain", "a.png"], in: folder.path)
        #expect(
            key.output.contains(
                "2025-11-20T00:53:20Z  record Song/1 lost its reference in cover [app]"),
            "\(key.told)")
        let record = try Program.run(["explain", "Song/1"], in: folder.path)
        #expect(record.output.contains("cover lost a.png"), "\(record.told)")
    }

    @Test("Changes are applied to the full export before them, where that is wanted, or refused")
    func applied() throws {
        let folder = try Folder()
        func write(_ form: WrittenForm, _ lines: [String]) throws {
            try form.write(lines) { try folder.write("exports/" + $0, $1) }
        }
        var full = WrittenForm(table: "Song", id: "full", isIncremental: false)
        full.end = -7_200
        try write(full, [#"{"Item":{"id":{"S":"1"},"cover":{"S":"a.png"}}}"#])
        let micros = Int(Date().timeIntervalSince1970 - 3_600) * 1_000_000
        var changes = WrittenForm(table: "Song", id: "changes", isIncremental: true)
        (changes.begin, changes.end) = (-7_300, -60)
        let change =
            #"{"Metadata":{"WriteTimestampMicros":{"N":"\#(micros)"}},"#
            + #""Keys":{"id":{"S":"1"}},"NewImage":{"id":{"S":"1"},"cover":{"S":"b.png"}}}"#
        try write(changes, [change])
        for name in ["a.png", "b.png"] { try folder.write("files/" + name, "a", age: 864_000) }
        func orphans(_ incremental: String) throws -> (status: Int32, keys: [String]) {
            try folder.write(
                "mooring.yaml",
                """
                version: 1
                ledger: ./mooring.ledger
                records:
                  - name: app
                    dynamodbExport: {path: ./exports, incremental: \(incremental)}
                    models: [{model: Song, files: [{field: cover}]}]
                buckets: [{name: media, directory: ./files}]
                """)
            let status = try Program.run(["audit"], in: folder.path).status
            guard status == 0 else { return (status, []) }
            let told = try Program.run(["findings", "--json"], in: folder.path).json()
            return (0, told["findings"].elements.compactMap { $0["key"].string })
        }
        #expect(try orphans("evidence") == (0, ["b.png"]))
        #expect(try orphans("apply") == (0, ["a.png"]))
        changes.begin = -7_000
        try write(changes, [change])
        #expect(try orphans("apply") == (4, []))
    }

    private static func identifiers(_ findings: Set<String>) -> Set<String> {
        Set(findings.compactMap { $0.split(separator: " ").last.map(String.init) })
    }

    private static func export(
        _ demo: DemoApp, _ put: (String, String) throws -> Void
    ) throws {
        for table in try demo.tables() {
            let form = WrittenForm(table: table.name, id: table.name, isIncremental: false)
            try form.write(
                table.rows.map { #"{"Item":\#(DynamoDBApp.item(table.columns, $0))}"# }, put)
        }
    }
}

/// An export of one part, in the form in which DynamoDB writes one, as it is made now.
private struct WrittenForm {
    let table: String
    let id: String
    let isIncremental: Bool
    /// From when on changes are, and until when, in seconds from now; the latter of a state too.
    var begin: TimeInterval = -86_400
    var end: TimeInterval = 60

    func write(_ lines: [String], _ put: (String, String) throws -> Void) throws {
        let home = "AWSDynamoDB/\(id)"
        let data = (isIncremental ? "AWSDynamoDB" : home) + "/data/\(id).json"
        let text = lines.map { $0 + "\n" }.joined()
        try put(data, text)
        try putSummed(
            home + "/manifest-files",
            #"{"itemCount":\#(lines.count),"md5Checksum":"\#(try Self.sum(text))","#
                + #""dataFileS3Key":"\#(data)"}"# + "\n", put)
        let to = ISO8601DateFormatter().string(from: Date().addingTimeInterval(end))
        let from = ISO8601DateFormatter().string(from: Date().addingTimeInterval(begin))
        let (kind, time) =
            isIncremental
            ? ("INCREMENTAL", #""exportFromTime":"\#(from)","exportToTime""#)
            : ("FULL", #""exportTime""#)
        try putSummed(
            home + "/manifest-summary",
            #"{"tableArn":"arn:aws:dynamodb:eu-west-1:123456789012:table/\#(table)","#
                + #""manifestFilesS3Key":"\#(home)/manifest-files.json",\#(time):"\#(to)","#
                + #""outputView":"NEW_AND_OLD_IMAGES","#
                + #""itemCount":\#(lines.count),"outputFormat":"DYNAMODB_JSON","#
                + #""exportType":"\#(kind)_EXPORT"}"#, put)
    }

    private func putSummed(
        _ stem: String, _ text: String, _ put: (String, String) throws -> Void
    ) throws {
        try put(stem + ".json", text)
        try put(stem + ".checksum", try Self.sum(text))
    }

    // By the system's own program, in hexadecimal digits: what has to be base64 is made of them.
    private static func sum(_ text: String) throws -> String {
        let folder = try Folder()
        try folder.write("text", text)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/md5sum")
        process.arguments = [folder.path + "/text"]
        process.standardOutput = output
        try process.run()
        let told = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let digits = String(decoding: told.prefix(32), as: UTF8.self).compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
        return Data(bytes).base64EncodedString()
    }
}
