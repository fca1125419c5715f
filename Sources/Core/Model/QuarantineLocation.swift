/// Where removed objects of a bucket lie: below a prefix of the bucket itself, or of another one.
package struct QuarantineLocation: Hashable, Sendable {
    /// The other bucket's own name in the store; nil for the bucket itself.
    package let bucket: String?
    /// The prefix, with its slash at the end.
    package let prefix: ObjectKey

    /// A place of removed objects.
    package init(bucket: String?, prefix: ObjectKey) {
        self.bucket = bucket
        self.prefix = prefix
    }

    /// Whether one of the two lies within the other, so that nobody could tell their objects apart.
    package func overlaps(_ other: QuarantineLocation) -> Bool {
        bucket == other.bucket && self != other
            && (prefix.hasPrefix(other.prefix.bytes) || other.prefix.hasPrefix(prefix.bytes))
    }
}

extension ObjectKey {
    /// What stands behind the first part of the key that is a run's name, as it does in the
    /// quarantine of some ledger; empty where nothing does, nil where no part is one.
    package var behindRun: ObjectKey? {
        let slash = UInt8(ascii: "/")
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: slash) ?? bytes.count
            // Most parts have another length, and are not read.
            if end - start == RunID.length,
                RunID(String(decoding: bytes[start..<end], as: UTF8.self)) != nil
            {
                return ObjectKey(Array(bytes[min(end + 1, bytes.count)...]))
            }
            start = end + 1
        }
        return nil
    }
}
