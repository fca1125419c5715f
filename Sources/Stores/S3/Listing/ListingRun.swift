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
    ///
    /// A spool is told how far the listing came, also when it is broken off: `receive` has to have
    /// kept there what it takes, before anything that it may throw.
    mutating func run(
        spool: ListingSpool? = nil,
        onCheckpoint: ((ListingCheckpoint) async throws -> Void)? = nil,
        _ receive: (Item.Listed) async throws -> Void
    ) async throws -> ScanResult {
        let begin = listing.clock()
        var core = core
        let source = source
        try await withThrowingTaskGroup(of: PageSource<Item>.Answer.self) { group in
            do {
                ask(&core, source, &group)
                while let answer = try await group.next() {
                    try Task.checkCancellation()
                    let items = core.take(answer)
                    // Such a store would be asked for everything again all the same.
                    if core.note != nil { spool?.remove() }
                    // The next questions are on their way before this answer is handed on, so that
                    // the store never waits for what the caller does with it.
                    ask(&core, source, &group)
                    if items.count > 0 { try await receive(items) }
                    if let onCheckpoint { try await onCheckpoint(core.checkpoint) }
                    if let spool, spool.isDue { spool.keep(core.checkpoint) }
                }
            } catch {
                spool?.keep(core.checkpoint)
                throw error
            }
        }
        self.core = core
        let problems = core.finalProblems()
        if let spool { end(spool, problems) }
        var result = ScanResult(
            window: ScanWindow(from: begin, to: listing.clock()), problems: problems,
            consistency: "moving", requests: core.requests)
        if let note = core.note {
            listing.onNote(note)
            result.notes.append(note)
        }
        return result
    }

    // What only lacks answers is gone on with, as if it had been broken off; a store that answered
    // wrongly once is believed in nothing that it said before.
    private func end(_ spool: ListingSpool, _ problems: [ScanProblem]) {
        if problems.isEmpty || problems.count > core.unanswered {
            spool.remove()
        } else {
            spool.keep(core.checkpoint)
        }
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
