import Crypto
import MooringModel
import MooringText

/// What S3 Inventory says of one inventory in its `manifest.json`.
struct InventoryManifest {
    /// The bucket that was listed.
    let source: String
    /// The bucket that the inventory was written to, as the manifest names it.
    let destination: String
    /// When S3 began to list; nil where the manifest does not say.
    let created: Instant?
    /// What the rows of the parts hold.
    let columns: InventoryColumns
    /// The files of the rows, each named once.
    let parts: [InventoryPart]

    // The only version that S3 has ever written.
    private static let version = "2016-11-30"
    // A part has a gigabyte and more, and 200 bytes in the manifest.
    private static let limit = 64 << 20

    /// The whole of a small file, and the MD5 of its bytes. Throws `ReadFailure` where it cannot be
    /// read, or has more than 64 MiB.
    static func read(_ path: String) throws(ReadFailure) -> (bytes: [UInt8], checksum: [UInt8]) {
        let source = try ByteSource(path: path, isSummed: true)
        var bytes: [UInt8] = []
        while try source.read(into: &bytes) { try refuse(tooLong: bytes.count) }
        return (bytes, source.checksum)
    }

    /// Throws `ReadFailure` where a manifest has more than 64 MiB.
    static func refuse(tooLong count: Int) throws(ReadFailure) {
        guard count <= limit else {
            throw ReadFailure(
                reason: "has more than \(limit >> 20) MiB, which no inventory's manifest needs")
        }
    }

    /// Reads a manifest. Throws `ReadFailure` that says what it lacks, or what is not read.
    init(_ bytes: [UInt8]) throws(ReadFailure) {
        let node: JSONNode
        do {
            node = try JSONNode(parsing: bytes)
        } catch {
            throw ReadFailure(reason: "is no JSON: \(error.description)")
        }
        guard node["version"]?.string == Self.version else {
            throw ReadFailure(
                reason: "is no manifest of version \(Self.version) of S3 Inventory; no other is "
                    + "read")
        }
        let format = try Self.text(node, "fileFormat")
        guard format == "CSV" else {
            throw ReadFailure(
                reason: "says that the inventory is in \(format.printable), and only CSV is read: "
                    + "choose CSV as the output format of the inventory in S3, and name the "
                    + "manifest of the next one")
        }
        source = try Self.text(node, "sourceBucket")
        let arn = try Self.text(node, "destinationBucket")
        destination = arn.split(separator: ":").last.map(String.init) ?? arn
        created = Self.moment(node["creationTimestamp"])
        columns = try InventoryColumns(try Self.text(node, "fileSchema"))
        guard let files = node["files"]?.elements else {
            throw ReadFailure(reason: "names no files")
        }
        var parts: [InventoryPart] = []
        var keys: Set<[UInt8]> = []
        for (index, file) in files.enumerated() {
            let part = try InventoryPart(file, number: index + 1)
            guard keys.insert(Array(part.key.utf8)).inserted else {
                throw ReadFailure(reason: "names '\(part.key.printablePath)' twice in its files")
            }
            parts.append(part)
        }
        self.parts = parts
    }

    private static func text(_ node: JSONNode, _ name: String) throws(ReadFailure) -> String {
        guard let text = node[name]?.string, !text.isEmpty else {
            throw ReadFailure(reason: "has no \(name)")
        }
        return text
    }

    // Milliseconds since 1970, which S3 writes as a text.
    private static func moment(_ node: JSONNode?) -> Instant? {
        let number =
            node?.integer ?? node?.stringBytes.flatMap { TimeReader.digits($0) } ?? -1
        let (nanoseconds, isTooMuch) = number.multipliedReportingOverflow(by: 1_000_000)
        return number < 0 || isTooMuch ? nil : Instant(nanoseconds: nanoseconds)
    }
}

/// One file of an inventory's rows, as the manifest names it.
struct InventoryPart {
    /// Its key in the bucket of the inventory; it leads to no place above that bucket's root.
    let key: String
    /// How many bytes it has.
    let size: Int64
    /// The MD5 of its bytes.
    let checksum: [UInt8]

    /// The part that an element of `files` names, the first with number 1. Throws `ReadFailure`
    /// where it names none, or one that is refused.
    init(_ node: JSONNode, number: Int) throws(ReadFailure) {
        guard let key = node["key"]?.string, let size = node["size"]?.integer, size >= 0,
            let checksum = node["MD5checksum"]?.stringBytes.flatMap(Hexadecimal.checksum)
        else {
            throw ReadFailure(
                reason: "names file \(number) without its key, its size or its MD5checksum")
        }
        guard Self.isInside(key) else {
            throw ReadFailure(
                reason: "names file \(number) by the key '\(key.printablePath)', which may lead "
                    + "out of the inventory; S3 writes no such key, so nothing of it is read")
        }
        (self.key, self.size, self.checksum) = (key, size, checksum)
    }

    private static func isInside(_ key: String) -> Bool {
        let names = key.split(separator: "/", omittingEmptySubsequences: false)
        return !key.hasPrefix("/") && names.last?.isEmpty == false && !key.utf8.contains(0)
            && !names.contains("..") && !names.contains(".")
    }
}

extension Hexadecimal {
    /// The MD5 that the first word of a text tells in digits; nil where it tells none.
    static func checksum(_ text: [UInt8]) -> [UInt8]? {
        guard let digits = text.split(whereSeparator: { $0 <= 0x20 }).first,
            digits.count == 2 * Insecure.MD5.byteCount
        else { return nil }
        return decoded(digits)
    }
}
