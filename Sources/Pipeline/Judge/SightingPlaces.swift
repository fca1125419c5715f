import MooringConfiguration
import MooringLedger
import MooringModel

extension Job {
    /// What runs of this configuration may see.
    var runScope: RunScope {
        RunScope(
            buckets: Dictionary(
                bucketMappings.map { ($0.name, $0.prefixes) }, uniquingKeysWith: { $0 + $1 }),
            sources: Set(configuration.records.map(\.name)))
    }

    /// Where a finding lies: an orphan in its bucket alone, whoever its owner may be.
    func place(of finding: Finding) -> RunScope.Place {
        let mapping = bucketMappings.first { $0.name == finding.bucket }
        return RunScope.Place(
            bucket: mapping?.name,
            prefix: finding.key.flatMap { key in
                mapping?.prefixes.first { key.hasPrefix($0.bytes) }
            },
            source: finding.kind == .orphan ? nil : finding.record?.identity.source)
    }
}
