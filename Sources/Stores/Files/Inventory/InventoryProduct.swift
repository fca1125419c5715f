import MooringModel

/// Whose report a manifest is of.
enum InventoryProduct: CaseIterable {
    /// S3 Inventory.
    case s3
    /// An inventory report of Google Cloud Storage (Storage Insights).
    case gcs
    /// A Blob inventory of Azure Storage.
    case azure

    /// What the members of a manifest say, and no name of a file. Throws `ReadFailure` where they
    /// speak of no product that is known, or of several.
    init(of manifest: JSONNode) throws(ReadFailure) {
        let found = Self.allCases.filter { product in
            product.members.contains { manifest[$0] != nil }
        }
        guard let product = found.first, found.count == 1 else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ReadFailure(
                reason: found.isEmpty
                    ? "is no manifest of \(names): it has none of their members; name the manifest "
                        + "that stands beside the report's files"
                    : "has members of \(found.map(\.name).joined(separator: " and of ")), so that "
                        + "nobody can tell whose report it is; copy the manifest again")
        }
        self = product
    }

    /// The product's name, for messages.
    var name: String {
        switch self {
        case .s3: "S3 Inventory"
        case .gcs: "an inventory report of Cloud Storage"
        case .azure: "an Azure Blob inventory"
        }
    }

    // What no other product writes, each spelling of it.
    private var members: [String] {
        switch self {
        case .s3: ["sourceBucket", "fileSchema", "fileFormat", "creationTimestamp"]
        case .gcs:
            [
                "report_config", "reportConfig", "report_shards_file_names",
                "reportShardsFileNames", "report_path_prefix", "reportPathPrefix", "report_metrics",
                "reportMetrics",
            ]
        case .azure: ["ruleDefinition", "destinationContainer", "inventoryStartTime"]
        }
    }
}

extension JSONNode {
    /// A member by its name in snake case, or by the same name in camel case, as APIs of Google
    /// spell it in JSON of their own.
    func member(_ name: String) -> JSONNode? {
        let words = name.split(separator: "_")
        let camel = words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
        return self[name] ?? self[camel]
    }

    /// A count of at least 0, which may stand as a text, as 64 bits do in Google's JSON; nil of
    /// anything else.
    var count: Int64? {
        let count = integer ?? stringBytes.flatMap { TimeReader.digits($0) }
        return count.flatMap { $0 < 0 ? nil : $0 }
    }

    /// A member that is an object, by its name as `member` finds it; nil where it is missing or
    /// null. Throws `ReadFailure` where it is anything else, which must not count as nothing.
    func object(_ name: String) throws(ReadFailure) -> JSONNode? {
        guard let node = member(name) else { return nil }
        guard node.members != nil else { throw Self.odd(name) }
        return node
    }

    /// A member that is a list of texts; none where it is missing or null. Throws as `object` does.
    func list(_ name: String) throws(ReadFailure) -> [[UInt8]] {
        guard let node = self[name] else { return [] }
        guard let nodes = node.elements else { throw Self.odd(name) }
        let texts = nodes.compactMap(\.stringBytes)
        guard texts.count == nodes.count else { throw Self.odd(name) }
        return texts
    }

    /// A member that is true or false; false where it is missing or null. Throws as `object` does.
    func flag(_ name: String) throws(ReadFailure) -> Bool {
        guard let node = self[name] else { return false }
        guard let value = node.bool else { throw Self.odd(name) }
        return value
    }

    private static func odd(_ name: String) -> ReadFailure {
        ReadFailure(
            reason: "holds '\(name)' in another form than is documented, so that nobody can tell "
                + "what it leaves out, and nothing is read by it; name the manifest of another run")
    }

    /// Whether nothing is said by it: false, an empty text, list or object.
    var isEmpty: Bool {
        switch kind {
        case .null, .bool(false): true
        case .string(let bytes): bytes.isEmpty
        case .array(let nodes): nodes.isEmpty
        case .object(let members): members.isEmpty
        default: false
        }
    }
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
