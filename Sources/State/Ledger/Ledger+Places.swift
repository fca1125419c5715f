import GRDB
package import MooringModel

extension Ledger {
    /// Keeps what a complete run counted, and forgets what no usual count needs: those of runs that
    /// began before a moment, but for the newest that stands of each place, and for all of a place
    /// whose newest count was refused.
    package func record(
        _ counts: [PlaceCount], of run: RunID, forgetting before: Instant
    ) throws(LedgerError) {
        let refused = "recording counts of run \(run.text)"
        try write(refused) { db in
            let number = try knownNumber(of: run, db, refused: refused)
            let start = try Instant.fetchOne(
                db, sql: "SELECT startedAt FROM run WHERE number = ?", arguments: [number])
            let journal = try Int64.fetchOne(db, sql: "SELECT max(number) FROM journal")
            let insert = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO placeCount (kind, place, fingerprint, sequence, run, at,
                        count, refused, accepted, journal)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for count in counts {
                try insert.execute(arguments: [
                    count.kind.rawValue, count.place, count.fingerprint, number, run.text,
                    start ?? .distantPast, count.count, count.isRefused, count.isAccepted,
                    journal ?? 0,
                ])
            }
            try Self.forget(before: before, db)
        }
    }

    private static func forget(before: Instant, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM placeCount WHERE at < ? AND EXISTS
                    (SELECT 1 FROM placeCount AS later
                    WHERE later.kind = placeCount.kind AND later.place = placeCount.place
                        AND later.fingerprint = placeCount.fingerprint
                        AND later.sequence > placeCount.sequence
                        AND (later.refused = 0 OR later.accepted = 1))
                    AND (SELECT newest.refused = 0 FROM placeCount AS newest
                        WHERE newest.kind = placeCount.kind AND newest.place = placeCount.place
                            AND newest.fingerprint = placeCount.fingerprint
                        ORDER BY newest.sequence DESC LIMIT 1)
                """, arguments: [before])
    }

    /// Marks what a run counted in some places as accepted in words.
    package func accept(
        _ kind: PlaceCount.Kind, _ places: [String], of run: RunID
    ) throws(LedgerError) {
        try write("accepting counts of run \(run.text)") { db in
            for place in places {
                try db.execute(
                    sql: """
                        UPDATE placeCount SET refused = 0, accepted = 1
                        WHERE run = ? AND kind = ? AND place = ?
                        """, arguments: [run.text, kind.rawValue, place])
            }
        }
    }

    /// What runs before this one counted, in no order.
    package func placeCounts(before run: RunID) throws(LedgerError) -> [PlaceCount] {
        let refused = "reading counts before run \(run.text)"
        return try read(refused) { db in
            let number = try Self.number(of: run, db) ?? .max
            return try Self.counts(db, "sequence < ?", [number])
        }
    }

    /// What a run counted; empty where nothing of it is kept.
    package func placeCounts(of run: RunID) throws(LedgerError) -> [PlaceCount] {
        try read("reading counts of run \(run.text)") { db in
            try Self.counts(db, "run = ?", [run.text])
        }
    }

    private static func counts(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [PlaceCount] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT kind, place, fingerprint, count, refused, accepted, sequence, at, journal
                FROM placeCount WHERE \(condition)
                """, arguments: arguments)
        var counts: [PlaceCount] = []
        while let row = try rows.next() {
            guard let kind = PlaceCount.Kind(rawValue: row[0]) else { continue }
            var count = PlaceCount(
                kind: kind, place: row[1], fingerprint: row[2], count: row[3],
                isRefused: row[4], isAccepted: row[5])
            (count.sequence, count.at, count.journal) = (row[6], row[7], row[8])
            counts.append(count)
        }
        return counts
    }
}
