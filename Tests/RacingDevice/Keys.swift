/// Between what records hold and the keys that they mean by it.
enum Keys {
    /// The keys that a record's value means.
    static func held(_ table: Table, _ value: String?) -> [String] {
        guard let value else { return [] }
        switch table.name {
        case Table.song.name: return ["songs/" + value]
        case Table.album.name: return list(value).map { "albums/" + $0 }
        case Table.post.name: return [object(value)].compactMap { $0 }
        default: return []
        }
    }

    /// The elements of an album's list: they hold neither quotes nor commas.
    static func list(_ value: String?) -> [String] {
        (value ?? "").split { "[]\",".contains($0) }.map(String.init)
    }

    /// A post's value.
    static func complex(_ key: String) -> String {
        "{\"bucket\":\"media\",\"key\":\"\(key)\",\"region\":\"eu-west-1\"}"
    }

    private static func object(_ value: String) -> String? {
        let words = value.split(separator: "\"").map(String.init)
        return words.firstIndex(of: "key").flatMap { $0 + 2 < words.count ? words[$0 + 2] : nil }
    }
}
