import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel

/// Reads a stale copy's authority again and makes the copy say the same, where the copy still is
/// as it was read; a copy of a record that is gone goes too.
struct CopyRefresh: RecordAct {
    let context: RecordContext
    private let authority: any RecordSource
    private let mapping: ModelMapping

    /// The act of a step, over every column of the copy; nil where its authority is not configured.
    init?(_ context: RecordContext) {
        let (job, identity) = (context.job, context.identity)
        let own = job.configuration.records.first { $0.name == identity.source }
        guard let name = own?.replicaOf, let authority = job.source(name),
            let mapping = job.mapping(
                RecordIdentity(source: name, model: identity.model, id: identity.id))
        else { return nil }
        self.context = context
        self.authority = authority
        self.mapping = mapping
    }

    var otherwise: String {
        "the copy is no longer behind its authority, or its authority lacks the record by now"
    }

    func change(
        _ reading: RecordReading, _ row: FieldChange.Row, at now: Instant
    ) async throws -> RecordChange? {
        let columns = try await authority.columns(
            table: mapping.table, idColumns: mapping.id, id: context.identity.id)
        let rows = try await authority.rows(
            table: mapping.table, idColumns: mapping.id, id: context.identity.id,
            columns: columns)
        guard let reader = RecordReader(mapping: mapping, columns: columns), rows.count <= 1
        else { return nil }
        guard let found = rows.first else {
            // That a copy was behind proves nothing about a record that went since.
            let judged = try context.job.ledger.appearances(of: context.step.finding, limit: 1)
            guard judged.first?.finding.cause == .deletedUpstream else { return nil }
            return CopyChange.removing(reading.id, mapping: context.mapping, row: row)
        }
        guard let original = reader.read(found) else { return nil }
        // The device itself removes its copy of what is marked as deleted, row and mark together.
        if original.isTombstone, context.job.outboxes[context.identity.source] != nil {
            return nil
        }
        let wanted = Dictionary(zip(columns, found), uniquingKeysWith: { first, _ in first })
        return CopyChange.refreshing(
            reading, by: original, mapping: context.mapping, row: row, wanted: wanted)
    }

    // The authority was read with the copy each time; a removal assigns nothing.
    func compared(_ change: RecordChange) -> [FieldValue] {
        change.assignments.flatMap { [.text(Array($0.column.utf8)), $0.value] }
    }

    // What the copy shall say was read with the copy itself, twice and alike.
    func look(_ reading: RecordReading?) async -> LookAnswer { .asJudged }
}
