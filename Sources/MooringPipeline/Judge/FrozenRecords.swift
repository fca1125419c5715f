import MooringDecisions
import MooringModel
import MooringReconcile

/// Buckets that go on to grow while no record that may mean their objects is written any more: the
/// app has moved its database, or a copy of it is no longer refreshed. What came since may well be
/// referenced where nobody looks.
struct FrozenRecords {
    // The newest change of the records behind each such bucket.
    private var newest: [Int: Instant] = [:]

    // So many objects that nobody references may come by accident.
    private static let few = 3

    /// Those of a scan. Where a model that may mean a bucket has rows and tells no change time,
    /// nothing is known of that bucket.
    init(_ observations: Observations, _ job: Job, grace: Duration) {
        let counts = observations.reconciler.referenceCounts().fields.models
        for (number, bucket) in job.buckets.enumerated() {
            let models = job.fieldPlaces.filter { $0.buckets.contains(bucket.name) }
                .map { counts[$0.model] }.filter { $0.records > 0 }
            let changes = models.compactMap(\.newestChange)
            guard changes.count == models.count, let last = changes.max() else { continue }
            // Some may lie in quarantine before the third of them comes.
            let versions =
                observations.orphans.filter { $0.bucket == number }.map(\.object.version)
                + observations.quarantined.filter { $0.bucket == number }.map(\.object.version)
            let later = versions.count { $0.lastModified > last + grace }
            if later >= Self.few { newest[number] = last }
        }
    }

    /// Why an object may be referenced where nobody looks; nil where it is older than a record.
    func doubt(about version: ObjectVersion, bucket: Int) -> String? {
        guard let last = newest[bucket], version.lastModified > last else { return nil }
        return "no record that may mean it was written since \(last.iso8601), before it came: is "
            + "it still this store that the app writes to?"
    }
}
