import GRDBSQLite
import Glibc
import MooringModel
import MooringSQLite
import Testing

/// A folder for one test, removed with all that is in it.
final class TestFolder {
    /// The folder's path.
    let path: String

    /// Makes the folder.
    init() throws {
        var template = Array("/tmp/mooring-sqlite-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// The names in a folder, sorted.
    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in names(in: path) {
            let child = "\(path)/\(name)"
            if unlink(child) != 0 { remove(child) }
        }
        rmdir(path)
    }
}

/// An app's own connection to a database, through the C API.
final class AppDatabase {
    /// An SQL statement that failed.
    struct Failure: Error {
        let message: String
    }

    private let handle: OpaquePointer

    /// Opens or creates a database, and runs statements on it.
    init(_ path: String, _ sql: String = "") throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        self.handle = try #require(handle)
        try #require(code == SQLITE_OK)
        try run(sql)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements.
    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// The first column of a query's rows as text.
    func strings(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        var strings: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            strings.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "nil")
        }
        return strings
    }
}

/// What a scan delivered.
struct Collected {
    /// The batches in their order.
    var batches: [RecordBatch] = []
    /// What the scan says of itself.
    let result: ScanResult

    /// The rows of a table.
    func rows(_ table: String) -> [[FieldValue]] {
        batches.filter { $0.table == table }.flatMap(\.rows)
    }

    /// The names of the tables that had rows, in their order.
    var tables: [String] {
        batches.map(\.table).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// The problems as lines.
    var problems: [String] { result.problems.map(\.text) }
}

/// Runs a scan; `during` is called with each batch.
func collect(
    _ source: SQLiteSource, _ scope: RecordScope = .everything,
    during: (RecordBatch) async throws -> Void = { _ in }
) async throws -> Collected {
    var batches: [RecordBatch] = []
    let result = try await source.scan(scope) { batch in
        batches.append(batch)
        try await during(batch)
    }
    return Collected(batches: batches, result: result)
}

extension SQLiteSource {
    /// A source whose scratch folder is `scratch` within a test's folder, and that waits briefly.
    init(_ folder: TestFolder, _ file: String = "app.sqlite", isLive: Bool = true) {
        mkdir("\(folder.path)/scratch", 0o700)
        self.init(
            name: "app", path: "\(folder.path)/\(file)", isLive: isLive,
            scratch: "\(folder.path)/scratch", busyTimeout: .milliseconds(100))
    }
}

extension FieldValue {
    /// A text's value.
    static func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }
}
