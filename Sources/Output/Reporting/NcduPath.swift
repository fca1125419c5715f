import MooringModel

/// Where an orphan stands in the tree that ncdu shows.
///
/// The names below the bucket, joined by slashes and with their escapes taken back, are the key
/// byte for byte; that of an empty key, which no store has and a listing may, is `(empty)`. No name
/// is empty, which ncdu refuses, and none is `.` or `..`.
struct NcduPath {
    /// The most folders below a bucket; what lies deeper has the rest of its key for a name.
    /// Readers of JSON give up on deep nesting, jq at 256 levels.
    static let depthLimit = 200

    /// The bucket and the folders below it, outermost first. Of all keys only those in one folder
    /// begin with its bytes, so they follow one another in the order of reports.
    let folders: [[UInt8]]
    /// What the object is called in the innermost of them.
    let name: [UInt8]

    /// Where a key of a bucket stands.
    init(bucket: String, key: ObjectKey) {
        var folders = [Array(bucket.utf8)]
        var start = 0
        let bytes = key.bytes
        let slash = UInt8(ascii: "/")
        for (place, byte) in bytes.enumerated() where byte == slash {
            // A slash that a name would be empty beside is a part of the next name, or of the last.
            let splits = place > start && place + 1 < bytes.count
            guard splits, folders.count <= Self.depthLimit else { continue }
            folders.append(Array(bytes[start..<place]))
            start = place + 1
        }
        self.folders = folders
        name = Array(bytes[start...])
    }

    /// A name in the escape of all reports, in which a slash is `\x2f`, and at most 32,003 bytes
    /// long, of the 32,766 that ncdu takes.
    static func shown(_ name: [UInt8]) -> String {
        if name.isEmpty { return "(empty)" }
        let dot = UInt8(ascii: ".")
        let isRelative = name == [dot] || name == [dot, dot]
        return ShownBytes(active: isRelative ? ["."] : ["/"], limit: 8_000).text(name)
    }
}
