package import MooringDecisions
package import MooringLedger
import MooringModel

/// The reports of earlier runs, which name a person's objects too.
package protocol ErasedReports {
    /// Removes those that name what a request means; gives how many.
    mutating func remove(about scope: ErasureScope) throws -> Int
    /// Makes them anew from what the ledger still knows.
    func writeAgain() throws
}

/// A deletion request to carry out, or to look at.
package struct ErasureRequest {
    /// What is asked.
    let scope: ErasureScope
    /// Whether anything is changed.
    let applies: Bool
    /// The reports that name it.
    let reports: any ErasedReports

    /// A request; without `applies` nothing is changed.
    package init(scope: ErasureScope, applies: Bool, reports: any ErasedReports) {
        self.scope = scope
        self.applies = applies
        self.reports = reports
    }
}

/// What came of a deletion request.
package struct Erasure {
    /// What it meant.
    package let survey: EraseStage.Survey
    /// What went, or would go, beside the objects.
    package let remains: EraseRemains.Outcome
    /// What was done; nil of a dry run.
    package let done: Done?

    /// What was done about one.
    package struct Done {
        /// How each object's removal ended.
        package var results: [StepResult] = []
        /// What was taken out of the ledger.
        package var evidence = ErasedEvidence()
        /// Reports that were made anew or removed.
        package var reports = 0
        /// Whether the ledger's files hold none of the removed bytes any more.
        package var isCleared = false
        /// The journal's chain, when everything was done.
        package var head: (links: Int64, hash: String) = (0, "")
    }

    /// Whether anything that was to go is there still.
    package func isLeftUndone(in run: CurrentRun) -> Bool {
        run.leftUndone || done?.evidence.openEntries ?? 0 > 0 || done?.isCleared == false
            || !remains.failures.isEmpty
    }
}

extension Pipeline {
    /// Carries out a deletion request: survey → guards → objects → what they leave → reports →
    /// ledger. Without `applies` only the survey is made. Throws a `Refusal` where a guard refuses.
    package func run(
        _ request: ErasureRequest, as run: CurrentRun, accepting acceptance: Acceptance
    ) async throws -> Erasure {
        let rights = request.applies ? try await Rights(job: job, run: run).take() : nil
        let stage = EraseStage(job: job, run: run.summary.id, scope: request.scope)
        let survey = try await stage.survey()
        if !survey.incomplete.isEmpty {
            run.summary.status = .incomplete
            run.summary.reason =
                "not read to the end: \(survey.incomplete.joined(separator: ", "))"
        }
        run.report(.surveyed(survey))
        run.summary.guards += try EraseGuards.check(
            survey, request.scope, job.configuration, accepting: acceptance)
        let rest = EraseRemains(job: job, run: run.summary.id, scope: request.scope)
        guard let rights else {
            return Erasure(survey: survey, remains: try await rest.survey(), done: nil)
        }
        run.plan(survey.items.count)
        run.report(.erasing)
        var done = Erasure.Done()
        try await stage.run(survey.items, by: rights) {
            done.results.append($0)
            run.add($0)
        }
        let remains = try await rest.remove(by: rights)
        for failure in remains.failures { run.report(.failure(failure)) }
        try forget(request, survey, remains, run, &done)
        run.finish(job)
        if run.summary.status == .running { run.summary.status = .complete }
        done.head = try job.ledger.journalHead()
        return Erasure(survey: survey, remains: remains, done: done)
    }

    // Reports name what the ledger knows, so they are found before it forgets.
    @inline(never)  // Inlined into the asynchronous caller, it crashes Swift 6.3.1's optimiser.
    private func forget(
        _ request: ErasureRequest, _ survey: EraseStage.Survey, _ remains: EraseRemains.Outcome,
        _ run: CurrentRun, _ done: inout Erasure.Done
    ) throws {
        var reports = request.reports
        done.reports = try reports.remove(about: request.scope)
        done.evidence = try job.ledger.erase(
            request.scope, by: run.summary.id, at: job.clock())
        // What is left there may vanish by itself yet.
        if survey.incomplete.isEmpty, !run.leftUndone, remains.failures.isEmpty {
            try job.ledger.keep(erasure: request.scope, by: run.summary.id, at: job.clock())
        }
        try reports.writeAgain()
        done.isCleared = try job.ledger.clearRemoved()
    }
}
