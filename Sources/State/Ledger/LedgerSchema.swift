import GRDB

/// The tables, made by migrations that are never changed once released: a new one is appended.
///
/// Times are INTEGER nanoseconds, keys and other foreign texts BLOBs, run ids TEXT, since their
/// byte order is their order in time. Documents are the JSON of MooringModel.
enum LedgerSchema {
    /// All migrations in their order; one that was released is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, sql) in migrations {
            migrator.registerMigration(name) { db in
                try db.execute(sql: sql)
                if name == JournalChain.migration { try JournalChain.linkExisting(db) }
                if name == FindingIntervals.migration { try FindingIntervals.migrate(db) }
            }
        }
        return migrator
    }

    private static let migrations = [
        ("001-runs", runs), ("002-findings", findings), ("003-sights", sights),
        ("004-plans", plans), ("005-journal", journal), ("006-watch", watch),
        (JournalChain.migration, JournalChain.schema), ("008-identity", identity),
        ("009-capability", capability), ("010-quarantine", quarantine),
        ("011-places", PlaceCount.schema), ("012-storeIdentity", storeIdentity),
        ("013-looks", looks), ("015-scopes", RunSources.schema), ("016-losses", losses),
        (FindingIntervals.migration, FindingIntervals.schema),
        // No table changes, but programs of before look a finding's own key up where it is no more.
        ("018-ownKeys", ""),
    ]

    private static let runs = """
        CREATE TABLE run (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            command TEXT NOT NULL,
            status TEXT NOT NULL,
            startedAt INTEGER NOT NULL,
            document BLOB NOT NULL
        );
        CREATE INDEX runByCommand ON run (command, status, id);
        """

    // The order of findingInOrder is the order of reports; the verdict only makes it covering.
    private static let findings = """
        CREATE TABLE finding (
            number INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            bucket BLOB NOT NULL,
            key BLOB NOT NULL,
            id BLOB NOT NULL,
            verdict TEXT NOT NULL,
            document BLOB NOT NULL,
            UNIQUE (id, run)
        );
        CREATE INDEX findingInOrder ON finding (run, kind, bucket, key, id, verdict);
        CREATE TABLE findingSubject (
            subject BLOB NOT NULL,
            finding INTEGER NOT NULL REFERENCES finding (number) ON DELETE CASCADE,
            PRIMARY KEY (subject, finding)
        ) WITHOUT ROWID;
        CREATE INDEX findingSubjectByFinding ON findingSubject (finding);
        CREATE TABLE history (
            finding BLOB PRIMARY KEY,
            firstSeen INTEGER NOT NULL,
            runs INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    private static let sights = """
        CREATE TABLE sighting (
            finding BLOB PRIMARY KEY,
            token BLOB NOT NULL,
            \(tally)
        ) WITHOUT ROWID;
        CREATE TABLE objectSight (
            bucket BLOB NOT NULL,
            key BLOB NOT NULL,
            token BLOB NOT NULL,
            firstAt INTEGER NOT NULL,
            lastRun TEXT NOT NULL,
            PRIMARY KEY (bucket, key)
        ) WITHOUT ROWID;
        CREATE TABLE recordSight (
            record BLOB PRIMARY KEY,
            token BLOB NOT NULL,
            firstAt INTEGER NOT NULL,
            lastRun TEXT NOT NULL
        ) WITHOUT ROWID;
        """

    private static let plans = """
        CREATE TABLE plan (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            run TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            document BLOB NOT NULL
        );
        CREATE INDEX planByRun ON plan (run, createdAt);
        """

    // The triggers hold the journal to what it promises, even against this program.
    private static let journal = """
        CREATE TABLE journal (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run TEXT NOT NULL,
            plan BLOB,
            intendedAt INTEGER NOT NULL,
            document BLOB NOT NULL,
            outcome TEXT,
            reason BLOB,
            endedAt INTEGER
        );
        CREATE INDEX journalByRun ON journal (run);
        CREATE INDEX journalByPlan ON journal (plan);
        CREATE INDEX journalOpen ON journal (number) WHERE outcome IS NULL;
        CREATE TABLE journalSubject (
            subject BLOB NOT NULL,
            entry INTEGER NOT NULL REFERENCES journal (number),
            PRIMARY KEY (subject, entry)
        ) WITHOUT ROWID;
        CREATE TRIGGER journalKeepsEntries BEFORE DELETE ON journal
        BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only');
        END;
        CREATE TRIGGER journalKeepsIntents
        BEFORE UPDATE OF number, run, plan, intendedAt, document ON journal
        BEGIN
            SELECT RAISE(ABORT, 'an intent in the journal never changes');
        END;
        CREATE TRIGGER journalKeepsOutcomes
        BEFORE UPDATE OF outcome, reason, endedAt ON journal
        WHEN OLD.outcome IS NOT NULL
            AND (OLD.outcome <> 'done' OR NEW.outcome IS NOT 'undone')
        BEGIN
            SELECT RAISE(ABORT, 'an outcome in the journal never changes');
        END;
        """

    private static let watch = """
        CREATE TABLE watch (
            bucket BLOB NOT NULL,
            key BLOB NOT NULL,
            quarantineRun TEXT NOT NULL,
            size INTEGER NOT NULL,
            etag BLOB NOT NULL,
            lastModified INTEGER NOT NULL,
            versionID BLOB,
            \(tally),
            PRIMARY KEY (bucket, key, quarantineRun)
        ) WITHOUT ROWID;
        """

    // Rows of before say NULL, and `WatchLooks` tells what is known of them; whether an absent
    // record was ever seen is known of those that were there when a run saw them last.
    private static let looks = """
        ALTER TABLE watch ADD COLUMN looks BLOB;
        ALTER TABLE watch ADD COLUMN closedLooks BLOB;
        ALTER TABLE recordSight ADD COLUMN wasSeen INTEGER NOT NULL DEFAULT 0;
        UPDATE recordSight SET wasSeen = 1 WHERE token <> CAST('absent' AS BLOB);
        """

    // The columns of RunTally.
    private static let tally = """
        runs INTEGER NOT NULL,
            firstAt INTEGER,
            lastAt INTEGER,
            closedRuns INTEGER NOT NULL,
            closedAt INTEGER,
            lastRun TEXT NOT NULL
        """
}
