import MooringModel

/// What a listing's row tells of an object, where that is plain and nothing but its references
/// speaks of it.
struct ObjectSQL {
    /// The listing.
    let listing: SparkListing

    // Ten digits are seconds and thirteen milliseconds, never cut off.
    private static let number = "'^1[0-9]{9}(?:[0-9]{3})?\\\\z'"

    private func field(_ column: String) -> String? {
        listing.file.place(of: column).map { "f[\($0)]" }
    }

    /// The key, its bytes as characters; null where the row is not plain.
    var key: String { field("key") ?? "NULL" }
    /// Bytes of content.
    var size: String { field("size") ?? "NULL" }

    /// Whether the row is plain.
    var isPlain: String {
        guard let moment = field("lastModified") else { return "false" }
        return
            "coalesce(size(f) = \(listing.file.columns.count) AND \(key) <> '' "
            + "AND \(size) RLIKE '^[0-9]{1,18}\\\\z' AND (\(moment) RLIKE \(RowSQL.moment) "
            + "OR \(moment) RLIKE \(Self.number)), false)"
    }

    /// Whether an object of this key counts: it is covered, and nothing but the join speaks of it.
    func counts(_ key: String) -> String {
        let mapping = listing.mapping
        var conditions = [
            "length(\(key)) <= 1024",
            // A part as long as a run's name may be that of a quarantine.
            "NOT \(key) RLIKE '(?:^|/)[^/]{\(RunID.length)}(?:/|\\\\z)'",
        ]
        if !mapping.prefixes.contains(ObjectKey("")) {
            let covered = mapping.prefixes.map { "startswith(\(key), \(SQLText.latin($0.bytes)))" }
            conditions.append("(\(covered.joined(separator: " OR ")))")
        }
        let special =
            mapping.quarantines.map(\.bytes) + OwnKey.all.map(\.bytes)
            + mapping.ignore.map { Self.head(of: $0) }
        for head in Set(special).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            conditions.append(
                head.isEmpty ? "false" : "NOT startswith(\(key), \(SQLText.latin(head)))")
        }
        return conditions.joined(separator: "\n    AND ")
    }

    // Every key that a glob matches begins with what stands before its first mark.
    private static func head(of glob: Glob) -> [UInt8] {
        Array(glob.pattern.utf8.prefix { !"*?[]{}\\!".utf8.contains($0) })
    }
}
