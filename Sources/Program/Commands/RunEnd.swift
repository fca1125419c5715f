import MooringModel
import MooringPipeline

extension RunSummary {
    /// Notes when the run ended, and what it sent to each store.
    mutating func finish(_ job: Job) {
        finishedAt = SystemClock.now()
        for bucket in job.buckets {
            guard let traffic = bucket.traffic else { continue }
            notes.append("bucket \(bucket.name): \(traffic).")
        }
    }
}
