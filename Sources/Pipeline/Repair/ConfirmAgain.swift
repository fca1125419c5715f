import MooringDecisions
import MooringModel
import MooringReconcile

/// Pass B once more, for the objects that are about to go.
struct ConfirmAgain {
    /// What the repair works with.
    let job: Job
    /// The run whose look at the records is repeated.
    let run: RunID

    /// A look behind that of a run.
    init(job: Job, since run: RunID) {
        self.job = job
        self.run = run
    }

    /// Repeats pass B for steps that remove objects, and gives what keeps some of them, by their
    /// ids.
    ///
    /// A plan's pass B says nothing about what records gained since: it is repeated against the
    /// plan's own keys before a repair begins, and whenever it grows old while the plan, or a
    /// sweep, is carried out. A source that cannot be read to its end stops everything, and so
    /// does one that lost its references: what it lacks proves nothing.
    func keeping(
        _ removals: [PlanStep], refused: String
    ) async throws -> [String: String] {
        guard !removals.isEmpty else { return [:] }
        var (steps, wanted): ([String], [WantedKey]) = ([], [])
        var others: [Int: String] = [:]
        // An end of what is made from an object may be one of its own, and says nothing more.
        var sharesEnds: Set<Int> = []
        for step in removals {
            guard let bucket = job.buckets.firstIndex(where: { $0.name == step.bucket }),
                let key = step.key
            else { continue }
            steps.append(step.id)
            wanted.append(WantedKey(bucket: bucket, key: key))
            let patterns = job.bucketMappings[bucket].derived
            for (keys, reason) in [
                (DerivedKey.sources(of: key, patterns: patterns), Self.sourceNeeded),
                (DerivedKey.products(of: key, patterns: patterns), Self.productNeeded),
            ] {
                for other in keys {
                    if other.bytes.suffix(key.bytes.count).elementsEqual(key.bytes) {
                        sharesEnds.insert(wanted.count)
                    }
                    others[wanted.count] = reason
                    steps.append(step.id)
                    wanted.append(WantedKey(bucket: bucket, key: other))
                }
            }
        }
        var scan = ConfirmScan(
            models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
            wanted: wanted, dangling: [])
        for source in job.records {
            let read = try await PassB.read(source, everything: true, job: job, into: &scan)
            let withoutID = ScanProblem(rowsWithoutID: scan.rowsWithoutID, of: source.name)
            if let problem = read.problems.first ?? withoutID {
                throw Refusal(
                    .incomplete, found: "the confirm scan could not be repeated: \(problem.text)",
                    refused: refused, next: "mend it, then run the same command again")
            }
        }
        try CarryingGuards(job: job, run: run, refused: refused).refuseDrop(to: scan.counts)
        let held = try await InsideLook(job: job).holding(scan.inside)
            .union(
                scan.unmapped.filter { !$0.isEnd || !sharesEnds.contains($0.wanted) }
                    .map(\.wanted))
        let reasons = Self.reasons(scan, held: held, steps: steps, others: others, removals)
        // A record may reference the link only: that the object goes would show nowhere.
        return reasons.merging(
            try await LinkLook(job: job, refused: refused).holding(removals)
        ) { own, _ in own }
    }

    private static let sourceNeeded = "a record references the object it is derived from"
    private static let productNeeded = "a record references an object that is derived from it"

    // What keeps the objects of some steps; `others` are what those are derived from, and what is
    // derived from them, with the reason.
    private static func reasons(
        _ scan: ConfirmScan, held: Set<Int>, steps: [String], others: [Int: String],
        _ removals: [PlanStep]
    ) -> [String: String] {
        var reasons: [String: String] = [:]
        for number in steps.indices where others[number] == nil {
            if scan.nearOwner(of: number) != nil {
                reasons[steps[number]] = "a record is spelt like its owner"
            } else if scan.named[number] != nil {
                reasons[steps[number]] = "its owner may hold its name"
            }
        }
        for number in held { reasons[steps[number]] = "a record holds the key now" }
        let lasting = Set(
            removals.filter { $0.strategy != .quarantine }.map(\.id))
        for number in scan.remembered where lasting.contains(steps[number]) {
            reasons[steps[number]] = "what says what was names the key"
        }
        for number in scan.referenced {
            reasons[steps[number]] = "a record references the object now"
        }
        for number in scan.referenced.union(held) {
            if let reason = others[number] { reasons[steps[number]] = reason }
        }
        return reasons
    }
}
