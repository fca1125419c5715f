import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Which objects that runs of this ledger tagged are no orphans any more: the bucket's lifecycle
/// rule asks no record, so that their tags have to come off before it acts.
struct TaggedObjects {
    private let job: Job
    private let confirmed: Confirmed
    private let findings: [Finding]

    /// Of what an audit saw and found.
    init(_ job: Job, _ judged: Judged) {
        self.job = job
        confirmed = judged.confirmed
        findings = judged.findings
    }

    /// The name under which the ledger keeps the steps for a later plan of the run.
    static func plan(of run: RunID) -> String { "untag-" + run.text }

    /// The steps that take the tags off. They are saved for `plan`, but under `asOf`, and noted.
    func untagging(_ summary: inout RunSummary) throws -> [PlanStep] {
        let steps = try steps()
        guard !steps.isEmpty else { return [] }
        summary.notes.append(
            "tagged for removal and no orphan any more: \(Measure.count(steps.count, "object")); "
                + "mooring run, or plan and repair, takes the tag off first")
        guard job.asOf == nil else { return steps }
        let now = job.clock()
        try job.ledger.save(
            Plan(
                id: Self.plan(of: summary.id), run: summary.id,
                configuration: job.configuration.fingerprint, createdAt: now,
                expiresAt: now + job.configuration.limits.planExpiry, confirmedAt: now,
                accepted: [:], steps: steps))
        return steps
    }

    private func steps() throws -> [PlanStep] {
        guard job.buckets.contains(where: { $0.tags != nil }) else { return [] }
        let undone = Set(try job.ledger.journal(doneBy: [.tag, .untag], \.undoes))
        var look: Look?
        let found = try job.ledger.journal(doneBy: [.tag]) { entry -> (ObjectPlace, PlanStep)? in
            guard entry.isTagging, !undone.contains(entry.number),
                let place = entry.step.objectPlace
            else { return nil }
            let known = look ?? Look(self)
            look = known
            return known.isNeeded(place) ? (place, Planner.untag(entry.step)) : nil
        }
        var seen: Set<ObjectPlace> = []
        return found.filter { seen.insert($0.0).inserted }.map(\.1)
    }

    /// What the run knows of keys; made only where something was tagged.
    private struct Look {
        private let tagged: TaggedObjects
        private let buckets: [String: Int]
        private let orphans: [WantedKey: ConfirmedOrphan]
        private let verdicts: [ObjectPlace: Verdict]
        private let missing: Set<ObjectPlace>
        private let needed: Set<WantedKey>
        private let readsAll: Bool

        init(_ tagged: TaggedObjects) {
            self.tagged = tagged
            let confirmed = tagged.confirmed
            buckets = Dictionary(
                tagged.job.buckets.enumerated().filter { $0.element.tags != nil }
                    .map { ($0.element.name, $0.offset) }, uniquingKeysWith: { one, _ in one })
            orphans = Dictionary(
                confirmed.orphans.map { (WantedKey($0.candidate), $0) },
                uniquingKeysWith: { one, _ in one })
            verdicts = Dictionary(
                tagged.findings.filter { $0.kind == .orphan }.compactMap { finding in
                    finding.objectPlace.map { ($0, finding.verdict) }
                }, uniquingKeysWith: { one, _ in one })
            missing = Set(
                tagged.findings.filter { $0.kind == .dangling }.compactMap(\.objectPlace))
            needed = confirmed.needed
            readsAll = confirmed.candidates.observations.incompleteRecords.isEmpty
        }

        /// Whether something speaks for an object that was listed as an orphan or not at all. What
        /// an incomplete run does not know leaves the tag where it is: it takes off what it saw
        /// referenced.
        func isNeeded(_ place: ObjectPlace) -> Bool {
            guard let bucket = buckets[place.bucket] else { return false }
            let wanted = WantedKey(bucket: bucket, key: place.key)
            if needed.contains(wanted) { return true }
            if let orphan = orphans[wanted] {
                // What only a history names would not be tagged either.
                if orphan.answer.isRemembered { return true }
                return verdicts[place].map { $0 == .undecided } ?? readsAll
            }
            if tagged.confirmed.candidates.join.isReferenced(place.key, bucket: bucket) {
                return !missing.contains(place)
            }
            // Whoever ignores a key since, or left its prefix out, wants nothing done about it.
            return !tagged.job.bucketMappings[bucket].judges(place.key)
        }
    }
}
