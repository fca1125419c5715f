import MooringModel

/// A listing of open uploads, one page after the other.
///
/// No order is asked of the store: Ceph sorts uploads by their key with a full stop and their id
/// behind it, so that those of `a-1` come before those of `a`. Each page begins behind the last
/// upload of the page before, whatever the order is, and every upload is given once.
struct UploadListing {
    private let source: PageSource<OpenUpload>
    private let scope: ListingScope
    private let place: String
    private let clock: @Sendable () -> Instant
    private var given: Set<OpenUpload> = []
    private var encoding = KeyEncoding()
    private var requests = 0

    /// A pass over a scope.
    init(_ listing: S3Listing, _ scope: ListingScope) {
        source = PageSource(client: listing.client, pageSize: listing.pageSize)
        self.scope = scope
        place = "s3://\(listing.client.place.bucket)/"
        clock = listing.clock
    }

    /// Lists below each prefix of the scope; a prefix that could not be listed to its end is named
    /// in the result, and the others are listed nevertheless.
    mutating func run(_ receive: ([OpenUpload]) async throws -> Void) async throws -> ScanResult {
        let begin = clock()
        var problems: [ScanProblem] = []
        for tile in scope.prefixTiles {
            guard let reason = try await list(below: tile.prefix, receive) else { continue }
            problems.append(
                ScanProblem(
                    place: place,
                    reason: "the keys \(tile.text) could not be listed: "
                        + "\(OpenUpload.layout.call): \(reason)"))
        }
        return ScanResult(
            window: ScanWindow(from: begin, to: clock()), problems: problems,
            consistency: "moving", requests: requests)
    }

    // Gives why the end was not reached; nil where it was.
    private mutating func list(
        below prefix: [UInt8], _ receive: ([OpenUpload]) async throws -> Void
    ) async throws -> String? {
        var (last, failures) = (OpenUpload?.none, 0)
        while true {
            try Task.checkCancellation()
            let answer = await source.answer(
                PageQuestion(
                    stretch: 0, prefix: prefix, startAfter: last?.key.bytes, id: last?.id,
                    token: nil, isGrouped: false, encoding: encoding))
            requests += answer.requests
            encoding.merge(answer.encoding)
            switch answer.result {
            case .failure(let failure):
                failures += 1
                guard failure.isTransient, failures < 3 else { return failure.reason }
            case .success(let page):
                failures = 0
                guard page.items.allSatisfy({ $0.key.hasPrefix(prefix) }) else {
                    return "the answer lists other keys than it was asked for"
                }
                let new = page.items.filter { given.insert($0).inserted }
                let wanted = new.filter { !scope.hides($0.key) }
                if !wanted.isEmpty { try await receive(wanted) }
                guard page.isTruncated else { return nil }
                guard !new.isEmpty else { return "the answer \(OrderFault.noProgress.text)" }
                last = page.items.last
            }
        }
    }
}
