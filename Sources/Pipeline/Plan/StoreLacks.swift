package import MooringConfiguration
package import MooringDecisions
package import MooringModel

/// What the configured stores cannot do for a strategy.
package struct StoreLacks {
    private let sources: [any RecordSource]
    private let stores: [any Bucket]
    private let configuration: Configuration
    private let known: KnownStores

    /// What the stores of a configuration lack, as far as they are known.
    package init(
        records: [any RecordSource], buckets: [any Bucket], configuration: Configuration,
        known: KnownStores
    ) {
        self.known = known
        sources = records
        stores = buckets
        self.configuration = configuration
    }

    /// Why a strategy cannot be carried out on some store, one sentence for each; none where every
    /// store can do it.
    package func of(_ strategy: Strategy) -> [String] {
        let needs = strategy.traits.needs
        let asks = strategy == .requery
        let unasked = "which nobody can ask again"
        let copied = asks ? unasked : "which does not tell what it references now"
        let listed = asks ? unasked : "from which nothing is removed"
        return (needs.contains(.liveSources) ? copies(copied) : [])
            + (needs.contains(.recordWrites) ? records : [])
            + (needs.contains(.liveBuckets)
                ? buckets { $0.isLive ? nil : "\(passive($0)), \(listed)" } : [])
            + buckets { lack($0, needs, strategy) }
    }

    private func passive(_ bucket: any Bucket) -> String {
        bucket.isOnlyLookedAt ? "is a directory bucket" : "is a list"
    }

    private func lack(
        _ bucket: any Bucket, _ needs: Set<Strategy.Need>, _ strategy: Strategy
    ) -> String? {
        if needs.contains(.tags), bucket.isLive, bucket.tags == nil { return "has no tags" }
        if needs.contains(.uploads), bucket.isLive, bucket.uploads == nil {
            return "has no open uploads"
        }
        return needs.contains(.trial) ? tried(bucket, strategy) : nil
    }

    // What a trial showed, or that there was none.
    private func tried(_ bucket: any Bucket, _ strategy: Strategy) -> String? {
        guard bucket.needsTrial else { return nil }
        guard let store = known[bucket.name] else {
            return "has not been tried; mooring doctor --probe tells what it can do"
        }
        if let lack = StoreRule.lack(of: store, for: strategy, neverReused: true) { return lack }
        return StoreRule.lack(of: store, for: strategy, neverReused: false).map {
            "takes it for keys that are used once only: \($0)"
        }
    }

    private func copies(_ lack: String) -> [String] {
        sources.filter { !$0.isLive }.map {
            "source \($0.name) (\($0.kind)) is a copy, \(lack)"
        }
    }

    private func buckets(_ lack: (any Bucket) -> String?) -> [String] {
        stores.compactMap { bucket in
            lack(bucket).map { "bucket \(bucket.name) (\(bucket.kind)) \($0)" }
        }
    }

    // What the mapping does not name is lacking as well: a late write is fenced off by it.
    private var records: [String] {
        sources.flatMap { source -> [String] in
            guard source.isLive else {
                return ["source \(source.name) (\(source.kind)) is a copy, which is never written"]
            }
            let own = configuration.records.first { $0.name == source.name }
            return (own?.mapping.models ?? []).filter {
                $0.version == nil && $0.changed == nil
            }.map {
                "model \($0.model) of \(source.name) has no version and no change time: "
                    + "two runs stand in, and a late write cannot be fenced off"
            }
        }
    }

    /// The refusals of the whole policy, as every run that acts would meet them.
    package var refusals: [PolicyRefusal] { PolicySafety(configuration, known).refusals() }
}
