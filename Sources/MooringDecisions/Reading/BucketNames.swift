package import MooringModel

/// Which configured bucket a reference names; the one place where names become numbers. The join,
/// the confirm scan, repairs and every command that speaks of a reference ask it.
package struct BucketNames: Sendable {
    private let numbers: [String: Int]
    private let count: Int

    /// The names of these buckets: those of the configuration, before the stores' own.
    package init(_ buckets: [BucketMapping]) {
        var numbers: [String: Int] = [:]
        for (number, bucket) in buckets.enumerated() {
            if let storeName = bucket.storeName { numbers[storeName] = number }
        }
        for (number, bucket) in buckets.enumerated() { numbers[bucket.name] = number }
        self.numbers = numbers
        count = buckets.count
    }

    /// The bucket's number; nil when the reference names one that is not configured.
    package func number(of reference: StoredReference, _ field: FileField) -> Int? {
        if let name = reference.bucket {
            return number(named: String(decoding: name, as: UTF8.self))
        }
        guard let name = field.bucket else { return count == 1 ? 0 : nil }
        return number(named: name)
    }

    /// The number of the bucket that goes by a name, its own or the store's; nil for none.
    package func number(named name: String) -> Int? { numbers[name] }

    /// Whether a reference with these meanings may be an object of a bucket. The same key in
    /// another bucket is another object; one that names a bucket nobody configured may mean any,
    /// since the name may be an old one.
    package func mayMean(
        _ key: ObjectKey, in bucket: Int, _ reference: StoredReference, _ field: FileField,
        as patterns: [KeyPattern]
    ) -> Bool {
        (number(of: reference, field) ?? bucket) == bucket
            && patterns.contains { $0.matches(key) }
    }
}
