import MooringText

/// Whether the server has room for the locks of a scan, all of which one transaction holds to its
/// end: on a table, on each of its partitions and indexes, and on what holds its long values.
///
/// The table of locks is shared. Where it is full the server refuses the next transaction, whoever
/// it belongs to, so that a scan would end the app's own.
///
/// Source: PostgreSQL's documentation of `max_locks_per_transaction`, whose product with
/// `max_connections + max_prepared_transactions` is the number of objects that can be locked.
struct LockRoom {
    /// How many objects all transactions may lock.
    let total: Int64
    /// How many are locked.
    let locked: Int64
    /// How many more the scan would lock.
    let needed: Int64
    /// How many transactions the server counts with.
    let transactions: Int64
    /// The share of what is free that a scan may take.
    let share: Double

    /// Throws where the locks would take more than their share of what is free.
    func require() throws(PostgresFailure) {
        let free = Double(max(total - locked, 0)) * share
        guard Double(needed) > free else { return }
        let fits = (Double(needed) / share + Double(locked)) / Double(max(transactions, 1))
        throw PostgresFailure(
            "one snapshot of its tables takes \(needed) locks; of \(total) that the server has "
                + "room for \(locked) are held, and a scan takes no more than \(Int(free)), so "
                + "that the app's own transactions go on",
            hint: "set max_locks_per_transaction to \(Int(fits.rounded(.up))) or more and restart "
                + "the server, or leave tables out with unread")
    }
}

extension LockRoom {
    /// Asks the server.
    init(
        for relations: Set<Catalogue.Relation>, share: Double, on connection: PostgresConnection
    ) throws(PostgresFailure) {
        let oids = "{" + relations.map { String($0.oid) }.joined(separator: ",") + "}"
        let rows = try connection.query(
            SQLText(
                """
                WITH given AS (SELECT pg_catalog.unnest($1::pg_catalog.oid[]) AS oid),
                    read AS (SELECT oid FROM given UNION SELECT tree.relid::pg_catalog.oid
                        FROM given, pg_catalog.pg_partition_tree(given.oid) AS tree),
                    room AS (SELECT pg_catalog.current_setting('max_connections')
                        ::pg_catalog.int8 + pg_catalog.current_setting('max_prepared_transactions')
                        ::pg_catalog.int8 AS transactions)
                SELECT room.transactions::pg_catalog.text,
                    (room.transactions * pg_catalog.current_setting('max_locks_per_transaction')
                        ::pg_catalog.int8)::pg_catalog.text,
                    (SELECT pg_catalog.count(*) FROM pg_catalog.pg_locks WHERE NOT fastpath)
                        ::pg_catalog.text,
                    ((SELECT pg_catalog.count(*) FROM read)
                        + (SELECT pg_catalog.count(*) FROM pg_catalog.pg_index AS i
                            WHERE i.indrelid IN (SELECT oid FROM read))
                        + 2 * (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class AS c
                            WHERE c.oid IN (SELECT oid FROM read) AND c.reltoastrelid <> 0))
                        ::pg_catalog.text
                FROM room
                """), [Array(oids.utf8)])
        transactions = rows.number(0, 0) ?? 0
        total = rows.number(0, 1) ?? 0
        locked = rows.number(0, 2) ?? 0
        needed = rows.number(0, 3) ?? 0
        self.share = share
    }
}
