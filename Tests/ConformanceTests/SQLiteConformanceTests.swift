import GRDBSQLite
import Glibc
import MooringModel
import MooringSQLite
import StoreConformance
import Testing

/// A database in a temporary folder; what the app does goes through a connection of its own.
private final class DatabaseFixture: RecordFixture {
    let source: any ActingRecordSource
    private let folder: String
    private var path: String { folder + "/app.sqlite" }

    init() throws {
        var template = Array("/tmp/mooring-conformance-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        mkdir(folder + "/scratch", 0o700)
        source = SQLiteSource(
            name: "app", path: folder + "/app.sqlite", isLive: true,
            scratch: folder + "/scratch", busyTimeout: .milliseconds(100))
        for table in RecordConformance.tables {
            let columns = table.columns.joined(separator: ", ")
            try run("CREATE TABLE \(table.name) (\(columns))", []) { _ in }
        }
    }

    deinit {
        for name in ["app.sqlite", "app.sqlite-journal", "app.sqlite-wal", "app.sqlite-shm"] {
            unlink("\(folder)/\(name)")
        }
        rmdir(folder + "/scratch")
        rmdir(folder)
    }

    func insert(_ table: String, _ row: [FieldValue]) async throws {
        let places = row.map { _ in "?" }.joined(separator: ", ")
        try run("INSERT INTO \(table) VALUES (\(places))", row) { _ in }
    }

    func stored(_ table: String) async throws -> [[FieldValue]] {
        var rows: [[FieldValue]] = []
        try run("SELECT * FROM \(table)", []) { rows.append($0) }
        return rows
    }

    private struct Failure: Error {
        let message: String
    }

    private func run(
        _ sql: String, _ values: [FieldValue], _ receive: ([FieldValue]) -> Void
    ) throws {
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        defer { sqlite3_close_v2(connection) }
        try #require(sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(connection)))
        }
        for (place, value) in values.enumerated() {
            Self.bind(value, to: statement, at: Int32(place + 1))
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                receive((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
            case SQLITE_DONE: return
            default: throw Failure(message: String(cString: sqlite3_errmsg(connection)))
            }
        }
    }

    private static func bind(
        _ value: FieldValue, to statement: OpaquePointer?, at place: Int32
    ) {
        // SQLite copies what it is given.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .absent, .null: sqlite3_bind_null(statement, place)
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .real(let number): sqlite3_bind_double(statement, place, number)
        case .text(let bytes), .json(let bytes), .attribute(let bytes):
            (bytes + [0]).withUnsafeBufferPointer { buffer in
                buffer.withMemoryRebound(to: CChar.self) {
                    _ = sqlite3_bind_text(
                        statement, place, $0.baseAddress, Int32(bytes.count), copies)
                }
            }
        case .blob(let bytes):
            (bytes + [0]).withUnsafeBufferPointer {
                _ = sqlite3_bind_blob(
                    statement, place, $0.baseAddress, Int32(bytes.count), copies)
            }
        }
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> FieldValue {
        func bytes() -> [UInt8] {
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
        }
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: return .text(bytes())
        case SQLITE_BLOB: return .blob(bytes())
        default: return .null
        }
    }
}

struct SQLiteConformanceTests {
    @Test("An SQLite database does what every live record source does")
    func conforms() async throws {
        try await RecordConformance { try DatabaseFixture() }.verify()
    }
}
