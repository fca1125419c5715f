import MooringModel
import MooringText

/// The SQL by which Athena reads a bucket's live inventory table of S3 Metadata, whose result in
/// CSV a `listing` is.
///
/// The table holds every version, and nothing says which is current: of a key's rows that of the
/// largest sequence number is the newest event. A delete marker never gets a later one, so a key
/// that is left out is deleted. An older version may, where its tags change: so an object's time is
/// the latest of all its versions, and it never looks older than it is.
struct MetadataSQL {
    /// The bucket's own name.
    let bucket: String
    /// The namespace of its tables.
    let namespace: String
    /// The prefixes that are listed.
    let prefixes: [ObjectKey]

    /// The SQL for a bucket of this name. Throws where nobody can tell its namespace, or a prefix
    /// is no text, as keys of S3 are.
    init(bucket: String, namespace: String?, prefixes: [ObjectKey]) throws(CommandError) {
        guard let namespace = namespace ?? Self.namespace(of: bucket) else {
            throw CommandError(
                "the tables of bucket '\(bucket)' lie in a namespace that its name does not tell; "
                    + "the S3 console shows it: say it with --namespace")
        }
        let odd = prefixes.first { String(validating: $0.bytes, as: UTF8.self) == nil }
        if let odd {
            throw CommandError(
                "the prefix \(odd.text.printable) is no UTF-8, as every key of S3 is")
        }
        (self.bucket, self.namespace, self.prefixes) = (bucket, namespace, prefixes)
    }

    /// Tells what the table knows: how many objects the listing will have, the time of the newest
    /// event, and the moment that the listing may be said to be of.
    var moment: String {
        """
        SELECT count_if(NOT gone) AS objects,
          \(Self.time("max(newest)")) AS newest,
          \(Self.time("least(max(newest), max(asked)) - INTERVAL '1' HOUR")) AS taken
        FROM (
        SELECT max(last_modified_date) AS newest,
          coalesce(max_by(is_delete_marker, sequence_number), false) AS gone,
          CAST(current_timestamp AT TIME ZONE 'UTC' AS timestamp) AS asked
        \(rows))
        """
    }

    /// Lists the objects.
    var listing: String {
        """
        SELECT to_base64(to_utf8(key)) AS "keyBase64",
          max_by(size, sequence_number) AS "size",
          if(count(last_modified_date) = count(*),
            \(Self.time("max(last_modified_date)"))) AS "lastModified",
          max_by(e_tag, sequence_number) AS "etag"
        \(rows)
        HAVING NOT coalesce(max_by(is_delete_marker, sequence_number), false)
        """
    }

    private var rows: String {
        let starts = prefixes.map { "starts_with(key, \(Self.text($0.bytes)))" }
        let isWhole = prefixes.contains { $0.bytes.isEmpty }
        return """
            FROM "s3tablescatalog/aws-s3".\(Self.name(namespace))."inventory"
            WHERE bucket = \(Self.text(Array(bucket.utf8)))\
            \(isWhole ? "" : "\n  AND (" + starts.joined(separator: "\n    OR ") + ")")
            GROUP BY key
            """
    }

    // As AWS names it: with capitals, underscores or more than 63 characters a hash follows.
    private static func namespace(of bucket: String) -> String? {
        let isPlain =
            bucket.utf8.count <= 63
            && bucket.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
        return isPlain ? "b_" + String(bucket.map { $0 == "." ? "_" : $0 }) : nil
    }

    // The table's times have no zone; their sequence numbers show that they are UTC.
    private static func time(_ value: String) -> String {
        "date_format(\(value), '%Y-%m-%dT%H:%i:%sZ')"
    }

    private static func name(_ text: String) -> String { enclosed(text, in: "\"") }

    // Whatever is more than printable ASCII stands as the digits of its bytes.
    private static func text(_ bytes: [UInt8]) -> String {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            return "from_utf8(X'\(Hexadecimal.text(bytes))')"
        }
        return enclosed(String(decoding: bytes, as: UTF8.self), in: "'")
    }

    private static func enclosed(_ text: String, in mark: Unicode.Scalar) -> String {
        var enclosed = String.UnicodeScalarView([mark])
        for scalar in text.unicodeScalars {
            enclosed.append(scalar)
            if scalar == mark { enclosed.append(mark) }
        }
        enclosed.append(mark)
        return String(enclosed)
    }
}
