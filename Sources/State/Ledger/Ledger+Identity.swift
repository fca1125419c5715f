import GRDB

extension Ledger {
    /// The ledger's own id, a random UUID that it was made with and keeps; a copy has the same.
    package func identity() throws(LedgerError) -> String {
        try read("reading the ledger's id") { db in
            guard let id = try String.fetchOne(db, sql: "SELECT id FROM identity") else {
                throw conflict(
                    "it has no id", refused: "acting", hint: "restore the ledger from a backup")
            }
            return id
        }
    }

    /// The absolute path of the ledger's file, without symbolic links.
    package var resolvedPath: String {
        LedgerFile(path: path, refused: "naming the ledger").resolvedPath
    }
}

extension LedgerSchema {
    /// The table of the ledger's id, with a random UUID in it.
    static let identity = """
        CREATE TABLE identity (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            id TEXT NOT NULL
        );
        INSERT INTO identity VALUES (1, lower(
            hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4'
            || substr(hex(randomblob(2)), 2) || '-' || substr('89ab', 1 + (random() & 3), 1)
            || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))));
        CREATE TRIGGER identityStays BEFORE UPDATE ON identity
        BEGIN
            SELECT RAISE(ABORT, 'the id of a ledger never changes');
        END;
        CREATE TRIGGER identityIsKept BEFORE DELETE ON identity
        BEGIN
            SELECT RAISE(ABORT, 'the id of a ledger never changes');
        END;
        """
}
