import GRDBSQLite
import Glibc
import Testing

/// A real SQLite database of the test's app, written as the app would write it.
final class Database {
    private let connection: OpaquePointer

    init(_ path: String, mode: String? = "WAL") throws {
        var connection: OpaquePointer?
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        self.connection = try #require(connection)
        sqlite3_busy_timeout(connection, 5_000)
        if let mode { try run("PRAGMA journal_mode = \(mode)") }
    }

    deinit { sqlite3_close(connection) }

    /// Runs statements; parameters are texts, given as bytes.
    func run(_ sql: String, _ values: [UInt8]?...) throws {
        guard !values.isEmpty else {
            let status = sqlite3_exec(connection, sql, nil, nil, nil)
            try #require(status == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
            return
        }
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            // SQLITE_TRANSIENT, which the C header defines by a cast: SQLite copies the bytes.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            let status = value.withUnsafeBytes { buffer in
                sqlite3_bind_text64(
                    statement, Int32(index + 1),
                    buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                    sqlite3_uint64(buffer.count), transient, UInt8(SQLITE_UTF8))
            }
            try #require(status == SQLITE_OK)
        }
        try #require(
            sqlite3_step(statement) == SQLITE_DONE,
            "\(String(cString: sqlite3_errmsg(connection)))")
    }

    /// The first column of the first row, byte for byte; nil for NULL or no row.
    func bytes(_ sql: String) throws -> [UInt8]? {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW,
            sqlite3_column_type(statement, 0) != SQLITE_NULL
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, 0))
        return [UInt8](
            UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 0), count: count))
    }

    /// All rows as texts, nil for NULL.
    func rows(_ sql: String) throws -> [[String?]] {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) }
                })
        }
        return rows
    }

    /// The same as a text.
    func text(_ sql: String) throws -> String? {
        try bytes(sql).map { String(decoding: $0, as: UTF8.self) }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let status = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        try #require(status == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
        return try #require(statement)
    }
}
