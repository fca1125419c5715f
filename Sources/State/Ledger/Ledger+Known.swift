import GRDB
package import MooringModel

extension Ledger {
    /// What the ledger knows of stores: what each is known by, and what each was seen to do.
    package func knownStores() throws(LedgerError) -> JSONValue {
        try read("reading what is known of the stores") { db in
            let parts = try Row.fetchAll(
                db,
                sql: """
                    SELECT side, name, part, value, adoptedAt, run FROM storeIdentity
                    ORDER BY side, name, part
                    """)
            let trials = try Row.fetchAll(
                db, sql: "SELECT bucket, store, triedAt, document FROM capability ORDER BY bucket")
            return .members([
                "knownBy": .array(
                    parts.map { row in
                        .members([
                            "side": .string(row[0]), "name": .string((row[1] as Blob).text),
                            "part": .string((row[2] as Blob).text),
                            "value": .string((row[3] as Blob).text),
                            "adoptedAt": .moment(row[4]), "run": .text(row[5]),
                        ])
                    }),
                "capabilities": .array(
                    try trials.map { row in
                        .members([
                            "bucket": .string((row[0] as Blob).text),
                            "store": .string((row[1] as Blob).text),
                            "triedAt": .moment(row[2]),
                            "seen": try document(row[3], StoreCapabilities.init(json:)).json,
                        ])
                    }),
            ])
        }
    }

    /// The plans that were made for a run's findings, and those that it carried out, the oldest
    /// first.
    package func plans(of run: RunID) throws(LedgerError) -> [Plan] {
        try read("reading the plans of run \(run.text)") { db in
            let saved = try Blob.fetchAll(
                db,
                sql: """
                    SELECT document FROM plan WHERE run = ?1
                        OR id IN (SELECT plan FROM journal WHERE journal.run = ?1)
                    ORDER BY createdAt, number
                    """, arguments: [run.text])
            return try saved.map { try document($0, Plan.init(json:)) }
        }
    }

    /// The version of the SQLite that reads the ledger.
    package func databaseVersion() throws(LedgerError) -> String {
        try read("asking for SQLite's version") { db in
            try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
        }
    }
}
