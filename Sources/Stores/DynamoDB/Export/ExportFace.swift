package import MooringFiles
import MooringModel
import MooringText

/// A full export of one table on this machine, as its manifests tell of it, before its items are
/// read.
package struct ExportFace: SummedFiles {
    /// Its `manifest-summary.json`.
    package let path: String
    /// The paths of its data files, in the manifest's order.
    package let parts: [String]
    /// The paths of its other files by which an audit reads it.
    package let manifests: [String]
    private let files: [ExportPart]
    private let store: ExportFolder
    private let names: TableNames

    /// Looks at the exports in a folder. Throws `ReadFailure` where something of them cannot be
    /// trusted, and where the folder holds anything but one full export of this table.
    package init(
        _ folder: String, names: TableNames, table: String
    ) async throws(ReadFailure) {
        let store = ExportFolder(folder)
        let catalogue: ExportCatalogue
        do { catalogue = try await ExportCatalogue(store, names: names) } catch {
            throw ReadFailure(reason: "cannot be read: \(error)")
        }
        if let problem = catalogue.problems.first { throw ReadFailure(reason: problem.reason) }
        guard catalogue.full.count == 1, let export = catalogue.full.first,
            export.table == table
        else {
            throw ReadFailure(reason: "holds other full exports than one of this table")
        }
        let below = export.summary.folder.isEmpty ? folder : "\(folder)/\(export.summary.folder)"
        path = below + "/manifest-summary.json"
        manifests = [below + "/manifest-files.json"]
        files = export.parts
        parts = export.parts.map { "\(folder)/\($0.path)" }
        (self.store, self.names) = (store, names)
    }

    /// What all data files hold, a line each item. Throws `ReadFailure` where a file has another
    /// number of lines than its manifest says of items, or another MD5.
    package func sum() async throws(ReadFailure) -> RowSum {
        var sum = RowSum()
        for (part, path) in zip(files, parts) {
            let file = try sum.add(path)
            guard file.checksum == part.checksum else {
                throw ReadFailure(
                    reason: "names '\(part.path.printablePath)', whose MD5 is another")
            }
            guard file.lines == part.itemCount else {
                throw ReadFailure(
                    reason: "names '\(part.path.printablePath)', which has \(file.lines) lines, "
                        + "with \(part.itemCount) items")
            }
        }
        return sum
    }

    /// A source of so many of its lines, which lie in a file of their own.
    package func source(
        named name: String, lines file: String, count: Int, md5: [UInt8]
    ) -> any CopySource {
        DynamoDBExportSource(
            name: name, store: store, names: names,
            rows: ExportRows(file: file, count: count, md5: md5))
    }
}

/// Some items of an export, in a file of their own.
struct ExportRows: Sendable {
    /// The folder of the file.
    let store: ExportFolder
    /// The file, which has to be what was written.
    let part: ExportPart

    /// So many lines, whose bytes have this MD5.
    init(file: String, count: Int, md5: [UInt8]) {
        store = ExportFolder(ExportPath.folder(of: file))
        part = ExportPart(
            path: String(ExportPath.name(of: file)), itemCount: count,
            checksum: md5)
    }
}
