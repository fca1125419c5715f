/// Under which identity id each user's files lie, where records name their user by something else:
/// the sub, or the sub and a name behind `::`, as Amplify's owner field does.
///
/// What it cannot tell is nil, and then every identity may be meant: nothing is narrowed.
package struct IdentityMap: Hashable, Sendable {
    private final class Table: Sendable {
        let ids: [[UInt8]: [UInt8]]

        init(_ ids: [[UInt8]: [UInt8]]) {
            self.ids = ids
        }
    }

    /// What tells two maps apart, such as a hash of what they were read from.
    package let digest: String
    /// How many users have exactly one identity.
    package var count: Int { table.ids.count }
    private let table: Table

    /// A map of pairs of user and identity id; a user with several identities has none here, since
    /// the files may lie under any of them.
    package init(_ pairs: some Sequence<(user: [UInt8], identity: [UInt8])>, digest: String) {
        var ids: [[UInt8]: [UInt8]] = [:]
        var several: Set<[UInt8]> = []
        for (user, identity) in pairs where !user.isEmpty && !identity.isEmpty {
            if let other = ids[user], other != identity { several.insert(user) }
            ids[user] = identity
        }
        for user in several { ids[user] = nil }
        table = Table(ids)
        self.digest = digest
    }

    /// The identity id that a record's value means: its own, where it is one already, or that of
    /// the user; nil where it is not known.
    package func identity(of value: [UInt8]) -> [UInt8]? {
        if let known = table.ids[value] { return known }
        if Self.isIdentity(value) { return value }
        let colon = UInt8(ascii: ":")
        guard
            let end = value.indices.dropLast().first(where: {
                value[$0] == colon && value[$0 + 1] == colon
            })
        else { return nil }
        return table.ids[Array(value[..<end])]
    }

    // `eu-west-1:6f1c…`: a region, a colon, and a UUID.
    private static func isIdentity(_ value: [UInt8]) -> Bool {
        let parts = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].contains(UInt8(ascii: "-")), parts[1].count == 36 else {
            return false
        }
        return parts[1].enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == UInt8(ascii: "-")
                : (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
                    || (0x61...0x66).contains(byte)
        }
    }

    package static func == (one: IdentityMap, other: IdentityMap) -> Bool {
        one.digest == other.digest
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
    }
}
