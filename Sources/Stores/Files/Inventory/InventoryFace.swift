package import MooringModel
import MooringText

/// An inventory of S3 on this machine, as its manifest tells of it, before its rows are read.
package struct InventoryFace: Hashable, Sendable {
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
            let source = try ByteSource(path: path, isSummed: true)
            try sum.add(source)
            guard source.size == part.size, source.checksum == part.checksum else {
                throw ReadFailure(
                    reason: "names '\(part.key.printablePath)', whose size or MD5 is another")
            }
        }
        return sum
    }
}

/// What files of lines hold, inflated.
package struct RowSum: Hashable, Sendable {
    /// The bytes of all lines, without their ends.
    package private(set) var bytes: Int64 = 0
    /// How many lines there are; behind a last line there need be no line break.
    package private(set) var lines = 0

    /// No file.
    package init() {}

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Adds all of a file.
    mutating func add(_ source: ByteSource) throws(ReadFailure) {
        var (piece, isFirst): ([UInt8], Bool) = ([], true)
        var last = UInt8(ascii: "\n")
        while try source.read(into: &piece) {
            if isFirst, piece.starts(with: Self.mark) {
                throw ReadFailure(reason: "has a file that begins with a byte order mark")
            }
            isFirst = piece.isEmpty
            let breaks = piece.count { $0 == UInt8(ascii: "\n") }
            bytes += Int64(piece.count - breaks)
            lines += breaks
            last = piece.last ?? last
            piece.removeAll(keepingCapacity: true)
        }
        if last != UInt8(ascii: "\n") { lines += 1 }
    }
}
