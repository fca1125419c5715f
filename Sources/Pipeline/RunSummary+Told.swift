package import MooringLedger
package import MooringModel

extension RunSummary {
    /// The run with what a ledger knows beside its summary: how its steps ended, and the numbers of
    /// the complete scans before it, oldest first, with its own at the end.
    package func told(by ledger: Ledger) throws -> RunSummary {
        var told = self
        try ledger.addEndedSteps(to: &told)
        // What was ready when it looked it has taken.
        if hasActed { told.waiting.removeAll { $0.reason == .ready } }
        var pasts = Pipeline.isWholeAudit(self) ? [Past(self)] : []
        var isBefore = false
        _ = try ledger.lastRun { run in
            if run.id == id {
                isBefore = true
            } else if isBefore, Pipeline.isWholeAudit(run), run.isAbout(self) {
                pasts.append(Past(run))
            }
            return pasts.count == Self.trendLength
        }
        told.trend = pasts.compactMap(\.self).reversed()
        return told
    }
}
