import MooringDecisions
import MooringModel
import MooringReconcile
import Synchronization

/// The first identities that records know, for looks under levels that name one: told by the scan
/// of the same job, or else read when they are first asked for.
final class KnownIdentities: Sendable {
    /// How many are known at most.
    static let limit = 16

    private struct Enough: Error {}

    private let known = Mutex<[[UInt8]]?>(nil)

    /// Takes over what a scan read.
    func remember(_ identities: [[UInt8]]) { known.withLock { $0 = identities } }

    /// The identities, in the order in which they are read.
    func identities(of job: Job) async -> [[UInt8]] {
        if let known = known.withLock({ $0 }) { return known }
        var found: [[UInt8]] = []
        for source in job.records {
            let models = job.models.filter {
                $0.source == source.name && $0.mapping.identity != nil
            }
            guard !models.isEmpty else { continue }
            do {
                _ = try await source.scan(.columns(ScanStage.columns(of: models.map(\.mapping)))) {
                    batch in
                    for model in models where model.mapping.table == batch.table {
                        let reader = RecordReader(mapping: model.mapping, columns: batch.columns)
                        for row in batch.rows {
                            guard let identity = reader?.read(row)?.identity,
                                !identity.isEmpty, !found.contains(identity)
                            else { continue }
                            found.append(identity)
                            if found.count == Self.limit { throw Enough() }
                        }
                    }
                }
            } catch {
                // Enough were read, or a source lets none be read: what is known is only looked
                // under in addition, and the act has looks of its own at what it depends on.
                continue
            }
        }
        remember(found)
        return found
    }
}
