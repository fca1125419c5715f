import MooringDecisions
import MooringModel
import MooringText

/// The rows of one batch as the models read them that lie in its table.
struct BatchRows {
    private let batch: RecordBatch
    // The models that read the batch's rows, and how: side by side, so that a row copies neither.
    private let rows: [ModelRows]
    private let readers: [RecordReader]

    /// The rows of a batch; no model reads rows without the columns of its identifier.
    init(_ batch: RecordBatch, source: String, of join: borrowing Reconciler) {
        self.batch = batch
        var (rows, readers): ([ModelRows], [RecordReader]) = ([], [])
        for (model, own) in join.models.enumerated()
        where own.source == source && own.mapping.table == batch.table {
            guard let reader = RecordReader(mapping: own.mapping, columns: batch.columns) else {
                continue
            }
            readers.append(reader)
            rows.append(
                ModelRows(
                    model: model,
                    plain: PlainRows(
                        own.mapping, columns: batch.columns, names: join.meaning.names,
                        resolver: join.resolver, maker: join.fingerprints.maker)))
        }
        (self.rows, self.readers) = (rows, readers)
    }

    /// So many rows are read before the first of them is looked at: what is looked up for each of
    /// them lies anywhere in memory, and a core fetches several such places at once where it does
    /// nothing else in between.
    static let together = 32

    // A core looks at so many rows at least.
    private static let fewest = 128

    /// Has parts of the batch looked at by all cores, takes their answers in the order of the
    /// parts, and gives every row as a reading of its own, in their order, that is not plain or was
    /// refused so; nil is one that names no record.
    func look<Look: PlainLook>(
        _ look: Look, take: (_ answer: Look.Answer, _ bytes: UnsafeBufferPointer<UInt8>) -> Void,
        made: (_ reading: RecordReading?, _ model: Int, _ row: [FieldValue]) -> Void
    ) {
        guard !rows.isEmpty else { return }
        let slab = batch.packed
        var left: [Left] = []
        slab.withCells { bytes, cells in
            let rows = SlabRows(bytes: bytes, cells: cells, width: slab.width)
            let parts = Cores.map(slab.count, least: Self.fewest) { part in
                var answer = look.begin()
                let left = read(part, of: rows, readsChange: look.readsChange) {
                    look.lookUp(&$0)
                } look: {
                    look.look($0, $1, bytes, &answer)
                }
                return (answer: answer, left: left)
            }
            for part in parts {
                take(part.answer, bytes)
                left += part.left
            }
        }
        make(left, of: slab, made)
    }

    /// The same by one core, which may change what it likes.
    func each(
        lookUp: (_ row: inout PlainRow) -> Void = { _ in },
        look: (
            _ rows: ModelRows, _ row: borrowing PlainRow, _ bytes: UnsafeBufferPointer<UInt8>
        ) -> Bool,
        made: (_ reading: RecordReading?, _ model: Int, _ row: [FieldValue]) -> Void
    ) {
        guard !rows.isEmpty else { return }
        let slab = batch.packed
        let left = slab.withCells { bytes, cells in
            let rows = SlabRows(bytes: bytes, cells: cells, width: slab.width)
            return read(0..<slab.count, of: rows, readsChange: false, lookUp: lookUp) {
                look($0, $1, bytes)
            }
        }
        make(left, of: slab, made)
    }

    // A row that a reader has to read as a value of its own.
    private struct Left {
        let row: Int
        let reader: Int
    }

    // Gives those of a part of the rows that are not plain or were refused.
    private func read(
        _ part: Range<Int>, of slab: SlabRows, readsChange: Bool,
        lookUp: (_ row: inout PlainRow) -> Void,
        look: (_ rows: ModelRows, _ row: borrowing PlainRow) -> Bool
    ) -> [Left] {
        var left: [Left] = []
        let starts = stride(from: part.lowerBound, to: part.upperBound, by: Self.together)
        PlainRow.lend(Self.together * rows.count) { read in
            withUnsafeTemporaryAllocation(of: Bool.self, capacity: read.count) { isDone in
                for start in starts {
                    let group = Group(
                        slab: slab, rows: start..<min(start + Self.together, part.upperBound),
                        readers: rows.count, read: read, isDone: isDone)
                    for (reader, rows) in rows.enumerated() {
                        group.read(rows, at: reader, readsChange: readsChange)
                    }
                    for place in group.places where isDone[place] { lookUp(&read[place]) }
                    for (reader, rows) in rows.enumerated() {
                        group.look(rows, at: reader, look)
                    }
                    for place in group.places where !isDone[place] {
                        left.append(
                            Left(row: start + place / rows.count, reader: place % rows.count))
                    }
                }
            }
        }
        return left
    }

    // Rows that are read before any of them is looked at; what one says lies beside what it says to
    // the other models. They are read by one model after the other, which is handed over with all
    // of them: to take it for every row anew would count references that all cores have in common.
    private struct Group {
        let slab: SlabRows
        let rows: Range<Int>
        let readers: Int
        let read: UnsafeMutableBufferPointer<PlainRow>
        let isDone: UnsafeMutableBufferPointer<Bool>

        var places: Range<Int> { 0..<rows.count * readers }

        func read(_ own: ModelRows, at reader: Int, readsChange: Bool) {
            for row in rows {
                let place = (row - rows.lowerBound) * readers + reader
                let isPlain = own.plain.read(
                    slab[row], slab.bytes, into: &read[place], readsChange: readsChange)
                isDone.initializeElement(at: place, to: isPlain)
            }
        }

        func look(
            _ own: ModelRows, at reader: Int,
            _ look: (_ rows: ModelRows, _ row: borrowing PlainRow) -> Bool
        ) {
            for row in rows {
                let place = (row - rows.lowerBound) * readers + reader
                isDone[place] = isDone[place] && look(own, read[place])
            }
        }
    }

    // Reads rows as values of their own.
    private func make(
        _ left: [Left], of slab: RowSlab,
        _ made: (_ reading: RecordReading?, _ model: Int, _ row: [FieldValue]) -> Void
    ) {
        var last: (number: Int, values: [FieldValue])?
        for own in left {
            if last?.number != own.row { last = (own.row, slab.row(own.row)) }
            guard let values = last?.values else { continue }
            made(readers[own.reader].read(values), rows[own.reader].model, values)
        }
    }
}
