import MooringModel
import MooringText

/// How the shards of a report of Cloud Storage are read: CSV with a header, whose separator the
/// report's configuration chose.
///
/// Without a header nobody says in which order the columns stand, so that it is needed whatever
/// the configuration says. Names are not encoded: no page on inventory reports
/// (docs.cloud.google.com/storage/docs/insights/inventory-reports) says so, as that of S3 does.
struct GCSLayout: HeadedLayout {
    /// The bucket that the report is of, where its configuration says so.
    let bucket: [UInt8]?
    /// What stands between two fields.
    let separator: UInt8
    let container: [UInt8]? = nil
    let named: [[UInt8]]?

    /// The columns that an object needs; `timeDeleted` is one of them.
    func columns(_ header: CSVHeader) throws(ReadFailure) -> any HeadedColumns {
        try GCSColumns(header, bucket)
    }
}

/// The columns of a shard.
private struct GCSColumns: HeadedColumns {
    let used: Set<Int>
    private let header: CSVHeader
    private let bucket: [UInt8]?
    private let name: Int
    private let size: Int
    private let created: Int
    private let bucketName: Int?
    // A new one with each write, which an ETag is not said to be.
    private let tag: Int?
    // What is filled tells that it is no object any more.
    private let gone: [Int]

    init(_ header: CSVHeader, _ bucket: [UInt8]?) throws(ReadFailure) {
        let remedy =
            "choose it among the metadata fields, and a header, in the report's configuration"
        func needed(_ name: String, _ why: String) throws(ReadFailure) -> Int {
            try header.needed(name, why, remedy)
        }
        self.header = header
        self.bucket = bucket
        name = try needed("name", "there are no keys")
        size = try needed("size", "nothing is judged")
        // `updated` changes with an object's metadata, and only makes it younger.
        created =
            if let created = header.place("timeCreated") {
                created
            } else {
                try needed("updated", "nobody can tell how old an object is")
            }
        let deleted = try needed(
            "timeDeleted", "nobody can tell an object from what was deleted or overwritten")
        gone =
            [deleted] + ["softDeleteTime", "hardDeleteTime"].compactMap { header.place($0) }
        bucketName =
            bucket == nil
            ? try needed("bucket", "nobody can tell which bucket is listed")
            : header.place("bucket")
        tag = header.place("generation") ?? header.place("etag")
        used = Set([name, size, created, bucketName, tag].compactMap { $0 } + gone)
    }

    func read(_ row: CSVReader.Row, into object: inout HeadedObject) throws(RowFault) -> Bool {
        if let bucketName {
            let found = row.bytes(row.fields[bucketName])
            if let bucket, found != bucket {
                throw header.fault(bucketName, "names another bucket than the manifest")
            }
            object.place = found
        }
        object.key = row.bytes(row.fields[name])
        guard !object.key.isEmpty else { throw header.fault(name, "holds no name") }
        object.size = try row.size(size, header)
        object.written = try row.moment(created, header)
        object.tag = tag.map { row.bytes(row.fields[$0]) } ?? []
        var isGone = false
        for column in gone where try row.tellsTime(column, header) { isGone = true }
        return !isGone
    }
}
