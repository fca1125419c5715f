package import MooringModel
import MooringText

/// An inventory of S3 on this machine, as its manifest tells of it, before its rows are read.
package struct InventoryFace: SummedFiles {
    /// Its manifest.
    package let manifest: String
    /// The bucket that was listed.
    package let bucket: [UInt8]
    /// In which form the rows are written.
    package let format: InventoryFormat
    /// The columns of the rows, in their order, by their names in CSV.
    package let columns: [String]
    /// The paths of the files of the rows, in the manifest's order.
    package let parts: [String]
    private let scope: InventoryScope
    private let taken: Instant?

    /// Reads the manifest of a bucket's inventory, and looks where its files lie. Throws
    /// `ReadFailure` where it is no inventory of S3, or a file is missing.
    package init(
        name: String, manifest path: String, taken: Instant?, prefixes: [ObjectKey]
    ) throws(ReadFailure) {
        scope = InventoryScope(bucket: name, prefixes: prefixes.map(\.bytes), takesColumns: true)
        let manifest = try InventoryManifest(InventoryManifest.read(path).bytes, for: scope)
        guard case .s3(let bucket, let columns) = manifest.content, let format = manifest.format
        else {
            throw ReadFailure(reason: "is of \(manifest.product.name), and not of S3 Inventory")
        }
        let places = InventoryPlaces(manifest: path)
        var parts: [String] = []
        for part in manifest.parts {
            guard let place = try places.path(of: part) else {
                throw ReadFailure(reason: "names a file that is missing")
            }
            parts.append(place)
        }
        (self.manifest, self.bucket, self.columns) = (path, Array(bucket.utf8), columns.names)
        (self.parts, self.format, self.taken) = (parts, format, taken)
    }

    /// Whether a manifest says that the rows stand in files of columns, which Mooring does not read
    /// itself; false where nobody can tell.
    package static func isOfColumns(manifest path: String) -> Bool {
        do {
            let node = try JSONNode(parsing: try InventoryManifest.read(path).bytes)
            return node["fileFormat"]?.string.flatMap(ColumnFormat.init) != nil
        } catch {
            return false
        }
    }

    /// What all files of the rows hold, which are read for that: each has to be the manifest's, and
    /// that one has to be what an audit reads by. Throws `ReadFailure` where one is not; where a
    /// file begins with a byte order mark, which is no part of a row; and where a file of columns
    /// lacks one.
    package func sum() async throws(ReadFailure) -> RowSum {
        let files = InventoryFolder(manifest: manifest)
        var notes: [String] = []
        let manifest = try await ManifestLook(
            files: files, taken: taken, demands: nil, scope: scope
        ).manifest(&notes)
        guard manifest.parts.count == parts.count else {
            throw ReadFailure(reason: "was changed meanwhile")
        }
        var sum = RowSum()
        for (part, path) in zip(manifest.parts, parts) {
            let file: RowSum.File
            switch format {
            case .csv: file = try sum.add(path)
            case .columns: file = try RowSum.look(at: path)
            }
            guard file.size == part.size, file.checksum == part.checksum else {
                throw ReadFailure(
                    reason: "names '\(part.key.printablePath)', whose size or MD5 is another")
            }
            if case .columns(let format) = format {
                sum.add(rows: try rows(of: path, part.key, format))
            }
        }
        return sum
    }

    private func rows(
        of path: String, _ key: String, _ format: ColumnFormat
    ) throws(ReadFailure) -> Int {
        let footer: ColumnFooter
        do throws(ReadFailure) { footer = try ColumnFooter(path: path, format) } catch {
            throw ReadFailure(reason: "names '\(key.printablePath)', which \(error.reason)")
        }
        for cell in columns.compactMap(InventoryCell.init) {
            if let misfit = cell.misfit(footer) {
                throw ReadFailure(reason: "names '\(key.printablePath)', \(misfit)")
            }
        }
        return footer.rows
    }
}
