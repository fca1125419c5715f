package import MooringModel

/// Which configured bucket a reference names; the one place where names become numbers.
package struct BucketNames: Sendable {
    private let numbers: [String: Int]
    /// The buckets that are parts of one of the store, kept apart by their prefixes.
    private let parts: [String: [(number: Int, prefixes: [ObjectKey])]]
    private let count: Int

    /// The names of these buckets: those of the configuration, before the stores' own.
    package init(_ buckets: [BucketMapping]) {
        var numbers: [String: Int] = [:]
        var parts: [String: [(number: Int, prefixes: [ObjectKey])]] = [:]
        for (number, bucket) in buckets.enumerated() {
            for name in bucket.names.dropFirst() {
                numbers[name] = number
                parts[name, default: []].append((number, bucket.prefixes))
            }
        }
        for (number, bucket) in buckets.enumerated() {
            numbers[bucket.name] = number
            parts[bucket.name] = nil
        }
        self.numbers = numbers
        self.parts = parts.filter { $0.value.count > 1 }
        count = buckets.count
    }

    /// The bucket's number; nil when the reference names one that is not configured. Of several
    /// that are parts of the one it names, the one that may hold a key of these patterns: a level
    /// stands before the value, and the parts differ in what stands first.
    func number(
        of reference: StoredReference, _ field: FileField, at patterns: [KeyPattern]
    ) -> Int? {
        if let name = reference.bucket {
            let name = String(decoding: name, as: UTF8.self)
            let part = parts[name]?.first { part in
                part.prefixes.contains { prefix in
                    patterns.contains { $0.mayLie(under: prefix) }
                }
            }
            return part?.number ?? number(named: name)
        }
        return number(of: field)
    }

    /// The number of the bucket that a field's values lie in which name none themselves; nil where
    /// that is not configured.
    package func number(of field: FileField) -> Int? {
        guard let name = field.bucket else { return count == 1 ? 0 : nil }
        return number(named: name)
    }

    /// The number of the bucket that goes by a name, its own or the store's; nil for none.
    package func number(named name: String) -> Int? { numbers[name] }

    /// Whether a reference names one of the store's buckets of which this one is a part.
    func isPart(_ bucket: Int, namedBy reference: StoredReference) -> Bool {
        let named = reference.bucket.flatMap { parts[String(decoding: $0, as: UTF8.self)] } ?? []
        return named.contains { $0.number == bucket }
    }
}
