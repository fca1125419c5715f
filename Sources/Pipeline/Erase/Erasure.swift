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
    /// The keys that are meant, in one bucket or in all.
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
package struct Erasure: Sendable {
    /// What it meant when the buckets were listed.
    package let survey: EraseStage.Survey
    /// What went, or would go, beside the objects.
    package let remains: EraseRemains.Outcome
    /// What was done; nil of a dry run.
    package let done: Done?

    /// How far a request was carried out.
    package struct Done: Sendable {
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

    /// Whether anything but an object that was to go is there still; false of a dry run.
    package var isLeftUndone: Bool {
        done.map { $0.evidence.openEntries > 0 || !$0.isCleared || !remains.failures.isEmpty }
            ?? false
    }
}

extension Pipeline {
    /// Takes what a deletion request means out of the reports and the ledger: reports name what the
    /// ledger knows, so they are found before it forgets.
    @inline(never)  // Inlined into the asynchronous caller, it crashes Swift 6.3.1's optimiser.
    func forget(
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
        done.head = try job.ledger.journalHead()
    }
}
