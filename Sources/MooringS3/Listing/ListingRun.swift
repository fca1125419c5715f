import MooringAWS
import MooringModel

/// One pass over a bucket's keys.
struct ListingRun<Item: ListingItem> {
    private let source: PageSource<Item>
    private let scope: ListingScope
    private let tiles: [KeyRange]
    private let place: String
    private let clock: @Sendable () -> Instant

    /// A pass over a scope.
    init(_ listing: S3Listing, _ scope: ListingScope, tiles: [KeyRange]? = nil) {
        source = PageSource(client: listing.client, pageSize: listing.pageSize)
        self.scope = scope
        clock = listing.clock
        self.tiles = tiles ?? scope.tiles
        place = "s3://\(listing.client.place.bucket)/"
    }

    /// Lists, and gives what it lists in batches.
    func run(_ receive: ([Item]) async throws -> Void) async throws -> ScanResult {
        let begin = clock()
        var (problems, requests) = ([ScanProblem](), 0)
        var ledger = RangeLedger()
        var encoding = KeyEncoding()
        for tile in tiles {
            var stretch = Stretch<Item>(tile)
            while true {
                try Task.checkCancellation()
                let question = stretch.question(number: 0, encoding: encoding)
                let answer = await source.answer(question)
                requests += answer.requests
                encoding.merge(answer.encoding)
                do {
                    let page = try answer.result.get()
                    let progress = try stretch.take(page, to: question)
                    ledger.close(progress.closed)
                    let items = progress.items.filter { !scope.hides($0.key) }
                    if !items.isEmpty { try await receive(items) }
                    if progress.isDone { break }
                } catch let failure as PageFailure {
                    stretch.failures += 1
                    if failure.isTransient, stretch.failures < 3 { continue }
                    problems.append(problem(stretch.range, failure.reason))
                    break
                } catch let fault as OrderFault {
                    problems.append(problem(stretch.range, "the answer \(fault.text)"))
                    break
                }
            }
        }
        return ScanResult(
            window: ScanWindow(from: begin, to: clock()), problems: problems, consistency: "moving",
            requests: requests)
    }

    private func problem(_ range: KeyRange, _ reason: String) -> ScanProblem {
        ScanProblem(
            place: place,
            reason: "keys \(range.text) could not be listed: \(Item.layout.call): \(reason)")
    }
}
