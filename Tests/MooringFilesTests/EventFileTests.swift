import Foundation
import MooringModel
import SeededNumbers
import Testing

@testable import MooringFiles

@Suite("Logs of others")
struct EventFileTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private struct Read {
        var events: [LoggedEvent] = []
        var faults: [String] = []
        var isWhole = true
    }

    private func read(_ bytes: [UInt8], _ name: String = "log") throws -> Read {
        try sandbox.write(Array(name.utf8), bytes)
        var found = Read()
        found.isWhole = try EventFile(path: sandbox.path + "/" + name).read(
            check: {}, event: { found.events.append($0) },
            fault: { place, reason in
                found.faults.append(
                    place.replacing(sandbox.path + "/", with: "") + " " + reason)
            })
        return found
    }

    private func read(_ text: String) throws -> Read { try read(Array(text.utf8)) }

    private static let role =
        "arn:aws:sts::123456789012:assumed-role/AUTH/CognitoIdentityCredentials"

    private static let line = """
        79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be amzn-store \
        [06/Feb/2019:00:00:38 +0000] 192.0.2.3 \(role) 3E57427F3EXAMPLE \
        BATCH.DELETE.OBJECT private/eu-west-1%3A1/a%20b.png "-" 204 - - 17 - - "-" "-" v1 \
        s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= SigV4 \
        ECDHE-RSA-AES128-GCM-SHA256 AuthHeader store.s3.amazonaws.com TLSV1.2 - - eu-west-1
        """

    @Test("A line of an access log, with newer fields at its end and without older ones")
    func accessLog() throws {
        let found = try read(Self.line + "\n\n")
        #expect(found.faults.isEmpty)
        let event = try #require(found.events.first)
        #expect(event.time == Instant(iso8601: "2019-02-06T00:00:38Z"))
        #expect(event.bucket == "amzn-store")
        #expect(event.key == Array("private/eu-west-1:1/a b.png".utf8))
        #expect(event.act == "BATCH.DELETE.OBJECT" && event.source == .accessLog)
        #expect(event.actor == Self.role && event.actorPrecision == .role)
        #expect(event.requestID == "3E57427F3EXAMPLE" && event.version == "v1")
        #expect(event.address == "192.0.2.3" && event.agent == nil && event.remark == nil)
        #expect(event.place.hasSuffix("/log:1"))
    }

    @Test("Quotes in the program's name and in the request, refusals, and nobody's name")
    func accessLogQuotes() throws {
        let request = #""GET /store/x?a="b HTTP/1.1" 403 AccessDenied 243 - 7 - "http://r/" "#
        let text = """
            o store [31/Dec/2024:23:59:59 +0000] 10.0.0.1 - R1 REST.GET.OBJECT x \
            \(request)"agent "with" quotes" - h= SigV4
            """
        let event = try #require(try read(text).events.first)
        #expect(event.agent == #"agent "with" quotes"#)
        #expect(event.remark == "it was refused: 403 AccessDenied")
        #expect(event.actor == nil && event.actorPrecision == .none && event.version == nil)
        let lifecycle = """
            o store [31/Dec/2024:23:59:59 +0000] - AmazonS3 R2 S3.EXPIRE.OBJECT x \
            "-" - - - 17 - - "-" "-" v h= - - - - - -
            """
        let expired = try #require(try read(lifecycle).events.first)
        #expect(expired.actorPrecision == .service && expired.address == nil)
    }

    @Test("Every line that is none is told by file and line, and the others are read")
    func malformed() throws {
        let found = try read("no log\n" + Self.line + "\n\u{1B}[2J x y z\n" + Self.line)
        #expect(found.events.count == 2)
        #expect(
            found.faults == [
                "log:1 is no line of a log that is known",
                "log:3 is no line of a log that is known",
            ])
        for length in 0..<Self.line.utf8.count {
            _ = try read(Array(Self.line.utf8.prefix(length)))
        }
    }

    private static let trail = """
        {"eventVersion":"1.09","userIdentity":{"type":"AssumedRole","principalId":"AROAX:s",\
        "arn":"\(role)","accountId":"123456789012"},"eventTime":"2026-11-20T10:00:00Z",\
        "eventSource":"s3.amazonaws.com","eventName":"DeleteObject","awsRegion":"eu-west-1",\
        "sourceIPAddress":"192.0.2.3","userAgent":"[aws-sdk]","requestParameters":\
        {"bucketName":"store","key":"a b","versionId":"v1"},"requestID":"R1"}
        """

    @Test("CloudTrail: a delivery of many, on one line or over several; refusals and batches")
    func trail() throws {
        let batch = Self.trail.replacing("\"DeleteObject\"", with: "\"DeleteObjects\"")
            .replacing(#""key":"a b","versionId":"v1""#, with: #""delete":"""#)
        let denied = Self.trail.dropLast() + #","errorCode":"AccessDenied"}"#
        let found = try read(
            "{\"Records\": [\(Self.trail),\n\(batch) , \(denied)], \"more\": [1, {\"a\": \"]\"}]}")
        #expect(found.faults.isEmpty, "\(found.faults)")
        #expect(found.events.map(\.act) == ["DeleteObject", "DeleteObjects", "DeleteObject"])
        #expect(found.events.map(\.key) == [Array("a b".utf8), nil, Array("a b".utf8)])
        #expect(found.events[2].remark == "it was refused: AccessDenied")
        #expect(found.events[0].version == "v1" && found.events[0].actorPrecision == .role)
        #expect(found.events[1].place.hasSuffix("/log:2, record 2"), "\(found.events[1].place)")
        for (type, precision) in [
            ("IAMUser", LoggedEvent.ActorPrecision.user), ("Root", .account),
            ("AWSService", .service), ("Unheard", .none),
        ] {
            let text = Self.trail.replacing("\"AssumedRole\"", with: "\"\(type)\"")
            #expect(try read(text).events.first?.actorPrecision == precision, "\(type)")
        }
    }

    @Test("Notifications: form-encoded keys, tests that tell nothing, wrapped as a queue has them")
    func notification() throws {
        let record = """
            {"eventVersion":"2.1","eventSource":"aws:s3","eventTime":"2026-11-20T10:00:00.123Z",\
            "eventName":"ObjectRemoved:DeleteMarkerCreated","userIdentity":{"principalId":\
            "AWS:AIDAX"},"requestParameters":{"sourceIPAddress":"192.0.2.3"},"responseElements":\
            {"x-amz-request-id":"R1"},"s3":{"bucket":{"name":"store"},"object":{"key":\
            "red+flower%2B1.jpg","versionId":"v2","sequencer":"0A"}}}
            """
        let inner = JSONValue.string("{\"Records\":[\(record)]}").rendered
        let wrapped = "{\"Body\":" + String(decoding: inner, as: UTF8.self) + "}"
        let found = try read(
            "{\"Event\":\"s3:TestEvent\"}\n{\"Records\":[\(record)]}\n" + wrapped)
        #expect(found.faults.isEmpty && found.events.count == 2, "\(found)")
        for event in found.events {
            #expect(event.key == Array("red flower+1.jpg".utf8))
            #expect(event.precision == .milliseconds(1) && event.version == "v2")
            #expect(event.actorPrecision == .user && event.requestID == "R1")
        }
    }

    @Test("EventBridge: S3's own, CloudTrail's through it, and other services'")
    func bridge() throws {
        let own = """
            {"version":"0","detail-type":"Object Deleted","source":"aws.s3",\
            "time":"2026-11-20T10:00:00Z","detail":{"bucket":{"name":"store"},"object":{"key":\
            "a+b","version-id":"v"},"request-id":"R1","requester":"s3.amazonaws.com",\
            "reason":"Lifecycle Expiration","deletion-type":"Permanently Deleted"}}
            """
        let through = """
            {"detail-type":"AWS API Call via CloudTrail","source":"aws.s3","detail":\(Self.trail)}
            """
        let other = #"{"detail-type":"EC2","source":"aws.ec2","detail":{}}"#
        let found = try read([own, through, other].joined(separator: "\n"))
        #expect(found.faults.isEmpty)
        #expect(found.events.map(\.source) == [.eventBridge, .cloudTrail])
        #expect(found.events[0].key == Array("a+b".utf8))
        #expect(found.events[0].actorPrecision == .service)
        #expect(found.events[0].remark == "Lifecycle Expiration, Permanently Deleted")
    }

    @Test("The journal of S3 Metadata as CSV; a permanent deletion tells nobody")
    func metadata() throws {
        let found = try read(
            """
            "bucket","key","sequence_number","record_type","record_timestamp","version_id",\
            "is_delete_marker","requester","source_ip_address","request_id"
            "store","a, b","1","CREATE","2026-11-20 10:00:00.000 UTC","v1","false",\
            "123456789012","192.0.2.3","R1"
            "store","a, b","2","DELETE","2026-11-20 10:00:01.000","v2","true",\
            "s3.amazonaws.com",,
            "store","a, b","3","DELETE","2026-11-20T10:00:02Z","v1",,,,
            "store","a, b","4","DELETE","yesterday",,,,,
            """)
        #expect(found.events.map(\.act) == ["CREATE", "DELETE", "DELETE"])
        #expect(found.events.map(\.actorPrecision) == [.account, .service, .none])
        #expect(found.events.map(\.remark) == [nil, "a delete marker", nil])
        #expect(found.events[0].time == Instant(iso8601: "2026-11-20T10:00:00Z"))
        #expect(found.events[0].key == Array("a, b".utf8))
        #expect(found.faults == ["log:5 is no line of a log that is known"])
    }

    @Test("A stream of DynamoDB: what changed and never who, but for a deletion by time")
    func stream() throws {
        let record = """
            {"eventID":"1","eventName":"MODIFY","eventSource":"aws:dynamodb","eventSourceARN":\
            "arn:aws:dynamodb:eu-west-1:1:table/Song-abc-dev/stream/2026","dynamodb":\
            {"ApproximateCreationDateTime":1795168800,"Keys":{"id":{"S":"s1"}},"OldImage":\
            {"cover":{"S":"a.png"}},"NewImage":{"cover":{"NULL":true}}}}
            """
        let service =
            record.replacing("\"MODIFY\"", with: "\"REMOVE\"").dropLast()
            + #","userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"}}"#
        let blind = record.replacing(#","OldImage":{"cover":{"S":"a.png"}}"#, with: "")
        let found = try read(record + "\n" + service + "\n" + blind)
        #expect(found.faults.isEmpty)
        let texts = [Array("s1".utf8)]
        #expect(
            found.events[0].subject
                == .record(
                    table: "Song-abc-dev", texts: texts, before: [Array("a.png".utf8)], after: []))
        #expect(found.events[0].actorPrecision == .none)
        #expect(
            found.events[2].subject
                == .record(table: "Song-abc-dev", texts: texts, before: nil, after: []))
    }

    @Test("Conflict logs of AppSync, in an event of a log or behind its time; others tell nothing")
    func conflict() throws {
        let told = """
            {"conflictType":"Version","conflictHandlerConfigured":"AUTOMERGE","data":{"id":"a1",\
            "imageKeys":"REJECTED","title":{"decision":"APPENDED"}},"requestId":"R1"}
            """
        let message = String(decoding: JSONValue.string(told).rendered, as: UTF8.self)
        let wrapped = "{\"timestamp\":1795168800123,\"message\":\(message)}"
        let found = try read(wrapped + "\n{\"logType\":\"RequestSummary\"}\n" + told)
        #expect(found.events.count == 1)
        #expect(found.events[0].remark == "imageKeys REJECTED, decision APPENDED")
        #expect(found.events[0].act == "conflict Version")
        #expect(found.faults == ["log:3 lacks its time, or what it is about"])
        let dated = try read("2026-11-20T10:00:00.000Z " + told + "\n")
        #expect(dated.events.first?.time == Instant(iso8601: "2026-11-20T10:00:00Z"))
    }

    @Test("A deflated file is read as such; one that is cut off is told, after what could be read")
    func deflated() throws {
        let text = String(repeating: Self.trail + "\n", count: 200)
        let whole = try gzip(Array(text.utf8))
        #expect(try read(whole, "x.gz").events.count == 200)
        let cut = try read(Array(whole.dropLast(20)), "x.gz")
        #expect(!cut.isWhole && cut.faults.contains("x.gz the gzip data is cut off"))
        #expect(try !read([], "empty.gz").isWhole)
        #expect(try read([], "empty").events.isEmpty)
    }

    @Test("Pieces of JSON are the same however the bytes are cut, and no bytes end the program")
    func pieces() throws {
        var numbers = SeededGenerator("pieces")
        let texts = [
            "{\"Records\":[{\"a\":\"]}\\\"\"},{\"b\":[1,{}]}],\"x\":{}} {\"c\":1}\n[{\"d\":2}]",
            "{\"a\":[{\"b\":1}]}\n{", "[{\"a\":1},", "{}{}\n\n{}", "x{}\n{\"a\":1}",
        ]
        func all(_ bytes: [UInt8], cut: () -> Int) -> [JSONPieces.Piece] {
            var pieces = JSONPieces()
            var found: [JSONPieces.Piece] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(cut())
                pieces.take(piece) { found.append($0) }
                rest = rest.dropFirst(piece.count)
            }
            pieces.finish { found.append($0) }
            return found
        }
        for text in texts {
            let bytes = Array(text.utf8)
            let whole = all(bytes) { bytes.count }
            for _ in 0..<20 {
                #expect(all(bytes) { Int.random(in: 1...5, using: &numbers) } == whole)
            }
        }
        let first = all(Array(texts[0].utf8)) { 1 }
        #expect(
            first == [
                .value(Array("{\"a\":\"]}\\\"\"}".utf8), line: 1, number: 1),
                .value(Array("{\"b\":[1,{}]}".utf8), line: 1, number: 2),
                .value(Array("{\"c\":1}".utf8), line: 1, number: nil),
                .value(Array("{\"d\":2}".utf8), line: 2, number: 1),
            ])
        #expect(all(Array(texts[1].utf8)) { 3 }.last == .fault(line: 2, reason: "is cut off"))
        let alphabet = Array("{}[]\",:\\ \nRecords1".utf8)
        for _ in 0..<2_000 {
            let bytes = (0..<40).map { _ in alphabet.randomElement(using: &numbers) ?? 0 }
            _ = all(bytes) { 7 }
            _ = try read(bytes)
        }
    }

    @Test("A value that is too long is told, and what follows it is read")
    func tooLong() throws {
        let long = "{\"a\":\"" + String(repeating: "x", count: JSONPieces.limit) + "\"}"
        let found = try read(long + "\n" + Self.trail)
        #expect(found.events.count == 1)
        #expect(found.faults == ["log:1 is longer than 8 MiB"])
    }

    @Test("Users and sessions named like a service are none")
    func namedLikeServices() {
        let end = "x.amazonaws.com"
        for (name, precision) in [
            ("arn:aws:sts::1:assumed-role/R/\(end)", LoggedEvent.ActorPrecision.role),
            ("arn:aws:iam::1:user/\(end)", .user), ("AROAX:\(end)", .role),
            ("AIDAX:\(end)", .user), ("s3.amazonaws.com", .service),
        ] {
            #expect(EventActor.requester(name).1 == precision, "\(name)")
            #expect(EventActor.principal(name).1 == precision, "\(name)")
        }
        #expect(EventActor.principal("AWS:AROAX:\(end)").1 == .role)
    }

    @Test("A delivery that is cut off is not whole; what stood before its end is told")
    func cutDelivery() throws {
        let found = try read("{\"Records\": [\(Self.trail),\n\(Self.trail)")
        #expect(found.events.count == 2 && !found.isWhole)
        #expect(found.faults == ["log:2 is cut off"])
        #expect(try read("{\"Records\": [\(Self.trail)]}").isWhole)
    }

    @Test(
        "An element that is no object leaves those beside it",
        arguments: ["null", "7", "\"a, ] \\\" b\"", "[1, [2, {}]]", "true"])
    func noObject(element: String) throws {
        let found = try read(
            "{\"Records\": [\(element),\n\(Self.trail), \(element)]}\n\(Self.trail)")
        #expect(found.events.count == 2 && found.isWhole, "\(found.faults)")
        #expect(
            found.faults.map { $0.hasSuffix("holds an element that is no object") } == [true, true])
    }

    @Test("One unknown record of a message leaves the others, and a message of plain text is told")
    func unknownBeside() throws {
        let inner = JSONValue.string("{\"Records\":[{\"x\":1},\(Self.trail)]}").rendered
        let wrapped = "{\"Body\":" + String(decoding: inner, as: UTF8.self) + "}\n"
        let found = try read(
            wrapped + "{\"message\":\"plain\"}\n{\"message\":\"{\\\"eventName\\\"\"}")
        #expect(found.events.count == 1)
        try #require(found.faults.count == 3)
        #expect(found.faults[0] == "log:1 tells no event of a kind that is known")
        #expect(found.faults[1] == "log:2 has no JSON object as its message")
        #expect(found.faults[2].hasPrefix("log:3 has a message that is no JSON: "))
    }

    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        var output: [UInt8] = []
        let deflater = try GzipDeflater()
        try deflater.deflate(bytes, into: &output)
        try deflater.finish(into: &output)
        return output
    }
}
