import Glibc
import MooringModel

/// Rows that a scan read, kept in a file without a name, so that they can be replayed as they
/// were: a live store says something else a moment later. Its room is free again as soon as the
/// process ends, however it does; where the file system makes no files without a name, an empty one
/// stays of a process that is killed in the moment of making it.
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

    // O_TMPFILE of open(2), which the C library hides behind a macro.
    private static let nameless = 0o20000000 | O_DIRECTORY

    private let folder: String
    private var descriptor: Int32 = -1
    private var end = 0
    private var batches: [Batch] = []
    private var names: [(table: String, columns: [String])] = []
    /// Why the rows are not all here; nil while they are.
    private(set) var failure: String?

    /// A spool in a folder, where room for all rows is needed; the file is made with the first.
    init(in folder: String) {
        self.folder = folder
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Keeps the rows of a batch.
    func append(_ batch: RecordBatch) {
        guard failure == nil, batch.count > 0 else { return }
        let slab = batch.packed
        slab.withCells { bytes, cells in
            let (bytes, cells) = (UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(cells))
            let offset = end
            guard open(), write(bytes), write(cells) else { return }
            batches.append(
                Batch(
                    names: number(batch), offset: offset, rows: slab.count, bytes: bytes.count,
                    cells: cells.count))
        }
    }

    /// Gives all rows in the order in which they were kept, in the batches in which they came; none
    /// where some are not here.
    func replay(_ receive: (RecordBatch) async throws -> Void) async throws {
        for batch in batches where failure == nil {
            guard let slab = read(batch) else { return }
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

    private func open() -> Bool {
        guard descriptor < 0 else { return true }
        descriptor = Glibc.open(folder, Self.nameless | O_RDWR | O_CLOEXEC, 0o600)
        // Not every file system makes files without a name.
        if descriptor < 0, errno == EOPNOTSUPP || errno == EISDIR {
            var template = Array("\(folder)/mooring-rows-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            if descriptor >= 0 {
                unlink(template)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        return descriptor >= 0 || fail()
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = pwrite(
                descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, end)
            if count < 0 {
                if errno == EINTR { continue }
                return fail()
            }
            end += count
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func read(_ batch: Batch) -> RowSlab? {
        let slab = RowSlab(
            width: names[batch.names].columns.count, rows: batch.rows, bytes: batch.bytes,
            cells: batch.cells
        ) { bytes, cells in
            fill(bytes, batch.offset) && fill(cells, batch.offset + bytes.count)
        }
        if slab == nil { _ = fail() }
        return slab
    }

    private func fill(_ room: UnsafeMutableRawBufferPointer, _ offset: Int) -> Bool {
        var done = 0
        while done < room.count {
            let count = pread(
                descriptor, room.baseAddress?.advanced(by: done), room.count - done,
                offset + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private func fail() -> Bool {
        failure =
            "what was read of it could not be kept in \(folder), where it is read again: "
            + "\(String(cString: strerror(errno))); give a folder with more room by --scratch"
        return false
    }
}
