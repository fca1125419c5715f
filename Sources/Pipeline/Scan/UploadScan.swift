import MooringModel
import MooringReconcile

/// Lists what is being uploaded, before anything else is read: the object of an upload that ends
/// meanwhile is then known to be in flight.
struct UploadScan {
    /// What the stage works with.
    let job: Job

    /// Lists the open uploads of every live bucket; one that cannot be listed to its end makes its
    /// bucket incomplete.
    func run(into observations: inout Observations) async throws {
        for (number, bucket) in job.buckets.enumerated() where bucket.isLive {
            guard let store = bucket.uploads else { continue }
            try job.interruption.check()
            job.progress.begin("listing uploads of \(bucket.name)", .uploads)
            defer { job.progress.end() }
            let mapping = job.bucketMappings[number]
            observations.uploadProblems[number] = try await store.listUploads { batch in
                try job.interruption.check()
                for upload in batch where mapping.covers(upload.key) {
                    observations.uploads[number][upload.key, default: []].append(upload)
                }
                job.progress.advance(batch.count)
            }.problems
        }
    }
}
