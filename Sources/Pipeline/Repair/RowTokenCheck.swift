import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Compares a record with the row by which a step was judged, at the moment of acting: what
/// somebody wrote since has outlived that judgement, whatever it holds.
struct RowTokenCheck {
    /// The step's record.
    let context: RecordContext
    /// Knows what earlier steps of the same plan wrote.
    let journal: StepJournal

    /// Why the step must not act; nil where the row is the one that was judged.
    ///
    /// Where the record has a version of its own, that is compared elsewhere.
    func objection() async -> ReferenceAnswer? {
        let precondition = context.step.precondition
        guard precondition.recordVersion == nil else { return nil }
        guard let token = precondition.rowToken else {
            return .released("nothing tells the record as it was judged: audit and plan again")
        }
        do {
            let columns = try await context.source.readableColumns(
                table: context.mapping.table, idColumns: context.mapping.id,
                id: context.identity.id)
            let rows = try await context.source.rows(
                table: context.mapping.table, idColumns: context.mapping.id,
                id: context.identity.id, columns: columns)
            guard rows.count == 1 else {
                return .released(rows.isEmpty ? "the record is gone" : "several rows have this id")
            }
            let row = Dictionary(
                zip(columns, rows[0]), uniquingKeysWith: { first, _ in first })
            if RowToken.hash(of: row) == token { return nil }
            if RowToken.hash(of: try beforeOwnSteps(row)) == token { return nil }
            return .released("the record was written since it was judged")
        } catch {
            return .unknown("\(error)")
        }
    }

    // The row without what earlier steps of the same plan wrote into it, the last of them first.
    private func beforeOwnSteps(_ row: FieldChange.Row) throws -> FieldChange.Row {
        guard let plan = journal.plan else { return row }
        let own = try context.job.ledger.journal(about: context.identity).filter {
            $0.plan == plan && $0.outcome == .done && $0.undoes == nil
        }
        var before = row
        for change in own.sorted(by: { $0.number > $1.number }).compactMap(\.change) {
            guard change.act == .update,
                change.assignments.allSatisfy({ before[$0.column] == $0.value })
            else { return row }
            for value in change.expected { before[value.column] = value.value }
        }
        return before
    }
}
