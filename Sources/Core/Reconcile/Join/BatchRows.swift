import MooringDecisions
import MooringModel

/// The rows of one batch as the models read them that lie in its table.
struct BatchRows {
    private let batch: RecordBatch
    // The models that read the batch's rows, and how: side by side, so that a row copies neither.
    private let models: [Int]
    private let readers: [RecordReader]
    private let plainRows: [PlainRows]

    /// The rows of a batch; no model reads rows without the columns of its identifier.
    init(_ batch: RecordBatch, source: String, of join: borrowing Reconciler) {
        self.batch = batch
        var (models, readers, plainRows): ([Int], [RecordReader], [PlainRows]) = ([], [], [])
        for (model, own) in join.models.enumerated()
        where own.source == source && own.mapping.table == batch.table {
            guard let reader = RecordReader(mapping: own.mapping, columns: batch.columns) else {
                continue
            }
            models.append(model)
            readers.append(reader)
            plainRows.append(
                PlainRows(
                    own.mapping, columns: batch.columns, names: join.meaning.names,
                    resolver: join.resolver, maker: join.fingerprints.maker))
        }
        (self.models, self.readers, self.plainRows) = (models, readers, plainRows)
    }

    /// So many rows are read before the first of them is given: what is looked up for each of them
    /// lies anywhere in memory, and a core fetches several such places at once where it does
    /// nothing else in between.
    static let together = 32

    /// Gives each row to each model: in place where it is plain, and as a reading of its own where
    /// it is not, or was refused so; nil is one that names no record. The times of plain rows are
    /// read only where that is asked for. `ahead` is given each plain row before, a few at once.
    func each(
        readsChange: Bool = false,
        ahead: (_ row: inout PlainRow, _ model: Int) -> Void,
        plain: (
            _ rows: PlainRows, _ row: borrowing PlainRow, _ model: Int,
            _ bytes: UnsafeBufferPointer<UInt8>
        ) -> Bool,
        made: (_ reading: RecordReading?, _ model: Int, _ row: [FieldValue]) -> Void
    ) {
        guard !models.isEmpty else { return }
        let slab = batch.packed
        var isPlain = Array(repeating: false, count: Self.together * models.count)
        PlainRow.lend(isPlain.count) { read in
            slab.withCells { bytes, cells in
                let rows = SlabRows(bytes: bytes, cells: cells, width: slab.width)
                for start in stride(from: 0, to: slab.count, by: Self.together) {
                    let numbers = start..<min(start + Self.together, slab.count)
                    self.read(numbers, of: rows, readsChange, into: read, &isPlain)
                    for place in 0..<numbers.count * models.count where isPlain[place] {
                        ahead(&read[place], models[place % models.count])
                    }
                    for number in numbers {
                        var row: [FieldValue]?
                        for (index, rows) in plainRows.enumerated() {
                            let place = (number - start) * models.count + index
                            if isPlain[place],
                                plain(rows, read[place], models[index], bytes)
                            {
                                continue
                            }
                            let values = row ?? slab.row(number)
                            row = values
                            made(readers[index].read(values), models[index], values)
                        }
                    }
                }
            }
        }
    }

    private func read(
        _ numbers: Range<Int>, of slab: SlabRows, _ readsChange: Bool,
        into read: UnsafeMutableBufferPointer<PlainRow>, _ isPlain: inout [Bool]
    ) {
        for number in numbers {
            for (index, rows) in plainRows.enumerated() {
                let place = (number - numbers.lowerBound) * models.count + index
                isPlain[place] = rows.read(
                    slab[number], slab.bytes, into: &read[place], readsChange: readsChange)
            }
        }
    }
}
