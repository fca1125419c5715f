import MooringModel

/// Makes batches of the rows of one statement.
struct TableReader {
    /// The most rows of a batch.
    static let rowLimit = 1_000
    /// The most bytes of a batch's values, unless a single row is larger.
    static let byteLimit = 4 << 20

    private let statement: SQLiteStatement
    private let table: String
    private let columns: [String]
    /// A row that did not fit into the batch before.
    private var carried: (row: [FieldValue], size: Int)?
    /// Set at the end, with the failure if that is why it ended.
    private var end: Result<Void, SQLiteFailure>?

    /// Reads a statement's rows, with the given names of their columns or those of the statement.
    init(_ statement: SQLiteStatement, table: String, columns: [String]?) {
        self.statement = statement
        self.table = table
        self.columns = columns ?? (0..<statement.columnCount).map(statement.columnName(at:))
    }

    /// The next batch, never an empty one; nil at the end. A failure is thrown only after the rows
    /// before it have been delivered.
    mutating func next() throws(SQLiteFailure) -> RecordBatch? {
        var rows: [[FieldValue]] = []
        var size = 0
        if let carried {
            rows.append(carried.row)
            size = carried.size
        }
        carried = nil
        while end == nil, rows.count < Self.rowLimit {
            do {
                guard let (row, rowSize) = try readRow() else {
                    end = .success(())
                    break
                }
                if !rows.isEmpty, size + rowSize > Self.byteLimit {
                    carried = (row, rowSize)
                    break
                }
                rows.append(row)
                size += rowSize
            } catch {
                end = .failure(error)
            }
        }
        if !rows.isEmpty { return RecordBatch(table: table, columns: columns, rows: rows) }
        try end?.get()
        return nil
    }

    private func readRow() throws(SQLiteFailure) -> (row: [FieldValue], size: Int)? {
        guard try statement.step() else { return nil }
        var row: [FieldValue] = []
        row.reserveCapacity(columns.count)
        var size = 0
        for index in 0..<columns.count {
            let value = try statement.value(at: index)
            switch value {
            case .text(let bytes), .blob(let bytes): size += bytes.count
            default: size += 8
            }
            row.append(value)
        }
        return (row, size)
    }
}
