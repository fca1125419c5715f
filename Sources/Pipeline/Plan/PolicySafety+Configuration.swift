package import MooringConfiguration
package import MooringDecisions
import MooringModel

extension PolicySafety {
    /// The policy of a configuration, with its sources, its confirm mode, its live buckets, and
    /// what they are known to do.
    package init(_ configuration: Configuration, _ stores: KnownStores? = nil) {
        self.init(
            policy: configuration.repair,
            sources: configuration.records.map { ($0.name, $0.race) },
            confirms: configuration.confirm != .never,
            stores: configuration.buckets.compactMap { bucket in
                bucket.store.facts(
                    name: bucket.name, reusesKeys: configuration.reusesKeys(of: bucket.name))
            } + Self.tried(configuration, stores))
    }
}

extension PolicySafety {
    // Of a store that was tried, what it cannot tell is known. What it may not remove is decided
    // for each key on its own.
    private static func tried(_ configuration: Configuration, _ stores: KnownStores?)
        -> [StoreFacts]
    {
        configuration.buckets.compactMap { bucket in
            guard let store = stores?[bucket.name], !store.tellsEveryUpload else { return nil }
            return StoreFacts(
                name: bucket.name, removesConditionally: true, tellsEveryUpload: false,
                reusesKeys: true)
        }
    }
}

extension ObjectStore {
    // Every kind has to answer here; a list is a copy, from which nothing is removed, and in a
    // directory bucket nothing is.
    fileprivate func facts(name: String, reusesKeys: Bool) -> StoreFacts? {
        switch self {
        case .directory:
            // A rename moves what was looked at, and a file's stamp holds its inode and its time
            // in nanoseconds.
            StoreFacts(
                name: name, removesConditionally: true, tellsEveryUpload: true,
                reusesKeys: reusesKeys)
        case .s3(let settings) where settings.isDirectory: nil
        case .s3:
            // Nothing is known of a store before it was tried: its capabilities decide then.
            StoreFacts(
                name: name, removesConditionally: true, tellsEveryUpload: true,
                reusesKeys: reusesKeys)
        case .listing, .inventory: nil
        }
    }
}

extension Configuration {
    // A field that names no bucket may mean any of them.
    fileprivate func reusesKeys(of bucket: String) -> Bool {
        records.flatMap(\.mapping.models).flatMap(\.files)
            .filter { $0.bucket == nil || $0.bucket == bucket }
            .contains { $0.template?.neverReusesKeys != true }
    }
}

extension Refusal {
    /// The refusal of a policy that the race model cannot make safe; nil when it can.
    package init?(policy refusals: [PolicyRefusal], refused: String) {
        guard !refusals.isEmpty else { return nil }
        self.init(
            .refused, found: refusals.map(\.found).joined(separator: "; "), refused: refused,
            next: "the nearest safe policy: "
                + refusals.map(\.nearest).joined(separator: "; and ")
                + "; then run mooring audit, then mooring plan")
    }
}
