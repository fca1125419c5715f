import MooringModel
import MooringPipeline

/// The doctor's look at a bucket's lease.
enum LeaseCheck {
    /// Who holds the lease of a live bucket; nil when nobody does.
    static func check(_ bucket: any Bucket) async -> Check? {
        let name = "lease of \(bucket.name)"
        guard let store = bucket.lease else {
            return Check(
                name: name, result: .noted,
                detail: "the store can hold none: nothing keeps another ledger from acting on the "
                    + "bucket at once")
        }
        do {
            guard let found = try await store.readLease() else { return nil }
            let holder = found.lease.map(LeaseText.holder) ?? "somebody whose lease cannot be read"
            return Check(name: name, result: .noted, detail: "held by " + holder)
        } catch {
            return Check(name: name, result: .failed, detail: "\(error)")
        }
    }
}
