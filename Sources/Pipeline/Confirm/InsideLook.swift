import MooringModel
import MooringReconcile

/// Looks at the objects that mapped values mean by themselves, where wanted keys stand inside them
/// and no listing is at hand.
struct InsideLook {
    /// The stores.
    let job: Job

    /// The wanted keys that a value may hold as a reference: those inside a value none of whose own
    /// objects is there, or was seen to be, or are twins of what it means.
    func holding(_ inside: NamesInside) async throws -> Set<Int> {
        var present: [WantedKey: Bool] = [:]
        var holding = inside.unknown
        for (wanted, values) in inside.values {
            try job.interruption.check()
            for choice in values.joined() where !holding.contains(wanted) {
                var isThere = false
                for key in choice where !isThere {
                    if present[key] == nil { present[key] = await isPresent(key) }
                    isThere = present[key] == true
                }
                if !isThere { holding.insert(wanted) }
            }
        }
        return holding
    }

    // What could not be looked at is not seen to be there.
    private func isPresent(_ key: WantedKey) async -> Bool {
        guard job.buckets[key.bucket].isLive,
            case .present(_) = await job.buckets[key.bucket].head(key.key)
        else { return false }
        return true
    }
}
