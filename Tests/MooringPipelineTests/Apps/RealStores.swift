import GRDBSQLite
import Glibc
import MooringConfiguration
import MooringFiles
import MooringModel
import MooringSQLite
import Testing

/// SQLite databases and folders, as a configuration names them.
struct RealStores: Sendable {
    /// The sources, in the configuration's order.
    let records: [any RecordSource]
    /// The buckets, in the configuration's order.
    let buckets: [any Bucket]

    /// Makes folders and databases that hold nothing yet but their tables.
    init(_ configuration: Configuration) throws {
        records = try configuration.records.map { source in
            guard case .sqlite(let path, _) = source.store else { throw Failure(text: source.name) }
            let database = try Database(path)
            for table in AppSchema.tables {
                try database.run(
                    "CREATE TABLE \(table.name) (\(table.columns.joined(separator: ",")))")
            }
            return SQLiteSource(name: source.name, path: path, isLive: true, scratch: "/tmp")
        }
        buckets = try configuration.buckets.map { bucket in
            guard case .directory(let path, _) = bucket.store else {
                throw Failure(text: bucket.name)
            }
            mkdir(path, 0o755)
            return try DirectoryBucket(
                name: bucket.name, folder: path, quarantine: bucket.mapping.quarantine.bytes,
                trust: .mtime)
        }
    }

    /// What went wrong with the machine's stores.
    struct Failure: Error { let text: String }

    /// The machine's clock.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension DraftApp {
    private static let heldRun = RunID(startingAt: Instant(seconds: 1_577_836_800))

    /// Puts the app into the databases and folders in a world's folder.
    func fillReal(_ folder: String) throws {
        for object in objects {
            let head = object.isHeld ? ".q/\(Self.heldRun.text)/" : ""
            try write(
                Array("\(folder)/\(object.bucket)/\(head)".utf8) + object.key, object.content)
        }
        for source in hasCopies ? ["app", "phone"] : ["app"] {
            let database = try Database("\(folder)/\(source).sqlite")
            for row in rows where row.source == source { try database.insert(row) }
        }
    }

    private func write(_ path: [UInt8], _ content: [UInt8]) throws {
        for index in path.indices where path[index] == 47 && index > 0 {
            mkdir(Self.text(path[..<index]), 0o755)
        }
        let file = open(Self.text(path[...]), O_WRONLY | O_CREAT | O_EXCL, 0o644)
        try #require(file >= 0)
        defer { close(file) }
        try #require(Glibc.write(file, content, content.count) == content.count)
        let time = timespec(tv_sec: Int(longAgo.nanoseconds / 1_000_000_000), tv_nsec: 0)
        #expect(futimens(file, [time, time]) == 0)
    }

    fileprivate static func text(_ path: ArraySlice<UInt8>) -> [CChar] {
        path.map { CChar(bitPattern: $0) } + [0]
    }
}

extension AppState {
    /// The state of the databases and folders in a world's folder.
    init(folder: String, _ draft: DraftApp) throws {
        self.init()
        for bucket in ["media", "archive"] {
            try Self.walk(Array("\(folder)/\(bucket)".utf8), []) { key, thing in
                guard key.starts(with: ".q/".utf8) else {
                    return objects[Place(bucket: bucket, key: key)] = thing
                }
                let rest = key[3...]
                guard let slash = rest.firstIndex(of: 47) else { return }
                let place = Place(bucket: bucket, key: Array(rest[(slash + 1)...]))
                let run = String(decoding: rest[..<slash], as: UTF8.self)
                held[HeldPlace(place: place, run: run)] = thing
            }
        }
        for source in draft.hasCopies ? ["app", "phone"] : ["app"] {
            let database = try Database("\(folder)/\(source).sqlite")
            for table in AppSchema.tables {
                rows += try database.rows(table).map {
                    DraftApp.Row(source: source, table: table.name, values: $0)
                }
            }
        }
    }

    private static func walk(
        _ root: [UInt8], _ key: [UInt8], _ receive: ([UInt8], Thing) -> Void
    ) throws {
        let path = DraftApp.text((root + (key.isEmpty ? [] : [47] + key))[...])
        guard let folder = opendir(path) else {
            return receive(key, try thing(path))
        }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == [46] || name == [46, 46] || name.starts(with: ".mooring".utf8) { continue }
            try walk(root, key.isEmpty ? name : key + [47] + name, receive)
        }
    }

    private static func thing(_ path: [CChar]) throws -> Thing {
        let file = open(path, O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        var status = stat()
        try #require(count >= 0 && fstat(file, &status) == 0)
        return Thing(content: Array(bytes[..<count]), stamp: "\(status.st_mtim.tv_sec)")
    }
}

/// An app's own connection to its database.
private final class Database {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open(path, &handle)
        self.handle = try #require(handle)
        try #require(code == SQLITE_OK)
    }

    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String) throws {
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }

    func insert(_ row: DraftApp.Row) throws {
        let values = row.values.sorted { $0.key < $1.key }.map { name, value in
            (name, Self.literal(value))
        }
        try run(
            "INSERT INTO \(row.table) (\(values.map(\.0).joined(separator: ","))) "
                + "VALUES (\(values.map(\.1).joined(separator: ",")))")
    }

    // As hexadecimal digits, text stands in SQL byte for byte.
    private static func literal(_ value: FieldValue) -> String {
        switch value {
        case .integer(let number): return String(number)
        default:
            guard let bytes = value.bytes else { return "NULL" }
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return "CAST(x'\(digits)' AS TEXT)"
        }
    }

    func rows(_ table: (name: String, columns: [String])) throws -> [[String: FieldValue]] {
        var statement: OpaquePointer?
        let sql = "SELECT \(table.columns.joined(separator: ",")) FROM \(table.name) ORDER BY rowid"
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var rows: [[String: FieldValue]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            var row: [String: FieldValue] = [:]
            for (column, name) in table.columns.enumerated() {
                row[name] = Self.value(statement, Int32(column))
            }
            rows.append(row)
        }
        return rows
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> FieldValue {
        let type = sqlite3_column_type(statement, column)
        if type == SQLITE_NULL { return .null }
        if type == SQLITE_INTEGER { return .integer(sqlite3_column_int64(statement, column)) }
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        let bytes = start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
        return type == SQLITE_TEXT ? .text(bytes) : .blob(bytes)
    }
}
