import MooringDecisions
import MooringModel
import MooringReconcile

/// The keys that records mean and that nothing lies under, in byte order, those that were erased on
/// request left out: how many are missing below a prefix.
struct MissingKeys {
    private struct Entry {
        let key: ObjectKey
        let bucket: Int
        let candidate: Int
    }

    private var entries: [Entry] = []

    /// The keys of the candidates that are not erased.
    init(
        _ candidates: [DanglingCandidate], isErased: (_ bucket: Int, _ key: ObjectKey) -> Bool
    ) {
        for (number, candidate) in candidates.enumerated() {
            guard let bucket = candidate.bucket else { continue }
            for case .exact(let key) in candidate.patterns {
                guard !isErased(bucket, key) else { continue }
                entries.append(Entry(key: key, bucket: bucket, candidate: number))
            }
        }
        entries.sort { $0.key < $1.key }
    }

    /// The references below a prefix that miss their objects, by the number of the bucket.
    func count(below prefix: [UInt8]) -> [Int: Int] {
        let start = ObjectKey(prefix)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < start { low = middle + 1 } else { high = middle }
        }
        var found: [Int: Set<Int>] = [:]
        for entry in entries[low...].prefix(while: { $0.key.hasPrefix(prefix) }) {
            found[entry.bucket, default: []].insert(entry.candidate)
        }
        return found.mapValues(\.count)
    }
}
