import Foundation
import MooringAWS
import MooringModel
import Synchronization
import Testing

@testable import MooringS3

/// Removals that are gathered into batches, against a store of the test's own.
@Suite("Removals in batches")
struct BatchRemoverTests {
    private static let every = Trust(deletes: true, batches: true, versions: true)

    private static func remover(_ store: BatchStore) -> BatchRemover {
        let place = S3Place(
            bucket: "media", endpoint: Origin(isSecure: false, host: "127.0.0.1", port: 1),
            usesPath: true)
        return BatchRemover(
            BucketCalls(S3Client(place: place, caller: store), clock: { .distantPast }))
    }

    private static func item(_ name: String, version: String? = nil) -> BatchItem {
        BatchItem(key: ObjectKey(name), version: version, etag: version == nil ? "abc" : nil)
    }

    /// How each of these items ended, or the error, in their order. The first goes alone, and the
    /// others come while it is under way.
    private static func ends(
        _ items: [BatchItem], _ store: BatchStore, _ trust: BatchRemover.Trust = every
    ) async -> [Result<BatchRemover.Ending, any Error>] {
        let remover = remover(store)
        return await withTaskGroup(of: (Int, Result<BatchRemover.Ending, any Error>).self) {
            group in
            for (index, item) in items.enumerated() {
                group.addTask {
                    if index > 0 { await store.waitForFirst() }
                    do {
                        return (index, .success(try await remover.remove(item, trust)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var ended: [Int: Result<BatchRemover.Ending, any Error>] = [:]
            for await (index, end) in group { ended[index] = end }
            return items.indices.compactMap { ended[$0] }
        }
    }

    @Test("what comes while a batch is under way goes together into the next")
    func gathers() async throws {
        let store = BatchStore()
        let items = (0..<40).map { Self.item("k\($0)") }
        for end in await Self.ends(items, store) { #expect(try end.get() == .removed) }
        #expect(store.batches.first == ["k0"])
        #expect(store.batches.count < 10 && store.single.isEmpty, "\(store.batches.count)")
        #expect(store.batches.joined().sorted() == items.map(\.key.text).sorted())
        #expect(store.bodies.allSatisfy { $0.contains("<ETag>&quot;abc&quot;</ETag>") })
    }

    @Test("a batch is full at 1,000, and the next does not wait for it")
    func full() async throws {
        let store = BatchStore()
        let items = (0..<1_003).map { Self.item("k\($0)", version: "v") }
        for end in await Self.ends(items, store) { #expect(try end.get() == .removed) }
        #expect(store.batches.allSatisfy { $0.count <= 1_000 })
        #expect(store.batches.joined().count == items.count)
        #expect(store.bodies.allSatisfy { $0.contains("<VersionId>v</VersionId>") })
    }

    @Test("each key has its own end: one that is refused stops no other")
    func eachItsOwn() async throws {
        let store = BatchStore { key in
            switch key {
            case "changed": .error("PreconditionFailed")
            case "gone": .error("NoSuchKey")
            case "forbidden": .error("AccessDenied")
            case "silent": .nothing
            default: .deleted
            }
        }
        let names = ["first", "changed", "gone", "forbidden", "silent", "last"]
        let ends = await Self.ends(names.map { Self.item($0) }, store)
        #expect(try ends[0].get() == .removed && ends[2].get() == .removed)
        #expect(try ends[1].get() == .changed && ends[5].get() == .removed)
        // What the batch does not settle is asked for alone, under the same condition.
        #expect(try ends[4].get() == .removed)
        #expect(store.single.sorted() == ["forbidden \"abc\"", "silent \"abc\""])
        let refusal = #expect(throws: StoreError.self) { try ends[3].get() }
        #expect(refusal?.isRefusal == true && refusal?.reason.contains("s3:DeleteObject") == true)
    }

    @Test("without an answer every key of the batch is in doubt, and nothing is sent again")
    func lost() async throws {
        let store = BatchStore()
        store.lose(["k1"])
        let ends = await Self.ends((0..<9).map { Self.item("k\($0)") }, store)
        let lost = try #require(store.batches.first { $0.contains("k1") })
        for (index, end) in ends.enumerated() {
            guard lost.contains("k\(index)") else {
                #expect(try end.get() == .removed)
                continue
            }
            let error = #expect(throws: StoreError.self) { try end.get() }
            #expect(error?.isRefusal == false)
        }
        #expect(store.single.isEmpty)
        #expect(store.batches.joined().count == 9)
    }

    @Test("where a batch is refused as a whole, each goes alone")
    func refused() async throws {
        let store = BatchStore()
        store.refuseBatches()
        let items = (0..<5).map { Self.item("k\($0)") }
        for end in await Self.ends(items, store) { #expect(try end.get() == .removed) }
        #expect(store.single.count == 5)
    }

    @Test("what the store was not seen to do in batches goes alone, under what condition it keeps")
    func untrusted() async throws {
        let store = BatchStore()
        let (object, version) = (Self.item("k"), Self.item("k", version: "v"))
        for (item, trust) in [
            (object, Trust(deletes: true, batches: false, versions: true)),
            (object, Trust(deletes: false, batches: false, versions: false)),
            (version, Trust(deletes: true, batches: true, versions: false)),
            (BatchItem(key: ObjectKey([0x01]), etag: "abc"), Self.every),
        ] {
            #expect(try await Self.ends([item], store, trust)[0].get() == .removed)
        }
        #expect(store.batches.isEmpty)
        #expect(store.single == ["k \"abc\"", "k", "k?v", "\u{1} \"abc\""])
        // Without an ETag, nothing would keep a batch from removing what came meanwhile.
        _ = await Self.ends([BatchItem(key: ObjectKey("bare"))], store)
        #expect(store.batches.isEmpty && store.single.last == "bare")
    }

    @Test("a single removal whose condition does not hold leaves the object")
    func changed() async throws {
        let store = BatchStore()
        store.answerSingly(412)
        let trust = Trust(deletes: true, batches: false, versions: false)
        #expect(try await Self.ends([Self.item("k")], store, trust)[0].get() == .changed)
    }
}

private typealias Trust = BatchRemover.Trust

/// A store that removes what a batch names, but for the keys that it answers otherwise for.
private final class BatchStore: AWSCaller {
    enum Answer {
        case deleted, nothing
        case error(String)
    }

    private struct State {
        var bodies: [String] = []
        var single: [String] = []
        var lost: Set<String> = []
        var refusesBatches = false
        var status = 204
    }

    private let state = Mutex(State())
    private let answer: @Sendable (String) -> Answer

    init(_ answer: @escaping @Sendable (String) -> Answer = { _ in .deleted }) {
        self.answer = answer
    }

    var requestCounts: [String: Int] { [:] }
    var bodies: [String] { state.withLock { $0.bodies } }
    var batches: [[String]] { bodies.map(Self.keys) }
    /// The keys that went alone, with their version or condition.
    var single: [String] { state.withLock { $0.single } }

    /// Loses the answer of the batch that has any of these keys.
    func lose(_ keys: Set<String>) { state.withLock { $0.lost = keys } }
    func refuseBatches() { state.withLock { $0.refusesBatches = true } }
    func answerSingly(_ status: Int) { state.withLock { $0.status = status } }

    func waitForFirst() async {
        while state.withLock({ $0.bodies.isEmpty && $0.single.isEmpty }) { await Task.yield() }
    }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        guard request.method == "POST" else { return single(request) }
        let body = String(decoding: request.body, as: UTF8.self)
        let (isFirst, lost, refuses) = state.withLock { state in
            state.bodies.append(body)
            return (state.bodies.count == 1, state.lost, state.refusesBatches)
        }
        // So that the others come meanwhile.
        if isFirst { try await Task.sleep(for: .milliseconds(300)) }
        if refuses { return AWSResponse(status: 403, headers: [], body: []) }
        let keys = Self.keys(body)
        if !lost.isDisjoint(with: keys) {
            throw AWSFailure(
                call: request.call, reason: "no answer in this test", mayHaveHappened: true)
        }
        let answers = keys.map { key in
            switch answer(key) {
            case .deleted: "<Deleted><Key>\(key)</Key></Deleted>"
            case .error(let code): "<Error><Key>\(key)</Key><Code>\(code)</Code></Error>"
            case .nothing: ""
            }
        }
        return AWSResponse(
            status: 200, headers: [],
            body: Array("<DeleteResult>\(answers.joined())</DeleteResult>".utf8))
    }

    private func single(_ request: AWSRequest) -> AWSResponse {
        let key = String(decoding: request.path.dropFirst("/media/".utf8.count), as: UTF8.self)
        let version = request.query.first { $0.name == "versionId" }
            .map { "?" + String(decoding: $0.value, as: UTF8.self) }
        let condition = request.headers.first { $0.name == "if-match" }.map { " " + $0.value }
        let status = state.withLock { state in
            state.single.append(key + (version ?? "") + (condition ?? ""))
            return state.status
        }
        return AWSResponse(
            status: key == "forbidden" ? 403 : status, headers: [],
            body: key == "forbidden"
                ? Array("<Error><Code>AccessDenied</Code></Error>".utf8) : [])
    }

    private static func keys(_ body: String) -> [String] {
        body.components(separatedBy: "<Key>").dropFirst().map {
            $0.components(separatedBy: "</Key>")[0]
        }
    }
}
