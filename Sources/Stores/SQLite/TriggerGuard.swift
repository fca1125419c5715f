import MooringModel
import MooringText

// What an app's triggers change beside the row that is written: nobody proved anything of it, and
// no undo brings it back.

/// The tables and columns of a source that tell what is kept: of each model all that is mapped but
/// its version and its change time.
struct MappedColumns: Sendable {
    /// The columns that no trigger may change, by table.
    let columns: [[UInt8]: Set<[UInt8]>]

    /// The columns of a mapping; none where there is none.
    init(_ mapping: RecordMapping?) {
        var columns: [[UInt8]: Set<[UInt8]>] = [:]
        for model in mapping?.models ?? [] {
            let names = model.columns.filter { $0 != model.version && $0 != model.changed }
            columns[Array(model.table.utf8), default: []].formUnion(names.map { Array($0.utf8) })
        }
        self.columns = columns
    }
}

/// Watches the triggers of one UPDATE of one row.
struct TriggerGuard {
    /// The row that is written.
    struct Target {
        /// Of its database, as the write's transaction sees it.
        let schema: Schema
        /// The table in which the row lies.
        let table: Schema.Table
        /// The table's columns.
        let known: [Schema.Column]
        /// Where the row lies in that table, and what it holds.
        let row: ConditionalUpdate.Place
    }

    // A table of which nothing may be lost; without columns, every one of them counts.
    private struct Kept {
        let table: Schema.Table
        let columns: Set<[UInt8]>?

        // Whether the update hook speaks of its rows.
        var isSeen: Bool { table.kind == .table && !table.isWithoutRowID }

        func isTouched(by assigned: Set<[UInt8]>?) -> Bool {
            guard let assigned, let columns else { return true }
            return !assigned.isDisjoint(with: columns) || assigned.contains(Array("ROWID".utf8))
        }
    }

    private let target: Target
    private let watch = TriggerWatch()
    private let own: [Schema.Column]
    private let before: [FieldValue]
    private let kept: [Kept]
    private let counts: [[UInt8]: Int64]
    private var connection: SQLiteConnection { target.schema.connection }

    /// Watches from now on, until `end`. Throws where a trigger of the statement could change what
    /// is mapped and nothing would tell.
    init(
        watching sql: SQLText, of target: Target, assigning columns: [[UInt8]],
        mapped: MappedColumns
    ) throws(SQLiteFailure) {
        let connection = target.schema.connection
        self.target = target
        connection.watchTriggers(watch)
        // What triggers could do is told when the statement is compiled.
        _ = try connection.prepare(sql)
        guard watch.mayChange else {
            (own, before, kept, counts) = ([], [], [], [:])
            return
        }
        let names = mapped.columns[target.table.name] ?? []
        let own = target.known.filter { names.contains($0.name) && !columns.contains($0.name) }
        self.own = own
        before = try Self.values(of: own, target)
        let kept = Self.kept(mapped, target)
        self.kept = kept
        // Only then a row may go without a word.
        let replaces = try Self.mayReplace(connection)
        var counts: [[UInt8]: Int64] = [:]
        for one in kept {
            let name = one.table.name
            let assigned = watch.assigned[name]
            let isWritten = replaces && (assigned != nil || watch.filled.contains(name))
            if !one.isSeen,
                isWritten || watch.emptied.contains(name)
                    || assigned.map({ one.isTouched(by: $0) }) == true
            {
                throw Self.refusal(
                    "may change rows of \(quotedName(name)), whose changes SQLite does not tell")
            }
            if isWritten { counts[name] = try Self.count(name, connection) }
        }
        self.counts = counts
    }

    /// Throws where a trigger changed what is mapped beside the columns that were assigned.
    func check() throws(SQLiteFailure) {
        guard watch.mayChange else { return }
        let after = try Self.values(of: own, target)
        guard after.count == before.count else { throw Self.refusal("takes the row away") }
        if let place = own.indices.first(where: { after[$0] != before[$0] }) {
            throw Self.refusal("changes column \(quotedName(own[place].name))")
        }
        for one in kept where one.isSeen {
            let name = one.table.name
            var rows = watch.updated[name] ?? []
            var word = ""
            if name == target.table.name, case .integer(let rowid)? = target.row.values.first {
                rows.remove(rowid)
                word = "other "
            }
            let removed = watch.removed[name] ?? 0
            var isLost = removed > 0
            if !rows.isEmpty, one.isTouched(by: watch.assigned[name]) { isLost = true }
            if let count = counts[name] {
                let added = watch.added[name] ?? 0
                let wanted = count + Int64(added - removed)
                if try Self.count(name, connection) != wanted { isLost = true }
            }
            if isLost { throw Self.refusal("changes \(word)rows of \(quotedName(name))") }
        }
    }

    /// Ends the watch; what triggers do from here on is not seen.
    func end() { connection.watchTriggers(nil) }

    private static func refusal(_ what: String) -> SQLiteFailure {
        SQLiteFailure(
            "a trigger \(what) with it; nothing is written",
            hint: "make the change in the app itself")
    }

    // A view shows rows of tables that the mapping does not name.
    private static func kept(_ mapped: MappedColumns, _ target: Target) -> [Kept] {
        let tables = target.schema.tables
        let hasView = tables.contains { $0.kind == .view && mapped.columns[$0.name] != nil }
        return tables.compactMap { table in
            guard table.kind != .view else { return nil }
            let columns = mapped.columns[table.name]
            guard hasView || columns != nil || table.name == target.table.name else { return nil }
            return Kept(table: table, columns: hasView ? nil : columns ?? [])
        }
    }

    // Of no columns one value all the same: none says that the row is gone.
    private static func values(
        of columns: [Schema.Column], _ target: Target
    ) throws(SQLiteFailure) -> [FieldValue] {
        var sql = SQLText("SELECT ")
        sql.append(
            columns.isEmpty ? [SQLText("1")] : columns.map(\.expression), separator: ", ")
        sql.append(SQLText.from(target.table.name))
        sql.append(target.row.address.condition)
        var values: [FieldValue] = []
        try target.schema.connection.run(sql, target.row.values) {
            statement throws(SQLiteFailure) in
            for index in 0..<max(1, columns.count) {
                values.append(try statement.value(at: index))
            }
        }
        return values
    }

    // The word stands in a trigger's statement, or in a table's constraint.
    private static func mayReplace(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Bool {
        var isFound = false
        let sql = SQLText(
            "SELECT 1 FROM main.sqlite_master WHERE instr(upper(sql), 'REPLACE') > 0 LIMIT 1")
        try connection.run(sql, []) { _ in isFound = true }
        return isFound
    }

    private static func count(
        _ table: [UInt8], _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Int64 {
        var sql = SQLText("SELECT count(*)")
        sql.append(SQLText.from(table))
        var count: Int64 = 0
        try connection.run(sql, []) { statement throws(SQLiteFailure) in
            if case .integer(let number) = try statement.value(at: 0) { count = number }
        }
        return count
    }
}
