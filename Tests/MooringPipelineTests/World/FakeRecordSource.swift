import MooringModel
import Synchronization

/// A database in memory that keeps the port's contract, and passes its script's borders. It reads
/// in batches of three rows, each as it is at that moment, so that devices can write in between.
final class FakeRecordSource: ActingRecordSource {
    fileprivate struct Table {
        let name: String
        let columns: [String]
        var rows: [[FieldValue]] = []
    }

    fileprivate struct State {
        var tables: [Table] = []
        var brokenTable: String?
        var lost: [RecordChange] = []
        var limits: Result<RecordLimits, StoreError> = .success(RecordLimits())
        var clockDifference: Duration?
        var isWriteInterrupted = false
        var columnLimits: [String: ColumnLimit] = [:]
        var namesEveryColumn = true
    }

    let name: String
    let kind = "sqlite"
    let isLive: Bool
    private let script: CallScript
    private let clock: TestClock
    private let state: Mutex<State>

    init(
        _ name: String, tables: [(name: String, columns: [String])], script: CallScript,
        clock: TestClock, isLive: Bool = true
    ) {
        self.name = name
        self.script = script
        self.clock = clock
        self.isLive = isLive
        state = Mutex(
            State(tables: tables.map { Table(name: $0.name, columns: $0.columns) }))
    }

    // MARK: Around the port

    /// All rows of a table, as columns and values.
    func records(_ table: String) -> [[String: FieldValue]] {
        state.withLock { state in
            guard let found = state.tables.first(where: { $0.name == table }) else { return [] }
            return found.rows.map {
                Dictionary(
                    zip(found.columns, $0), uniquingKeysWith: { first, _ in first })
            }
        }
    }

    /// All rows of a table.
    func rows(_ table: String) -> [[FieldValue]] {
        state.withLock { $0.tables.first { $0.name == table }?.rows ?? [] }
    }

    /// Adds a row; columns that are not named are NULL.
    func insert(_ table: String, _ values: [String: FieldValue]) {
        change(table) { table in table.rows.append(table.columns.map { values[$0] ?? .null }) }
    }

    /// Adds a row.
    func insert(_ table: String, row: [FieldValue]) {
        change(table) { $0.rows.append(row) }
    }

    /// Sets columns of every row with this text in `id`.
    func set(_ table: String, _ id: [UInt8], _ values: [String: FieldValue]) {
        change(table) { table in
            guard let place = table.columns.firstIndex(of: "id") else { return }
            for row in table.rows.indices where table.rows[row][place].bytes == id {
                for (column, name) in table.columns.enumerated() {
                    if let value = values[name] { table.rows[row][column] = value }
                }
            }
        }
    }

    /// Removes every row with this text in `id`.
    func delete(_ table: String, _ id: [UInt8]) {
        change(table) { table in
            guard let place = table.columns.firstIndex(of: "id") else { return }
            table.rows.removeAll { $0[place].bytes == id }
        }
    }

    /// Removes every row without an `id`.
    func deleteWithoutID(_ table: String) {
        change(table) { table in
            guard let place = table.columns.firstIndex(of: "id") else { return }
            table.rows.removeAll { $0[place].bytes == nil }
        }
    }

    var namesEveryColumn: Bool { state.withLock { $0.namesEveryColumn } }

    /// Makes it one whose rows name only what they hold.
    func nameHeldColumns() { state.withLock { $0.namesEveryColumn = false } }

    /// Keeps it from serving repairs, or from telling whether it does.
    func limit(_ limits: Result<RecordLimits, StoreError>) { state.withLock { $0.limits = limits } }

    /// Says what a column of every table does not take.
    func limit(column: String, _ limit: ColumnLimit) {
        state.withLock { $0.columnLimits[column] = limit }
    }

    func columnLimits(table: String) async throws -> [String: ColumnLimit] {
        state.withLock { $0.columnLimits }
    }

    /// Sets how far its clock is away; nil where it tells no time.
    func setClock(_ difference: Duration?) { state.withLock { $0.clockDifference = difference } }

    func measureClock() async throws -> Duration? { state.withLock { $0.clockDifference } }

    /// Makes scans report that a table could not be read; nil mends it.
    func breakTable(_ name: String?) { state.withLock { $0.brokenTable = name } }

    /// Leaves behind what keeps readers of one record out, as a killed writer may, until somebody
    /// who may write ends it.
    func interruptWrite() { state.withLock { $0.isWriteInterrupted = true } }

    func endInterruptedWrite() async throws { state.withLock { $0.isWriteInterrupted = false } }

    /// Carries out the writes that a fault before them kept on their way, as a server may do long
    /// after the caller gave up.
    @discardableResult
    func carryOutLate() throws -> [UpdateOutcome] {
        try state.withLock { state in
            let lost = state.lost
            state.lost = []
            return try lost.map { try state.update($0) }
        }
    }

    private func change(_ name: String, _ act: (inout Table) -> Void) {
        state.withLock { state in
            for index in state.tables.indices where state.tables[index].name == name {
                act(&state.tables[index])
            }
        }
    }

    // MARK: The port

    func limits() async throws -> RecordLimits { try state.withLock { $0.limits }.get() }

    func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        let from = clock.now
        var problems: [ScanProblem] = []
        do {
            let number = try await script.enter(.scan)
            let (wanted, broken) = state.withLock { ($0.wanted(scope), $0.brokenTable) }
            for columns in wanted {
                guard columns.table != broken, self.has(columns) else {
                    problems.append(ScanProblem(place: columns.table, reason: "cannot be read"))
                    continue
                }
                try await scan(columns, receive)
            }
            try await script.leave(.scan, number)
        } catch let error as StoreError {
            problems.append(ScanProblem(place: error.place, reason: error.reason))
        }
        return ScanResult(
            window: ScanWindow(from: from, to: clock.now), problems: problems,
            consistency: "moving")
    }

    private func has(_ wanted: TableColumns) -> Bool {
        state.withLock { state in
            state.tables.first { $0.name == wanted.table }.map { table in
                wanted.columns.allSatisfy(table.columns.contains)
            } ?? false
        }
    }

    private func scan(
        _ wanted: TableColumns, _ receive: (RecordBatch) async throws -> Void
    ) async throws {
        var start = 0
        while true {
            let number = try await script.enter(.batch)
            let rows = state.withLock { $0.rows(wanted, from: start, count: 3) }
            guard !rows.isEmpty else { return try await script.leave(.batch, number) }
            start += rows.count
            try await receive(
                RecordBatch(table: wanted.table, columns: wanted.columns, rows: rows))
            try await script.leave(.batch, number)
        }
    }

    func rows(
        table: String, idColumns: [String], id: RecordID, columns: [String]
    ) async throws -> [[FieldValue]] {
        let number = try await script.enter(.rows)
        guard idColumns.count == id.parts.count else {
            throw StoreError(place: table, reason: "the identifier has other parts")
        }
        let rows = try state.withLock { state in
            if state.isWriteInterrupted {
                throw StoreError(place: table, reason: "an interrupted write is in the way")
            }
            let found = try state.find(table, columns: idColumns + columns)
            return found.table.rows(idColumns, id).map { row in
                columns.compactMap { found.table.place($0).map { found.table.rows[row][$0] } }
            }
        }
        try await script.leave(.rows, number)
        return rows
    }

    func columns(table: String) async throws -> [String] {
        try state.withLock { try $0.find(table, columns: []).table.columns }
    }

    func update(_ change: RecordChange) async throws -> UpdateOutcome {
        let number: Int
        do {
            number = try await script.enter(.update)
        } catch {
            if !error.isRefusal { state.withLock { $0.lost.append(change) } }
            throw error
        }
        let outcome = try state.withLock { state in try state.update(change) }
        try await script.leave(.update, number)
        return outcome
    }
}

extension FakeRecordSource.State {
    fileprivate func wanted(_ scope: RecordScope) -> [TableColumns] {
        switch scope {
        case .columns(let columns): columns
        case .all:
            tables.filter { !scope.leavesOut($0.name) }.map {
                TableColumns(table: $0.name, columns: $0.columns)
            }
        }
    }

    fileprivate func rows(_ wanted: TableColumns, from start: Int, count: Int) -> [[FieldValue]] {
        guard let table = tables.first(where: { $0.name == wanted.table }) else { return [] }
        let places = wanted.columns.compactMap(table.place)
        return table.rows.dropFirst(start).prefix(count).map { row in places.map { row[$0] } }
    }

    fileprivate func find(
        _ name: String, columns: [String]
    ) throws -> (index: Int, table: FakeRecordSource.Table) {
        guard let index = tables.firstIndex(where: { $0.name == name }) else {
            throw StoreError(place: name, reason: "no such table")
        }
        for column in columns where tables[index].place(column) == nil {
            throw StoreError(place: name, reason: "no such column")
        }
        return (index, tables[index])
    }

    fileprivate mutating func update(_ change: RecordChange) throws -> UpdateOutcome {
        let columns = change.expected.map(\.column) + change.assignments.map(\.column)
        let (index, table) = try find(change.table, columns: change.idColumns + columns)
        let rows = table.rows(change.idColumns, change.id)
        if change.act == .insert {
            guard rows.isEmpty else { return .stale("there is a record of this id") }
            let values = Dictionary(
                change.assignments.map { ($0.column, $0.value) },
                uniquingKeysWith: { first, _ in first })
            tables[index].rows.append(table.columns.map { values[$0] ?? .null })
            return .written
        }
        guard rows.count == 1, let row = rows.first else {
            return .stale("\(rows.count) rows have this id")
        }
        for expected in change.expected {
            guard let place = table.place(expected.column),
                table.rows[row][place] == expected.value
            else { return .stale("the record is not as expected") }
        }
        if change.act == .delete { tables[index].rows.remove(at: row) }
        for assignment in change.assignments {
            guard let place = table.place(assignment.column) else { continue }
            tables[index].rows[row][place] = assignment.value
        }
        return .written
    }
}

extension FakeRecordSource.Table {
    fileprivate func place(_ column: String) -> Int? { columns.firstIndex(of: column) }

    fileprivate func rows(_ idColumns: [String], _ id: RecordID) -> [Int] {
        rows.indices.filter { row in
            zip(idColumns, id.parts).allSatisfy { column, part in
                place(column).map { rows[row][$0].bytes == part } ?? false
            }
        }
    }
}
