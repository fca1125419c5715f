import MooringModel
import MooringText

/// Looks whether names of a source's columns or tables differ by their Unicode form alone. What is
/// told by its column would be told of the other one then, since texts compare by canonical
/// equivalence: such a source proves nothing.
struct EqualNames {
    private var tables: [String: [UInt8]] = [:]
    private var found: String?

    /// Nothing was read yet.
    init() {}

    /// Looks at the names of a batch.
    mutating func read(_ batch: RecordBatch) {
        guard found == nil else { return }
        let table = Array(batch.table.utf8)
        if tables[batch.table, default: table] != table {
            found = "two tables are called '\(batch.table.printable)'"
        } else if Set(batch.columns).count != batch.columns.count {
            let twice = batch.columns.first { name in
                batch.columns.count { $0 == name } > 1
            }
            found =
                "two columns of '\(batch.table.printable)' are called "
                + "'\((twice ?? "").printable)'"
        }
        tables[batch.table] = table
    }

    /// What was found in a source; nil where nothing was.
    func problem(in source: String) -> ScanProblem? {
        found.map {
            ScanProblem(
                place: source,
                reason: "\($0) but for their Unicode form, so that what is read of them could be "
                    + "taken for one another; leave one of them out of the copy, or rename it")
        }
    }
}
