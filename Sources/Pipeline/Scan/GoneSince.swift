import MooringDecisions
import MooringModel
import MooringReconcile

/// Looks by name at objects that an inventory lists and records reference, as far as a reference
/// may mean an orphan where its own object is gone: it misses that one then, as it would by a
/// listing of now, and what else it may mean is protected.
struct GoneSince {
    /// The stores.
    let job: Job

    /// Looks at them, and has the join miss those that are gone; of the orphans behind these, which
    /// were looked through before.
    func run(_ observations: inout Observations, behind first: Int = 0) async throws {
        let listed = Set(
            job.buckets.indices.filter { number in
                job.buckets[number].isListedByInventory
                    && observations.buckets[number].scan.complete
            })
        guard !listed.isEmpty, observations.orphans.count > first else { return }
        var near = NearReferences(
            to: observations.orphans[first...].map { WantedKey($0) }, in: listed,
            of: job.bucketMappings, models: job.models, resolver: job.resolver)
        try await replay(&observations) { join, batch, source in
            join.find(&near, in: batch, source: source)
        }
        near.settle()
        var answers: [WantedKey: HeadAnswer] = [:]
        for number in listed.sorted() {
            let keys = near.keys(in: number)
            let heads = try await InventoryLook(job: job).heads(of: keys, number)
            for (key, head) in zip(keys, heads) {
                answers[WantedKey(bucket: number, key: key)] = head
            }
        }
        let (gone, doubts) = near.told { answers[$0] ?? .unknown("nobody looked at it") }
        doubt(doubts, behind: first, &observations)
        guard !gone.isEmpty else { return }
        let places = observations.join.unlist(gone)
        try await replay(&observations) { join, batch, source in
            join.relink(batch, source: source, without: places)
        }
        for number in listed.sorted() {
            let count = gone.count { $0.bucket == number }
            guard count > 0 else { continue }
            observations.notes.append(
                "bucket '\(job.buckets[number].name)': \(Measure.count(count, "object")) that "
                    + "records reference and its inventory lists \(count == 1 ? "is" : "are") "
                    + "gone")
        }
    }

    // The records once more, as they were read.
    private func replay(
        _ observations: inout Observations,
        _ receive: (inout Reconciler, RecordBatch, String) -> Void
    ) async throws {
        for (place, reading) in observations.firstReadings.enumerated() {
            let name = reading.source.name
            job.progress.begin(
                "comparing the records of \(name) with orphans", .join,
                of: observations.records[place].records)
            defer { job.progress.end() }
            let problem = try await reading.replay(job) { batch in
                receive(&observations.join, batch, name)
                job.progress.advance(batch.count)
            }
            if let problem { observations.records[place].scan.add(problem: problem.text) }
        }
    }

    private func doubt(
        _ doubts: [Int: String], behind first: Int, _ observations: inout Observations
    ) {
        for (place, doubt) in doubts {
            let number = first + place
            let (bucket, object) = (
                observations.orphans[number].bucket, observations.orphans[number].object
            )
            guard object.doubt == nil else { continue }
            observations.orphans[number] = OrphanCandidate(
                bucket: bucket,
                object: ListedObject(key: object.key, version: object.version, doubt: doubt))
        }
    }
}
