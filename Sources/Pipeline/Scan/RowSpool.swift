import MooringModel
import MooringReconcile

/// Rows that a scan read, kept in a scratch file, so that they can be replayed as they were: a live
/// store says something else a moment later.
///
/// What could not be kept is not lost without a word: `failure` says why, and no rows are given.
final class RowSpool {
    // Where the rows of one batch lie, and what they are called.
    private struct Batch {
        let names: Int
        let offset: Int
        let rows: Int
        let bytes: Int
        let cells: Int
    }

    private let folder: String
    private var file: ScratchFile?
    private var end = 0
    private var batches: [Batch] = []
    private var names: [(table: String, columns: [String])] = []
    /// Why the rows are not all here; nil while they are.
    private(set) var failure: String?

    /// A spool in a folder, where room for all rows is needed; the file is made with the first.
    init(in folder: String) {
        self.folder = folder
    }

    /// Keeps the rows of a batch.
    func append(_ batch: RecordBatch) {
        guard failure == nil, batch.count > 0 else { return }
        let slab = batch.packed
        slab.withCells { bytes, cells in
            let (bytes, cells) = (UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(cells))
            do throws(ScratchFile.Failure) {
                let file = try opened()
                try file.write(bytes, at: end)
                try file.write(cells, at: end + bytes.count)
            } catch {
                return fail(error)
            }
            batches.append(
                Batch(
                    names: number(batch), offset: end, rows: slab.count, bytes: bytes.count,
                    cells: cells.count))
            end += bytes.count + cells.count
        }
    }

    /// Gives all rows in the order in which they were kept, in the batches in which they came; none
    /// where some are not here.
    func replay(_ receive: (RecordBatch) async throws -> Void) async throws {
        guard let file else { return }
        for batch in batches where failure == nil {
            guard let slab = read(batch, file) else { return }
            let (table, columns) = names[batch.names]
            try await receive(RecordBatch(table: table, columns: columns, slab: slab))
        }
    }

    // Batches of one table follow one another, and mostly have the same columns.
    private func number(_ batch: RecordBatch) -> Int {
        if let known = names.lastIndex(where: { $0 == (batch.table, batch.columns) }) {
            return known
        }
        names.append((batch.table, batch.columns))
        return names.count - 1
    }

    // The file, which is made with the first batch; nil where it cannot be.
    private func opened() throws(ScratchFile.Failure) -> ScratchFile {
        if let file { return file }
        let made = try ScratchFile(in: folder)
        file = made
        return made
    }

    private func read(_ batch: Batch, _ file: ScratchFile) -> RowSlab? {
        RowSlab(
            width: names[batch.names].columns.count, rows: batch.rows, bytes: batch.bytes,
            cells: batch.cells
        ) { bytes, cells in
            do throws(ScratchFile.Failure) {
                try file.read(into: bytes, at: batch.offset)
                try file.read(into: cells, at: batch.offset + bytes.count)
                return true
            } catch {
                fail(error)
                return false
            }
        }
    }

    private func fail(_ error: ScratchFile.Failure) {
        failure =
            "what was read of it could not be kept in \(folder), where it is read again: "
            + "\(error.reason); give a folder with more room by --scratch"
    }
}
