import GRDBSQLite
import Glibc
package import MooringModel

/// One statement of a script, with the values of its `?` in order.
package struct SQLStatement: Hashable, Sendable {
    /// The text of one statement, `?` for each value.
    package let sql: String
    /// The values that its parameters stand for; `absent` is written as NULL.
    package let values: [FieldValue]

    /// A statement with its values.
    package init(_ sql: String, _ values: [FieldValue] = []) {
        self.sql = sql
        self.values = values
    }
}

/// Writes a new database from statements, such as the demo's; it never opens one that is there.
package enum SQLiteScript {
    /// Makes a database in WAL mode and runs the statements in one transaction.
    ///
    /// Throws `StoreError` when the file exists or a statement fails; the file then stays for the
    /// caller to remove.
    package static func run(_ statements: [SQLStatement], path: String) throws(StoreError) {
        let writer = try ScriptWriter(path: path)
        defer { writer.close() }
        try writer.run(SQLStatement("PRAGMA journal_mode = WAL"))
        try writer.run(SQLStatement("BEGIN IMMEDIATE"))
        for statement in statements { try writer.run(statement) }
        try writer.run(SQLStatement("COMMIT"))
    }
}

/// A connection that a script is written through.
private struct ScriptWriter {
    private let path: String
    private let connection: OpaquePointer

    init(path: String) throws(StoreError) {
        guard access(path, F_OK) != 0 else {
            throw StoreError(place: path, reason: "it exists, and nothing is written over it")
        }
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let status = sqlite3_open_v2(path, &connection, flags, nil)
        guard let connection, status == SQLITE_OK else {
            let reason = String(cString: sqlite3_errstr(status))
            sqlite3_close_v2(connection)
            throw StoreError(place: path, reason: "cannot make a database: \(reason)")
        }
        self.path = path
        self.connection = connection
    }

    // The last connection's end moves what is in the WAL file into the database.
    func close() { sqlite3_close_v2(connection) }

    func run(_ statement: SQLStatement) throws(StoreError) {
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v2(connection, statement.sql, -1, &prepared, nil)
        guard let prepared, status == SQLITE_OK else { throw failure() }
        defer { sqlite3_finalize(prepared) }
        for (index, value) in statement.values.enumerated() {
            guard bind(value, to: Int32(index + 1), of: prepared) == SQLITE_OK else {
                throw failure()
            }
        }
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: continue
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    private func bind(
        _ value: FieldValue, to index: Int32, of prepared: OpaquePointer
    ) -> Int32 {
        switch value {
        case .absent, .null: return sqlite3_bind_null(prepared, index)
        case .integer(let number): return sqlite3_bind_int64(prepared, index, number)
        case .real(let number): return sqlite3_bind_double(prepared, index, number)
        case .text(let bytes), .json(let bytes), .attribute(let bytes):
            return bytes.withUnsafeBytes { buffer in
                sqlite3_bind_text64(
                    prepared, index, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                    sqlite3_uint64(buffer.count), Self.transient, UInt8(SQLITE_UTF8))
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { buffer in
                sqlite3_bind_blob64(
                    prepared, index, buffer.baseAddress, sqlite3_uint64(buffer.count),
                    Self.transient)
            }
        }
    }

    // SQLITE_TRANSIENT, which the C header defines by a cast: SQLite copies the bytes at once.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private func failure() -> StoreError {
        StoreError(place: path, reason: String(cString: sqlite3_errmsg(connection)))
    }
}
