import MooringModel
import MooringText

/// How the files of a Blob inventory are read: CSV, always with a header, with names of containers
/// and blobs that are not encoded (no page on Blob inventories says so, as that of S3 does).
struct AzureLayout: HeadedLayout {
    let separator = UInt8(ascii: ",")
    let container: [UInt8]?
    let named: [[UInt8]]? = nil
    /// What the rule lists.
    let rule: AzureRule

    /// An inventory of a container under a rule.
    init(container: [UInt8], rule: AzureRule) {
        self.container = container
        self.rule = rule
    }

    /// The columns that an object needs, and those that tell what is none.
    func columns(_ header: CSVHeader) throws(ReadFailure) -> any HeadedColumns {
        try AzureColumns(header, rule)
    }
}

/// The columns of a file.
private struct AzureColumns: HeadedColumns {
    let used: Set<Int>
    private let header: CSVHeader
    private let name: Int
    private let size: Int
    private let modified: Int
    private let tag: Int?
    private let snapshot: Int?
    private let version: Int?
    private let isCurrent: Int?
    private let deleted: Int?
    private let deletedTime: Int?
    private let isFolder: Int?

    init(_ header: CSVHeader, _ rule: AzureRule) throws(ReadFailure) {
        let remedy = "choose it among the rule's fields, and name the manifest of the next run"
        func needed(_ name: String, _ why: String) throws(ReadFailure) -> Int {
            try header.needed(name, why, remedy)
        }
        func told(_ name: String, _ isNeeded: Bool, _ what: String) throws(ReadFailure) -> Int? {
            isNeeded ? try needed(name, "nobody can tell a blob from \(what)") : header.place(name)
        }
        self.header = header
        name = try needed("Name", "there are no keys")
        size = try needed("Content-Length", "nothing is judged")
        modified = try needed("Last-Modified", "nobody can tell how old a blob is")
        tag = header.place("ETag")
        snapshot = try told("Snapshot", rule.includesSnapshots, "its snapshots")
        version = try told("VersionId", rule.includesVersions, "its older versions")
        isCurrent = try told("IsCurrentVersion", rule.includesVersions, "its older versions")
        deleted = try told("Deleted", rule.includesDeleted, "what is deleted")
        deletedTime = header.place("DeletedTime")
        isFolder = header.place("hdi_isfolder")
        used = Set(
            [
                name, size, modified, tag, snapshot, version, isCurrent, deleted, deletedTime,
                isFolder,
            ].compactMap { $0 })
    }

    func read(_ row: CSVReader.Row, into object: inout HeadedObject) throws(RowFault) -> Bool {
        let path = row.bytes(row.fields[name])
        guard let slash = path.firstIndex(of: UInt8(ascii: "/")), slash > 0,
            slash + 1 < path.count
        else {
            throw header.fault(name, "holds no container with the name of a blob behind it")
        }
        object.place = Array(path[..<slash])
        object.key = Array(path[(slash + 1)...])
        // First, since a folder and what is deleted need no size.
        let isDeleted = try row.flag(deleted, header)
        let isFolder = try row.flag(isFolder, header)
        let isOlder = try isOlder(row)
        if isDeleted || isFolder || isOlder || row.holds(deletedTime) || row.holds(snapshot) {
            return false
        }
        object.size = try row.size(size, header)
        object.written = try row.moment(modified, header)
        object.tag = tag.map { row.bytes(row.fields[$0]) } ?? []
        return true
    }

    // A blob from before versions were kept has no version, and is the current one.
    private func isOlder(_ row: CSVReader.Row) throws(RowFault) -> Bool {
        guard let isCurrent, row.holds(version) || row.holds(isCurrent) else { return false }
        return try !row.flag(isCurrent, header)
    }
}
