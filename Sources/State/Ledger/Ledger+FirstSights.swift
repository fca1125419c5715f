import GRDB
package import MooringModel

extension Ledger {
    /// When each version of an object was first seen, in the order given: now, unless the ledger
    /// holds the same token from before.
    ///
    /// One version is kept of each object; one that comes back after another is seen anew. Tokens
    /// are the same as `ObjectVersion.isToken` says.
    package func firstSights(
        of objects: [(bucket: String, key: ObjectKey, token: String)], at instant: Instant,
        run: RunID
    ) throws(LedgerError) -> [Instant] {
        try write("noting first sights of run \(run.text)") { db in
            let upsert = try db.cachedStatement(
                sql: """
                    INSERT INTO objectSight (bucket, key, token, firstAt, lastRun)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT (bucket, key)
                    DO UPDATE SET \(Self.renewal(where: Self.sameObject)) RETURNING firstAt
                    """)
            return try objects.map { object in
                try Self.firstSight(
                    upsert,
                    [
                        Blob(object.bucket), Blob(object.key.bytes), Blob(object.token), instant,
                        run.text,
                    ])
            }
        }
    }

    /// The token of a record that is not there.
    package static let absentToken = "absent"

    /// What is known of a record's version, or of its absence.
    package struct RecordSight: Hashable, Sendable {
        /// When it was first seen.
        package let firstAt: Instant
        /// Whether the record was there when some run looked, this one or an earlier one.
        package let wasSeen: Bool

        /// What is known of a version.
        package init(firstAt: Instant, wasSeen: Bool) {
            self.firstAt = firstAt
            self.wasSeen = wasSeen
        }
    }

    /// When each version of a record, or its absence, was first seen, in the order given.
    ///
    /// One token is kept of each record, as for objects, and beside it whether the record ever had
    /// another than that of absence.
    package func recordSights(
        of records: [(identity: RecordIdentity, token: String)], at instant: Instant, run: RunID
    ) throws(LedgerError) -> [RecordSight] {
        try write("noting first sights of run \(run.text)") { db in
            let upsert = try db.cachedStatement(
                sql: """
                    INSERT INTO recordSight (record, token, firstAt, lastRun, wasSeen)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT (record)
                    DO UPDATE SET \(Self.renewal(where: Self.sameToken)),
                        wasSeen = max(wasSeen, excluded.wasSeen)
                    RETURNING firstAt, wasSeen
                    """)
            return try records.map { record in
                let row = try Row.fetchOne(
                    upsert,
                    arguments: [
                        Subject.record(record.identity).blob, Blob(record.token), instant,
                        run.text, record.token == Self.absentToken ? 0 : 1,
                    ])
                guard let row else { throw DocumentError("a first sight was not stored") }
                return RecordSight(firstAt: row[0], wasSeen: row[1])
            }
        }
    }

    /// The moments of `recordSights`, in the order of the records.
    package func firstSights(
        of records: [(identity: RecordIdentity, token: String)], at instant: Instant, run: RunID
    ) throws(LedgerError) -> [Instant] {
        try recordSights(of: records, at: instant, run: run).map(\.firstAt)
    }

    /// Forgets the first sights that a complete run did not ask for and might have asked for;
    /// without a scope all of them.
    package func closeFirstSights(run: RunID, in scope: RunScope? = nil) throws(LedgerError) {
        try write("closing the first sights of run \(run.text)") { db in
            guard let scope else {
                for table in ["objectSight", "recordSight"] {
                    try db.execute(
                        sql: "DELETE FROM \(table) WHERE lastRun <> ?", arguments: [run.text])
                }
                return
            }
            for (bucket, prefixes) in scope.buckets {
                for prefix in prefixes {
                    try db.execute(
                        sql: """
                            DELETE FROM objectSight WHERE lastRun <> ? AND bucket = ?
                                AND substr(key, 1, ?) = ?
                            """,
                        arguments: [
                            run.text, Blob(bucket), prefix.bytes.count, Blob(prefix.bytes),
                        ])
                }
            }
            for source in scope.sources {
                let head = Subject.head(ofRecordsIn: source)
                try db.execute(
                    sql: "DELETE FROM recordSight WHERE lastRun <> ? AND substr(record, 1, ?) = ?",
                    arguments: [run.text, head.bytes.count, head])
            }
        }
    }

    /// Forgets every first sight that a run asked for: what was seen on another store than the one
    /// that is meant was not seen at all, and an older one is noted anew.
    package func dropFirstSights(run: RunID) throws(LedgerError) {
        try write("dropping the first sights of run \(run.text)") { db in
            for table in ["objectSight", "recordSight"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE lastRun = ?", arguments: [run.text])
            }
        }
    }

    private static func renewal(where isSame: String) -> String {
        """
        firstAt = CASE WHEN \(isSame) THEN firstAt ELSE excluded.firstAt END,
            token = excluded.token, lastRun = excluded.lastRun
        """
    }

    private static let sameToken = "token = excluded.token"
    // As `ObjectVersion.isToken` says it.
    private static let sameObject = """
        token = excluded.token OR (substr(excluded.token, -1) = x'7c'
            AND substr(token, 1, length(excluded.token)) = excluded.token
            AND instr(substr(token, length(excluded.token) + 1), x'7c') = 0)
        """

    private static func firstSight(
        _ upsert: Statement, _ arguments: StatementArguments
    ) throws -> Instant {
        guard let instant = try Instant.fetchOne(upsert, arguments: arguments) else {
            throw DocumentError("a first sight was not stored")
        }
        return instant
    }
}
