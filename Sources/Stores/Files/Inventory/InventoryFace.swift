package import MooringModel
import MooringText

/// An inventory of S3 on this machine, as its manifest tells of it, before its rows are read.
package struct InventoryFace: SummedFiles {
    /// Its manifest.
    package let manifest: String
    /// The bucket that was listed.
    package let bucket: [UInt8]
    /// The columns of the rows, in their order.
    package let columns: [String]
    /// The paths of the files of the rows, in the manifest's order.
    package let parts: [String]
    private let name: String
    private let taken: Instant?
    private let prefixes: [ObjectKey]

    /// Reads the manifest of a bucket's inventory, and looks where its files lie. Throws
    /// `ReadFailure` where it is no inventory of S3, or a file is missing.
    package init(
        name: String, manifest path: String, taken: Instant?, prefixes: [ObjectKey]
    ) throws(ReadFailure) {
        let scope = InventoryScope(bucket: name, prefixes: prefixes.map(\.bytes))
        let manifest = try InventoryManifest(InventoryManifest.read(path).bytes, for: scope)
        guard case .s3(let bucket, let columns) = manifest.content else {
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
        (self.parts, self.name, self.taken) = (parts, name, taken)
        self.prefixes = prefixes
    }

    /// What all files of the rows hold, which are read for that: each has to be the manifest's, and
    /// that one has to be what an audit reads by. Throws `ReadFailure` where one is not, and where
    /// a file begins with a byte order mark, which is no part of a row.
    package func sum() async throws(ReadFailure) -> RowSum {
        let files = InventoryFolder(manifest: manifest)
        let scope = InventoryScope(bucket: name, prefixes: prefixes.map(\.bytes))
        var notes: [String] = []
        let manifest = try await ManifestLook(
            files: files, taken: taken, demands: nil, scope: scope
        ).manifest(&notes)
        guard manifest.parts.count == parts.count else {
            throw ReadFailure(reason: "was changed meanwhile")
        }
        var sum = RowSum()
        for (part, path) in zip(manifest.parts, parts) {
            let file = try sum.add(path)
            guard file.size == part.size, file.checksum == part.checksum else {
                throw ReadFailure(
                    reason: "names '\(part.key.printablePath)', whose size or MD5 is another")
            }
        }
        return sum
    }
}
