import MooringModel

/// Some rows of an inventory's parts, in a file of their own.
package struct InventoryExtract: Hashable, Sendable {
    /// The file.
    let path: String
    /// How many bytes were written to it, and their MD5: what lies there has to be that.
    let size: Int64
    let checksum: [UInt8]

    /// The rows that were written to a file, of which this was counted meanwhile.
    package init(path: String, _ written: (size: Int64, md5: [UInt8])) {
        (self.path, size, checksum) = (path, written.size, written.md5)
    }
}

/// An inventory of which the rows of an extract alone are read.
struct ExtractFiles: InventoryFiles {
    private let whole: InventoryFolder
    private let rows: InventoryExtract

    /// The rows of an inventory.
    init(of whole: InventoryFolder, rows: InventoryExtract) {
        (self.whole, self.rows) = (whole, rows)
    }

    var place: String { whole.place }
    var checksumName: String { whole.checksumName }

    func manifest() throws(ReadFailure) -> (bytes: [UInt8], checksum: [UInt8]) {
        try whole.manifest()
    }

    func checksum() throws(ReadFailure) -> [UInt8]? { try whole.checksum() }

    func parts(of manifest: InventoryManifest) -> [InventoryPart] {
        [InventoryPart(extract: InventoryPlaces.name(of: rows.path), rows.size, rows.checksum)]
    }

    func open(_ part: InventoryPart) throws(ReadFailure) -> OpenedPart? {
        OpenedPart(place: rows.path, bytes: try ByteSource(path: rows.path, isSummed: true))
    }

    func adviceOnMissing(in destination: String) -> String { "run again" }
}
