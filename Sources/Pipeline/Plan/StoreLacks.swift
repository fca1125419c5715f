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
        switch strategy {
        case .keep, .untag: []
        case .requery:
            copies("which nobody can ask again")
                + buckets { $0.isLive ? nil : "is a list, which nobody can ask again" }
        case .tag:
            copies("which does not tell what it references now") + removals
                + buckets { $0.isLive && $0.tags == nil ? "has no tags" : tried($0, strategy) }
        case .abort:
            removals + buckets { $0.isLive && $0.uploads == nil ? "has no open uploads" : nil }
        case .quarantine, .delete:
            copies("which does not tell what it references now") + removals
                + buckets { tried($0, strategy) }
        case .restore: removals
        case .nullify, .deleteRecord: records + removals
        case .relink, .repoint: records + removals
        }
    }

    private var removals: [String] {
        buckets { $0.isLive ? nil : "is a list, from which nothing is removed" }
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
