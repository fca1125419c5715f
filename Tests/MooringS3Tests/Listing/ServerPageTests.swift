import Glibc
import MooringAWS
import MooringModel
import PlainS3
import Synchronization
import TestServers
import Testing

@testable import MooringS3

/// Keeps the answers that a real server gave to listings.
private final class PageKeeper: AWSCaller {
    private let inner: any AWSCaller
    private let pages = Mutex<[String]>([])

    init(_ inner: any AWSCaller) { self.inner = inner }

    var requestCounts: [String: Int] { inner.requestCounts }

    /// The bodies of all pages.
    var bodies: [String] { pages.withLock { $0 } }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        let response = try await inner.send(request)
        if request.call.hasPrefix("List") {
            pages.withLock { $0.append(String(decoding: response.body, as: UTF8.self)) }
        }
        return response
    }
}

/// Pages of real servers that no textbook shows.
@Suite("Pages of real servers", .requires(.ministack), .timeLimit(.minutes(60)))
struct ServerPageTests {
    private static let kinds: [ServerKind] =
        getenv("MOORING_INTEGRATION") == nil ? [.ministack] : [.ministack, .ceph]

    private struct Place {
        let server: S3TestServer
        let store: String
        let keeper: PageKeeper

        init(_ kind: ServerKind, versioned: Bool = false) async throws {
            server = try await S3TestServer.start(kind)
            store = try await server.makeBucket(versioned: versioned)
            keeper = PageKeeper(S3Stage.client(server))
        }

        func listing(pageSize: Int = 1_000, concurrency: Int = 8) -> S3Listing {
            S3Listing(
                S3Client(place: S3Stage.place(server, store), caller: keeper),
                concurrency: concurrency, pageSize: pageSize, clock: { S3Stage.now() })
        }

        func fill(_ keys: [[UInt8]]) async throws {
            try await server.fill(store, keys.map { ($0, [1]) })
        }
    }

    @Test("1: Ceph's pages are shorter than was asked, with more behind them", .requires(.ceph))
    func shortPages() async throws {
        for versioned in [false, true] {
            let place = try await Place(.ceph, versioned: versioned)
            // Without a slash, so that nothing but the pages themselves cuts the bucket up.
            let keys = (0..<2_500).map { Array("k\($0)".utf8) }
            try await place.fill(keys)
            // It counts them with the objects, and does not list them.
            let store = place.store
            try await place.server.run { s3 in
                for key in keys.prefix(5) { _ = try Self.begin(s3, store, key) }
            }
            var found: [[UInt8]] = []
            let listing = place.listing(concurrency: 1)
            let result =
                versioned
                ? try await listing.versions(ListingScope()) { found += $0.map(\.key.bytes) }
                : try await listing.objects(ListingScope()) { found += $0.map(\.key.bytes) }
            #expect(result.isComplete, "\(result.problems)")
            #expect(found.count == keys.count && Set(found) == Set(keys))
            let short = place.keeper.bodies.filter { body in
                body.contains("<IsTruncated>true</IsTruncated>")
                    && body.split(separator: "<ETag>").count - 1 < 1_000
            }
            #expect(versioned || !short.isEmpty, "every page was full")
        }
    }

    @Test("6: a page may end at a key that XML cannot hold", arguments: kinds)
    func oddPageEnds(_ kind: ServerKind) async throws {
        for versioned in [false, true] {
            let place = try await Place(kind, versioned: versioned)
            let odd = [
                "\u{1}", "a\u{1}", "a\u{1}b", "a\u{FFFE}", "b\u{1F}/c", "b\u{1F}/d", "z\u{1}",
            ]
            let keys = (odd + ["a", "b", "b/c", "c", "y/\u{1}/x"]).map { Array($0.utf8) }
            try await place.fill(keys)
            for (pageSize, concurrency) in [(1, 1), (2, 1), (3, 4), (1_000, 4)] {
                var found: [[UInt8]] = []
                let listing = place.listing(pageSize: pageSize, concurrency: concurrency)
                let result =
                    versioned
                    ? try await listing.versions(ListingScope()) { found += $0.map(\.key.bytes) }
                    : try await listing.objects(ListingScope()) { found += $0.map(\.key.bytes) }
                let note: Comment = "\(kind) \(versioned) \(pageSize): \(result.problems)"
                #expect(Set(found).count == found.count, note)
                #expect(Set(found).isSubset(of: keys), note)
                // Everything, or the range that could not be read is named.
                #expect(
                    result.isComplete ? Set(found) == Set(keys) : !result.problems.isEmpty, note)
                for problem in result.problems {
                    #expect(problem.reason.contains("the keys "), note)
                }
            }
        }
    }

    // MARK: Uploads

    private static func begin(_ s3: PlainS3, _ store: String, _ key: [UInt8]) throws -> String {
        var call = PlainS3.Call("POST", store, key)
        call.query = [("uploads", "")]
        let text = String(decoding: try s3.require(call).body, as: UTF8.self)
        return PlainS3.value("UploadId", in: text[...]) ?? ""
    }

    /// An upload that was begun, and how many parts it has.
    private struct Begun {
        let store: String
        let key: [UInt8]
        let id: String
        var parts = 0

        func put(part: Int, bytes: Int, _ s3: PlainS3) throws {
            var call = PlainS3.Call("PUT", store, key)
            call.query = [("partNumber", "\(part)"), ("uploadId", id)]
            call.body = [UInt8](repeating: 7, count: bytes)
            try s3.require(call)
        }

        func abort(_ s3: PlainS3) throws {
            var call = PlainS3.Call("DELETE", store, key)
            call.query = [("uploadId", id)]
            try s3.require(call)
        }

        var open: OpenUpload {
            OpenUpload(key: ObjectKey(key), id: id, begunAt: S3Stage.now())
        }
    }

    @Test(
        "open uploads come over several pages, several to a key, each with its parts",
        arguments: kinds)
    func uploads(_ kind: ServerKind) async throws {
        let place = try await Place(kind)
        let store = place.store
        // Ceph lists those of `a-1` before those of `a`.
        let keys = ["a b+c/ü&<", "a-1", "a", "many", "private/x:1/f.png", "z%20"].map {
            Array($0.utf8)
        }
        let from = S3Stage.now().wholeSecond
        let begun = try await place.server.run { s3 in
            var begun: [Begun] = []
            for (number, key) in keys.enumerated() {
                for _ in 0..<(key == Array("many".utf8) ? 4 : 1) {
                    let id = try Self.begin(s3, store, key)
                    let upload = Begun(store: store, key: key, id: id, parts: number)
                    for part in 0..<number {
                        try upload.put(part: 2 * part + 1, bytes: 10 + part, s3)
                    }
                    begun.append(upload)
                }
            }
            return begun
        }
        let window = from...S3Stage.now()
        // An object beside them is no upload.
        try await place.fill([Array("object".utf8)])
        for pageSize in [1, 2, 3, 1_000] {
            var found: [OpenUpload] = []
            let listing = place.listing(pageSize: pageSize)
            let result = try await listing.uploads(ListingScope()) { found += $0 }
            #expect(result.isComplete, "\(pageSize): \(result.problems)")
            #expect(found.count == begun.count, "\(pageSize)")
            #expect(Set(found.map(\.id)) == Set(begun.map(\.id)), "\(pageSize)")
            for upload in found {
                let own = try #require(begun.first { $0.id == upload.id })
                #expect(upload.key.bytes == own.key)
                #expect(window.contains(upload.begunAt), "\(upload) not in \(window)")
            }
            var below: [OpenUpload] = []
            let scope = ListingScope(
                prefixes: [Array("a".utf8), Array("private/".utf8)],
                hiddenPrefixes: [Array("a b".utf8)])
            _ = try await listing.uploads(scope) { below += $0 }
            let wanted = ["a", "a-1", "private/x:1/f.png"]
            #expect(below.map(\.key.text).sorted() == wanted, "\(pageSize)")
        }
        for upload in begun {
            let parts = try #require(try await place.listing().parts(of: upload.open))
            let bytes = (0..<upload.parts).reduce(0) { $0 + 10 + $1 }
            #expect(parts.count == upload.parts && parts.bytes == Int64(bytes))
            #expect((parts.newestAt == nil) == (upload.parts == 0))
            try await place.server.run { try upload.abort($0) }
            #expect(try await place.listing().parts(of: upload.open) == nil)
        }
        var left: [OpenUpload] = []
        let end = try await place.listing().uploads(ListingScope()) { left += $0 }
        #expect(end.isComplete && left.isEmpty, "\(end.problems)")
    }

    @Test("an upload of more parts than a page holds is counted to its end", arguments: kinds)
    func manyParts(_ kind: ServerKind) async throws {
        let place = try await Place(kind)
        let (store, key, count) = (place.store, Array("long".utf8), 1_203)
        let server = place.server
        let upload = Begun(
            store: store, key: key, id: try await server.run { try Self.begin($0, store, key) })
        try await withThrowingTaskGroup { group in
            for lane in 0..<16 {
                group.addTask {
                    try await server.run { s3 in
                        for part in stride(from: lane + 1, through: count, by: 16) {
                            try upload.put(part: part, bytes: 2, s3)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let parts = try #require(try await place.listing().parts(of: upload.open))
        #expect(parts.count == count && parts.bytes == Int64(2 * count))
        #expect(place.keeper.bodies.count { $0.contains("<ListPartsResult") } >= 2)
    }
}
