/// A mapped value whose own object was not seen to be listed.
struct UnlistedValue {
    /// Whether by itself it means what it did, so that only what it holds inside is in question.
    private(set) var meansItself = true
    /// The places of its own objects, one list for each field that reads it: one key of each has to
    /// be there. Nil where they are not all known.
    private(set) var own: [[WantedKey]]? = []

    /// Adds one field's reading of it.
    mutating func add(meansItself: Bool, at keys: [WantedKey]?) {
        self.meansItself = self.meansItself && meansItself
        own = keys.flatMap { keys in own.map { $0 + [keys] } }
    }
}

/// Wanted keys that stand inside mapped values whose own objects were not looked for: whoever reads
/// this does so, since a value whose own object is there says nothing of what stands inside it.
package struct NamesInside: Sendable {
    /// By wanted key: for each value the places of its own objects, of each of which one key has
    /// to be there.
    package private(set) var values: [Int: Set<[[WantedKey]]>] = [:]

    /// Wanted keys that a value may mean whose own objects cannot be looked at.
    package private(set) var unknown: Set<Int> = []

    // So many values are kept for one key.
    private static let limit = 16

    /// None.
    init() {}

    /// Notes a wanted key that a value may mean, where no look can tell that it does not.
    mutating func protect(_ wanted: Int) { unknown.insert(wanted) }

    /// Notes that a wanted key stands in a value with these objects of its own; false where it
    /// cannot be left to them.
    mutating func note(_ wanted: Int, _ own: [[WantedKey]]?) -> Bool {
        guard let own, !own.isEmpty, values[wanted]?.count ?? 0 < Self.limit else { return false }
        values[wanted, default: []].insert(own)
        return true
    }
}
