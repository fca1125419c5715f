import MooringModel
import MooringText

/// What Azure Storage says of one run of a Blob inventory's rule in its `RULE-manifest.json`.
///
/// What it holds is told by learn.microsoft.com/azure/storage/blobs/blob-inventory.
struct AzureManifest {
    /// The container that the inventory was written to.
    let destination: String
    /// When the run began; nil where the manifest does not say.
    let started: Instant?
    /// How many rows its files have together.
    let rows: Int64
    /// How its rows are read.
    let layout: AzureLayout
    /// Its files.
    let parts: [InventoryPart]

    /// Reads a manifest for a container. Throws `ReadFailure` that says what it lacks, what is not
    /// read, or what of the container the rule leaves out.
    init(_ node: JSONNode, for scope: InventoryScope) throws(ReadFailure) {
        try Self.refuseUnfinished(node)
        guard let definition = node["ruleDefinition"] else {
            throw ReadFailure(reason: "has no ruleDefinition")
        }
        let format = try InventoryManifest.text(definition, "format")
        guard format.lowercased() == "csv" else {
            throw ReadFailure(
                reason: "says that the inventory is in \(format.printable), and only CSV is read: "
                    + "choose csv as the rule's format, and name the manifest of the next run")
        }
        let type = try InventoryManifest.text(definition, "objectType")
        guard type.lowercased() == "blob" else {
            throw ReadFailure(
                reason: "says that the rule lists \(type.printable)s, and not blobs; name the "
                    + "manifest of a rule for blobs")
        }
        let fields = try definition.list("schemaFields").map(\.label)
        let rule = try AzureRule(try definition.object("filters"), fields: fields)
        if let gap = rule.gap(in: scope) { throw ReadFailure(reason: gap) }
        guard let rows = node["summary"]?["objectCount"]?.count else {
            throw ReadFailure(
                reason: "has no objectCount in its summary, so that nobody can tell whether all "
                    + "rows are there; name the manifest of another run")
        }
        self.rows = rows
        destination = try InventoryManifest.text(node, "destinationContainer")
        started = node["inventoryStartTime"]?.string.flatMap { Instant(iso8601: $0) }
        layout = AzureLayout(container: Array(scope.bucket.utf8), rule: rule)
        parts = try Self.parts(node)
    }

    private static func refuseUnfinished(_ node: JSONNode) throws(ReadFailure) {
        let status = try InventoryManifest.text(node, "status")
        guard status != "Succeeded" else { return }
        throw ReadFailure(
            reason: status == "Pending"
                ? "says that its run is still under way, and nothing is read by it; name the one "
                    + "before, or wait"
                : "says that its run ended as '\(status.printable)' and not as Succeeded, so "
                    + "nothing is read by it; name the manifest of another run")
    }

    private static func parts(_ node: JSONNode) throws(ReadFailure) -> [InventoryPart] {
        guard let files = node["files"]?.elements else {
            throw ReadFailure(reason: "names no files")
        }
        var parts: [InventoryPart] = []
        for (index, file) in files.enumerated() {
            guard let blob = file["blob"]?.string, let size = file["size"]?.integer, size >= 0
            else {
                throw ReadFailure(reason: "names file \(index + 1) without its blob or its size")
            }
            // The whole path is checked, and then only its name is looked for.
            _ = try InventoryPart(key: blob, number: index + 1, of: "Azure")
            var part = try InventoryPart(
                key: InventoryPlaces.name(of: blob), number: index + 1, of: "Azure")
            (part.size, part.isBeside) = (size, true)
            parts.append(part)
        }
        return parts
    }
}

/// What a rule of a Blob inventory lists.
struct AzureRule {
    /// Whether snapshots have rows of their own.
    let includesSnapshots: Bool
    /// Whether older versions have.
    let includesVersions: Bool
    /// Whether what is deleted has.
    let includesDeleted: Bool
    private let prefixes: [[UInt8]]
    private let excluded: [[UInt8]]

    private static let types: Set = ["blockBlob", "appendBlob", "pageBlob"]
    private static let known: Set = [
        "blobTypes", "prefixMatch", "excludePrefix", "includeSnapshots", "includeBlobVersions",
        "includeDeleted",
    ]

    /// The rule of a definition's filters, an object. Throws `ReadFailure` where a filter leaves
    /// out what nobody can see in a row, as a blob's age, or is of another kind than documented.
    init(_ filters: JSONNode?, fields: [String]) throws(ReadFailure) {
        for member in filters?.members ?? [] where !member.value.isEmpty {
            guard Self.known.contains(member.name.label) else {
                throw Self.narrow("filters by '\(member.name.label.printable)'")
            }
        }
        let types = Set(try filters?.list("blobTypes").map(\.label) ?? [])
        // Only an account with a hierarchical namespace has this field, and no page blobs.
        let isHierarchical = fields.contains("hdi_isfolder")
        let wanted = isHierarchical ? Self.types.subtracting(["pageBlob"]) : Self.types
        guard types.isSuperset(of: wanted) else {
            throw Self.narrow(
                "lists no \(wanted.subtracting(types).sorted().joined(separator: " and no "))")
        }
        prefixes = try filters?.list("prefixMatch") ?? []
        excluded = try filters?.list("excludePrefix") ?? []
        includesSnapshots = try filters?.flag("includeSnapshots") ?? false
        includesVersions = try filters?.flag("includeBlobVersions") ?? false
        includesDeleted = try filters?.flag("includeDeleted") ?? false
    }

    private static func narrow(_ how: String) -> ReadFailure {
        ReadFailure(
            reason: "says that its rule \(how), so that it lists a part of the container, and "
                + "nothing is judged by it; name the manifest of a rule without it")
    }

    /// What of a container's prefixes the rule leaves out, as a reason; nil where it lists all of
    /// them. A prefix of a rule begins with the container's name.
    func gap(in scope: InventoryScope) -> String? {
        let container = Array(scope.bucket.utf8) + [UInt8(ascii: "/")]
        let wanted = scope.prefixes.isEmpty ? [container] : scope.prefixes.map { container + $0 }
        for place in wanted {
            if let left = excluded.first(where: {
                !$0.isEmpty && ($0.starts(with: place) || place.starts(with: $0))
            }) {
                return Self.words("leaves out '\(left.label.printablePath)'", scope)
            }
            guard prefixes.isEmpty || prefixes.contains(where: { place.starts(with: $0) }) else {
                let names = prefixes.map { "'\($0.label.printablePath)'" }
                return Self.words("lists only \(names.joined(separator: ", "))", scope)
            }
        }
        return nil
    }

    private static func words(_ what: String, _ scope: InventoryScope) -> String {
        "says that its rule \(what), which is less than container "
            + "'\(scope.bucket.printable)': nothing is judged by it; say by 'prefixes' which part "
            + "of the container the bucket is, or name the manifest of another rule"
    }
}
