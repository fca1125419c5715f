import GRDB
package import MooringModel

/// What a store was last seen to do, and when.
package struct KnownCapabilities: Hashable, Sendable {
    /// What it was seen to do.
    package let capabilities: StoreCapabilities
    /// When the trial was made.
    package let triedAt: Instant

    /// A result of a trial.
    package init(capabilities: StoreCapabilities, triedAt: Instant) {
        self.capabilities = capabilities
        self.triedAt = triedAt
    }
}

extension Ledger {
    /// Keeps what the store behind a bucket's name was seen to do, in place of what was known.
    package func keep(
        _ known: KnownCapabilities, bucket: String, store: String
    ) throws(LedgerError) {
        try write("keeping what bucket \(bucket) can do") { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO capability (bucket, store, triedAt, document)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    Blob(bucket), Blob(store), known.triedAt,
                    Blob(known.capabilities.json.rendered),
                ])
        }
    }

    /// What the store behind a bucket's name was last seen to do; nil where it was never tried, or
    /// where another store had the name then.
    package func capabilities(
        bucket: String, store: String
    ) throws(LedgerError) -> KnownCapabilities? {
        try read("reading what bucket \(bucket) can do") { db in
            let row = try Row.fetchOne(
                db,
                sql: "SELECT triedAt, document FROM capability WHERE bucket = ? AND store = ?",
                arguments: [Blob(bucket), Blob(store)])
            return try row.map {
                KnownCapabilities(
                    capabilities: try document($0[1], StoreCapabilities.init(json:)),
                    triedAt: $0[0])
            }
        }
    }
}

extension LedgerSchema {
    /// The table of what stores were seen to do.
    static let capability = """
        CREATE TABLE capability (
            bucket BLOB PRIMARY KEY,
            store BLOB NOT NULL,
            triedAt INTEGER NOT NULL,
            document BLOB NOT NULL
        ) WITHOUT ROWID;
        """
}
