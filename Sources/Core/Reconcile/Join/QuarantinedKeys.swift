import MooringDecisions
package import MooringModel

/// The keys of what lies in quarantine. What was put there before somebody ignored its key, or left
/// its prefix out, is referenced as it was, and comes back.
package struct QuarantinedKeys: Sendable {
    private var keys: Set<WantedKey> = []

    /// Adds the key of an object in the quarantine of a bucket.
    package mutating func insert(_ key: ObjectKey, bucket: Int) {
        keys.insert(WantedKey(bucket: bucket, key: key))
    }

    /// Whether a reference that may mean these keys means one of them.
    func holds(_ patterns: [KeyPattern], _ bucket: Int) -> Bool {
        patterns.contains { pattern in
            guard case .exact(let key) = pattern else {
                return keys.contains { $0.bucket == bucket && pattern.matches($0.key) }
            }
            return keys.contains(WantedKey(bucket: bucket, key: key))
        }
    }
}
