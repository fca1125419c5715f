import MooringModel

/// Carries a listing out: asks what the core wants to know, as much at a time as it may.
struct ListingRun<Item: ListingItem> {
    private let listing: S3Listing
    private let source: PageSource<Item>
    private var core: ListingCore<Item>

    /// A pass over a scope, or over what a checkpoint left open of it.
    init(
        _ listing: S3Listing, _ scope: ListingScope, tiles: [KeyRange]? = nil,
        resuming checkpoint: ListingCheckpoint? = nil
    ) {
        self.listing = listing
        source = PageSource(client: listing.client, pageSize: listing.pageSize)
        core = ListingCore(
            scope, tiles: tiles ?? scope.tiles, place: "s3://\(listing.client.place.bucket)/",
            concurrency: listing.concurrency, resuming: checkpoint)
    }

    /// Lists, and gives what it lists in batches; `onCheckpoint` is called behind each.
    mutating func run(
        _ receive: ([Item]) async throws -> Void,
        onCheckpoint: ((ListingCheckpoint) async throws -> Void)? = nil
    ) async throws -> ScanResult {
        let begin = listing.clock()
        var core = core
        let source = source
        try await withThrowingTaskGroup(of: PageSource<Item>.Answer.self) { group in
            ask(&core, source, &group)
            while let answer = try await group.next() {
                try Task.checkCancellation()
                let items = core.take(answer)
                // The next questions are on their way before this answer is handed on, so that
                // the store never waits for what the caller does with it.
                ask(&core, source, &group)
                if !items.isEmpty { try await receive(Array(items)) }
                if let onCheckpoint { try await onCheckpoint(core.checkpoint) }
            }
        }
        self.core = core
        if let note = core.note { listing.onNote(note) }
        return ScanResult(
            window: ScanWindow(from: begin, to: listing.clock()), problems: core.finalProblems(),
            consistency: "moving", requests: core.requests)
    }

    private func ask(
        _ core: inout ListingCore<Item>, _ source: PageSource<Item>,
        _ group: inout ThrowingTaskGroup<PageSource<Item>.Answer, any Error>
    ) {
        while let question = core.nextQuestion() {
            group.addTask { await source.answer(question) }
        }
    }
}
