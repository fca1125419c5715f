import MooringLedger
import MooringModel

extension Job {
    /// The references of the last complete run before this one, with which the guard
    /// `referenceDrop` compares; nil when there was none.
    ///
    /// A run whose own drop was refused is passed over, unless a plan of it was accepted in
    /// words: else a second look at a broken source would call the loss normal.
    func referencesBefore(_ run: RunID) throws -> Int? {
        for earlier in try ledger.runs() where earlier.id < run {
            guard earlier.status == .complete, Pipeline.auditCommands.contains(earlier.command)
            else { continue }
            let isRefused = earlier.guards.contains { $0.name == "referenceDrop" && $0.refused }
            if isRefused, try ledger.lastPlan(of: earlier.id)?.accepted["referenceDrop"] == nil {
                continue
            }
            return earlier.records.reduce(0) { $0 + $1.references }
        }
        return nil
    }
}
