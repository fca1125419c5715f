import GRDB
package import MooringModel

extension Ledger {
    /// What the ledger knows of stores: what each is known by, and what each was seen to do.
    package func knownStores() throws(LedgerError) -> JSONValue {
        func text(_ value: DatabaseValue) -> String {
            String(decoding: Stored.bytes(value), as: UTF8.self)
        }
        func moment(_ value: DatabaseValue) -> JSONValue? {
            JSONValue.moment(Stored.integer(value).map(Instant.init(nanoseconds:)))
        }
        return try read("reading what is known of the stores") { db in
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
                            "side": .string(Stored.text(row[0])), "name": .string(text(row[1])),
                            "part": .string(text(row[2])),
                            "value": .string(text(row[3])),
                            "adoptedAt": moment(row[4]), "run": .text(Stored.textIfAny(row[5])),
                        ])
                    }),
                "capabilities": .array(
                    try trials.map { row in
                        .members([
                            "bucket": .string(text(row[0])),
                            "store": .string(text(row[1])),
                            "triedAt": moment(row[2]),
                            "seen": try document(
                                Blob(Stored.bytes(row[3])), StoreCapabilities.init(json:)
                            ).json,
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
