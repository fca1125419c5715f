import MooringDecisions
import MooringModel

/// The rows of one batch as the models read them that lie in its table.
struct BatchRows {
    // A model that reads the batch's rows.
    private struct ModelRows {
        let model: Int
        let reader: RecordReader
        let plain: PlainRows
    }

    private let batch: RecordBatch
    private let readers: [ModelRows]

    /// The rows of a batch; no model reads rows without the columns of its identifier.
    init(_ batch: RecordBatch, source: String, of join: borrowing Reconciler) {
        self.batch = batch
        let models = join.models
        let (meaning, maker) = (join.meaning, join.fingerprints.maker)
        readers = models.indices.filter {
            models[$0].source == source && models[$0].mapping.table == batch.table
        }.compactMap { model in
            let mapping = models[model].mapping
            return RecordReader(mapping: mapping, columns: batch.columns).map {
                ModelRows(
                    model: model, reader: $0,
                    plain: PlainRows(
                        mapping, columns: batch.columns, names: meaning.names,
                        resolver: meaning.resolver, maker: maker))
            }
        }
    }

    /// Gives each row to each model: in place where it is plain, and as a reading of its own where
    /// it is not, or was refused so; nil is one that names no record. The times of plain rows are
    /// read only where that is asked for.
    func each(
        readsChange: Bool = false,
        plain: (
            _ rows: PlainRows, _ row: borrowing PlainRow, _ model: Int,
            _ bytes: UnsafeBufferPointer<UInt8>
        ) -> Bool,
        made: (_ reading: RecordReading?, _ model: Int, _ row: [FieldValue]) -> Void
    ) {
        guard !readers.isEmpty else { return }
        let slab = batch.packed
        slab.withCells { bytes, cells in
            var plainRow = PlainRow()
            for number in 0..<slab.count {
                let own = UnsafeBufferPointer(
                    rebasing: cells[number * slab.width..<(number + 1) * slab.width])
                var row: [FieldValue]?
                for reader in readers {
                    if reader.plain.read(own, bytes, into: &plainRow, readsChange: readsChange),
                        plain(reader.plain, plainRow, reader.model, bytes)
                    {
                        continue
                    }
                    let values = row ?? slab.row(number)
                    row = values
                    made(reader.reader.read(values), reader.model, values)
                }
            }
        }
    }
}
