package import MooringModel

extension S3Listing {
    /// Lists all objects, and keeps in a spool what was listed, so that a listing that is broken
    /// off can be gone on with.
    ///
    /// What an earlier run listed is given first. The result's window begins where that one's did.
    package func objectBatches(
        _ scope: ListingScope, of store: String, spooledAt place: SpoolPlace,
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        let begin = clock()
        let spool = ListingSpool(
            place, store: store, scope: scope, call: PageLayout.objects.call, begunAt: begin)
        let earlier = spool.earlier()
        if let earlier {
            do {
                try await spool.replay(earlier) { try await receive(ObjectBatch($0)) }
            } catch is SpoolFault {
                spool.remove()
                return unreadable(place, since: earlier.begunAt)
            }
        }
        var run = ListingRun<ListedObject>(self, scope, resuming: earlier?.checkpoint)
        var result = try await run.run(spool: spool) { page in
            let batch = ObjectBatch(page.slab)
            spool.keep(batch)
            try await receive(batch)
        }
        if let earlier {
            result.window = ScanWindow(from: earlier.begunAt, to: result.window.to)
            result.isResumed = true
        }
        result.notes += spool.notes
        return result
    }

    // What was given of it cannot be taken back, so that this listing is lost.
    private func unreadable(_ place: SpoolPlace, since begunAt: Instant) -> ScanResult {
        ScanResult(
            window: ScanWindow(from: begunAt, to: clock()),
            problems: [
                ScanProblem(
                    place: place.path,
                    reason: "what was kept of an earlier listing could not be read to its end, "
                        + "and is removed now; run the command again")
            ],
            consistency: "moving")
    }
}
