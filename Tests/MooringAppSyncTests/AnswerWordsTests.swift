import MooringAWS
import MooringModel
import StoreConformance
import Synchronization
import TestServers
import Testing

@testable import MooringAppSync

/// What is said of an API that answers in GraphQL and tells too little, or something else.
@Suite("AppSync: answers that do not fit", .requires(.appsync), .timeLimit(.minutes(60)))
struct AnswerWordsTests {
    /// A caller in whose place a test may answer, with the operation's name and its number.
    private struct Bent: AWSCaller {
        let inner: any AWSCaller
        let bend: @Sendable (_ operation: String, _ number: Int) -> String?
        let counts = Counts()

        final class Counts: Sendable {
            let state = Mutex<[String: Int]>([:])
        }

        var requestCounts: [String: Int] { inner.requestCounts }
        var traffic: RequestTraffic { inner.traffic }

        func send(_ request: AWSRequest) async throws -> AWSResponse {
            let body = String(decoding: request.body, as: UTF8.self)
            for name in ["getSong", "updateSong", "listSongs"] where body.contains(name) {
                let number = counts.state.withLock {
                    $0[name, default: 0] += 1
                    return $0[name] ?? 0
                }
                if let answer = bend(name, number) {
                    return AWSResponse(status: 200, headers: [], body: Array(answer.utf8))
                }
            }
            return try await inner.send(request)
        }
    }

    private func source(
        _ stage: AppSyncStage, _ bend: @escaping @Sendable (String, Int) -> String?
    ) -> AppSyncSource {
        let client = GraphQLClient(
            endpoint: GraphQLClient.Endpoint(
                origin: Origin(isSecure: false, host: "127.0.0.1", port: stage.api.port),
                path: Array("/\(stage.api.name)/graphql".utf8)),
            caller: Bent(
                inner: AWSClient(
                    scheme: .secret(header: "x-api-key"), credentials: AppSyncStage.key("key"),
                    connections: 1, clock: AppSyncStage.now), bend: bend), hint: "")
        var options = AppSyncOptions()
        options.readPause = .zero
        return AppSyncSource(
            name: "app", client: client, schema: .introspection, options: options,
            clock: AppSyncStage.now)
    }

    private func loaded(_ mode: String = "none") async throws -> AppSyncStage {
        let stage = try await AppSyncStage(mode: mode)
        try stage.api.load(#"{"Song": [{"id": "s1", "title": "One", "cover": "a/b"}]}"#)
        return stage
    }

    private static func data(_ result: String) -> String {
        "{\"data\": {\"\(GraphQLOperation.result)\": \(result)}}"
    }

    @Test("a read that tells another record, or nothing, is no record that is absent")
    func reads() async throws {
        let stage = try await loaded()
        for (answers, reason, hint) in [
            (["{\"data\": {}}"], "the answer does not say whether there is such a record", nil),
            (
                [Self.data("{\"id\": \"other\"}")],
                "the API gave another record than the one that was asked for", nil
            ),
            (["content"], "the answer is no GraphQL", "check url: under appsync"),
            (
                (0..<40).map { Self.data("{\"id\": \"s1\", \"title\": \"\($0)\"}") },
                "reads of a record gave no two alike in a row",
                "run it again when fewer devices write"
            ),
        ] as [([String], String, String?)] {
            let source = source(stage) { operation, number in
                operation == "getSong" ? answers[min(number, answers.count) - 1] : nil
            }
            let error = await #expect(throws: StoreError.self) {
                try await source.rows(
                    table: "Song", idColumns: ["id"], id: RecordID("s1"), columns: ["title"])
            }
            #expect(error?.reason.hasSuffix(reason) == true, "\(error?.reason ?? "")")
            #expect(error?.hint == hint)
        }
    }

    @Test("a write whose answer does not say what came of it is told as such")
    func writes() async throws {
        for (mode, bent, first, answer, reason) in [
            (
                "none", "updateSong", 1, "{\"data\": {}}",
                "the answer does not say what became of the record"
            ),
            (
                "none", "getSong", 3, "{\"data\": {}}",
                "it was written, and could not be read again: the answer does not say whether "
                    + "there is such a record"
            ),
            (
                "optimistic", "getSong", 1,
                Self.data("{\"id\": \"s1\", \"title\": \"One\", \"cover\": \"a/b\"}"),
                "updateSong takes no _version, or the record has none"
            ),
        ] {
            let stage = try await loaded(mode)
            let source = source(stage) { operation, number in
                operation == bent && number >= first ? answer : nil
            }
            let error = await #expect(throws: StoreError.self) {
                try await source.update(
                    stage.change(
                        "s1", expecting: [("cover", .text("a/b"))], setting: [("cover", .null)]))
            }
            #expect(error?.reason == reason)
            #expect(try await stage.row("s1", ["title"]) == [.text("One")])
        }
    }

    @Test("a record of an identifier that no text is cannot be made, and a page ends no list")
    func identifiersAndPages() async throws {
        let stage = try await loaded()
        let change = RecordChange(
            .insert, table: "Song", idColumns: ["id"], id: RecordID([0xFF] as [UInt8]),
            expected: [],
            assignments: [ColumnValue("title", .text("x"))])
        let error = await #expect(throws: StoreError.self) {
            try await stage.source.update(change)
        }
        #expect(error?.reason == "the API cannot hold this identifier")
        let source = source(stage) { operation, _ in
            operation == "listSongs" ? Self.data("{\"items\": [], \"nextToken\": 7}") : nil
        }
        let problems = try await source.read(.everything).result.problems.map(\.reason)
        #expect(problems.contains("nextToken is no text"), "\(problems)")
    }
}
