import MooringText

/// Which column of an inventory's rows holds what, by the `fileSchema` of its manifest: the files
/// have no header. Columns stand in any order, and those that are not known are passed over.
struct InventoryColumns {
    /// The names, in the order of the columns.
    let names: [String]
    /// What makes an object; an inventory without one of them is refused.
    let key: Int
    let size: Int
    let lastModified: Int
    /// What an inventory may lack.
    let bucket: Int?
    let etag: Int?
    let isMultipart: Int?
    /// Both, or none in an inventory of current objects alone.
    let isLatest: Int?
    let isDeleteMarker: Int?

    /// Reads a schema. Throws `ReadFailure` that names the column that is missing or stands twice.
    init(_ schema: String, of format: InventoryFormat) throws(ReadFailure) {
        let names = try format.columns(schema)
        guard Set(names).count == names.count, !names.contains("") else {
            throw ReadFailure(reason: "has a fileSchema that names a column twice, or names none")
        }
        func place(_ name: String) throws(ReadFailure) -> Int {
            guard let place = names.firstIndex(of: name) else {
                throw ReadFailure(
                    reason: "has a fileSchema without the column \(name), and nothing is judged "
                        + "without it; choose it as an additional field of the inventory in S3")
            }
            return place
        }
        key = try place("Key")
        size = try place("Size")
        lastModified = try place("LastModifiedDate")
        bucket = names.firstIndex(of: "Bucket")
        etag = names.firstIndex(of: "ETag")
        isMultipart = names.firstIndex(of: "IsMultipartUploaded")
        let hasVersions = ["VersionId", "IsLatest", "IsDeleteMarker"].contains(
            where: names.contains)
        // Without them nobody could tell an object from its past, nor from its deletion.
        isLatest = try hasVersions ? place("IsLatest") : nil
        isDeleteMarker = try hasVersions ? place("IsDeleteMarker") : nil
        self.names = names
    }

    /// Whether nothing tells which objects were uploaded in parts: then each may have been.
    var hidesParts: Bool { etag == nil && isMultipart == nil }

    /// What has to be said of the columns and is no problem.
    var notes: [String] {
        hidesParts
            ? [
                "the inventory has neither ETag nor IsMultipartUploaded, so that an object may be "
                    + "younger than its LastModifiedDate: each counts as young as its first sight"
            ] : []
    }

    /// Why a row does not fit; nil when it does.
    func mismatch(_ count: Int) -> String? {
        guard count != names.count else { return nil }
        return "has \(count) fields, and the manifest's fileSchema has \(names.count): "
            + "the row is malformed or cut off"
    }

    /// A fault of one cell, which names its column, from 1.
    func fault(_ column: Int, _ what: String) -> RowFault {
        RowFault(reason: "column \(column + 1) (\(names[column].printable)) \(what)")
    }
}
