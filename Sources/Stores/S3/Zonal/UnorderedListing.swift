import MooringAWS
import MooringModel

/// A listing of objects in no order, one page after the other.
///
/// No key says where a page has to go on, so that only the store's tokens lead through it, and only
/// a last page that says so is its end. Which keys were listed is not kept: whoever joins them
/// bears one that comes twice, and tells it.
struct UnorderedListing {
    // So many pages without an object may come in a row before the end.
    private static let emptyLimit = 100
    // A page that got no answer is asked for so often.
    private static let attempts = 3

    private let source: PageSource<ListedObject>
    private let scope: ListingScope
    private let place: String
    private let clock: @Sendable () -> Instant
    private var encoding = KeyEncoding()
    private var requests = 0
    // By their hashes, a word for each page: two tokens of one hash would end the listing early,
    // and say so.
    private var tokens: Set<Int> = []

    /// A pass over a scope.
    init(
        _ client: S3Client, _ scope: ListingScope, pageSize: Int = 1_000,
        clock: @escaping @Sendable () -> Instant
    ) {
        source = PageSource(client: client, pageSize: pageSize)
        self.scope = scope
        self.clock = clock
        place = "s3://\(client.place.bucket)/"
    }

    /// Lists below each prefix of the scope; a prefix that was not seen to its end is named in the
    /// result, and the others are listed nevertheless.
    mutating func run(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        let begin = clock()
        var problems: [ScanProblem] = []
        for tile in scope.prefixTiles {
            guard let reason = try await list(below: tile.prefix, receive) else { continue }
            problems.append(
                ScanProblem(
                    place: place,
                    reason: "the keys \(tile.text) could not be listed: "
                        + "\(ListedObject.layout.call): \(reason)"))
        }
        return ScanResult(
            window: ScanWindow(from: begin, to: clock()), problems: problems,
            consistency: "moving", requests: requests)
    }

    // Gives why the end was not reached; nil where it was.
    private mutating func list(
        below prefix: [UInt8], _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> String? {
        tokens = []
        var (token, failures, empty) = ([UInt8]?.none, 0, 0)
        while true {
            try Task.checkCancellation()
            let answer = await source.answer(
                PageQuestion(
                    stretch: 0, prefix: prefix, startAfter: nil, id: nil, token: token,
                    isGrouped: false, encoding: encoding))
            requests += answer.requests
            encoding.merge(answer.encoding)
            switch answer.result {
            case .failure(let failure):
                failures += 1
                guard failure.isTransient, failures < Self.attempts else { return failure.reason }
            case .success(let page):
                failures = 0
                let items = page.items
                guard Self.lie(items, below: prefix) else {
                    return "the answer lists other keys than it was asked for"
                }
                let wanted = items.keeping { !scope.hides($0) }
                if wanted.count > 0 { try await receive(ObjectBatch(wanted.slab)) }
                empty = items.count == 0 ? empty + 1 : 0
                if let reason = fault(of: page, empty) { return reason }
                guard page.isTruncated else { return nil }
                token = page.token
            }
        }
    }

    private static func lie(_ items: ObjectPage, below prefix: [UInt8]) -> Bool {
        prefix.isEmpty
            || (0..<items.count).allSatisfy { items.key($0).bytes.begins(with: prefix) }
    }

    // Why a page neither is the end nor leads on; nil where it is, or does.
    private mutating func fault(of page: ListingPage<ListedObject>, _ empty: Int) -> String? {
        guard page.isTruncated else {
            return page.token == nil
                ? nil : "the answer says that it is the last, and names what follows"
        }
        guard let next = page.token else {
            return "the answer says that there is more, and does not say how to go on"
        }
        guard tokens.insert(next.hashValue).inserted else {
            return "the answer names a token that came before, so that it would never end"
        }
        return empty < Self.emptyLimit ? nil : "the answer \(OrderFault.noProgress.text)"
    }
}
