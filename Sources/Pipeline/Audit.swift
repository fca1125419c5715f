import MooringConfiguration
package import MooringDecisions
import MooringLedger
package import MooringModel
import MooringReconcile

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

    /// Whether a run scanned both sides to their end, as they were then.
    package static func isWholeAudit(_ run: RunSummary) -> Bool {
        auditCommands.contains(run.command) && run.isCompleteScan && !run.isJudgedAsOf
    }
}
