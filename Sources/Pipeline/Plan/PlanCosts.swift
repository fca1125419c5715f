import MooringConfiguration
import MooringDecisions
import MooringModel
import Synchronization

/// Looks in which storage classes the objects of a plan's removals are, and reckons what that
/// costs. One look for each; nothing is changed, and what is not told costs no plan.
struct PlanCosts {
    /// The stores.
    let job: Job
    /// What classes ask for.
    let terms: StorageTerms

    private struct Item: Sendable {
        let key: ObjectKey
        let version: ObjectVersion
        let fate: PlanCost.Fate
    }

    /// The cost of these steps; nil where none of them removes an object of a store with classes.
    func cost(of steps: [PlanStep]) async throws -> PlanCost? {
        let known = try KnownStores(job)
        var cost = PlanCost(terms: terms, retention: cutoff)
        var isAsked = false
        let now = job.clock()
        for bucket in job.buckets {
            let items = steps.filter { $0.bucket == bucket.name }.compactMap { item($0, known) }
            guard let reader = bucket.storageClasses, !items.isEmpty else { continue }
            isAsked = true
            let patience = Patience()
            try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(
                items
            ) { item in
                (item, await patience.look(reader, item.key, item.version))
            } tell: { item, answer in
                cost.add(
                    answer, bytes: item.version.size, age: now - item.version.lastModified,
                    fate: item.fate)
            }
            if items.contains(where: { $0.fate == .copied }) {
                cost.rules += await rules(over: bucket)
            }
        }
        return isAsked ? cost : nil
    }

    private func item(_ step: PlanStep, _ known: KnownStores) -> Item? {
        guard let key = step.key, let version = step.precondition.object else { return nil }
        let isKept = known.keepsVersions(step.bucket, key, version)
        switch step.strategy {
        case .quarantine:
            return Item(key: key, version: version, fate: isKept ? .hidden : .copied)
        // Nothing of it stays, whether versions are kept or not.
        case .delete: return Item(key: key, version: version, fate: .removed)
        case .tag: return isKept ? nil : Item(key: key, version: version, fate: .removed)
        default: return nil
        }
    }

    // A copy is charged for its class's minimum anew, and so is one that a rule moves on.
    private func rules(over bucket: any Bucket) async -> [String] {
        guard let own = job.bucketMappings.first(where: { $0.name == bucket.name }),
            let settings = await bucket.settings?.settings()
        else { return [] }
        switch settings.quarantineLifecycle ?? settings.lifecycle {
        case .unknown(let reason):
            return [
                "whether lifecycle rules move what lies in the quarantine of bucket "
                    + "\(bucket.name) is not known: \(reason)"
            ]
        case .told(let rules):
            return rules.filter { $0.isEnabled && !$0.isOfOwnTag && $0.overlaps(own.quarantine) }
                .flatMap { rule in rule.moves(within: cutoff) }
        }
    }

    private var cutoff: Duration { job.configuration.repair.retention }
}

/// Looks at objects of one bucket until three looks were not answered: others would wait as long
/// for as little.
final class Patience: Sendable {
    /// After how many looks without an answer no other is made; those under way end.
    static let limit = 3
    private let unanswered = Mutex<(count: Int, reason: String)>((0, ""))

    /// What a look tells, or that which the last before told of why it was not answered.
    func look(
        _ reader: any StorageClassReader, _ key: ObjectKey, _ version: ObjectVersion
    ) async -> StorageClassAnswer {
        let ended = unanswered.withLock { $0.count < Self.limit ? nil : $0.reason }
        if let ended { return .unknown(ended) }
        let answer = await reader.storageClass(of: key, expecting: version)
        if case .unknown(let reason) = answer {
            unanswered.withLock { $0 = ($0.count + 1, reason) }
        }
        return answer
    }
}
