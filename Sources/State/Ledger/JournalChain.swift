import GRDB
import MooringDecisions
import MooringModel

/// The hash chain over the journal: one link for each intent, outcome and erasure, written in the
/// same transaction as what it links.
///
/// The head (how many links, and the last one) stands in a row of its own and, whenever a run's
/// summary is stored, in that run's row too, so that a chain that was cut at its end is seen.
enum JournalChain {
    /// The migration that makes the tables and links what older ledgers hold.
    static let migration = "007-chain"

    /// The tables. The triggers let an entry be erased right behind the link that says so, and
    /// change nothing else of what the journal's own promise.
    static let schema = """
        CREATE TABLE journalChain (
            number INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            entry INTEGER NOT NULL,
            content BLOB NOT NULL,
            hash BLOB NOT NULL
        );
        CREATE INDEX journalChainByEntry ON journalChain (entry, number);
        CREATE TABLE journalErasure (
            number INTEGER PRIMARY KEY REFERENCES journalChain (number),
            entry INTEGER NOT NULL,
            run TEXT NOT NULL,
            erasedAt INTEGER NOT NULL,
            before BLOB NOT NULL,
            intent BLOB NOT NULL,
            outcome BLOB
        );
        CREATE TABLE journalHead (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            links INTEGER NOT NULL,
            hash BLOB NOT NULL
        );
        INSERT INTO journalHead (one, links, hash) VALUES (1, 0, zeroblob(32));
        ALTER TABLE run ADD COLUMN journalLinks INTEGER;
        ALTER TABLE run ADD COLUMN journalHash BLOB;
        CREATE TRIGGER journalChainKeepsLinks BEFORE DELETE ON journalChain
        BEGIN
            SELECT RAISE(ABORT, 'a link of the journal is never removed');
        END;
        CREATE TRIGGER journalChainNeverChanges BEFORE UPDATE ON journalChain
        BEGIN
            SELECT RAISE(ABORT, 'a link of the journal never changes');
        END;
        CREATE TRIGGER journalErasureKeepsRows BEFORE DELETE ON journalErasure
        BEGIN
            SELECT RAISE(ABORT, 'an erasure in the journal is never removed');
        END;
        CREATE TRIGGER journalErasureNeverChanges BEFORE UPDATE ON journalErasure
        BEGIN
            SELECT RAISE(ABORT, 'an erasure in the journal never changes');
        END;
        DROP TRIGGER journalKeepsIntents;
        CREATE TRIGGER journalKeepsIntents
        BEFORE UPDATE OF number, run, plan, intendedAt, document ON journal
        WHEN NEW.number IS NOT OLD.number OR NEW.run IS NOT OLD.run
            OR NEW.plan IS NOT OLD.plan OR NEW.intendedAt IS NOT OLD.intendedAt
            OR \(isNotBeingErased)
        BEGIN
            SELECT RAISE(ABORT, 'an intent in the journal never changes');
        END;
        DROP TRIGGER journalKeepsOutcomes;
        CREATE TRIGGER journalKeepsOutcomes
        BEFORE UPDATE OF outcome, reason, endedAt ON journal
        WHEN OLD.outcome IS NOT NULL
            AND (OLD.outcome <> 'done' OR NEW.outcome IS NOT 'undone')
            AND (NEW.outcome IS NOT OLD.outcome OR NEW.endedAt IS NOT OLD.endedAt
                OR \(isNotBeingErased))
        BEGIN
            SELECT RAISE(ABORT, 'an outcome in the journal never changes');
        END;
        """

    // The last link is the erasure of this very entry.
    private static let isNotBeingErased = """
        (SELECT entry FROM journalErasure WHERE number = (SELECT links FROM journalHead))
            IS NOT OLD.number
        """

    /// Links everything that a ledger of before the chain holds, in the order of the entries.
    static func linkExisting(_ db: Database) throws {
        let entries = try Int64.fetchAll(db, sql: "SELECT number FROM journal ORDER BY number")
        for entry in entries {
            guard let row = try EntryRow.fetch(entry, db) else { continue }
            _ = try append(.intent, entry: entry, content: row.intent, db)
            if let outcome = row.outcome {
                _ = try append(.outcome, entry: entry, content: outcome, db)
            }
        }
    }

    /// Links the intent of an entry as it stands in the journal.
    static func linkIntent(of entry: Int64, _ db: Database) throws {
        guard let row = try EntryRow.fetch(entry, db) else { return }
        _ = try append(.intent, entry: entry, content: row.intent, db)
    }

    /// Links the outcome of an entry as it stands in the journal.
    static func linkOutcome(of entry: Int64, _ db: Database) throws {
        guard let outcome = try EntryRow.fetch(entry, db)?.outcome else { return }
        _ = try append(.outcome, entry: entry, content: outcome, db)
    }

    /// Writes one more link, moves the head on, and returns the link's number.
    static func append(
        _ kind: JournalLink.Kind, entry: Int64, content: [UInt8], _ db: Database
    ) throws -> Int64 {
        let head = try head(db)
        let link = JournalLink(after: head.hash, kind: kind, entry: entry, content: content)
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO journalChain (number, kind, entry, content, hash)
                VALUES (?, ?, ?, ?, ?)
                """)
        let number = head.links + 1
        try insert.execute(arguments: [
            number, kind.rawValue, entry, Blob(content), Blob(link.hash),
        ])
        try db.cachedStatement(sql: "UPDATE journalHead SET links = ?, hash = ?")
            .execute(arguments: [number, Blob(link.hash)])
        return number
    }

    /// How many links there are, and the last one; throws where nothing says so any more.
    static func head(_ db: Database) throws -> (links: Int64, hash: [UInt8]) {
        let select = try db.cachedStatement(sql: "SELECT links, hash FROM journalHead")
        guard let row = try Row.fetchOne(select), let hash = Blob.fromDatabaseValue(row[1]) else {
            throw DocumentError("the head of the journal's chain is missing")
        }
        return (row[0], hash.bytes)
    }
}

/// The hashes of what one row of the journal says, each column with its storage class.
struct EntryRow {
    /// The hash of the intent: run, plan, time and document.
    let intent: [UInt8]
    /// The hash of the outcome: how, why and when; nil while there is none.
    let outcome: [UInt8]?

    /// The columns in the order in which `init` takes them.
    static let columns = "run, plan, intendedAt, document, outcome, reason, endedAt"

    /// The hashes of a row whose columns begin at an index.
    init(_ row: Row, from index: Int) {
        let values = (0..<7).map { row[index + $0] as DatabaseValue }
        self.init(values)
    }

    /// The hashes of these values of the columns.
    init(_ values: [DatabaseValue]) {
        intent = Self.digest(values[0..<4])
        outcome = values[4].isNull ? nil : Self.digest(values[4..<7])
    }

    /// An entry's row; nil when there is no such entry.
    static func fetch(_ entry: Int64, _ db: Database) throws -> EntryRow? {
        let select = try db.cachedStatement(sql: "SELECT \(columns) FROM journal WHERE number = ?")
        return try Row.fetchOne(select, arguments: [entry]).map { EntryRow($0, from: 0) }
    }

    /// The hash of values, in which another storage class is another value.
    static func digest(_ values: some Sequence<DatabaseValue>) -> [UInt8] {
        JournalCell.digest(values.map(cell))
    }

    private static func cell(_ value: DatabaseValue) -> JournalCell {
        switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let text): .text(Array(text.utf8))
        case .blob(let data): .blob(Array(data))
        }
    }
}
