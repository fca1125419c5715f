import MooringModel
import MooringText

/// Reads `buckets`.
struct BucketsReader {
    /// The root of the file.
    let root: Section

    private static let kinds = StoreKinds(
        known: ["directory", "listing", "s3", "inventory"],
        read: ["directory", "listing", "s3", "inventory"])
    // Beside `s3` an inventory is no store of its own.
    private static let livingKinds = StoreKinds(
        known: kinds.known.filter { $0 != "inventory" },
        read: kinds.read.filter { $0 != "inventory" })
    private static let keys =
        ["name"] + kinds.known + [
            "inventoryAge", "taken", "trust", "prefixes", "ignore", "quarantine", "derived",
            "limits",
        ]

    /// The buckets that could be read, in the order of the file, and the names of all: what
    /// refers to a bucket with a problem is no problem of its own.
    func read() -> (buckets: [BucketConfiguration], names: NameList) {
        guard root.has("buckets") else {
            root.reportMissing("buckets", "name at least one bucket")
            return ([], NameList())
        }
        guard let sections = root.entries("buckets", of: "bucket", known: Self.keys) else {
            return ([], NameList())
        }
        var names = NameList()
        let buckets: [BucketConfiguration] = sections.compactMap { section in
            guard let name = section.name(of: "bucket", taken: &names) else { return nil }
            var mapping = readMapping(section, name: name)
            guard let store = readStore(section, name: name) else { return nil }
            if case .s3(let settings) = store {
                mapping.storeName = settings.storeName
                mapping.isNameless = settings.isAccessPoint && settings.bucketName == nil
                mapping.accessPoint = settings.isAccessPoint ? settings.bucket : nil
                if settings.isDirectory {
                    DirectoryBucketReader(own: section).check(settings, mapping)
                }
            }
            if case .directory = store { mapping.isFolder = true }
            return BucketConfiguration(store: store, mapping: mapping)
        }
        return (buckets, names)
    }

    private func readStore(_ section: Section, name: String) -> ObjectStore? {
        let taken = section.moment("taken")
        let trust = section.choice("trust", of: ObjectStore.Trust.self)
        let kinds = section.has("s3") ? Self.livingKinds : Self.kinds
        guard let kind = kinds.kind(of: section, place: "bucket '\(name.printable)'")
        else { return nil }
        if section.has("inventoryAge"), kind != "s3" || !section.has("inventory") {
            section.report(
                "'inventoryAge' belongs to an 's3' with an 'inventory' beside it",
                at: "inventoryAge")
        }
        if section.has("taken"), !["listing", "inventory"].contains(kind) {
            let what = kind == "directory" ? "a folder" : "a bucket"
            section.report(
                "'taken' belongs to a listing or an inventory; \(what) is read live", at: "taken")
        }
        if section.has("trust"), kind != "directory" {
            let what =
                ["listing": "a listing", "inventory": "an inventory"][kind] ?? "a bucket"
            section.report("'trust' belongs to a directory; \(what) has one time", at: "trust")
        }
        if kind == "s3" { return readS3(section).map(ObjectStore.s3) }
        if kind == "inventory", case .object = InventoryReader(section: section).place() {
            section.report(
                "'inventory' alone needs a file of this machine; write 's3' beside it to read it "
                    + "where S3 wrote it", at: kind)
            return nil
        }
        guard let path = section.path(kind) else { return nil }
        switch kind {
        case "directory": return .directory(path: path, trust: trust ?? .mtime)
        case "inventory": return .inventory(path: path, taken: taken)
        default: return .listing(path: path, taken: taken)
        }
    }

    private func readS3(_ section: Section) -> S3Settings? {
        guard var settings = S3Reader(section: section).read() else { return nil }
        if section.isMap("quarantine") {
            settings.quarantineBucket = QuarantinePlace.bucket(section, isAWS: settings.isAWS)
            if settings.quarantineBucket == settings.storeName {
                section.report(
                    "'quarantine' names the bucket itself; write the prefix alone", at: "quarantine"
                )
            }
        }
        if section.has("inventory") {
            guard let inventory = InventoryReader(section: section).read() else { return nil }
            settings.inventory = inventory
        }
        if settings.isAccessPoint { AccessPointReader(own: section).check(settings) }
        return settings
    }

    private func readMapping(_ section: Section, name: String) -> BucketMapping {
        var mapping = BucketMapping(name: name)
        if let prefixes = section.texts("prefixes") {
            if prefixes.isEmpty {
                section.report(
                    "'prefixes' is empty, so nothing would be looked at; leave it out to look at "
                        + "everything",
                    at: "prefixes")
            }
            mapping.prefixes = prefixes.filter { isRelative($0, "a prefix") }
                .map { ObjectKey($0.value) }
        }
        mapping.ignore = (section.texts("ignore") ?? []).compactMap {
            guard !$0.value.isEmpty else {
                section.context.report("a pattern of 'ignore' is empty", line: $0.line)
                return nil
            }
            return Glob($0.value)
        }
        mapping.derived = (section.texts("derived") ?? []).compactMap(derived)
        mapping.limits = LimitsReader.read(bucket: section)
        if section.has("quarantine"), let prefix = QuarantinePlace.prefix(section) {
            mapping.quarantine = prefix
        }
        for prefix in mapping.prefixes where prefix.hasPrefix(mapping.quarantine.bytes) {
            section.report(
                "the prefix '\(prefix.text.printable)' lies in the quarantine "
                    + "'\(mapping.quarantine.text.printable)', where nothing is looked at",
                at: "prefixes")
        }
        mapping.prefixes = withoutInner(mapping.prefixes)
        return mapping
    }

    // A prefix inside another one says nothing new, and would have its objects listed twice.
    private func withoutInner(_ prefixes: [ObjectKey]) -> [ObjectKey] {
        var kept: [ObjectKey] = []
        for prefix in prefixes.sorted() where !kept.contains(where: { prefix.hasPrefix($0.bytes) })
        {
            kept.append(prefix)
        }
        return kept
    }

    private func isRelative(_ text: ScalarText, _ what: String) -> Bool {
        guard text.value.utf8.first == UInt8(ascii: "/") else { return true }
        root.context.report(
            "\(what) must not begin with a slash, since keys do not: '\(text.shown)'",
            line: text.line)
        return false
    }

    private func derived(_ text: ScalarText) -> String? {
        let parts = text.value.split(separator: "{key}", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts.contains(where: { $0.contains { $0 == "{" || $0 == "}" } }),
            text.value != "{key}"
        else {
            root.context.report(
                "a pattern of 'derived' needs {key} once and something around it, such as "
                    + "thumbs/{key}; found '\(text.shown)'",
                line: text.line)
            return nil
        }
        return isRelative(text, "a pattern of 'derived'") ? text.value : nil
    }
}
