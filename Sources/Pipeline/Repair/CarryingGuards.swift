import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// The guards at the moment at which a plan is carried out: since it was made, records may have
/// been lost, and other plans may have taken their share of the same day.
struct CarryingGuards {
    /// What the repair works with.
    let job: Job
    /// The run whose findings the steps came from.
    let run: RunID
    /// What is refused, in words, such as `plan ID`.
    let refused: String
    /// What was accepted with the plan, as it holds it.
    var accepted: [String: String] = [:]

    /// Refuses steps that, with what was done within 24 hours, are too large a share of a place.
    func refuseTooMuch(_ pending: [PlanStep]) throws {
        let planned = try acts(pending)
        // The watch gives back; there is no share of that.
        guard !planned.isEmpty else { return }
        guard let summary = try job.ledger.run(run) else {
            throw Refusal(
                .refused, found: "the ledger no longer knows run \(run.text)",
                refused: refused, next: "run mooring audit, then mooring plan")
        }
        var facts = GuardFacts()
        facts.acts = try PlacedTotals(summary, job.ledger).acts(planned, of: job)
        // The plan was accepted when it was made, and expires itself.
        let acceptance = try job.reviewed(Acceptance(reading: accepted), in: nil)
        try refuse(
            job.guards(for: "plan").plan(facts, accepting: acceptance),
            "what else was done within 24 hours counts too; wait, or run mooring audit, then "
                + "accept it with mooring plan")
    }

    /// Refuses where a field holds fewer references than the plan's own run saw, by more than its
    /// limit: what a source lacks by now proves nothing. A loss that was accepted is in that run
    /// already.
    func refuseDrop(to counts: ReferenceCounts) throws {
        let seen = Dictionary(
            try job.ledger.placeCounts(of: run).filter { $0.kind == .references }
                .map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
        guard !seen.isEmpty || job.fieldPlaces.isEmpty else {
            throw Refusal(
                .refused,
                found: "the ledger does not know how many references run \(run.text) saw",
                refused: refused, next: "run mooring audit, then mooring plan")
        }
        let boundary = seen.values.map(\.journal).min()
        var taken: [String: Int] = [:]
        for entry in try boundary.map({ try job.ledger.journal(after: $0) }) ?? [] {
            for change in OwnChange.changes(entry, models: job.models)
            where change.kind == .references {
                taken[change.place.text, default: 0] += change.count
            }
        }
        let fields = job.fieldPlaces.map { place in
            var field = GuardFacts.Field(place: place.place)
            field.references = counts.models[place.model].fields[place.field].references
            field.rows = counts.models[place.model].records
            field.usual = seen[place.place.text].map {
                max(0, $0.count - (taken[place.place.text] ?? 0))
            }
            return field
        }
        let isBare = fields.allSatisfy { $0.usual ?? 0 == 0 }
        try refuse(
            Guards(
                limits: job.configuration.limits,
                clockBound: job.configuration.race.clockBound
            ).referenceAnswers(isBare ? [] : fields),
            "check the records; if they are right: mooring audit, then mooring plan")
    }

    private func refuse(_ answers: [RunSummary.Guard], _ next: String) throws {
        let refusing = answers.filter(\.refused).map { answer in
            var answer = answer
            answer.acceptance = nil
            answer.hint = nil
            return answer
        }
        guard let refusal = Refusal(guards: refusing, refused: refused) else { return }
        throw Refusal(
            refusal.kind, found: refusal.found, refused: refusal.refused, next: next)
    }

    private func acts(_ steps: [PlanStep]) throws -> [PlacedShare: Int] {
        var acts: [PlacedShare: Int] = [:]
        for step in steps {
            for share in try shares(step) { acts[share, default: 0] += 1 }
        }
        return acts
    }

    // A step that refreshes a copy and one that removes its row look alike: the finding tells.
    private func shares(_ step: PlanStep) throws -> [PlacedShare] {
        guard step.strategy == .requery, step.writesRecord else { return step.placedShares }
        let finding = try job.ledger.finding(step.finding, in: run)
        return finding?.cause == .deletedUpstream
            ? step.record?.placedShares(removesRow: true) ?? [] : []
    }
}
