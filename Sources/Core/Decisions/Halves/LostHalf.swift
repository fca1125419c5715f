package import MooringModel

/// Whether the two halves of an app, its tables and its bucket, are still both there. Pure; nothing
/// is ever done about what it says.
package struct LostHalf: Hashable, Sendable {
    private let source: String
    private let tables: [String: StorePresence]
    private let bucket: String
    private let storeName: String
    private let presence: StorePresence

    /// What is known of a source's mapped tables and of a bucket that its records refer to, by the
    /// configuration's names; `storeName` is the bucket's own.
    package init(
        source: String, tables: [String: StorePresence], bucket: String, storeName: String,
        presence: StorePresence
    ) {
        self.source = source
        self.tables = tables
        self.bucket = bucket
        self.storeName = storeName
        self.presence = presence
    }

    private static let shown = 3

    /// What is gone, what is left, and what to do; nil where both are there, or one is not known.
    package var sentence: String? {
        let there = tables.filter { $0.value == .there }.keys.sorted()
        let areGone = !tables.isEmpty && tables.values.allSatisfy { $0 == .gone }
        switch presence {
        case .gone where areGone:
            return "both are gone: the tables of \(source) (\(list(tables.keys.sorted()))) and "
                + "bucket \(bucket) (\(storeName)); \(Self.mistaken)"
        case .gone where !there.isEmpty:
            return "half is gone: the tables of \(source) are there (\(list(there))), and bucket "
                + "\(bucket) (\(storeName)) is not; every file that these records name is gone "
                + "with it. \(Self.likely)"
        case .there where areGone:
            return "half is gone: bucket \(bucket) (\(storeName)) is there, and no mapped table of "
                + "\(source) is there (\(list(tables.keys.sorted()))); other sources or tables may "
                + "still need its files. \(Self.likely)"
        default: return nil
        }
    }

    private static let mistaken =
        "most likely the configuration is of a deleted environment, or of another account or region"
    private static let likely =
        "Most likely an environment was deleted, and what is left of it was not; else the "
        + "configuration names another account, region or name. Mooring acts on neither"

    private func list(_ names: [String]) -> String {
        names.prefix(Self.shown).map { Quoted.text(Array($0.utf8)) }.joined(separator: ", ")
            + (names.count > Self.shown ? " and \(names.count - Self.shown) more" : "")
    }
}
