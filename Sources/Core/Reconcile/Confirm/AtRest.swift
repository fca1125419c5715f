import MooringDecisions
import MooringModel

// A mapped value means its own object only as far as that is known to be there.

extension ConfirmScan {
    /// Whether the object that a mapped value means is one that was listed: one that records
    /// reference, or a wanted one, which is referenced by that.
    func isAtRest(
        _ reference: StoredReference, _ field: FileField, identity: [UInt8]?
    ) -> Bool {
        let meant = meaning.places(of: reference, in: field, identity: identity)
        guard let bucket = meant.bucket else { return false }
        return meant.patterns.contains { pattern in
            if known?.fingerprints.isListed(pattern, bucket: bucket) == true { return true }
            guard case .exact(let key) = pattern else { return false }
            return !wantedNumbers[WantedKey(bucket: bucket, key: key)].isEmpty
        }
    }
}

extension ConfirmScan {
    /// The keys of which one has to be there for a mapped value to mean its own object; nil where
    /// they are not all known.
    func ownKeys(of entry: MappedColumn.Entry) -> [WantedKey]? {
        let meant = meaning.places(of: entry.reference, in: entry.field, identity: entry.identity)
        guard let bucket = meant.bucket else { return nil }
        return meant.patterns.reduce(into: [] as [WantedKey]?) { keys, pattern in
            guard case .exact(let key) = pattern else { return keys = nil }
            keys?.append(WantedKey(bucket: bucket, key: key))
        }
    }
}
