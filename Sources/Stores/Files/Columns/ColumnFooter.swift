import Glibc
import MooringModel
import MooringText

/// How a file of columns is laid out.
package enum ColumnFormat: String, Hashable, Sendable {
    /// Apache Parquet.
    case parquet = "Parquet"
    /// Apache ORC.
    case orc = "ORC"
}

/// What one column of a file holds.
package enum ColumnKind: Hashable, Sendable {
    /// Texts, or bytes.
    case text
    /// Whole numbers of at most 64 bits.
    case integer
    /// True or false.
    case truth
    /// Moments.
    case moment
    /// What a clock showed, of no zone.
    case clock
    /// Lists of texts.
    case texts
    /// Any other single value that has a text, such as a number that is not whole.
    case scalar
    /// Anything else.
    case other
}

/// What a file of columns tells of itself at its end: its columns, and how many rows it has. The
/// rows themselves are read elsewhere.
package struct ColumnFooter: Hashable, Sendable {
    /// The columns, by their names.
    package let columns: [String: ColumnKind]
    /// How many rows it has.
    package let rows: Int

    /// Reads the end of a file. Throws `ReadFailure` where it is no such file, or cut off.
    package init(path: String, _ format: ColumnFormat) throws(ReadFailure) {
        let file = try FileEnd(path: path)
        switch format {
        case .parquet: self = try ParquetFooter.read(file)
        case .orc: self = try ORCFooter.read(file)
        }
    }

    /// A footer of these columns, each a name and a kind. Throws `ReadFailure` where a name stands
    /// twice, in any case of its letters, since Spark tells them apart in none.
    init(_ columns: [(String, ColumnKind)], rows: Int64) throws(ReadFailure) {
        guard let rows = Int(exactly: rows), rows >= 0 else { throw FileEnd.damaged }
        let names = Set(columns.map { $0.0.lowercased() })
        guard names.count == columns.count else {
            throw ReadFailure(reason: "names a column twice")
        }
        self.columns = Dictionary(uniqueKeysWithValues: columns)
        self.rows = rows
    }
}

/// A file of which some places are read, and not all of it.
final class FileEnd {
    private let descriptor: Int32
    /// Its bytes.
    let size: Int

    // More than the columns of any inventory take.
    private static let most = 64 << 20

    /// Opens a file. Throws `ReadFailure` where that fails.
    init(path: String) throws(ReadFailure) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ReadFailure(reason: "cannot be opened: \(SystemFailure().text)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ReadFailure(reason: "cannot be read: it is no regular file")
        }
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// That what is told at the end cannot be.
    static let damaged = ReadFailure(
        reason: "is damaged or cut off: its end does not tell its rows")

    /// So many bytes from a place on. Throws `ReadFailure` where they are not there.
    func bytes(_ count: Int, at place: Int) throws(ReadFailure) -> [UInt8] {
        guard count >= 0, count <= Self.most, place >= 0, place <= size - count else {
            throw Self.damaged
        }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes { room in
                pread(
                    descriptor, room.baseAddress?.advanced(by: done), count - done,
                    off_t(place + done))
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw Self.damaged }
            done += read
        }
        return bytes
    }
}
