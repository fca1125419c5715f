import GRDB
package import MooringModel

/// Which of the stores a name stands for: buckets and sources may have the same names.
package enum StoreSide: String, Hashable, Sendable {
    case bucket, records
}

extension Ledger {
    /// What the ledger knows the store under a name by, part for part; empty when it knows none.
    package func storeIdentity(
        _ side: StoreSide, _ name: String
    ) throws(LedgerError) -> [String: String] {
        try read("reading which store '\(name)' is") { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT part, value FROM storeIdentity WHERE side = ? AND name = ?",
                arguments: [side.rawValue, Blob(name)])
            return Dictionary(
                rows.map { row in
                    (
                        String(decoding: (row[0] as Blob).bytes, as: UTF8.self),
                        String(decoding: (row[1] as Blob).bytes, as: UTF8.self)
                    )
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Knows the store under a name by these parts from now on; other parts stay as they are.
    package func adopt(
        _ parts: [String: String], of side: StoreSide, _ name: String, in run: RunID?,
        at now: Instant
    ) throws(LedgerError) {
        try write("keeping which store '\(name)' is") { db in
            for (part, value) in parts {
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO storeIdentity
                            (side, name, part, value, adoptedAt, run)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        side.rawValue, Blob(name), Blob(part), Blob(value), now, run?.text,
                    ])
            }
        }
    }

    /// Knows no store under a name any more, so that the next run that may adopts the one there.
    package func forgetStore(_ side: StoreSide, _ name: String) throws(LedgerError) {
        try write("forgetting which store '\(name)' was") { db in
            try db.execute(
                sql: "DELETE FROM storeIdentity WHERE side = ? AND name = ?",
                arguments: [side.rawValue, Blob(name)])
        }
    }
}

extension LedgerSchema {
    /// The tables of the stores' identities, and of the losses that are meant.
    static let storeIdentity = """
        CREATE TABLE storeIdentity (
            side TEXT NOT NULL,
            name BLOB NOT NULL,
            part BLOB NOT NULL,
            value BLOB NOT NULL,
            adoptedAt INTEGER NOT NULL,
            run TEXT,
            PRIMARY KEY (side, name, part)
        ) WITHOUT ROWID;
        CREATE TABLE erasure (
            bucket BLOB,
            request TEXT NOT NULL,
            length INTEGER NOT NULL,
            digest BLOB NOT NULL,
            erasedAt INTEGER NOT NULL,
            run TEXT NOT NULL
        );
        CREATE TABLE acceptedLoss (
            prefix BLOB PRIMARY KEY,
            count INTEGER NOT NULL,
            acceptedAt INTEGER NOT NULL,
            run TEXT NOT NULL
        ) WITHOUT ROWID;
        """
}
