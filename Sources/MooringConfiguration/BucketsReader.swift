import MooringModel

/// Reads `buckets`.
struct BucketsReader {
    /// The root of the file.
    let root: Section

    private static let kinds = StoreKinds(
        known: ["directory", "listing", "s3", "inventory"], read: ["directory", "listing"])
    private static let keys =
        ["name"] + kinds.known + ["taken", "trust", "prefixes", "ignore", "quarantine", "derived"]

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
            let mapping = readMapping(section, name: name)
            return readStore(section, name: name).map {
                BucketConfiguration(store: $0, mapping: mapping)
            }
        }
        return (buckets, names)
    }

    private func readStore(_ section: Section, name: String) -> ObjectStore? {
        let taken = section.moment("taken")
        let trust = section.choice("trust", of: ObjectStore.Trust.self)
        guard let kind = Self.kinds.kind(of: section, place: "bucket '\(Shown.text(name))'"),
            let path = section.path(kind)
        else { return nil }
        if kind == "directory" {
            if section.has("taken") {
                section.report("'taken' belongs to a listing; a folder is read live", at: "taken")
            }
            return .directory(path: path, trust: trust ?? .mtime)
        }
        if section.has("trust") {
            section.report("'trust' belongs to a directory; a listing has one time", at: "trust")
        }
        return .listing(path: path, taken: taken)
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
        if section.has("quarantine"), let prefix = QuarantinePrefix.read(section) {
            mapping.quarantine = prefix
        }
        for prefix in mapping.prefixes where prefix.hasPrefix(mapping.quarantine.bytes) {
            section.report(
                "the prefix '\(Shown.text(prefix.text))' lies in the quarantine "
                    + "'\(Shown.text(mapping.quarantine.text))', where nothing is looked at",
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

    private func isRelative(_ text: Text, _ what: String) -> Bool {
        guard text.value.utf8.first == UInt8(ascii: "/") else { return true }
        root.context.report(
            "\(what) must not begin with a slash, since keys do not: '\(text.shown)'",
            line: text.line)
        return false
    }

    private func derived(_ text: Text) -> String? {
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

/// Reads where removed objects go in their bucket.
enum QuarantinePrefix {
    /// The prefix with its slash at the end; nil after a problem was reported.
    static func read(_ section: Section) -> ObjectKey? {
        if section.isMap("quarantine") {
            section.report(
                "a quarantine in another bucket is not in this version; write a prefix such as "
                    + ".mooring/quarantine/",
                at: "quarantine")
            return nil
        }
        guard let text = section.filled("quarantine") else { return nil }
        if let problem = problem(of: text.value) {
            section.context.report("'quarantine' \(problem)", line: text.line)
            return nil
        }
        let slash = UInt8(ascii: "/")
        let bytes = Array(text.value.utf8)
        return ObjectKey(bytes.last == slash ? bytes : bytes + [slash])
    }

    private static func problem(of prefix: String) -> String? {
        let bytes = Array(prefix.utf8)
        if bytes.first == UInt8(ascii: "/") { return "must not begin with a slash" }
        if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return "must not hold control characters"
        }
        if bytes.count > 512 { return "must not be longer than 512 bytes" }
        let whole = bytes.last == UInt8(ascii: "/") ? bytes.dropLast() : bytes[...]
        let components = whole.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let refused = [[], Array(".".utf8), Array("..".utf8)]
        if components.contains(where: { refused.contains(Array($0)) }) {
            return "must not hold an empty component, '.' or '..'"
        }
        let folder = Array(whole) + [UInt8(ascii: "/")]
        if folder.starts(with: Lease.key.bytes + [UInt8(ascii: "/")]) {
            return "must not be \(Lease.key.text), where Mooring's lease lies"
        }
        return nil
    }
}
