/// Where the app keeps its records, as one hand uses it.
protocol Records {
    /// Whether what was put is not there until it is committed.
    var canRollBack: Bool { get }

    /// Begins a write; no other device writes until it ends.
    func begin() throws

    /// Writes; whether it did.
    func put(_ write: Hand.Write, at now: Int64) throws -> Bool

    /// Ends a write and leaves nothing of it, where it can.
    func rollBack() throws

    /// Ends a write.
    func commit() throws

    /// A record's title and the value of its field; nil when there is none.
    func read(_ table: Table, _ id: String) throws -> (title: String, value: String?)?
}

/// The records in a SQLite database.
final class SQLiteRecords: Records {
    let canRollBack = true
    private let store: Store

    /// The records of a database.
    init(_ store: Store) { self.store = store }

    func begin() throws { try store.run("BEGIN IMMEDIATE") }
    func rollBack() throws { try store.run("ROLLBACK") }
    func commit() throws { try store.run("COMMIT") }

    func put(_ write: Hand.Write, at now: Int64) throws -> Bool {
        let table = write.table
        let changed = String((now / Clock.milliseconds))
        switch write.content {
        case .nothing:
            try store.run("DELETE FROM \(table.name) WHERE id = ?", [write.id])
        case .value(let value):
            let moves = table.isVersioned ? ", version = version + 1, changed = \(changed)" : ""
            try store.run(
                "UPDATE \(table.name) SET \(table.field) = ?\(moves) WHERE id = ?",
                [value, write.id])
        case .whole(let title, let value):
            let columns =
                "id, title, \(table.field)" + (table.isVersioned ? ", version, changed" : "")
            let moves =
                table.isVersioned
                ? """
                , coalesce((SELECT version FROM \(table.name) WHERE id = ?), 0) + 1, \(changed)
                """ : ""
            try store.run(
                "INSERT OR REPLACE INTO \(table.name) (\(columns)) VALUES (?, ?, ?\(moves))",
                [write.id, title, value] + (table.isVersioned ? [write.id] : []))
        }
        return store.changes > 0
    }

    func read(_ table: Table, _ id: String) throws -> (title: String, value: String?)? {
        try store.run("SELECT title, \(table.field) FROM \(table.name) WHERE id = ?", [id])
            .first.map { (title: $0[0] ?? "", value: $0[1]) }
    }
}
