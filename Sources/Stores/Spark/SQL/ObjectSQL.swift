import MooringModel

/// What a listing's row tells of an object, where that is plain and nothing but its references
/// speaks of it.
struct ObjectSQL {
    /// The listing.
    let listing: SparkListing

    // Ten digits are seconds and thirteen milliseconds, never cut off.
    private static let number = "'^1[0-9]{9}(?:[0-9]{3})?\\\\z'"

    // A key as S3 writes it, of which every character stands for a byte.
    private static let encoded = "'^(?:[!-$&-~]|%[0-9A-Fa-f]{2})++\\\\z'"

    private func field(_ column: String) -> String? {
        listing.file.place(of: column).map { "f[\($0)]" }
    }

    /// The key, its bytes as characters; null or whatever else where the row is not plain.
    var key: String {
        guard listing.inventoried != nil else { return field("key") ?? "NULL" }
        guard let key = field("Key") else { return "NULL" }
        // Decoded as bytes and not as a text: what is no UTF-8 stays what it is.
        let bytes =
            "unhex(array_join(transform(regexp_extract_all(\(key), '(%..|[^%]++)', 1), "
            + "x -> if(startswith(x, '%'), substring(x, 2), "
            + "hex(encode(replace(x, '+', ' '), 'ISO-8859-1')))), ''))"
        return "CASE WHEN NOT \(key) RLIKE \(Self.encoded) THEN NULL\n"
            + "      WHEN \(key) RLIKE '[%+]' THEN decode(\(bytes), 'ISO-8859-1') ELSE \(key) END"
    }

    /// Bytes of content.
    var size: String { field(listing.inventoried == nil ? "size" : "Size") ?? "NULL" }

    /// Whether the row is plain, and the current version of an object.
    var isPlain: String {
        if listing.isWhole { return "false" }
        if let bucket = listing.inventoried { return isCurrent(of: bucket) }
        guard let moment = field("lastModified") else { return "false" }
        return
            "coalesce(size(f) = \(listing.file.columns.count) AND \(key) <> '' "
            + "AND \(size) RLIKE '^[0-9]{1,18}\\\\z' AND (\(moment) RLIKE \(RowSQL.moment) "
            + "OR \(moment) RLIKE \(Self.number)), false)"
    }

    private func isCurrent(of bucket: [UInt8]) -> String {
        guard let key = field("Key"), let moment = field("LastModifiedDate") else { return "false" }
        var conditions = [
            "size(f) = \(listing.file.columns.count)", "\(key) RLIKE \(Self.encoded)",
            "\(size) RLIKE '^[0-9]{1,18}\\\\z'", "\(moment) RLIKE \(RowSQL.moment)",
        ]
        if let field = field("Bucket") { conditions.append("\(field) = \(SQLText.latin(bucket))") }
        if let field = field("IsLatest") { conditions.append("\(field) = 'true'") }
        if let field = field("IsDeleteMarker") { conditions.append("\(field) = 'false'") }
        if let field = field("IsMultipartUploaded") {
            conditions.append("\(field) IN ('', 'true', 'false')")
        }
        return "coalesce(" + conditions.joined(separator: "\n      AND ") + ", false)"
    }

    /// Whether the row names a key, so that no other row of that key is left out: a plain one, and
    /// of an inventory any that may be of an object that is there.
    var isNamed: String {
        guard listing.inventoried != nil else { return "plain" }
        guard let latest = field("IsLatest") else { return "true" }
        return "NOT (\(latest) <=> 'false')"
    }

    /// Whether an object of this key counts: it is covered, and nothing but the join speaks of it.
    func counts(_ key: String) -> String {
        let mapping = listing.mapping
        var conditions = [
            "length(\(key)) <= 1024", "NOT \(key) RLIKE '[\\\\x00-\\\\x1f\\\\x7f]'",
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
