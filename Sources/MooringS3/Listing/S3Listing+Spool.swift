package import MooringModel

extension S3Listing {
    /// Lists all objects, or the newest version of each, as `objects` and `newestVersions` do, and
    /// keeps in a spool what was listed, so that a listing that is broken off can be gone on with.
    ///
    /// What an earlier run listed is given first. The result's window begins where that one's did.
    package func newest(
        _ scope: ListingScope, keepsVersions: Bool, of store: String, spooledAt place: SpoolPlace,
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        let begin = clock()
        let layout: PageLayout = keepsVersions ? .versions : .objects
        let spool = ListingSpool(
            place, store: store, scope: scope, call: layout.call, begunAt: begin)
        let earlier = spool.earlier()
        if let earlier {
            do {
                try await spool.replay(earlier, receive)
            } catch let fault as SpoolFault {
                spool.remove()
                return unreadable(fault, place, since: earlier.begunAt)
            }
        }
        var result: ScanResult
        if keepsVersions {
            var run = ListingRun<ListedVersion>(self, scope, resuming: earlier?.checkpoint)
            result = try await run.run(spool: spool) { batch in
                let newest = batch.newestObjects
                if newest.isEmpty { return }
                spool.keep(newest)
                try await receive(newest)
            }
        } else {
            var run = ListingRun<ListedObject>(self, scope, resuming: earlier?.checkpoint)
            result = try await run.run(spool: spool) { batch in
                spool.keep(batch)
                try await receive(batch)
            }
        }
        if let earlier {
            result.window = ScanWindow(from: earlier.begunAt, to: result.window.to)
            result.isResumed = true
        }
        result.notes += spool.notes
        return result
    }

    // What was given of it cannot be taken back, so that this listing is lost.
    private func unreadable(
        _ fault: SpoolFault, _ place: SpoolPlace, since begunAt: Instant
    ) -> ScanResult {
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

extension [ListedVersion] {
    /// The versions that are objects: the newest of each key, where it is no delete marker.
    var newestObjects: [ListedObject] {
        filter { $0.isNewest && !$0.isMarker }.map {
            ListedObject(key: $0.key, version: $0.version)
        }
    }
}
