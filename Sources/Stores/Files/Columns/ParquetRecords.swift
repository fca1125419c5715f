import Glibc
package import MooringModel
import MooringText

/// Records in Parquet: a file, or all those of a folder, whose columns are the same.
package struct ParquetRecords: SummedFiles {
    /// What the configuration names.
    package let path: String
    /// The paths of the files, by their names.
    package let parts: [String]
    /// The columns of each of them.
    package let columns: [String: ColumnKind]

    /// Looks for the files of a path, and reads what the first one tells of itself. Throws
    /// `ReadFailure` where there is none, or something else beside them.
    package init(_ path: String) throws(ReadFailure) {
        parts = try Self.parts(of: path)
        guard let first = parts.first else {
            throw ReadFailure(reason: "is a folder without a file whose name ends in .parquet")
        }
        self.path = path
        columns = try Self.footer(of: first).columns
    }

    /// Whether other files lie there than were found. Throws `ReadFailure` where nobody can tell.
    package func haveOthersCome() throws(ReadFailure) -> Bool {
        try Self.parts(of: path) != parts
    }

    private static func parts(of path: String) throws(ReadFailure) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ReadFailure(reason: "cannot be opened: \(SystemFailure().text)")
        }
        return status.st_mode & S_IFMT == S_IFDIR ? try files(in: path) : [path]
    }

    /// How many rows all files have. Throws `ReadFailure` where the columns of one are others.
    package func sum() async throws(ReadFailure) -> RowSum {
        var sum = RowSum()
        for part in parts {
            let footer = try Self.footer(of: part)
            guard footer.columns == columns else {
                throw ReadFailure(
                    reason: "has a file of other columns than the first one: "
                        + "'\(InventoryPlaces.name(of: part).printable)'")
            }
            sum.add(rows: footer.rows)
        }
        return sum
    }

    private static func footer(of part: String) throws(ReadFailure) -> ColumnFooter {
        do throws(ReadFailure) { return try ColumnFooter(path: part, .parquet) } catch {
            throw ReadFailure(
                reason: "has '\(InventoryPlaces.name(of: part).printable)', which \(error.reason)")
        }
    }

    // What writers leave beside rows when they are done. Any other name of that kind may mean that
    // the files here are not the table: `_temporary` lies there while rows are written, and a log
    // such as `_delta_log` says which of the files count.
    private static func isBeside(_ name: String) -> Bool {
        ["_SUCCESS", "_metadata", "_common_metadata"].contains(name)
            || name.hasPrefix(".") && name.hasSuffix(".crc")
    }

    private static func files(in folder: String) throws(ReadFailure) -> [String] {
        var names: [String] = []
        do throws(SystemFailure) {
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemFailure() }
            let entries = try FolderEntries(adopting: descriptor)
            while try entries.advance() {
                var name: [UInt8] = []
                entries.appendName(to: &name)
                names.append(String(decoding: name, as: UTF8.self))
            }
        } catch {
            throw ReadFailure(reason: "cannot be read: \(error.text)")
        }
        let own = names.filter { !isBeside($0) }.sorted()
        let isOther = { (name: String) in
            !name.hasSuffix(".parquet") || name.hasPrefix(".") || name.hasPrefix("_")
        }
        if let other = own.first(where: isOther) {
            throw ReadFailure(
                reason: "is a folder that holds '\(other.printable)', and only files whose names "
                    + "end in .parquet, and begin neither with a full stop nor with an "
                    + "underscore, are read")
        }
        return own.map { folder + "/" + $0 }
    }
}

/// Records in Parquet as they are read without Spark: not at all.
package struct ParquetSource: CopySource {
    /// The source's name in the configuration.
    package let name: String
    /// How the configuration spells the kind.
    package let kind = "parquet"
    /// Nothing is read.
    package let replaysByScan = true
    private let path: String
    private let reason: String?

    /// Records of a path, which Spark does not read for a reason; nil where another engine is at
    /// work.
    package init(name: String, path: String, reason: String? = nil) {
        (self.name, self.path, self.reason) = (name, path, reason)
    }

    /// That a copy serves no repair.
    package var refusal: StoreError { CopyFile(path: path, taken: nil).refusal(source: name) }

    /// Reads nothing, which is a problem.
    package func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        var problems = ProblemList()
        let why =
            reason.map { "and it does not: \($0)" }
            ?? "by 'engine: spark': take that, or write the table as CSV or JSON lines"
        problems.add(
            ScanProblem(place: path, reason: "is in Parquet, which Spark alone reads, \(why)"))
        return CopyFile(path: path, taken: nil).unopened(problems)
    }
}
