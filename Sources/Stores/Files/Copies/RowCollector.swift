import MooringModel

/// Gathers rows for bounded batches of several tables that are read from one file.
struct RowCollector {
    /// A table's name as it was asked for, and the names of its columns.
    struct Target {
        /// The table's name.
        let table: String
        /// The columns, as rows hold them.
        let columns: [String]
    }

    /// The tables to deliver to.
    private let targets: [Target]
    private var rows: [[[FieldValue]]]
    private var weight = 0

    private static let rowLimit = 1_000
    private static let byteLimit = 4 << 20

    /// A collector without rows.
    init(_ targets: [Target]) {
        self.targets = targets
        self.rows = targets.map { _ in [] }
    }

    /// Whether a batch has become large enough to be handed over.
    var isFull: Bool {
        (rows.first?.count ?? 0) >= Self.rowLimit || weight >= Self.byteLimit
    }

    /// Adds a row of the table at this place.
    mutating func add(_ row: [FieldValue], at place: Int) {
        rows[place].append(row)
        weight += row.reduce(0) { $0 + $1.weight }
    }

    /// The batches gathered so far, which are forgotten.
    mutating func takeBatches() -> [RecordBatch] {
        defer {
            rows = targets.map { _ in [] }
            weight = 0
        }
        return zip(targets, rows).compactMap { target, rows in
            rows.isEmpty
                ? nil : RecordBatch(table: target.table, columns: target.columns, rows: rows)
        }
    }
}

extension FieldValue {
    /// About how many bytes the value takes.
    var weight: Int {
        switch self {
        case .text(let bytes), .blob(let bytes), .json(let bytes), .attribute(let bytes):
            48 + bytes.count
        default: 16
        }
    }
}
