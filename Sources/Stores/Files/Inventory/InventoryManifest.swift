import Crypto
import MooringModel
import MooringText

/// What a report of a bucket's objects says of itself in its manifest, whichever product wrote it.
struct InventoryManifest {
    /// Whose it is.
    let product: InventoryProduct
    /// Where its files were written, as the manifest names it; empty where it does not.
    let destination: String
    /// The moment from which on it lists; nil where the manifest does not say.
    let created: Instant?
    /// What its rows hold.
    let content: Content
    /// The files of the rows, each named once.
    let parts: [InventoryPart]
    /// In which form S3 wrote the rows; nil of other products.
    let format: InventoryFormat?

    /// What the rows hold, and what was promised of them.
    enum Content {
        /// Of S3: this bucket's objects, in these columns.
        case s3(bucket: String, InventoryColumns)
        /// Of a product whose files have a header row: what its rows mean, and how many there are.
        case headed(any HeadedLayout, rows: Int64)
    }

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

    /// Reads a manifest for what is wanted of it. Throws `ReadFailure` that says what it lacks, or
    /// what is not read.
    init(_ bytes: [UInt8], for scope: InventoryScope) throws(ReadFailure) {
        let node: JSONNode
        do {
            node = try JSONNode(parsing: bytes)
        } catch {
            throw ReadFailure(reason: "is no JSON: \(error.description)")
        }
        product = try InventoryProduct(of: node)
        switch product {
        case .s3:
            let found = try S3Manifest(node, for: scope)
            destination = found.destination
            created = found.created
            content = .s3(bucket: found.source, found.columns)
            (parts, format) = (found.parts, found.format)
        case .gcs:
            let found = try GCSManifest(node)
            destination = found.destination
            created = found.snapshot
            content = .headed(found.layout, rows: found.rows)
            (parts, format) = (found.parts, nil)
        case .azure:
            let found = try AzureManifest(node, for: scope)
            destination = found.destination
            created = found.started
            content = .headed(found.layout, rows: found.rows)
            (parts, format) = (found.parts, nil)
        }
        var keys: Set<[UInt8]> = []
        for part in parts where !keys.insert(Array(part.key.utf8)).inserted {
            throw ReadFailure(reason: "names '\(part.key.printablePath)' twice in its files")
        }
    }

    /// The bucket that was listed, where the manifest names one.
    var source: String? {
        if case .s3(let bucket, _) = content { bucket } else { nil }
    }

    /// What has to be said of it and is no problem.
    var notes: [String] {
        if case .s3(_, let columns) = content { columns.notes } else { [] }
    }

    /// How far what it lists is of one moment: Cloud Storage alone lists a snapshot
    /// (docs.cloud.google.com/storage/docs/json_api/v1/reportDetail, "All the data in an inventory
    /// report is captured at the snapshot").
    var consistency: String { product == .gcs ? "snapshot" : "moving" }

    /// A text that a manifest has to hold. Throws `ReadFailure` where it is missing or empty.
    static func text(_ node: JSONNode, _ name: String) throws(ReadFailure) -> String {
        guard let text = node[name]?.string, !text.isEmpty else {
            throw ReadFailure(reason: "has no \(name)")
        }
        return text
    }
}

/// What is wanted of an inventory.
struct InventoryScope {
    /// The bucket's name in the configuration; of Azure it is the container.
    let bucket: String
    /// What of it is looked at; all of it where there are none.
    var prefixes: [[UInt8]] = []
    /// Whether somebody else reads files of columns, such as Parquet, where its rows stand in them.
    var takesColumns = false
}

/// One file of an inventory's rows, as the manifest names it.
struct InventoryPart {
    /// Its key in the bucket of the inventory; it leads to no place above that bucket's root.
    let key: String
    /// How many bytes it has; nil where the manifest does not say.
    var size: Int64?
    /// The MD5 of its bytes; nil where the manifest does not say.
    var checksum: [UInt8]?
    /// Whether it lies beside its manifest, and nowhere else.
    var isBeside = false

    /// A part by its key. Throws `ReadFailure` where the key may lead out of the inventory.
    init(key: String, number: Int, of writer: String) throws(ReadFailure) {
        guard Self.isInside(key) else {
            throw ReadFailure(
                reason: "names file \(number) by the key '\(key.printablePath)', which may lead "
                    + "out of the inventory; \(writer) writes no such key, so nothing of it is read"
            )
        }
        self.key = key
    }

    /// A part that lies in a file of this machine's own making.
    init(extract name: String, _ size: Int64, _ checksum: [UInt8]) {
        (key, self.size, self.checksum) = (name, size, checksum)
    }

    private static func isInside(_ key: String) -> Bool {
        let names = key.split(separator: "/", omittingEmptySubsequences: false)
        return !key.hasPrefix("/") && names.last?.isEmpty == false && !key.utf8.contains(0)
            && !names.contains("..") && !names.contains(".")
    }
}

extension Hexadecimal {
    /// The MD5 that the first word of a text tells, in digits or in base64; nil where it tells
    /// none.
    static func checksum(_ text: [UInt8]) -> [UInt8]? {
        guard let word = text.split(whereSeparator: { $0 <= 0x20 }).first else { return nil }
        let length = Insecure.MD5.byteCount
        if word.count == 2 * length { return decoded(word) }
        let plain = Base64.decode(String(decoding: word, as: UTF8.self))
        return plain?.count == length ? plain : nil
    }
}
