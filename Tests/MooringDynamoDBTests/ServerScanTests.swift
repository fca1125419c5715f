import MooringModel
import PlainS3
import StoreConformance
import TestServers
import Testing

@testable import MooringDynamoDB

@Suite("Scans of a real server", .requires(.ministack), .timeLimit(.minutes(60)))
struct ServerScanTests {
    private func filled(_ count: Int, bytes: Int) async throws -> Stage {
        let stage = try await Stage()
        try await stage.makeTable("Song")
        let pad = String(repeating: "p", count: bytes)
        try await stage.server.fill(
            stage.prefix + "Song",
            (0..<count).map { #"{"id":{"S":"\#($0)"},"pad":{"S":"\#(pad)"}}"# })
        return stage
    }

    @Test(
        "Every item comes once, over many pages and in any number of segments", arguments: [1, 5])
    func segments(_ segments: Int) async throws {
        let stage = try await filled(60, bytes: 100_000)
        let scan = try await stage.source { $0.segments = segments }.read(.everything)
        #expect(scan.result.isComplete)
        let ids = scan.batches.flatMap { batch in
            batch.rows.map { $0[batch.columns.firstIndex(of: "id") ?? 0] }
        }
        #expect(ids.count == 60)
        #expect(Set(ids).count == 60)
        // Six megabytes are more pages than segments.
        #expect(scan.result.requests > segments)
    }

    @Test("An item of 400 KB, lists with nulls and numbers, sets and maps are read as they are")
    func values() async throws {
        let stage = try await Stage()
        try await stage.makeTable("Post")
        let large = String(repeating: "x", count: 400 * 1_024 - 200)
        try await stage.put("Post", #"{"id":{"S":"large"},"text":{"S":"\#(large)"}}"#)
        try await stage.put(
            "Post",
            #"{"id":{"S":"1"},"list":{"L":[{"S":"a"},{"NULL":true},{"N":"5"}]},"#
                + #""set":{"SS":["b","a"]},"cover":{"M":{"key":{"S":"k"},"bucket":{"S":"b"}}},"#
                + #""flag":{"BOOL":true},"none":{"NULL":true},"bytes":{"B":"AAE="}}"#)
        let columns = ["list", "set", "cover", "flag", "none", "bytes", "lacking"]
        func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
        #expect(
            try await stage.row("Post", "1", columns) == [
                .json(bytes(#"["a",null,5]"#)), .attribute(bytes(#"{"SS":["a","b"]}"#)),
                .json(bytes(#"{"bucket":"b","key":"k"}"#)),
                .attribute(bytes(#"{"BOOL":true}"#)), .null, .blob([0, 1]), .absent,
            ])
        let scan = try await stage.source().read(.everything)
        let sizes = scan.batches.flatMap(\.rows).flatMap { $0 }.map { $0.bytes?.count ?? 0 }
        #expect(sizes.max() == large.utf8.count)
    }

    @Test("Throttled calls are sent again, and the scan says so")
    func throttled() async throws {
        let stage = try await filled(20, bytes: 10)
        let proxy = try stage.server.proxy()
        proxy.set(
            FaultRule(
                .answer(
                    400,
                    body: ##"{"__type":"com.amazonaws.dynamodb.v20120810##"##
                        + #"ProvisionedThroughputExceededException","message":"slower"}"#),
                turns: 1...3))
        let scan = try await stage.source(port: proxy.port).read(
            .columns([TableColumns(table: "Song", columns: ["id"])]))
        #expect(scan.result.isComplete)
        #expect(scan.batches.flatMap(\.rows).count == 20)
        #expect(scan.result.notes.first?.contains("asked 3 times to slow down") == true)
    }

    @Test("A token that ends in the middle is renewed once; one that is ended for good is named")
    func expired() async throws {
        let stage = try await filled(20, bytes: 10)
        let proxy = try stage.server.proxy()
        let ended = FaultRule.Fault.answer(
            400, body: ##"{"__type":"com.amazon.coral.service#ExpiredTokenException"}"##)
        let wanted = RecordScope.columns([TableColumns(table: "Song", columns: ["id"])])
        proxy.set(FaultRule(ended, turns: 2...2))
        #expect(try await stage.source(port: proxy.port).read(wanted).result.isComplete)
        proxy.set(FaultRule(ended))
        let scan = try await stage.source(port: proxy.port).read(wanted)
        #expect(scan.result.problems.first?.reason.contains("credentials have ended") == true)
    }

    @Test("A server that goes away in the middle leaves the scan incomplete")
    func lost() async throws {
        let stage = try await filled(40, bytes: 100_000)
        let proxy = try stage.server.proxy()
        proxy.set(FaultRule(.resetBefore, turns: 3...Int.max))
        let source = stage.source(port: proxy.port, retries: .once) { $0.segments = 2 }
        let scan = try await source.read(.everything)
        #expect(!scan.result.isComplete)
        #expect(scan.batches.flatMap(\.rows).count < 40)
    }

    @Test("A table that is not there is named, and the others are read")
    func missing() async throws {
        let stage = try await filled(3, bytes: 1)
        let scan = try await stage.source().read(
            .columns(["None", "Song"].map { TableColumns(table: $0, columns: ["id"]) }))
        #expect(scan.result.problems.count == 1)
        #expect(scan.result.problems.first?.text.contains("there is no such table") == true)
        #expect(scan.batches.flatMap(\.rows).count == 3)
        let nothing = try await stage.source { $0.names = TableNames(prefix: "nobody.") }
            .read(.everything)
        #expect(nothing.result.problems.first?.reason.contains("no table fits") == true)
    }

    @Test("An id that is no key is refused in words; the partition key alone finds all of it")
    func keys() async throws {
        let stage = try await Stage()
        try await stage.makeTable("Pair", hash: "pk", range: "sk")
        for sort in ["1", "2"] {
            try await stage.put(
                "Pair", #"{"pk":{"S":"a"},"sk":{"S":"\#(sort)"},"id":{"S":"x"}}"#)
        }
        let source = stage.source()
        let rows = try await source.rows(
            table: "Pair", idColumns: ["pk"], id: RecordID("a"), columns: ["sk"])
        #expect(Set(rows) == [[.text([49])], [.text([50])]])
        for columns in [["id"], ["sk"]] {
            await #expect(throws: StoreError.self) {
                try await source.rows(
                    table: "Pair", idColumns: columns, id: RecordID("x"), columns: ["sk"])
            }
        }
        let swapped = try await source.rows(
            table: "Pair", idColumns: ["sk", "pk"],
            id: RecordID(parts: [[50], [97]]), columns: ["id"])
        #expect(swapped == [[.text([120])]])
    }

    @Test("A numeric key is found by its own spelling only")
    func numericKeys() async throws {
        let stage = try await Stage()
        let stored = stage.prefix + "Song"
        try await stage.server.run {
            try $0.call(
                "CreateTable",
                #"{"TableName":"\#(stored)","BillingMode":"PAY_PER_REQUEST","#
                    + #""KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"#
                    + #""AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}]}"#)
        }
        try await stage.put("Song", #"{"id":{"N":"7"},"cover":{"S":"k"}}"#)
        #expect(try await stage.row("Song", "7", ["cover"]) == [.text([107])])
        for id in ["07", "7.0", "x", "", "+7"] {
            #expect(try await stage.row("Song", id, ["cover"]) == nil)
        }
    }
}
