import MooringModel
import MooringText
import Synchronization

/// What the server and the role allow.
struct RoleLimits {
    /// The models whose tables would be written.
    let mapping: RecordMapping
    /// The tables of the database, as the transaction sees them.
    let catalogue: Catalogue

    /// What keeps the source from serving repairs.
    func limits() throws(PostgresFailure) -> RecordLimits {
        var limits = RecordLimits()
        let rows = try catalogue.connection.query(
            SQLText(
                """
                SELECT pg_catalog.pg_is_in_recovery(),
                    pg_catalog.current_setting('default_transaction_read_only') = 'on'
                """))
        if rows.isTrue(0, 0) {
            limits.proofs = "the server is a replica in recovery, which may lag behind"
        } else if let table = try subscribedTable() {
            limits.proofs =
                "table \(quotedName(Array(table.utf8))) is filled by a subscription of logical "
                + "replication, which may lag behind; name the database that publishes it"
        }
        if rows.isTrue(0, 1) {
            limits.writes = "transactions are read-only by default for this role or database"
        } else if try !mayWriteSomething() {
            limits.writes = "the role may update no column of the mapped tables"
        }
        return limits
    }

    /// The name of the role that a connection acts as.
    static func currentRole(_ connection: PostgresConnection) throws(PostgresFailure) -> [UInt8] {
        try connection.query(SQLText("SELECT current_user::pg_catalog.text")).text(0, 0) ?? []
    }

    /// The tables of a scope that the role may not read, those of `everything` as a scan takes
    /// them: a partition is read through its table.
    func unreadable(_ scope: RecordScope) throws(PostgresFailure) -> [Catalogue.Relation] {
        let rows = try catalogue.connection.query(
            SQLText(
                """
                SELECT c.oid::pg_catalog.int8::pg_catalog.text FROM pg_catalog.pg_class AS c
                WHERE c.relkind IN ('r', 'p', 'm')
                    AND NOT (pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE')
                        AND pg_catalog.has_table_privilege(c.oid, 'SELECT'))
                """))
        let closed = Set((0..<rows.count).compactMap { rows.number($0, 0) })
        let kinds: [Catalogue.Kind] = [.table, .partitioned, .materialized]
        return try catalogue.relations().filter { relation in
            kinds.contains(relation.kind) && !relation.isPartition
                && closed.contains(Int64(relation.oid))
                && !scope.leavesOut(catalogue.name(of: relation))
                && !scope.leavesOut(
                    TableName.spelled(schema: relation.schema, relation.name))
        }
    }

    // A mapped table that another server fills: rows that are there may be missing here. A
    // subscription names the table itself, or a partitioned one above or below it.
    private func subscribedTable() throws(PostgresFailure) -> String? {
        for table in tables {
            guard let relation = try relation(table) else { continue }
            let rows = try catalogue.connection.query(
                SQLText(
                    """
                    SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_subscription_rel
                    WHERE srrelid = $1::pg_catalog.oid OR srrelid IN
                        (SELECT relid FROM pg_catalog.pg_partition_ancestors($1::pg_catalog.oid)
                        UNION ALL
                        SELECT relid FROM pg_catalog.pg_partition_tree($1::pg_catalog.oid)))
                    """), [Array(String(relation.oid).utf8)])
            if rows.isTrue(0, 0) { return table }
        }
        return nil
    }

    // A role that may write some of them is refused the others when it comes to them.
    private func mayWriteSomething() throws(PostgresFailure) -> Bool {
        for table in tables {
            guard let relation = try relation(table) else { continue }
            let rows = try catalogue.connection.query(
                SQLText(
                    "SELECT pg_catalog.has_any_column_privilege($1::pg_catalog.oid, 'UPDATE')"),
                [Array(String(relation.oid).utf8)])
            if rows.isTrue(0, 0) { return true }
        }
        return tables.isEmpty
    }

    private var tables: [String] { Set(mapping.models.map(\.table)).sorted() }

    // A table that is not there is the scan's to tell.
    private func relation(_ table: String) throws(PostgresFailure) -> Catalogue.Relation? {
        do {
            return try catalogue.relation(table)
        } catch {
            if error.isLost { throw error }
            return nil
        }
    }
}

/// Whether a transaction may have been committed.
final class CommitMark: Sendable {
    private let mark = Atomic<Bool>(false)

    /// Whether the commit was sent.
    var isSet: Bool { mark.load(ordering: .sequentiallyConsistent) }

    /// The commit is sent next.
    func set() { mark.store(true, ordering: .sequentiallyConsistent) }
}

extension PostgresFailure {
    /// Whether Mooring itself says no, with the connection in order.
    var isOwnRefusal: Bool { state == nil && !isLost }
}
