import MooringModel
import MooringText

/// What S3 Inventory says of one inventory in its `manifest.json`.
struct S3Manifest {
    /// The bucket that was listed.
    let source: String
    /// The bucket that the inventory was written to, as the manifest names it.
    let destination: String
    /// When S3 began to list; nil where the manifest does not say.
    let created: Instant?
    /// In which form the rows of the parts are written.
    let format: InventoryFormat
    /// What they hold.
    let columns: InventoryColumns
    /// The files of the rows.
    let parts: [InventoryPart]

    // The only version that S3 has ever written.
    private static let version = "2016-11-30"

    /// Reads a manifest for what is wanted of it. Throws `ReadFailure` that says what it lacks, or
    /// what is not read.
    init(_ node: JSONNode, for scope: InventoryScope) throws(ReadFailure) {
        guard node["version"]?.string == Self.version else {
            throw ReadFailure(
                reason: "is no manifest of version \(Self.version) of S3 Inventory; no other is "
                    + "read")
        }
        let name = try InventoryManifest.text(node, "fileFormat")
        guard let format = InventoryFormat(name: name), format == .csv || scope.takesColumns else {
            throw ReadFailure(
                reason: "says that the inventory is in \(name.printable), and only CSV is read: "
                    + "choose CSV as the output format of the inventory in S3, and name the "
                    + "manifest of the next one; of copies in files 'engine: spark' reads Parquet "
                    + "and ORC")
        }
        self.format = format
        source = try InventoryManifest.text(node, "sourceBucket")
        let arn = try InventoryManifest.text(node, "destinationBucket")
        destination = arn.split(separator: ":").last.map(String.init) ?? arn
        created = Self.moment(node["creationTimestamp"])
        columns = try InventoryColumns(
            try InventoryManifest.text(node, "fileSchema"), of: format)
        guard let files = node["files"]?.elements else {
            throw ReadFailure(reason: "names no files")
        }
        var parts: [InventoryPart] = []
        for (index, file) in files.enumerated() {
            parts.append(try Self.part(file, number: index + 1))
        }
        self.parts = parts
    }

    private static func part(_ node: JSONNode, number: Int) throws(ReadFailure) -> InventoryPart {
        guard let key = node["key"]?.string, let size = node["size"]?.integer, size >= 0,
            let checksum = node["MD5checksum"]?.stringBytes.flatMap(Hexadecimal.checksum)
        else {
            throw ReadFailure(
                reason: "names file \(number) without its key, its size or its MD5checksum")
        }
        var part = try InventoryPart(key: key, number: number, of: "S3")
        (part.size, part.checksum) = (size, checksum)
        return part
    }

    // Milliseconds since 1970, which S3 writes as a text.
    private static func moment(_ node: JSONNode?) -> Instant? {
        let number =
            node?.integer ?? node?.stringBytes.flatMap { TimeReader.digits($0) } ?? -1
        let (nanoseconds, isTooMuch) = number.multipliedReportingOverflow(by: 1_000_000)
        return number < 0 || isTooMuch ? nil : Instant(nanoseconds: nanoseconds)
    }
}
