import GRDB
import GRDBSQLite
import MooringModel

/// A statement that is run for very many rows, one after the other.
///
/// GRDB makes a value of its own of each argument and each column, which costs more than what
/// SQLite does with them: here SQLite gets and gives the bytes themselves. Used within the ledger's
/// transactions, where nothing observes single statements; it fails with GRDB's errors.
struct RepeatedStatement {
    private let statement: Statement
    private let handle: OpaquePointer

    /// What is bound to a parameter.
    enum Value {
        case blob([UInt8])
        /// The UTF-8 bytes of a text, as `Blob` keeps them.
        case bytes(String)
        case text(String)
        case integer(Int64)
        case real(Double)
        case null

        /// An instant as the ledger keeps it; null where there is none.
        static func instant(_ instant: Instant?) -> Value {
            instant.map { .integer($0.nanoseconds) } ?? .null
        }
    }

    /// The statement of a text, which is compiled once for each connection.
    init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
    }

    /// Runs it with these arguments; rows that it gives are left unread.
    func run(_ arguments: [Value]) throws {
        _ = try first(arguments) { _ in }
    }

    /// Runs it and reads its first row; nil where it gives none. The statement is carried out to
    /// its end.
    func first<Read>(
        _ arguments: [Value], _ read: (Columns) throws -> Read
    ) throws -> Read? {
        var found: Read?
        try each(arguments) { columns in
            if found == nil { found = try read(columns) }
        }
        return found
    }

    /// Runs it and gives each row.
    func each(_ arguments: [Value], _ receive: (Columns) throws -> Void) throws {
        // GRDB may have left it at its end, where nothing can be bound. The code of both says again
        // what the last step said.
        sqlite3_reset(handle)
        defer { sqlite3_reset(handle) }
        // What is not bound would hold what the row before had there.
        precondition(arguments.count == sqlite3_bind_parameter_count(handle))
        for (index, argument) in arguments.enumerated() {
            try check(bind(argument, at: Int32(index + 1)))
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try receive(Columns(handle: handle))
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    /// The number of the row that was inserted last.
    var lastRow: Int64 { sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) }

    private func bind(_ value: Value, at column: Int32) -> Int32 {
        switch value {
        case .blob(let bytes): return bytes.withUnsafeBytes { bind($0, at: column) }
        case .bytes(var text):
            return text.withUTF8 { bind(UnsafeRawBufferPointer($0), at: column) }
        case .text(var text):
            return text.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text64(
                        handle, column, $0.baseAddress, UInt64($0.count), Self.copied,
                        UInt8(SQLITE_UTF8))
                }
            }
        case .integer(let number): return sqlite3_bind_int64(handle, column, number)
        case .real(let number): return sqlite3_bind_double(handle, column, number)
        case .null: return sqlite3_bind_null(handle, column)
        }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at column: Int32) -> Int32 {
        // What is empty may have no address, and a null pointer would bind NULL.
        if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, column, 0) }
        return sqlite3_bind_blob64(
            handle, column, bytes.baseAddress, UInt64(bytes.count), Self.copied)
    }

    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw failure(code) }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = sqlite3_db_handle(handle).flatMap(sqlite3_errmsg)
        return DatabaseError(
            resultCode: ResultCode(rawValue: code), message: message.map { String(cString: $0) },
            sql: statement.sql)
    }

    /// The columns of a row, while the statement stands there.
    struct Columns {
        fileprivate let handle: OpaquePointer

        /// Whether a column holds nothing.
        func isNull(_ column: Int32) -> Bool {
            sqlite3_column_type(handle, column) == SQLITE_NULL
        }

        /// A column's whole number; 0 where it holds none.
        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

        /// A column's number; 0 where it holds none.
        func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

        /// A column's moment; nil where it holds none.
        func instant(_ column: Int32) -> Instant? {
            isNull(column) ? nil : Instant(nanoseconds: integer(column))
        }

        /// A column's bytes, of a text or a BLOB; none where it holds neither.
        func bytes(_ column: Int32) -> [UInt8] {
            guard let start = sqlite3_column_blob(handle, column) else { return [] }
            let count = Int(sqlite3_column_bytes(handle, column))
            return Array(UnsafeRawBufferPointer(start: start, count: count))
        }

        /// A column's bytes as text.
        func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

        /// Whether a column holds just these bytes.
        func holds(_ bytes: [UInt8], _ column: Int32) -> Bool {
            let start = sqlite3_column_blob(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            guard count == bytes.count else { return false }
            return UnsafeRawBufferPointer(start: start, count: count).elementsEqual(bytes)
        }
    }
}
