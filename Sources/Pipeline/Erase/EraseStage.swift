package import MooringDecisions
import MooringLedger
package import MooringModel
import MooringReconcile

/// A deletion request: lists a person's objects in every live bucket and quarantine, and removes
/// each for good, with the intent in the journal before each act.
package struct EraseStage {
    private let job: Job
    private let run: RunID
    private let scope: ErasureScope
    private let writer: JournalWriter

    /// A stage that acts in a run.
    package init(job: Job, run: RunID, scope: ErasureScope) {
        self.job = job
        self.run = run
        self.scope = scope
        writer = JournalWriter(job.ledger)
    }

    /// One object that is to go.
    package struct Item: Hashable, Sendable {
        /// The step, under the version that was listed.
        package let step: PlanStep
        /// The order to remove it, which stands in for a proof.
        package let order: ErasureOrder
        /// The object's size in bytes.
        package let size: Int64
        /// Whether a record holds its key.
        package var isReferenced = false
        /// Whether it lies in quarantine.
        package var isHeld: Bool { step.precondition.quarantinedBy != nil }
    }

    /// What a request means now.
    package struct Survey: Sendable {
        /// The objects, in the order of the buckets, then of their listings.
        package var items: [Item] = []
        /// Objects listed in these buckets, whatever their keys, quarantine included.
        package var listed = 0
        /// The buckets that were looked at.
        package var buckets: [String] = []
        /// Buckets that are copies and cannot be changed.
        package var copies: [String] = []
        /// Those of `copies` that are none, and are looked at only.
        package var onlyLookedAt: [String] = []
        /// The buckets and sources that were not read to their end.
        package var incomplete: [String] = []
        /// Each problem met, in words.
        package var problems: [String] = []

        /// How many of the objects a record holds, mapped or not.
        package var referenced: Int { items.count(where: \.isReferenced) }
        /// The sizes of all objects together.
        package var bytes: Int64 { items.reduce(0) { $0 + $1.size } }
    }

    /// Lists what the request means, and counts what records hold of it.
    package func survey() async throws -> Survey {
        var survey = Survey()
        for bucket in job.buckets where scope.bucket == nil || scope.bucket == bucket.name {
            guard bucket.isLive else {
                survey.copies.append(bucket.name)
                if bucket.isOnlyLookedAt { survey.onlyLookedAt.append(bucket.name) }
                continue
            }
            survey.buckets.append(bucket.name)
            try await list(bucket, into: &survey)
        }
        try await countReferences(&survey)
        return survey
    }

    /// Removes objects, those of one bucket at once, and tells each result in order.
    func run(
        _ items: [Item], by rights: ActingRights, _ tell: (StepResult) -> Void
    ) async throws {
        var rest = items[...]
        for bucket in Set(items.compactMap(\.step.bucket)) {
            try job.rememberQuarantine(of: bucket)
        }
        while let first = rest.first {
            try job.interruption.check()
            let together = StepGroup.prefix(of: rest.map(\.step))
            let width = first.step.bucket.flatMap(rights.bucket)?.actsAtOnce ?? 1
            let work = OrderedWork(width: width, interruption: job.interruption)
            try await work.run(Array(rest.prefix(together))) {
                try await erase($0, by: rights)
            } tell: {
                tell($0)
            }
            rest = rest.dropFirst(together)
        }
    }

    private func erase(
        _ item: Item, by rights: ActingRights
    ) async throws -> StepResult {
        let journal = StepJournal(rights, writer, run: run, plan: ErasureOrder.plan(of: run))
        let (outcome, reason) = try await EraseExecutor(
            journal: journal, order: item.order
        ).carryOut(item.step)
        if outcome == .done { await clearFolders(item.step, rights) }
        return StepResult(step: item.step, outcome: outcome, reason: reason)
    }

    // A folder may be named after the person, and is no object that anybody would list.
    private func clearFolders(_ step: PlanStep, _ rights: ActingRights) async {
        guard let bucket = step.bucket.flatMap(rights.bucket), let key = step.key else { return }
        for place in scope.places where key.hasPrefix(place.head) {
            await bucket.clearFolders(above: key, within: place.head)
        }
    }

    private func list(_ bucket: any Bucket, into survey: inout Survey) async throws {
        job.progress.begin("listing \(bucket.name)")
        defer { job.progress.end() }
        let mapping = job.bucketMappings.first { $0.name == bucket.name }
        var (items, listed): ([Item], Int) = ([], 0)
        // Of what an inventory has not, nothing may stay.
        let objects = try await bucket.listNow { batch in
            try job.interruption.check()
            listed += batch.count
            for object in batch
            where mapping?.covers(object.key) == true && !object.isIgnored {
                if let item = item(bucket.name, object.key, object.version, heldBy: nil) {
                    items.append(item)
                }
            }
            job.progress.advance(batch.count)
        }
        let held = try await bucket.listQuarantine { batch in
            try job.interruption.check()
            listed += batch.count
            for object in batch {
                if let item = item(bucket.name, object.key, object.version, heldBy: object.run) {
                    items.append(item)
                }
            }
        }
        survey.items += items
        survey.listed += listed
        let problems = objects.problems + held.problems
        survey.problems += problems.map(\.text)
        if !objects.isComplete || !held.isComplete { survey.incomplete.append(bucket.name) }
    }

    private func item(
        _ bucket: String, _ key: ObjectKey, _ version: ObjectVersion, heldBy held: RunID?
    ) -> Item? {
        guard scope.covers(bucket: bucket, key: key) else { return nil }
        let finding = FindingIdentity.object(.orphan, bucket: bucket, key: key)
        let step = PlanStep(
            id: "erase-\(finding.prefix(12))" + (held.map { "-" + $0.text } ?? ""), hash: "",
            strategy: .delete, finding: finding, bucket: bucket, key: key, record: nil,
            precondition: Precondition(object: version, quarantinedBy: held)
        ).sealed()
        return ErasureOrder(step, under: scope).map {
            Item(step: step, order: $0, size: version.size)
        }
    }

    // Every string of every record is searched, as before a repair; a source that cannot be read
    // keeps nothing from being removed, and is named.
    private func countReferences(_ survey: inout Survey) async throws {
        guard !survey.items.isEmpty else { return }
        let numbers = Dictionary(
            job.buckets.enumerated().map { ($0.element.name, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        var scan = ConfirmScan(
            models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
            wanted: survey.items.compactMap { item in
                guard let number = item.step.bucket.flatMap({ numbers[$0] }),
                    let key = item.step.key
                else { return nil }
                return WantedKey(bucket: number, key: key)
            }, dangling: [])
        for source in job.records {
            var tables = MappedTables(source, job)
            let problems = try await PassB.read(
                source, everything: true, job: job, into: &scan, also: { tables.see($0) }
            ).problems
            let missing = try await tables.missing(job)
            guard !problems.isEmpty || !missing.isEmpty else { continue }
            survey.incomplete.append(source.name)
            // Behind the reasons stands that the source was not read, which is no other one.
            survey.problems += problems.prefix(max(1, problems.count - 1)).map(\.text)
            survey.problems += missing.map(\.text)
        }
        for number in scan.referenced { survey.items[number].isReferenced = true }
        for match in scan.unmapped { survey.items[match.wanted].isReferenced = true }
    }
}
