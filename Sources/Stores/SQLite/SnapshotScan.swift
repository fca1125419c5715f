import MooringModel
import MooringText

/// One pass over a scope, batch by batch, all of it from one transaction.
///
/// It does not throw: what fails becomes a problem, and the pass goes on with what is left.
struct SnapshotScan {
    /// What kept the pass from being complete, so far.
    private(set) var problems: [ScanProblem] = []
    private let path: String
    private var session: ReadSession?
    private var tables: [(place: String, read: TableRead)] = []
    private var position = 0
    private var reader: TableReader?

    /// What to read of one table.
    private struct TableRead {
        let name: String
        /// The names as batches carry them; nil to take them from the statement.
        let columns: [String]?
        let sql: SQLText
    }

    /// Opens the database and plans the reads.
    init(file: DatabaseFile, scope: RecordScope) {
        self.path = file.path
        do {
            let session = try ReadSession(unhurried: file)
            self.session = session
            let schema = try Schema(session.connection, device: file.device)
            if file.device != nil, case .unknown(let reason) = try DeviceTables.outbox(in: schema) {
                problems.append(ScanProblem(place: file.path, reason: reason))
            }
            switch scope {
            case .columns(let wanted): plan(wanted, schema)
            case .all: plan(schema, scope)
            }
        } catch {
            problems.append(error.problem(at: file.path))
        }
    }

    /// The next batch; nil when everything that can be read has been.
    mutating func next() -> RecordBatch? {
        while let session, position < tables.count {
            let (place, read) = tables[position]
            do {
                if reader == nil {
                    let statement = try session.connection.prepare(read.sql)
                    reader = TableReader(statement, table: read.name, columns: read.columns)
                }
                if let batch = try reader?.next() { return batch }
                reader = nil
                position += 1
            } catch {
                problems.append(error.problem(at: place))
                reader = nil
                position += 1
                stopIfSnapshotIsLost()
            }
        }
        return nil
    }

    /// Closes the database and removes what was made for the scan.
    mutating func close() {
        reader = nil
        session?.close()
        session = nil
    }

    private mutating func plan(_ wanted: [TableColumns], _ schema: Schema) {
        for request in wanted {
            let place = tablePlace(path, Array(request.table.utf8))
            do {
                let table = try schema.table(request.table)
                let known = try schema.columns(of: table)
                let values = try schema.selecting(request.columns, among: known)
                var sql = SQLText("SELECT ")
                // A request for no columns still counts the rows.
                sql.append(values.isEmpty ? [SQLText("NULL")] : values, separator: ", ")
                sql.append(SQLText.from(table.name))
                tables.append(
                    (place, TableRead(name: request.table, columns: request.columns, sql: sql)))
            } catch {
                problems.append(error.problem(at: place))
            }
        }
    }

    private mutating func plan(_ schema: Schema, _ scope: RecordScope) {
        for table in schema.tables
        where table.kind != .view
            && !scope.leavesOut(String(decoding: table.name, as: UTF8.self))
        {
            var sql = SQLText("SELECT *")
            for column in schema.syncColumns(of: table) {
                sql.append(", ")
                sql.append(column.expression)
                sql.append(" AS ")
                sql.append(name: column.name)
            }
            sql.append(SQLText.from(table.name))
            let name = String(decoding: table.name, as: UTF8.self)
            tables.append(
                (tablePlace(path, table.name), TableRead(name: name, columns: nil, sql: sql)))
        }
        if tables.isEmpty {
            // Nothing to read proves nothing: more likely the file is not the one that was meant.
            problems.append(ScanProblem(place: path, reason: "the database holds no table"))
        }
    }

    /// Some errors end the transaction, and the tables after them would be of a later moment.
    private mutating func stopIfSnapshotIsLost() {
        guard let session, !session.connection.isInTransaction, position < tables.count else {
            return
        }
        problems.append(
            ScanProblem(
                place: path,
                reason: "the error ended the read transaction; "
                    + "\(tables.count - position) further tables were not read"))
        position = tables.count
    }
}
