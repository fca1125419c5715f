import Crypto
import Foundation
import MooringAWS
import MooringDynamoDB
import MooringModel
import PlainS3

// What Benchmarks/dynamodb measures: Mooring's scan of a table, bare scan loops against the same
// server, and the lines of an export.

let usage = """
    usage: dynamodb-benchmark scan PORT TABLE SEGMENTS
           dynamodb-benchmark load PORT TABLE SEGMENTS
           dynamodb-benchmark export FOLDER TABLE COLUMN…
           dynamodb-benchmark everything FOLDER
           dynamodb-benchmark md5 FOLDER
    """

/// The machine's clock.
@Sendable func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

/// Scans a table as pass A does, two attributes of each item.
func scan(_ port: Int, _ table: String, _ segments: Int) async throws {
    var settings = TableSettings()
    settings.segments = segments
    let caller = AWSClient(
        signer: Signer(region: "us-east-1", service: "dynamodb"),
        credentials: GivenCredentials(
            Credentials(accessKeyID: "test", secretAccessKey: "testsecret")),
        connections: segments + 2, clock: now)
    let source = DynamoDBSource(
        name: "app",
        client: DynamoDBClient(
            origin: Origin(isSecure: false, host: "127.0.0.1", port: port), region: "us-east-1",
            caller: caller),
        settings: settings, clock: now)
    try await read(source, .columns([TableColumns(table: table, columns: ["id", "key"])]))
}

/// Reads a source, and says how many rows came, as the set work takes them: in one buffer.
func read(_ source: some RecordSource, _ scope: RecordScope) async throws {
    var rows = 0
    let result = try await source.scan(scope) { rows += $0.packed.count }
    print("\(rows) rows, complete: \(result.isComplete)")
    for problem in result.problems.prefix(3) { print(problem.text) }
}

/// The part of reading an export that is not Mooring's own: its files are read and summed up.
func sum(_ folder: String) async throws {
    let store = ExportFolder(folder)
    for path in try await store.files().sorted() {
        var (digest, offset) = (Insecure.MD5(), 0)
        while case let piece = try await store.read(path, from: offset, count: 1 << 20),
            !piece.isEmpty
        {
            digest.update(data: piece)
            offset += piece.count
        }
        print(path, digest.finalize())
    }
}

/// The same requests in bare loops, one for each segment, which look for nothing but the next key.
func load(_ port: Int, _ table: String, _ segments: Int) async throws {
    let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
        for segment in 0..<segments {
            group.addTask {
                let client = PlainDynamoDB(port: port, accessKey: "test", secretKey: "testsecret")
                var (bytes, start) = (0, "")
                while true {
                    let body = try client.call(
                        "Scan",
                        ##"{"TableName":"\##(table)","Segment":\##(segment),"##
                            + ##""TotalSegments":\##(segments),"##
                            + ##""ProjectionExpression":"id,#k","##
                            + ##""ExpressionAttributeNames":{"#k":"key"}\##(start)}"##)
                    bytes += body.count
                    let tail = String(decoding: body.suffix(400), as: UTF8.self)
                    let name = #""LastEvaluatedKey": ?"#
                    guard let key = tail.range(of: name, options: .regularExpression),
                        let end = tail[key.upperBound...].range(of: "}}")
                    else { return bytes }
                    start = #","ExclusiveStartKey":"# + tail[key.upperBound..<end.upperBound]
                }
            }
        }
        return try await group.reduce(0, +)
    }
    print("\(bytes) bytes")
}

let words = CommandLine.arguments
switch words.count > 1 ? words[1] : "" {
case "export" where words.count > 4:
    try await read(
        DynamoDBExportSource(name: "app", store: ExportFolder(words[2]), names: TableNames()),
        .columns([TableColumns(table: words[3], columns: Array(words[4...]))]))
case "everything" where words.count == 3:
    try await read(
        DynamoDBExportSource(name: "app", store: ExportFolder(words[2]), names: TableNames()),
        .everything)
case "md5" where words.count == 3:
    try await sum(words[2])
case "scan" where words.count == 5:
    try await scan(Int(words[2]) ?? 0, words[3], Int(words[4]) ?? 0)
case "load" where words.count == 5:
    try await load(Int(words[2]) ?? 0, words[3], Int(words[4]) ?? 0)
default:
    print(usage)
    exit(64)
}
