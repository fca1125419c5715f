import GRDBSQLite
import MooringModel

/// A compiled statement; finalized when released.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    /// Takes a statement over from the connection that compiled it.
    init(_ handle: OpaquePointer, connection: SQLiteConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// The number of columns of its rows.
    var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name of a column as the result shows it; invalid UTF-8 is repaired.
    func columnName(at index: Int) -> String {
        sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
    }

    /// Moves to the next row; false at the end.
    func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code)
        }
    }

    /// A value of the current row, with its storage class. Text is UTF-8: the bytes in the file
    /// or, where the database holds UTF-16, what SQLite makes of them.
    func value(at index: Int) throws(SQLiteFailure) -> FieldValue {
        let column = Int32(index)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            // As a blob the bytes come without a copy that only adds a terminator.
            guard !connection.textIsUTF8 else { return .text(try bytes(at: column)) }
            guard let start = sqlite3_column_text(handle, column) else {
                throw SQLiteFailure(code: SQLITE_NOMEM)
            }
            let count = Int(sqlite3_column_bytes(handle, column))
            return .text(Array(UnsafeBufferPointer(start: start, count: count)))
        case SQLITE_BLOB: return .blob(try bytes(at: column))
        default: return .null
        }
    }

    /// Appends a value of the current row to a slab, as `value` reads it, and gives its size.
    func append(_ index: Int, to slab: inout RowSlab) throws(SQLiteFailure) -> Int {
        let column = Int32(index)
        let type = sqlite3_column_type(handle, column)
        guard type == SQLITE_BLOB || type == SQLITE_TEXT && connection.textIsUTF8 else {
            let value = try value(at: index)
            slab.append(value)
            if case .text(let bytes) = value { return bytes.count }
            return 8
        }
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        // Nil is the empty value too.
        guard start != nil || count == 0 else { throw SQLiteFailure(code: SQLITE_NOMEM) }
        slab.append(
            type == SQLITE_TEXT ? .text : .blob,
            UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self))
        return count
    }

    /// Binds the value of a parameter, counted from 1.
    func bind(_ value: FieldValue, at index: Int) throws(SQLiteFailure) {
        let column = Int32(index)
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(handle, column)
        case .integer(let number): code = sqlite3_bind_int64(handle, column, number)
        case .real(let number): code = sqlite3_bind_double(handle, column, number)
        case .text(let bytes): code = bind(bytes, isText: true, at: column)
        case .blob(let bytes): code = bind(bytes, isText: false, at: column)
        case .absent, .json, .attribute:
            throw SQLiteFailure("a column of SQLite cannot hold an absent or a nested value")
        }
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    private func bytes(at column: Int32) throws(SQLiteFailure) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else {
            // Nil is the empty value too.
            guard sqlite3_column_bytes(handle, column) == 0 else {
                throw SQLiteFailure(code: SQLITE_NOMEM)
            }
            return []
        }
        let count = Int(sqlite3_column_bytes(handle, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func bind(_ bytes: [UInt8], isText: Bool, at column: Int32) -> Int32 {
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        // An empty array may have no address, and a null pointer would bind NULL.
        let storage = bytes.isEmpty ? [0] : bytes
        return storage.withUnsafeBytes { buffer in
            isText
                ? sqlite3_bind_text64(
                    handle, column, buffer.assumingMemoryBound(to: CChar.self).baseAddress,
                    UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
                : sqlite3_bind_blob64(
                    handle, column, buffer.baseAddress, UInt64(bytes.count), copied)
        }
    }
}
