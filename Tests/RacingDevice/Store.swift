import GRDBSQLite

/// One hand's connection to the app's database.
final class Store {
    private let connection: OpaquePointer

    /// Opens the database, which is there and in WAL mode.
    init(_ path: String) throws {
        var connection: OpaquePointer?
        guard
            sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            let connection
        else { throw Trouble("the database cannot be opened") }
        self.connection = connection
        sqlite3_busy_timeout(connection, 10_000)
        // No power is cut in the race, and a commit that waits for a disk would miss its bound.
        _ = try run("PRAGMA synchronous = OFF")
    }

    deinit { sqlite3_close(connection) }

    /// Runs one statement; parameters and results are texts, nil for NULL.
    @discardableResult
    func run(_ sql: String, _ values: [String?] = []) throws -> [[String?]] {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &prepared, nil) == SQLITE_OK, let prepared
        else { throw trouble(sql) }
        defer { sqlite3_finalize(prepared) }
        // SQLITE_TRANSIENT, which the C header defines by a cast: SQLite copies the bytes.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            let status = sqlite3_bind_text(prepared, Int32(index + 1), value, -1, transient)
            guard status == SQLITE_OK else { throw trouble(sql) }
        }
        var rows: [[String?]] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_DONE: return rows
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(prepared)).map { column in
                        sqlite3_column_text(prepared, column).map { String(cString: $0) }
                    })
            default: throw trouble(sql)
            }
        }
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(connection)) }

    private func trouble(_ sql: String) -> Trouble {
        Trouble("\(String(cString: sqlite3_errmsg(connection))) in: \(sql)")
    }
}
