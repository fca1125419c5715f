package import MooringConfiguration
package import MooringDecisions
import MooringModel

extension PolicySafety {
    /// The policy of a configuration, with its sources, its confirm mode and its live buckets.
    package init(_ configuration: Configuration) {
        self.init(
            policy: configuration.repair,
            sources: configuration.records.map { ($0.name, $0.race) },
            confirms: configuration.confirm != .never,
            stores: configuration.buckets.compactMap { bucket in
                bucket.store.facts(
                    name: bucket.name, reusesKeys: configuration.reusesKeys(of: bucket.name))
            })
    }
}

extension ObjectStore {
    // Every kind has to answer here; a listing is a copy, from which nothing is removed.
    fileprivate func facts(name: String, reusesKeys: Bool) -> StoreFacts? {
        switch self {
        case .directory:
            // A rename moves what was looked at, and a file's stamp holds its inode and its time
            // in nanoseconds.
            StoreFacts(
                name: name, removesConditionally: true, tellsEveryUpload: true,
                reusesKeys: reusesKeys)
        case .s3:
            // Nothing is known of a store before it was tried: its capabilities decide then.
            StoreFacts(
                name: name, removesConditionally: true, tellsEveryUpload: true,
                reusesKeys: reusesKeys)
        case .listing: nil
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
