import MooringLedger
package import MooringModel

extension Job {
    /// The references of the last complete run before this one, less those that Mooring itself
    /// took away since: what the guard `referenceDrop` compares with; nil when there was none.
    ///
    /// A run whose own drop was refused is passed over, unless a plan of it was accepted in
    /// words: else a second look at a broken source would call the loss normal.
    package func referencesBefore(_ run: RunID) throws -> Int? {
        var nulled = 0
        for earlier in try ledger.runs() where earlier.id < run {
            nulled += try nulledReferences(earlier.id)
            guard earlier.status == .complete, Pipeline.auditCommands.contains(earlier.command)
            else { continue }
            let isRefused = earlier.guards.contains { $0.name == "referenceDrop" && $0.refused }
            if isRefused, try ledger.lastPlan(of: earlier.id)?.accepted["referenceDrop"] == nil {
                continue
            }
            return max(0, earlier.records.reduce(0) { $0 + $1.references } - nulled)
        }
        return nil
    }

    /// The references of an audit's run, less those that Mooring itself nulled since; nil when the
    /// ledger no longer knows the run.
    func referencesLeft(of run: RunID) throws -> Int? {
        guard let summary = try ledger.run(run) else { return nil }
        let later = try ledger.runs().prefix { $0.id >= run }
        let nulled = try later.reduce(0) { $0 + (try nulledReferences($1.id)) }
        return max(0, summary.records.reduce(0) { $0 + $1.references } - nulled)
    }

    // A step may take several keys away; counting it once errs to refusing.
    private func nulledReferences(_ run: RunID) throws -> Int {
        try ledger.journal(run: run).reduce(0) { count, entry in
            guard entry.outcome == .done else { return count }
            let isUndo = entry.undoes != nil
            switch entry.step.strategy {
            case .nullify where entry.step.key != nil: return isUndo ? count - 1 : count + 1
            case .deleteRecord: return count + 1
            case .relink: return isUndo ? count + 1 : count - 1
            default: return count
            }
        }
    }
}
