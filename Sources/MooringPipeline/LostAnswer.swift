import MooringModel

/// A move whose store failed: what it did is found out by looking, since an answer that is lost
/// says nothing about the act.
struct LostAnswer {
    /// The store that failed.
    let bucket: any Bucket
    /// The key of the object that was moved.
    let key: ObjectKey
    /// The run in whose quarantine it lies, or should not lie any more.
    let run: RunID

    /// What a step says whose intent stays in the journal without an outcome.
    static let nextRun = "what it did is not known, and the next run goes on from there"

    /// Whether the object lies in the quarantine of the run; nil when the store does not tell.
    func isHeld() async -> Bool? {
        switch await bucket.headQuarantined(key, run: run) {
        case .present: true
        case .absent: false
        case .unknown: nil
        }
    }
}
