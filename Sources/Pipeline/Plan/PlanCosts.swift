import MooringConfiguration
import MooringDecisions
import MooringModel

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
        var cost = PlanCost(terms: terms, retention: job.configuration.repair.retention)
        var isAsked = false
        let now = job.clock()
        for bucket in job.buckets {
            let items = steps.filter { $0.bucket == bucket.name }.compactMap { item($0, known) }
            guard let reader = bucket.storageClasses, !items.isEmpty else { continue }
            isAsked = true
            // Where the first look is not answered, others wait as long for as little.
            let first = await reader.storageClass(of: items[0].key, expecting: items[0].version)
            if case .unknown = first {
                for item in items { add(item, first, to: &cost, at: now) }
                continue
            }
            try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(
                items
            ) { item in
                (item, await reader.storageClass(of: item.key, expecting: item.version))
            } tell: { item, answer in
                add(item, answer, to: &cost, at: now)
            }
            if items.contains(where: { $0.fate == .copied }) {
                cost.rules += await rules(over: bucket)
            }
        }
        return isAsked ? cost : nil
    }

    private func add(
        _ item: Item, _ answer: StorageClassAnswer, to cost: inout PlanCost, at now: Instant
    ) {
        cost.add(
            answer, bytes: item.version.size, age: now - item.version.lastModified,
            fate: item.fate)
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
            let settings = await bucket.settings?.settings(),
            let rules = (settings.quarantineLifecycle ?? settings.lifecycle).value
        else { return [] }
        return rules.filter { $0.isEnabled && !$0.isOfOwnTag && $0.overlaps(own.quarantine) }
            .flatMap { rule in
                rule.transitions.filter { .days(Int64($0.days)) < cutoff }.map { move in
                    "\(rule.words) moves what lies in quarantine to \(move.target) after "
                        + "\(move.days)d: what that class asks for comes to this"
                }
            }
    }

    private var cutoff: Duration { job.configuration.repair.retention }
}
