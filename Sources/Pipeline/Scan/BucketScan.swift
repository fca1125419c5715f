import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

/// Lists every bucket and its quarantine, those of different stores at once.
struct BucketScan {
    /// What the stage works with.
    let job: Job
    /// About how much there is.
    let expected: ExpectedCounts

    /// Lists all buckets.
    func run(into observations: inout Observations) async throws {
        let stores = job.configuration.buckets.map(\.store)
        for group in SideBySide.groups(stores.map { StoreAddress($0) }) {
            try await list(group, into: &observations)
        }
    }

    // What a listing tells, piece by piece.
    private enum Piece: Sendable {
        case objects(ObjectBatch)
        case held([QuarantinedObject])
    }

    // How a listing ended.
    private struct End: Sendable {
        let started: Instant
        let listing: ScanResult
        let quarantine: [ScanProblem]
    }

    // What a bucket told so far.
    private struct Told {
        let gone: Set<ObjectKey>
        var objects: BucketListing
        var held = 0
        var heldBytes: Int64 = 0
    }

    private func list(_ group: Range<Int>, into observations: inout Observations) async throws {
        try job.interruption.check()
        let buckets = job.buckets
        let names = group.map { buckets[$0].name }
        let first = group.lowerBound
        var told: [Told] = []
        for number in group {
            told.append(
                Told(
                    gone: try await InventoryLook(job: job).movedAway(number),
                    objects: BucketListing(
                        job.bucketMappings[number], number: number,
                        holdsFolders: buckets[number].holdsLinks, beside: group.count)))
        }
        job.progress.begin(
            "listing \(names.joined(separator: ", "))", .objects, of: expected.objects(of: names))
        defer { job.progress.end() }
        let job = job
        let ended = try await SideBySide.run(group) { number, hand in
            try await Self.list(buckets[number], job) { try await hand($0) }
        } receive: { number, piece in
            try job.interruption.check()
            take(piece, of: number, &told[number - first], &observations)
        }
        for (number, end) in zip(group, ended) {
            try close(number, &told[number - first], end, &observations)
        }
        if group.count > 1 { observations.orderByBucket() }
    }

    // Quarantine comes behind the listing: what is moved there meanwhile is then seen here, or in
    // both; what is given back is found by the look at what was not listed. A copy has none.
    private static func list(
        _ bucket: any Bucket, _ job: Job, _ hand: (Piece) async throws -> Void
    ) async throws -> End {
        let started = job.clock()
        let listing = try await bucket.listBatches { try await hand(.objects($0)) }
        try job.interruption.check()
        let quarantine: [ScanProblem] =
            bucket.isLive
            ? try await bucket.listQuarantine { try await hand(.held($0)) }.problems : []
        return End(started: started, listing: listing, quarantine: quarantine)
    }

    private func take(
        _ piece: Piece, of number: Int, _ told: inout Told, _ observations: inout Observations
    ) {
        switch piece {
        case .objects(let batch):
            told.objects.take(batch.without(told.gone), into: &observations)
            job.progress.advance(batch.count)
        case .held(let batch):
            for object in batch {
                told.held += 1
                told.heldBytes = told.heldBytes.adding(object.version.size)
                observations.join.held.insert(object.key, bucket: number)
                observations.quarantined.append((number, object))
                observations.links.add(object, bucket: number)
            }
        }
    }

    private func close(
        _ number: Int, _ told: inout Told, _ end: End, _ observations: inout Observations
    ) throws {
        let bucket = job.buckets[number]
        var listing = end.listing.adding(told.objects.end(into: &observations))
        if let matched = job.narrowed?.matchedObjects[number] { told.objects.add(matched) }
        let isOfNow = bucket.isLive && !bucket.isListedByInventory
        let repeated = isOfNow ? 0 : observations.passOverRepeated(in: number)
        if repeated > 0 {
            listing = listing.adding([
                ScanProblem(
                    place: bucket.name,
                    reason: "\(Measure.count(repeated, "object")) listed more than once: it is no "
                        + "list of one moment; make it anew")
            ])
        }
        observations.heldElsewhere.append(told.objects.foreign.keys)
        let scan = listing.adding(end.quarantine + observations.uploadProblems[number])
        observations.buckets.append(
            RunSummary.Objects(
                name: bucket.name, kind: bucket.kind, objects: told.objects.objects,
                bytes: told.objects.bytes, quarantined: told.held,
                quarantinedBytes: told.heldBytes, scan: scan.summary))
        observations.judgedObjects.append(told.objects.judged)
        observations.notes += listing.notes.map { "bucket '\(bucket.name)': \($0)" }
        // What an earlier run listed is as old as that listing, whenever this run began.
        if listing.isResumed { observations.resumedBuckets.append(bucket.name) }
        if listing.keepsVersions { observations.versioned.insert(bucket.name) }
        observations.objectMoments.append(
            job.moment(
                isLive: isOfNow,
                started: listing.isResumed ? min(end.started, listing.window.from) : end.started,
                seen: bucket.moment(of: listing, listedAt: end.started)))
    }
}

extension Observations {
    /// Puts what buckets of different stores told at once into the buckets' order, in which each
    /// keeps its own.
    fileprivate mutating func orderByBucket() {
        let orphans = Dictionary(grouping: orphans, by: \.bucket)
        self.orphans = buckets.indices.flatMap { orphans[$0] ?? [] }
        let quarantined = Dictionary(grouping: quarantined, by: \.bucket)
        self.quarantined = buckets.indices.flatMap { quarantined[$0] ?? [] }
    }
}

extension Bucket {
    // A live bucket is judged as of no moment that is still to come.
    fileprivate func moment(of listing: ScanResult, listedAt started: Instant) -> Instant {
        isLive ? min(started, listing.window.from) : listing.window.from
    }
}
