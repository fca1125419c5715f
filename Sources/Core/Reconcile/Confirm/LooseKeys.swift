package import MooringModel

/// Keys by which a file may come back from another system: in another Unicode form or case, with
/// another ending, below one folder more or less.
package struct LooseKeys<Value> {
    // Names so long are a file's own wherever it lies.
    private static var ownName: Int { 20 }

    private var places: [Substring: [(parts: [Substring], value: Value)]] = [:]
    private var exact: [ObjectKey: [Value]] = [:]

    /// None.
    package init() {}

    /// Adds a key with what is known of it; of one key, everything stays.
    package mutating func add(_ key: ObjectKey, _ value: Value) {
        exact[key, default: []].append(value)
        guard let parts = Self.parts(of: key), let name = parts.last else { return }
        places[name, default: []].append((parts, value))
    }

    /// What is known of a key, and of those that may be other spellings of it; some of it twice.
    package func values(for key: ObjectKey) -> [Value] {
        guard !exact.isEmpty else { return [] }
        let same = exact[key] ?? []
        guard let parts = Self.parts(of: key), let name = parts.last else { return same }
        let others = (places[name] ?? []).filter { Self.mayBeOne($0.parts, parts) }
        return same + others.map(\.value)
    }

    private static func parts(of key: ObjectKey) -> [Substring]? {
        LoosePath(PercentCoding.decoded(key.bytes[...], plusIsBlank: false))?.parts
    }

    // One path is the end of the other; a short name alone at the root is one that many have, and
    // may have come below one folder.
    private static func mayBeOne(_ one: [Substring], _ other: [Substring]) -> Bool {
        let (shorter, longer) = one.count < other.count ? (one, other) : (other, one)
        guard let name = shorter.last else { return false }
        if name.utf8.count >= ownName { return true }
        guard longer.suffix(shorter.count).elementsEqual(shorter) else { return false }
        return shorter.count > 1 || longer.count - shorter.count <= 1
            || name.utf8.count >= NeedleIndex.freeLength
    }
}
