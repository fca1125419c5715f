import MooringLedger
package import MooringModel
import MooringReconcile

extension Job {
    /// The largest clock difference of any live bucket, and of any live source of records that
    /// dates their changes and tells the time: what every wait holds, and the clock guard compares.
    package func measureClock() async throws -> Duration {
        var largest = Duration.zero
        for bucket in actingBuckets where bucket.isLive {
            largest = max(largest, try await bucket.measureClock())
        }
        for source in records where source.isLive && datesRecords(source.name) {
            guard let difference = try await source.measureClock() else { continue }
            largest = max(largest, difference)
        }
        return largest
    }

    /// How far this moment is behind the beginning of the run before in the ledger's order,
    /// whatever it did; nil where it is not, or where there is none. Runs as of another moment do
    /// not count.
    package func clockBehind(
        at moment: Instant, before run: RunID? = nil
    ) throws -> Duration? {
        guard asOf == nil, let last = try ledger.startOfRun(before: run), last > moment else {
            return nil
        }
        return last - moment
    }

    // Where devices date the changes, the source's own clock says nothing.
    private func datesRecords(_ source: String) -> Bool {
        models.contains {
            $0.source == source && $0.mapping.changed != nil && $0.mapping.changedBy == .server
        }
    }
}

extension Bucket {
    /// The difference between its clock and this machine's. Throws `StoreError` where it could not
    /// be measured.
    package func clockDifference() async throws -> Duration {
        guard let bucket = self as? any ActingBucket else {
            throw StoreError(place: name, reason: "a copy has no clock", isRefusal: true)
        }
        return try await bucket.measureClock()
    }
}
