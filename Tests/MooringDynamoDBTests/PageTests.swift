import MooringAWS
import MooringFiles
import MooringModel
import StoreConformance
import Synchronization
import Testing

@testable import MooringDynamoDB

@Suite("Pages that a service may answer with")
struct PageTests {
    private let song = TableColumns(table: "Song", columns: ["id", "cover"])

    private func page(_ ids: [Int], next: String? = nil, units: String? = nil) -> AWSResponse {
        let items = ids.map { #"{"id":{"S":"\#($0)"},"cover":{"S":"k\#($0)"}}"# }
        return .json(
            #"{"Items":["# + items.joined(separator: ",") + #"],"Count":\#(ids.count)"#
                + (next.map { #","LastEvaluatedKey":{"id":{"S":"\#($0)"}}"# } ?? "")
                + (units.map { #","ConsumedCapacity":{"TableName":"Song","CapacityUnits":\#($0)}"# }
                    ?? "") + "}")
    }

    @Test("Pages without items are no end; the last one is where no key is told")
    func emptyPages() async throws {
        let number = Mutex(0)
        let caller = ScriptedCaller { [self] _ in
            let turn = number.withLock { turn in
                turn += 1
                return turn
            }
            return page(turn % 3 == 0 ? [turn] : [], next: turn < 12 ? "\(turn)" : nil)
        }
        let scan = try await caller.source().read(.columns([song]))
        #expect(scan.result.isComplete)
        #expect(scan.batches.flatMap(\.rows).count == 4)
        #expect(caller.sent.count == 12)
        #expect(caller.sent.last?.text.contains(#""ExclusiveStartKey":{"id":{"S":"11"}}"#) == true)
    }

    @Test("A member's name may be written with escapes")
    func escapedName() async throws {
        let caller = ScriptedCaller { [self] sent in
            sent.text.contains("ExclusiveStartKey")
                ? page([2])
                : .json(#"{"It\u0065ms":[],"LastEvaluated\u004bey":{"id":{"S":"1"}}}"#)
        }
        let scan = try await caller.source().read(.columns([song]))
        #expect(scan.result.isComplete)
        #expect(scan.batches.flatMap(\.rows).count == 1)
    }

    @Test("A key that comes again ends the scan as incomplete", arguments: [1, 2, 3, 7, 20])
    func circle(_ length: Int) async throws {
        let number = Mutex(0)
        let caller = ScriptedCaller { [self] _ in
            let turn = number.withLock { turn in
                turn += 1
                return turn
            }
            return page([turn], next: "\(turn % length)")
        }
        let scan = try await caller.source().read(.columns([song]))
        #expect(!scan.result.isComplete)
        #expect(scan.result.problems.first?.reason.contains("second time") == true)
        #expect(caller.sent.count < 4 * length + 4)
    }

    @Test(
        "An answer that is no page makes the scan incomplete",
        arguments: [
            "", "<html>", "{}", #"{"Items":[{"id":{"S":"1"}}],"Count":2}"#,
            #"{"Items":[{"id":{"S":"1"}}"#, #"{"Items":[{"id":"1"}],"Count":1}"#,
            #"{"Items":[{"id":{"S":"1"},"id":{"S":"2"}}],"Count":1}"#,
            #"{"Items":[{"id":{"S":"1"}}],"Count":"1"}"#,
            #"{"Items":[],"LastEvaluatedKey":{"id":{"S":"1"}},"LastEvaluatedKey":null}"#,
        ])
    func damaged(_ body: String) async throws {
        let caller = ScriptedCaller { _ in .json(body) }
        let scan = try await caller.source().read(.columns([song]))
        #expect(!scan.result.isComplete)
        #expect(scan.batches.isEmpty)
    }

    @Test("An answer that its checksum denies is asked for again, and not forever")
    func checksum() async throws {
        let number = Mutex(0)
        let caller = ScriptedCaller { [self] _ in
            let turn = number.withLock { turn in
                turn += 1
                return turn
            }
            let body = String(decoding: page([1]).body, as: UTF8.self)
            return .json(body, checksum: turn < 3 ? 1 : CRC32.of(Array(body.utf8)))
        }
        #expect(try await caller.source().read(.columns([song])).result.isComplete)
        #expect(caller.sent.count == 3)
        let liar = ScriptedCaller { [self] _ in
            .json(String(decoding: page([1]).body, as: UTF8.self), checksum: 1)
        }
        let scan = try await liar.source().read(.columns([song]))
        #expect(!scan.result.isComplete)
        #expect(scan.batches.isEmpty)
        #expect(liar.sent.count == 3)
    }

    @Test("Pass A asks for what is wanted and no more; pass B reads consistently")
    func requests() async throws {
        let caller = ScriptedCaller { [self] request in
            request.call == "ListTables"
                ? .json(#"{"TableNames":["x.Song.dev","Song","x.Other.prod","x..dev"]}"#)
                : page([1])
        }
        let source = caller.source {
            $0.names = TableNames(prefix: "x.", suffix: ".dev")
            $0.segments = 2
        }
        _ = try await source.read(.columns([song]))
        let first = caller.sent[0].text
        #expect(first.contains(##""ProjectionExpression":"#c0,#c1,#c2,#c3,#c4""##))
        #expect(first.contains(##""#c0":"id","#c1":"cover","#c2":"_version""##))
        #expect(first.contains(#""TableName":"x.Song.dev","Segment":0,"TotalSegments":2"#))
        #expect(!first.contains("ConsistentRead"))
        let scan = try await source.read(.everything)
        #expect(Set(scan.batches.map(\.table)) == ["Song"])
        let scans = caller.sent.filter { $0.call == "Scan" }
        #expect(scans.count == 4)
        for request in scans.suffix(2) {
            #expect(request.text.contains(#""ConsistentRead":true"#))
            #expect(!request.text.contains("Projection"))
        }
    }

    @Test("A service that asks to slow down until the end leaves the scan incomplete")
    func throttled() async throws {
        for code in ["ProvisionedThroughputExceededException", "ThrottlingException"] {
            let caller = ScriptedCaller { _ in .error(400, code) }
            let scan = try await caller.source().read(.columns([song]))
            #expect(scan.result.problems.first?.reason.contains("asks to slow down") == true)
        }
    }

    @Test(
        "A refusal says what is missing",
        arguments: [
            ("AccessDeniedException", "it needs dynamodb:Scan"),
            ("ResourceNotFoundException", "no such table in eu-west-1"),
            ("UnrecognizedClientException", "does not know the access key"),
            ("InvalidSignatureException", "of another region than eu-west-1"),
            ("ExpiredTokenException", "have ended"),
        ])
    func refusals(_ code: String, _ words: String) async throws {
        let caller = ScriptedCaller { _ in .error(400, code, "for user\nX") }
        let scan = try await caller.source { $0.segments = 3 }.read(.columns([song]))
        #expect(scan.result.problems.count == 1)
        let text = scan.result.problems.first?.text ?? ""
        #expect(text.contains(words))
        #expect(text.hasPrefix(#"dynamodb eu-west-1, table "Song": "#))
        #expect(!text.contains("\n"))
    }

    @Test("Consumed capacity is told, and a budget is kept by small pages and waits")
    func capacity() async throws {
        let number = Mutex(0)
        let caller = ScriptedCaller { [self] _ in
            let turn = number.withLock { turn in
                turn += 1
                return turn
            }
            return page([turn], next: turn < 8 ? "\(turn)" : nil, units: "50")
        }
        let start = ContinuousClock.now
        let scan = try await caller.source { $0.rate = .fixed(200) }.read(.columns([song]))
        // 400 units, of which a second's worth is there at once.
        #expect(ContinuousClock.now - start > .milliseconds(700))
        #expect(scan.result.notes == ["8 pages read, 400.0 units of read capacity consumed"])
        #expect(caller.sent[0].text.contains(#""Limit":200"#))
        #expect(caller.sent[1].text.contains(#""Limit":4}"#))
    }

    @Test("A bucket of capacity lets in what its rate gives")
    func bucket() {
        var bucket = CapacityBucket(rate: 10)
        #expect(bucket.take(10, at: .zero) == .zero)
        #expect(bucket.take(5, at: .zero) == .milliseconds(500))
        #expect(bucket.take(5, at: .seconds(1)) == .zero)
        bucket.settle(5, actual: 1, at: .seconds(1))
        #expect(bucket.take(4, at: .seconds(1)) == .zero)
        // It never holds more than a second's worth.
        #expect(bucket.take(20, at: .seconds(100)) == .seconds(1))
    }
}
