import MooringDecisions
import MooringModel

// A mapped value means its own object only as far as that is known to be there.

extension ConfirmScan {
    /// Whether the object that a mapped value means is one that was listed: one that records
    /// reference, or a wanted one, which is referenced by that.
    func isAtRest(
        _ reference: StoredReference, _ field: FileField, identity: [UInt8]?
    ) -> Bool {
        guard let bucket = bucketNames.number(of: reference, field) else { return false }
        return resolver.patterns(
            value: reference.value, level: field.level, identity: identity
        ).contains { pattern in
            if known?.isPresent(pattern, bucket: bucket) == true { return true }
            guard case .exact(let key) = pattern else { return false }
            return wantedNumbers[WantedKey(bucket: bucket, key: key)] != nil
        }
    }
}

extension ConfirmScan {
    /// The keys of which one has to be there for a mapped value to mean its own object; nil where
    /// they are not all known.
    func ownKeys(of entry: MappedColumn.Entry) -> [WantedKey]? {
        guard let bucket = bucketNames.number(of: entry.reference, entry.field) else { return nil }
        return resolver.patterns(
            value: entry.reference.value, level: entry.field.level, identity: entry.identity
        ).reduce(into: [] as [WantedKey]?) { keys, pattern in
            guard case .exact(let key) = pattern else { return keys = nil }
            keys?.append(WantedKey(bucket: bucket, key: key))
        }
    }
}

extension Reconciler {
    /// Whether an object was listed at a place that records reference.
    func isPresent(_ pattern: KeyPattern, bucket: Int) -> Bool {
        switch pattern {
        case .exact(let key): return isListed(key, bucket: bucket)
        case .anyIdentity(let head, let rest):
            // Any identity leads to the slot of all of them.
            let sample = ObjectKey(head + [UInt8(ascii: "i")] + rest)
            return slots(of: sample, bucket: bucket).contains { slot in
                states[slot].isPresent && place(of: slot).pattern == pattern
            }
        }
    }
}
