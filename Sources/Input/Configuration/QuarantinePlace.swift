import MooringModel

/// Reads where removed objects go: a prefix of their bucket, or of another one in the same store.
enum QuarantinePlace {
    private static let keys = ["bucket", "prefix"]

    /// The prefix with its slash at the end; nil where the default stands, or after a problem was
    /// reported.
    static func prefix(_ section: Section) -> ObjectKey? {
        guard section.isMap("quarantine") else { return read(section, "quarantine") }
        guard section.has("s3") else {
            section.report(
                "a quarantine in another bucket needs an s3 bucket; write a prefix such as "
                    + ".mooring/quarantine/",
                at: "quarantine")
            return nil
        }
        guard let own = section.section("quarantine", known: keys), own.has("prefix") else {
            return nil
        }
        return read(own, "prefix")
    }

    /// The other bucket's own name in the store, which is AWS's or another; nil after a problem was
    /// reported.
    static func bucket(_ section: Section, isAWS: Bool) -> String? {
        guard let own = section.section("quarantine", known: nil) else { return nil }
        guard own.has("bucket") else {
            own.reportMissing("bucket", "write the other bucket's own name, or the prefix alone")
            return nil
        }
        guard let text = own.filled("bucket") else { return nil }
        switch BucketAddress(text.value, isAWS: isAWS) {
        case .name(let name) where !name.hasSuffix(BucketAddress.aliasEnd): return name
        case .directory:
            own.context.report(
                "'bucket': '\(text.shown)' is a directory bucket, which takes no file of "
                    + "Mooring's; write another bucket's own name", line: text.line)
        case .none: return S3Reader(section: section).name("bucket", own)
        case .refused(let reason):
            own.context.report("'bucket': '\(text.shown)' \(reason)", line: text.line)
        case .name, .accessPoint:
            own.report(
                "'bucket' is an access point or its alias, which does not tell whether it is the "
                    + "bucket itself; write the other bucket's own name", at: "bucket")
        }
        return nil
    }

    private static func read(_ section: Section, _ key: String) -> ObjectKey? {
        guard let text = section.filled(key) else { return nil }
        if let problem = problem(of: text.value) {
            section.context.report("'\(key)' \(problem)", line: text.line)
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
        for (own, what) in [(Lease.key, "lease"), (StoreMarker.key, "marker")]
        where folder.starts(with: own.bytes + [UInt8(ascii: "/")]) {
            return "must not be \(own.text), where Mooring's \(what) lies"
        }
        return nil
    }
}
