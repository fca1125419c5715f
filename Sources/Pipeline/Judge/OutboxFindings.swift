import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

// What waits in devices' outboxes, and what that means for findings.

extension Confirmation {
    /// The matches in attributes that nobody mapped, without those in outboxes: a write that was
    /// not sent yet is what an outbox is for, and no mistake of the mapping.
    var unmapped: [ConfirmScan.UnmappedMatch] {
        scan.unmapped.filter { outboxes.write(at: $0.place) == nil }
    }

    /// Those of them that protect an orphan which no mapped field references.
    var protecting: [ConfirmScan.UnmappedMatch] {
        unmapped.filter { $0.wanted < orphanCount && !scan.referenced.contains($0.wanted) }
    }

    /// How many orphans the texts of each source protect; none where they were not searched.
    func protectedByTexts(_ job: Job) -> [(source: String, objects: Int)] {
        guard job.configuration.confirm != .never else { return [] }
        let named = Dictionary(grouping: protecting, by: \.place.identity.source)
        return job.configuration.records.map { source in
            (source.name, Set((named[source.name] ?? []).map(\.wanted)).count)
        }
    }

    /// The writes in outboxes that name each wanted key, the first of each device first.
    func waitingWrites() -> [Int: [PendingWrite]] {
        var waiting: [Int: [PendingWrite]] = [:]
        for match in scan.unmapped {
            guard let write = outboxes.write(at: match.place) else { continue }
            waiting[match.wanted, default: []].append(write)
        }
        return waiting.mapValues { writes in
            writes.sorted {
                ($0.device, $0.madeAt ?? .distantPast) < ($1.device, $1.madeAt ?? .distantPast)
            }
        }
    }
}
