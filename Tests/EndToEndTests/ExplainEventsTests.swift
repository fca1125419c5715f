import Testing

/// `mooring explain --events`: logs of others in the timeline, with what their silence is worth.
@Suite("Explain with logs")
struct ExplainEventsTests {
    private static let role =
        "arn:aws:sts::123456789012:assumed-role/AUTH/CognitoIdentityCredentials"

    private static func line(_ key: String, _ request: String, bucket: String = "media") -> String {
        "owner \(bucket) [20/Nov/2026:10:00:00 +0000] 192.0.2.3 \(role) \(request) "
            + "BATCH.DELETE.OBJECT \(key.replacing(":", with: "%3A")) "
            + "\"-\" 204 - - 17 - - \"-\" \"evil\u{1B}[2J \" agent\" - h= SigV4\n"
    }

    private static func trail(_ request: String) -> String {
        """
        {"Records":[{"eventTime":"2026-11-20T10:00:00Z","eventSource":"s3.amazonaws.com",\
        "eventName":"DeleteObjects","userIdentity":{"type":"IAMUser","arn":\
        "arn:aws:iam::123456789012:user/alice"},"requestParameters":{"bucketName":"media",\
        "delete":""},"requestID":"\(request)"}]}
        """
    }

    private func app() throws -> (App, String) {
        let app = try App()
        try app.dangling("d1")
        try app.audit()
        return (app, App.songKey("d1"))
    }

    @Test("A batch deletion gets its key from one log and its person from another")
    func joined() throws {
        let (app, key) = try app()
        try app.write("access.log", Self.line(key, "R1") + Self.line("other.png", "R2"))
        try app.write("trail.json", Self.trail("R1"))
        let told = try app.expect(
            0, "explain", key, "--events", "access.log", "trail.json"
        ).output
        let event = try #require(
            told.split(separator: "\n").first { $0.contains("BATCH.DELETE.OBJECT") })
        #expect(event.contains("2026-11-20T10:00:00Z  BATCH.DELETE.OBJECT"), "\(event)")
        #expect(event.contains("by arn:aws:iam::123456789012:user/alice (user)"), "\(event)")
        #expect(event.contains("[access-log access.log:1]"), "\(event)")
        #expect(event.contains("told by trail.json:1, record 1, the same request"), "\(event)")
        #expect(!told.contains("\u{1B}"))
        #expect(told.contains("server access logs: 2 events from 2026-11-20T10:00:00Z to "))
        #expect(told.contains("1 about it; delivery is best effort"), "\(told)")
        #expect(told.contains("CloudTrail: 1 event"), "\(told)")
        let json = try app.expect(0, "explain", key, "--json", "--events", "access.log")
            .json()["stories"].elements[0]
        let noun = json["events"].elements[0]
        #expect(noun["requestId"].string == "R1" && noun["key"].string == key)
        #expect(noun["actorPrecision"].string == "role" && noun["ip"].string == "192.0.2.3")
        #expect(noun["place"].string == "access.log:1" && noun["bucket"].string == "media")
        #expect(json["logs"]["read"].elements[0]["source"].string == "access-log")
        #expect(
            json["timeline"].elements.contains {
                $0["text"].string?.contains("every user of the identity pool has") == true
            })
    }

    @Test("Lines that cannot be read are told by file and line; a file that is cut ends with 4")
    func malformed() throws {
        let (app, key) = try app()
        try app.write("bad.log", "what is this\n" + Self.line(key, "R1"))
        let told = try app.expect(0, "explain", key, "--events", "bad.log").output
        #expect(told.contains("1 line of the logs could not be read:"), "\(told)")
        #expect(told.contains("bad.log:1: is no line of a log that is known"), "\(told)")
        try app.write("whole.json", String(repeating: Self.trail("R1") + "\n", count: 3_000))
        #expect(Folder.command(["gzip", app.path + "/whole.json"]) == 0)
        try app.expect(0, "explain", key, "--events", "whole.json.gz")
        let bytes = try #require(app.read(Array("whole.json.gz".utf8)))
        try app.write(Array("cut.json.gz".utf8), Array(bytes.dropLast(40)))
        let cut = try app.expect(4, "explain", key, "--events", "cut.json.gz").output
        #expect(cut.contains("cut.json.gz: the gzip data is cut off"), "\(cut)")
        try app.expect(2, "explain", key, "--events", "missing.log")
        try app.expect(64, "explain", key, "--events")
    }

    @Test("A key that only logs know is told; without them it names nothing")
    func onlyInLogs() throws {
        let (app, _) = try app()
        try app.write("access.log", Self.line("public/gone.png", "R1"))
        try app.expect(2, "explain", "public/gone.png")
        let told = try app.expect(0, "explain", "public/gone.png", "--events", "access.log")
        #expect(told.output.contains("BATCH.DELETE.OBJECT"), "\(told.told)")
    }

    @Test("A stream tells when a record lost its reference, and a conflict log why")
    func stream() throws {
        let (app, key) = try app()
        let value = App.cover("d1")
        try app.write(
            "stream.jsonl",
            """
            {"eventName":"MODIFY","eventSource":"aws:dynamodb","eventSourceARN":\
            "arn:aws:dynamodb:eu-west-1:1:table/Song-a-dev/stream/x","dynamodb":\
            {"ApproximateCreationDateTime":1763632800,"Keys":{"id":{"S":"d1"}},\
            "OldImage":{"coverArtKey":{"S":"\(value)"}},"NewImage":{"coverArtKey":{"NULL":true}}}}
            {"timestamp":"2026-11-20T10:00:00Z","conflictType":"Version","data":\
            {"id":"d1","coverArtKey":"REJECTED"}}
            """)
        let object = try app.expect(0, "explain", key, "--events", "stream.jsonl").output
        #expect(object.contains("a record of Song-a-dev that held the same value"), "\(object)")
        let record = try app.expect(0, "explain", "Song/d1", "--events", "stream.jsonl").output
        #expect(record.contains("MODIFY by nobody that a stream names"), "\(record)")
        #expect(record.contains("conflict Version"), "\(record)")
        #expect(record.contains("coverArtKey REJECTED"), "\(record)")
    }
}
