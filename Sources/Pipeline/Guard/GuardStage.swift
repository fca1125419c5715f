import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Asks the guards of a run about what was judged, and tells the run what was read and found.
struct GuardStage {
    /// What the stage works with.
    let job: Job
    /// The run, which knows nothing of its scans yet.
    let run: RunSummary
    /// What the stores' identities are found to be.
    let stores: [RunSummary.Guard]
    /// What was accepted in words.
    let acceptance: Acceptance
    /// The clock difference that was measured; nil where it was not.
    let clock: Duration?

    /// Measures each place, and answers for every guard.
    func run(_ judged: Judged) throws -> Guarded {
        let measures = GuardMeasures(job: job, run: run.id, confirmed: judged.confirmed)
        var judged = judged
        judged.markIncomplete(job)
        var tally = Tally()
        for finding in judged.findings { tally.add(finding) }
        var summary = run
        describe(judged, tally, in: &summary)
        summary.fields = measures.fields
        summary.accepted = acceptance.texts
        var facts = try measures.facts(summary, tally: tally)
        facts.clock = clock
        facts.behind = try job.clockBehind(at: run.startedAt, before: run.id)
        facts.answers = (judged.mapping.map { [$0] } ?? []) + stores
        summary.guards = job.guards(for: summary.command, of: summary.id)
            .check(facts, accepting: acceptance)
        let standing = PlaceStanding(job, summary.guards, accepting: acceptance)
        summary.repairs.planned = tally.steps + tally.restores
        summary.end()
        return Guarded(
            judged: judged, summary: summary, tally: tally, standing: standing,
            counts: measures.placeCounts(summary, facts, standing), clock: clock)
    }

    // What was read and found, as the report tells it.
    private func describe(_ judged: Judged, _ tally: Tally, in summary: inout RunSummary) {
        let confirmed = judged.confirmed
        let (candidates, observations) = (confirmed.candidates, confirmed.candidates.observations)
        summary.records = observations.records
        summary.spilled = candidates.join.spilledPlaces
        summary.buckets = observations.buckets
        summary.counts = tally.counts
        summary.waiting = tally.waiting.ordered
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
