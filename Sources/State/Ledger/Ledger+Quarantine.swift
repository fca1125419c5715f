import GRDB
package import MooringModel

extension Ledger {
    /// Remembers where a bucket's removed objects lie, for as long as the ledger lives.
    package func remember(
        _ location: QuarantineLocation, bucket: String, store: String
    ) throws(LedgerError) {
        try write("remembering the quarantine of bucket \(bucket)") { db in
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO quarantine (bucket, store, otherBucket, prefix)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    Blob(bucket), Blob(store), Blob(location.bucket ?? ""),
                    Blob(location.prefix.bytes),
                ])
        }
    }

    /// Everywhere that objects of a bucket were put, while the same store had its name; in the
    /// order of their prefixes.
    package func quarantines(
        bucket: String, store: String
    ) throws(LedgerError) -> [QuarantineLocation] {
        try read("reading the quarantines of bucket \(bucket)") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT otherBucket, prefix FROM quarantine WHERE bucket = ? AND store = ?
                    ORDER BY prefix, otherBucket
                    """, arguments: [Blob(bucket), Blob(store)]
            ).map { row in
                let (other, prefix): (Blob, Blob) = (row[0], row[1])
                return QuarantineLocation(
                    bucket: other.bytes.isEmpty ? nil : other.text,
                    prefix: ObjectKey(prefix.bytes))
            }
        }
    }

    /// The places of runs in the order in which the ledger saw them act, whatever the clock said;
    /// without those of which it knows no act but what was read back for a `rebuilt` reason.
    package func order(
        of runs: Set<RunID>, rebuilt: String
    ) throws(LedgerError) -> [RunID: Int64] {
        try read("reading the order of runs") { db in
            let select = try db.cachedStatement(
                sql: """
                    SELECT number FROM journal WHERE run = ? AND reason IS NOT ?
                    ORDER BY number LIMIT 1
                    """)
            var order: [RunID: Int64] = [:]
            for run in runs {
                order[run] = try Int64.fetchOne(select, arguments: [run.text, Blob(rebuilt)])
            }
            return order
        }
    }
}

extension LedgerSchema {
    /// The table of quarantines.
    ///
    /// Versions before it could put an object where an older one of its key lay, under the older
    /// one's run: what was counted of such runs' objects says nothing of the later one. A document
    /// that cannot be read stays for `ledger check` to name, and does not keep the ledger shut.
    static let quarantine = """
        CREATE TABLE quarantine (
            bucket BLOB NOT NULL,
            store BLOB NOT NULL,
            otherBucket BLOB NOT NULL,
            prefix BLOB NOT NULL,
            PRIMARY KEY (bucket, store, otherBucket, prefix)
        ) WITHOUT ROWID;
        DELETE FROM watch WHERE quarantineRun IN (
            SELECT CASE WHEN json_valid(CAST(document AS TEXT)) THEN
                json_extract(CAST(document AS TEXT), '$.step.precondition.quarantinedBy') END
            FROM journal
            WHERE CASE WHEN json_valid(CAST(document AS TEXT)) THEN
                json_extract(CAST(document AS TEXT), '$.step.strategy') = 'quarantine'
                    AND json_extract(
                        CAST(document AS TEXT), '$.step.precondition.quarantinedBy') IS NOT NULL
                ELSE 0 END
        );
        """
}
