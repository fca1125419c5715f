/// A role of AWS that a store is asked as.
package struct AssumedRole: Hashable, Sendable {
    /// The role's name in full: `arn:aws:iam::123456789012:role/mooring`.
    package var arn: String
    /// A word that the role's owner asks for; nil where none does.
    package var externalID: String?
    /// What the session is called in the logs of the account; nil for `mooring`.
    package var session: String?

    /// A role, by its name in full.
    package init(arn: String, externalID: String? = nil, session: String? = nil) {
        self.arn = arn
        self.externalID = externalID
        self.session = session
    }
}

/// Reads the `role` of what is reached with credentials of AWS.
struct RoleReader {
    /// The section around it.
    let section: Section

    /// The keys of `role`, in the order of the documentation.
    static let keys = ["arn", "externalId", "session"]

    /// The role; nil where there is none, or after a problem was reported. Either the role's name
    /// alone, or a map of the keys.
    func read() -> AssumedRole? {
        guard section.has("role") else { return nil }
        guard section.isMap("role") else {
            return arn("role", section).map { AssumedRole(arn: $0) }
        }
        guard let own = section.section("role", known: Self.keys) else { return nil }
        guard own.has("arn") else {
            own.reportMissing("arn", "write the role's, such as \(Self.example)")
            return nil
        }
        let externalID = word("externalId", own, "+=,.@:/-_", 2...1_224)
        let session = word("session", own, "+=,.@-_", 2...64)
        return arn("arn", own).map {
            AssumedRole(arn: $0, externalID: externalID, session: session)
        }
    }

    private static let example = "arn:aws:iam::123456789012:role/mooring"

    private func arn(_ key: String, _ own: Section) -> String? {
        guard let text = own.filled(key) else { return nil }
        let parts = text.value.split(
            separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        let isRole =
            parts.count == 6 && parts[0] == "arn" && parts[1].hasPrefix("aws")
            && parts[2] == "iam" && parts[3].isEmpty && parts[4].utf8.count == 12
            && parts[4].utf8.allSatisfy { (0x30...0x39).contains($0) }
            && parts[5].hasPrefix("role/") && parts[5].utf8.count > 5
            && text.value.utf8.count <= 2_048
            && text.value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        if isRole { return text.value }
        own.context.report(
            "'\(key)' needs a role's name in full, such as \(Self.example); found "
                + "'\(text.shown)'",
            line: text.line)
        return nil
    }

    // What the token service takes, whose refusal names neither the part nor the character.
    private func word(
        _ key: String, _ own: Section, _ marks: String, _ length: ClosedRange<Int>
    ) -> String? {
        guard let text = own.filled(key) else { return nil }
        let marks = Set(marks.utf8)
        let isWord = text.value.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: marks.contains($0)
            }
        }
        if isWord, length.contains(text.value.utf8.count) { return text.value }
        // It is a word between two parties, and not shown.
        own.context.report(
            "'\(key)' needs \(length.lowerBound) to \(length.upperBound) letters, digits, or of "
                + String(decoding: marks.sorted(), as: UTF8.self),
            line: text.line)
        return nil
    }
}
