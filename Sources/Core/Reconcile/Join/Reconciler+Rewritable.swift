import MooringDecisions

extension Reconciler {
    /// The references whose values are no keys only because of how they are written: with slashes
    /// before them, or as URLs longer than a key. They dangle under no other name, and count where
    /// a mapping error is looked for.
    package func rewritable() -> [DanglingCandidate] {
        var found: [DanglingCandidate] = []
        leftOver(where: { value, _ in Self.isRewritable(value) }) { found.append($0) }
        return found
    }

    private static func isRewritable(_ value: [UInt8]) -> Bool {
        guard KeyRule.fault(in: value) != nil else { return false }
        if let url = StoredURL(value) { return KeyRule.fault(in: url.path) == nil }
        let rest = Array(value.drop { $0 == UInt8(ascii: "/") })
        return rest.count < value.count && KeyRule.fault(in: rest) == nil
    }
}
