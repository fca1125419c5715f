import MooringModel

/// Makes batches of the rows of one statement.
struct TableReader {
    /// The most rows of a batch.
    static let rowLimit = 1_000
    /// A batch with so many bytes of values gets no further row.
    static let byteLimit = 4 << 20

    private let statement: SQLiteStatement
    private let table: String
    private let columns: [String]
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
        var slab = RowSlab(width: columns.count)
        var size = 0
        while end == nil, slab.count < Self.rowLimit, size < Self.byteLimit {
            do {
                guard try statement.step() else {
                    end = .success(())
                    break
                }
                size += try appendRow(to: &slab)
            } catch {
                end = .failure(error)
            }
        }
        if slab.count > 0 { return RecordBatch(table: table, columns: columns, slab: slab) }
        try end?.get()
        return nil
    }

    private func appendRow(to slab: inout RowSlab) throws(SQLiteFailure) -> Int {
        var size = 0
        for index in 0..<columns.count { size += try statement.append(index, to: &slab) }
        slab.endRow()
        return size
    }
}
