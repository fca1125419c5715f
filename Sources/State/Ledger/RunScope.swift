import GRDB
package import MooringModel

/// What a run may see: another configuration on the same ledger has findings elsewhere, and what
/// this run does not see says nothing of them.
package struct RunScope: Hashable, Sendable {
    /// The prefixes of each bucket that is listed.
    package var buckets: [String: [ObjectKey]]
    /// The names of the sources that are read.
    package var sources: Set<String>

    /// A scope.
    package init(buckets: [String: [ObjectKey]], sources: Set<String>) {
        self.buckets = buckets
        self.sources = sources
    }

    /// Where a finding lies, as far as a run's configuration names it.
    package struct Place: Hashable, Sendable {
        /// The bucket's name.
        package var bucket: String?
        /// The prefix that covers its key; nil where none does.
        package var prefix: ObjectKey?
        /// The source of its record, where the record is what is judged.
        package var source: String?

        /// A place; without any part it lies everywhere.
        package init(bucket: String? = nil, prefix: ObjectKey? = nil, source: String? = nil) {
            self.bucket = bucket
            self.prefix = prefix
            self.source = source
        }
    }

    /// Whether a run of this scope might see a finding at a place.
    func covers(_ place: Place) -> Bool {
        if let source = place.source, !sources.contains(source) { return false }
        guard let bucket = place.bucket else { return true }
        guard let prefixes = buckets[bucket] else { return false }
        guard let prefix = place.prefix else { return true }
        return prefixes.contains { $0.hasPrefix(prefix.bytes) || prefix.hasPrefix($0.bytes) }
    }
}

extension RunScope.Place {
    /// The place in a row whose columns bucket, prefix and source begin at an index.
    init(_ row: Row, from index: Int) {
        let (bucket, prefix, source): (Blob?, Blob?, Blob?) = (
            row[index], row[index + 1], row[index + 2]
        )
        self.init(
            bucket: bucket?.text, prefix: prefix.map { ObjectKey($0.bytes) },
            source: source?.text)
    }

    /// The values of the columns.
    var values: [RepeatedStatement.Value] {
        [
            bucket.map { .bytes($0) } ?? .null, prefix.map { .blob($0.bytes) } ?? .null,
            source.map { .bytes($0) } ?? .null,
        ]
    }
}
