import GRDB
package import MooringModel

/// Which record sources a run read: what it did not read, it saw no reference in.
enum RunSources {
    /// The tables and columns of a migration that is never changed. What was counted before it
    /// tells of no source, and a sighting of no place.
    static let schema = """
        CREATE TABLE quarantineSource (
            run TEXT NOT NULL,
            name BLOB NOT NULL,
            store TEXT NOT NULL,
            PRIMARY KEY (run, name)
        ) WITHOUT ROWID;
        ALTER TABLE watch ADD COLUMN sources BLOB;
        ALTER TABLE sighting ADD COLUMN bucket BLOB;
        ALTER TABLE sighting ADD COLUMN prefix BLOB;
        ALTER TABLE sighting ADD COLUMN source BLOB;
        """

    /// Stamps as a column holds them; no stamp has a space in it.
    static func blob(_ stamps: Set<String>?) -> Blob? {
        stamps.map { Blob($0.sorted().joined(separator: " ")) }
    }

    /// The stamps in a column; nil where the row knows of none.
    static func stamps(_ blob: Blob?) -> Set<String>? {
        blob.map { Set($0.text.split(separator: " ").map(String.init)) }
    }
}

extension Ledger {
    /// Keeps which sources a run read that puts objects into quarantine, each with a hash of its
    /// store, for as long as the ledger lives.
    package func remember(
        sources: [String: String], of run: RunID
    ) throws(LedgerError) {
        try write("remembering the sources of run \(run.text)") { db in
            for (name, store) in sources {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO quarantineSource VALUES (?, ?, ?)",
                    arguments: [run.text, Blob(name), store])
            }
        }
    }

    /// The sources that a run read, or the run of its plan, each with the hash of its store; nil
    /// for the hash where an earlier version kept none. Empty where nothing is known, as of a run
    /// that was rebuilt.
    package func sources(readBy run: RunID) throws(LedgerError) -> [String: String?] {
        try read("reading the sources of run \(run.text)") { db in
            var sources: [String: String?] = [:]
            for row in try Row.fetchAll(
                db, sql: "SELECT name, store FROM quarantineSource WHERE run = ?",
                arguments: [run.text])
            {
                sources[(row[0] as Blob).text] = .some(row[1])
            }
            guard sources.isEmpty else { return sources }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT document FROM run WHERE id = :run OR id IN
                        (SELECT plan.run FROM plan WHERE plan.id IN
                            (SELECT journal.plan FROM journal WHERE journal.run = :run))
                    """, arguments: ["run": run.text])
            while let row = try rows.next() {
                for source in try document(row[0], RunSummary.init(json:)).records {
                    sources[source.name] = .some(nil)
                }
            }
            return sources
        }
    }
}
