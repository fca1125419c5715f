import MooringConfiguration
package import MooringDecisions
import MooringLedger
package import MooringModel
import MooringReconcile

/// The stages that look and judge: scan → reconcile → confirm → judge, and the guards.
extension Pipeline {
    /// What an audit found: the summary, the findings in report order, and their tally.
    package struct Audit: Sendable {
        /// The run, with its scans, counts and guards.
        package var summary: RunSummary
        /// In report order.
        package var findings: [Finding]
        /// Counted for gates and guards.
        package var tally: Tally
        /// What lies in quarantine and may be swept, and what the rest waits for.
        package var quarantine: [QuarantineState]
        /// The steps that take tags off what is no orphan any more.
        package var untagging: [PlanStep] = []
        /// The places of the runs that put it there, in the ledger's order.
        package var order: [RunID: Int64] = [:]
    }

    /// The commands whose runs scan both sides.
    package static let auditCommands: Set<String> = ["audit", "check", "run", "sweep"]

    /// Scans, reconciles, confirms and judges; writes the ledger and nothing else.
    package func audit(
        _ run: RunSummary, accepting acceptance: Acceptance = Acceptance(),
        clock: Duration? = nil
    ) async throws -> Audit {
        var summary = run
        let acceptance = try job.reviewed(acceptance, in: run.id)
        let observations = try await ScanStage(job: job).run()
        // Behind the scan: what was read is then what the marker stands for.
        let identity = IdentityStage(job: job, run: run.id)
        let stores = try await identity.check(accepting: acceptance)
        let candidates = try await ReconcileStage(job: job, run: run.id)
            .run(observations, accepting: acceptance)
        let confirmed = try await ConfirmStage(job: job).run(candidates)
        var judged = try JudgeStage(
            job: job, runID: run.id, confirmed: confirmed, clock: clock ?? .zero,
            stores: try KnownStores(job), acceptance: acceptance
        ).run()
        let mapping = try MappingStage(job: job, confirmed: confirmed).run(&judged)
        var tally = Tally()
        for finding in judged.findings { tally.add(finding) }

        describe(confirmed, judged, tally, in: &summary)
        let measured = GuardStage(job: job, run: run.id, confirmed: confirmed)
        summary.fields = measured.fields
        summary.accepted = acceptance.texts
        var facts = try measured.facts(summary, tally: tally)
        facts.clock = clock
        facts.behind = try job.clockBehind(at: run.startedAt, before: run.id)
        facts.answers = [mapping] + stores.map(\.answer.answer)
        summary.guards = job.guards(for: summary.command, of: summary.id)
            .check(facts, accepting: acceptance)
        let standing = PlaceStanding(job, summary.guards, accepting: acceptance)
        summary.repairs.planned = tally.steps + tally.restores
        summary.end()
        let quarantine = try quarantineStates(
            judged, summary, observations, (standing, confirmed.look), clock: clock ?? .zero)
        try remember(judged, candidates, summary, (standing, confirmed.look), quarantine)
        if job.asOf == nil, summary.status == .complete {
            try job.ledger.record(
                measured.placeCounts(summary, facts, standing), of: summary.id,
                forgetting: try countsForgotten(before: summary.id))
        }
        if summary.status == .complete, !summary.guards.contains(where: \.refused) {
            summary.notes += try await identity.settle(stores)
            try VanishedStage(job: job, run: run.id).settle(candidates.vanished)
        }
        let untagging = try TaggedObjects(job, confirmed, judged.findings)
            .untagging(&summary)
        return Audit(
            summary: summary, findings: judged.findings, tally: tally, quarantine: quarantine,
            untagging: untagging, order: candidates.order)
    }

    // What was read and found, as the report tells it.
    private func describe(
        _ confirmed: Confirmed, _ judged: Judged, _ tally: Tally, in summary: inout RunSummary
    ) {
        let (candidates, observations) = (confirmed.candidates, confirmed.candidates.observations)
        summary.records = observations.records
        for (name, problem) in confirmed.incomplete {
            summary.records.markIncomplete(name, problem)
        }
        summary.buckets = observations.buckets
        summary.counts = tally.counts
        summary.confirmedAt =
            job.configuration.confirm == .never ? nil : confirmed.endedAt
        summary.notes += observations.notes + candidates.vanished.notes
        summary.notes += confirmed.forms.sentences
        summary.notes += job.configuration.guardsOff
        summary.notes += judged.lacks.sorted { $0.key < $1.key }.map { sentence, count in
            "\(Measure.count(count, "finding")) kept: \(sentence)"
        }
    }
}

extension [RunSummary.Records] {
    fileprivate mutating func markIncomplete(_ name: String, _ problem: String) {
        for index in indices where self[index].name == name {
            self[index].scan.complete = false
            self[index].scan.problems.append(problem)
            self[index].scan.problemCount += 1
        }
    }
}
