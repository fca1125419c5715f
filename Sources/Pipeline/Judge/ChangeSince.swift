import MooringDecisions
import MooringLedger
import MooringModel

extension Job {
    /// What became of the findings since the newest complete scan of the same stores, counted in
    /// the ledger; nil where there was none, and of a run that proves no absence or was judged as
    /// of another moment.
    func change(in run: RunSummary) throws -> RunSummary.Change? {
        guard run.isCompleteScan, !run.isJudgedAsOf else { return nil }
        let before = try ledger.lastCompleteAudit(of: Pipeline.auditCommands) {
            $0.id != run.id && !$0.isJudgedAsOf && $0.isAbout(run)
                && IdentityRule.refusals(in: $0.guards).isEmpty
        }
        return try before.flatMap { try ledger.change(from: $0.id, to: run.id) }
    }
}
