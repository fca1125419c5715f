import GRDB
import MooringModel

/// Findings as intervals: a row stands from the run that first saw a finding in this state to the
/// one that last did, so that a night without changes writes nothing about them.
///
/// Each run that recorded its findings has a place in a series, counted from 1 in the ledger's own
/// order. A row without a last place stands up to the newest one of its series. Rows that begin
/// behind that are of a run that is recording, or was killed meanwhile: no run shows them, and the
/// next recording in the series removes them.
enum FindingIntervals {
    /// The migration that makes the tables, and intervals of what older ledgers hold.
    static let migration = "017-intervals"

    /// The tables beside the one of findings, which `migrate` puts in the place of the old one.
    ///
    /// A row's `runs` lacks what its run's `counted` adds; `findingCount` tells where a finding was
    /// counted otherwise than most of its series, as one that two configurations see.
    static let schema = """
        CREATE TABLE findingSeries (
            number INTEGER PRIMARY KEY,
            scope TEXT,
            configuration TEXT NOT NULL,
            place INTEGER NOT NULL,
            counted INTEGER NOT NULL,
            UNIQUE (scope, configuration)
        );
        CREATE TABLE recording (
            run INTEGER PRIMARY KEY REFERENCES run (number) ON DELETE CASCADE,
            series INTEGER NOT NULL REFERENCES findingSeries (number),
            place INTEGER NOT NULL,
            configuration TEXT NOT NULL,
            counted INTEGER NOT NULL,
            words BLOB NOT NULL,
            totals BLOB,
            UNIQUE (series, place)
        );
        CREATE TABLE findingRow (
            number INTEGER PRIMARY KEY,
            series INTEGER NOT NULL REFERENCES findingSeries (number),
            first INTEGER NOT NULL,
            last INTEGER,
            kind TEXT NOT NULL,
            bucket BLOB NOT NULL,
            key BLOB NOT NULL,
            id BLOB NOT NULL,
            verdict TEXT NOT NULL,
            runs INTEGER NOT NULL,
            firstSeen INTEGER NOT NULL,
            document BLOB NOT NULL,
            UNIQUE (id, series, first)
        );
        CREATE TABLE findingCount (
            finding INTEGER NOT NULL REFERENCES finding (number) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            runs INTEGER NOT NULL,
            PRIMARY KEY (finding, place)
        ) WITHOUT ROWID;
        """

    // The order of findingInOrder is the order of reports; what stands behind the id only makes it
    // covering.
    private static let exchange = """
        DELETE FROM findingSubject WHERE finding NOT IN (SELECT number FROM findingRow);
        DROP TABLE finding;
        ALTER TABLE findingRow RENAME TO finding;
        CREATE INDEX findingInOrder ON finding
            (series, kind, bucket, key, id, verdict, first, last);
        CREATE INDEX findingByFirst ON finding (series, first);
        CREATE INDEX findingByLast ON finding (series, last, first);
        """

    /// Makes intervals of rows that stand for one run each, reading them one after the other.
    static func migrate(_ db: Database) throws {
        var migration = IntervalMigration(db)
        try migration.numberRuns()
        try migration.joinRows()
        try db.execute(sql: exchange)
    }
}

extension FindingIntervals {
    /// Removes a finding from every run, and returns how many of them had it.
    static func erase(_ id: Blob, _ db: Database) throws -> Int {
        let runs = try Int64.fetchAll(
            db,
            sql: """
                SELECT recording.run FROM finding
                CROSS JOIN recording ON recording.series = finding.series
                    AND recording.place >= first AND (last IS NULL OR recording.place <= last)
                WHERE finding.id = ?
                """, arguments: [id])
        for run in runs {
            // They are counted anew when somebody asks.
            try db.cachedStatement(sql: "UPDATE recording SET totals = NULL WHERE run = ?")
                .execute(arguments: [run])
        }
        try db.execute(sql: "DELETE FROM finding WHERE id = ?", arguments: [id])
        return runs.count
    }

    /// Removes the rows that no run but this one has, right before the run itself goes.
    static func removeRows(ofNoneBut run: RunID, _ db: Database) throws {
        guard let own = try RecordedRun(run, db) else { return }
        let (before, behind) = (
            try Int64.fetchOne(
                db, sql: "SELECT max(place) FROM recording WHERE series = ? AND place < ?",
                arguments: [own.series, own.place]) ?? 0,
            try Int64.fetchOne(
                db, sql: "SELECT min(place) FROM recording WHERE series = ? AND place > ?",
                arguments: [own.series, own.place])
        )
        try db.execute(
            sql: """
                DELETE FROM finding
                WHERE series = ? AND last >= ? AND last < ? AND first > ? AND first <= ?
                """, arguments: [own.series, own.place, behind ?? .max, before, own.place])
        guard behind == nil else { return }
        let open = try Row.fetchAll(
            db,
            sql: """
                SELECT finding.number, id, findingSeries.place - first + 1
                FROM finding JOIN findingSeries ON findingSeries.number = finding.series
                WHERE finding.series = ? AND last IS NULL AND first > ? AND first <= ?
                """, arguments: [own.series, before, own.place])
        for row in open {
            try db.cachedStatement(sql: "UPDATE history SET runs = runs + ? WHERE finding = ?")
                .execute(arguments: [row[2] as Int64, row[1] as Blob])
            try db.cachedStatement(sql: "DELETE FROM finding WHERE number = ?")
                .execute(arguments: [row[0] as Int64])
        }
    }
}
