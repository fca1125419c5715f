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
            let select = try RepeatedStatement(
                db, "SELECT token, firstAt FROM objectSight WHERE bucket = ? AND key = ?")
            let insert = try RepeatedStatement(
                db,
                """
                INSERT INTO objectSight (token, firstAt, lastRun, bucket, key)
                VALUES (?, ?, ?, ?, ?)
                """)
            let update = try RepeatedStatement(
                db,
                """
                UPDATE objectSight SET token = ?, firstAt = ?, lastRun = ?
                WHERE bucket = ? AND key = ?
                """)
            return try objects.map { object in
                let place: [RepeatedStatement.Value] = [
                    .bytes(object.bucket), .blob(object.key.bytes),
                ]
                var isKnown = false
                let before = try select.first(place) { row -> Instant? in
                    isKnown = true
                    return ObjectVersion.isToken(row.text(0), for: object.token)
                        ? row.instant(1) : nil
                }
                let firstAt = (before ?? nil) ?? instant
                // Two statements: one that does both keeps a copy of each page that it changes.
                try (isKnown ? update : insert).run(
                    [.bytes(object.token), .instant(firstAt), .text(run.text)] + place)
                return firstAt
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
            let upsert = try RepeatedStatement(
                db,
                """
                INSERT INTO recordSight (record, token, firstAt, lastRun, wasSeen)
                VALUES (?, ?, ?, ?, ?) ON CONFLICT (record)
                DO UPDATE SET \(Self.renewal(where: Self.sameToken)),
                    wasSeen = max(wasSeen, excluded.wasSeen)
                RETURNING firstAt, wasSeen
                """)
            return try records.map { record in
                let sight = try upsert.first([
                    .blob(Subject.record(record.identity).blob.bytes), .bytes(record.token),
                    .instant(instant), .text(run.text),
                    .integer(record.token == Self.absentToken ? 0 : 1),
                ]) { row in
                    RecordSight(
                        firstAt: Instant(nanoseconds: row.integer(0)),
                        wasSeen: row.integer(1) != 0)
                }
                return try Self.stored(sight)
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

    private static func stored<Sight>(_ sight: Sight?) throws -> Sight {
        guard let sight else { throw DocumentError("a first sight was not stored") }
        return sight
    }
}
