import GRDBSQLite
import Glibc

/// What the triggers of a statement may do, as SQLite tells while it compiles it, and which rows
/// were changed while it ran.
///
/// Sources: sqlite.org, c3ref/set_authorizer.html and c3ref/update_hook.html. The hook says nothing
/// of tables without rowids, nor of virtual ones, nor of rows that a REPLACE takes away.
final class TriggerWatch {
    /// The columns that triggers may assign, by table.
    private(set) var assigned: [[UInt8]: Set<[UInt8]>] = [:]
    /// The tables from which triggers may remove rows.
    private(set) var emptied: Set<[UInt8]> = []
    /// The tables to which triggers may add rows.
    private(set) var filled: Set<[UInt8]> = []
    /// The rowids of the rows that were changed, by table, as they are after it.
    private(set) var updated: [[UInt8]: Set<Int64>] = [:]
    /// How many rows were removed, by table.
    private(set) var removed: [[UInt8]: Int] = [:]
    /// How many rows were added, by table.
    private(set) var added: [[UInt8]: Int] = [:]

    /// Whether triggers may change any row at all.
    var mayChange: Bool { !(assigned.isEmpty && emptied.isEmpty && filled.isEmpty) }

    /// Takes what SQLite asks leave for; a trigger's DELETE of all rows is told row by row.
    static func authorize(
        _ watch: UnsafeMutableRawPointer?, _ action: Int32, _ table: UnsafePointer<CChar>?,
        _ column: UnsafePointer<CChar>?, _ trigger: UnsafePointer<CChar>?
    ) -> Int32 {
        guard let watch, let table, trigger != nil else { return SQLITE_OK }
        let own = Unmanaged<TriggerWatch>.fromOpaque(watch).takeUnretainedValue()
        let name = bytes(table)
        switch action {
        case SQLITE_UPDATE: own.assigned[name, default: []].insert(column.map(bytes) ?? [])
        case SQLITE_INSERT: own.filled.insert(name)
        case SQLITE_DELETE:
            own.emptied.insert(name)
            return SQLITE_IGNORE
        default: break
        }
        return SQLITE_OK
    }

    /// Takes one row that was changed.
    static func take(
        _ watch: UnsafeMutableRawPointer?, _ action: Int32, _ table: UnsafePointer<CChar>?,
        _ row: Int64
    ) {
        guard let watch, let table else { return }
        let own = Unmanaged<TriggerWatch>.fromOpaque(watch).takeUnretainedValue()
        let name = bytes(table)
        switch action {
        case SQLITE_UPDATE: own.updated[name, default: []].insert(row)
        case SQLITE_DELETE: own.removed[name, default: 0] += 1
        default: own.added[name, default: 0] += 1
        }
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }
}
