/// Files of lines that another file names, which somebody else reads beside this program.
package protocol SummedFiles: Sendable {
    /// What all of them hold, which are read for that: each has to be what was named. Throws
    /// `ReadFailure` where one is not.
    func sum() async throws(ReadFailure) -> RowSum
}

/// What files of rows hold, inflated.
package struct RowSum: Hashable, Sendable {
    /// The bytes of all lines, without their ends; of files of columns none.
    package private(set) var bytes: Int64 = 0
    /// How many lines, or rows of columns, there are; a last line need not end with a line break.
    package private(set) var lines = 0

    /// What a file is by itself.
    package struct File: Sendable {
        /// Its bytes as they lie there.
        package let size: Int64
        /// The MD5 of these.
        package let checksum: [UInt8]
        /// How many lines it has.
        package let lines: Int
    }

    /// No file.
    package init() {}

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Adds all of a file. Throws `ReadFailure` where it cannot be read, or begins with a byte
    /// order mark, which is no part of a line.
    package mutating func add(_ path: String) throws(ReadFailure) -> File {
        let source = try ByteSource(path: path, isSummed: true)
        let before = lines
        var (piece, isFirst): ([UInt8], Bool) = ([], true)
        var last = UInt8(ascii: "\n")
        while try source.read(into: &piece) {
            if isFirst, piece.starts(with: Self.mark) {
                throw ReadFailure(reason: "names a file that begins with a byte order mark")
            }
            isFirst = piece.isEmpty
            let breaks = piece.count { $0 == UInt8(ascii: "\n") }
            bytes += Int64(piece.count - breaks)
            lines += breaks
            last = piece.last ?? last
            piece.removeAll(keepingCapacity: true)
        }
        if last != UInt8(ascii: "\n") { lines += 1 }
        return File(size: source.size, checksum: source.checksum, lines: lines - before)
    }

    /// What a file is by itself, which is read for that; nothing of it is added. Throws
    /// `ReadFailure` where it cannot be read.
    package static func look(at path: String) throws(ReadFailure) -> File {
        let source = try ByteSource(path: path, isSummed: true)
        var piece: [UInt8] = []
        while try source.read(into: &piece) { piece.removeAll(keepingCapacity: true) }
        return File(size: source.size, checksum: source.checksum, lines: 0)
    }

    /// Adds rows of columns.
    package mutating func add(rows: Int) { lines += rows }
}
