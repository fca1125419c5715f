import MooringModel

/// The names in the first row of a CSV file, compared byte for byte.
struct CSVHeader {
    /// The names, in the order of the columns.
    let names: [[UInt8]]

    /// Reads the first row; nil, after a problem, when there is none or a name stands twice.
    init?(_ reader: CSVReader, _ file: CopyFile, _ problems: inout ProblemList) {
        let step = reader.next()
        guard case .row(let line) = step, !reader.isBlank else {
            if case .problem(let line, let reason) = step {
                problems.add(file.problem(line, reason))
            } else {
                problems.add(file.problem(1, "there is no header row"))
            }
            return nil
        }
        names = (0..<reader.count).map { reader.bytes($0) }
        guard Set(names).count == names.count else {
            problems.add(file.problem(line, "the header names a column twice"))
            return nil
        }
    }

    /// The place of a column; nil when the header does not name it.
    func index(of name: String) -> Int? {
        names.firstIndex(of: Array(name.utf8))
    }

    /// Why a row does not fit the header; nil when it does.
    func mismatch(_ reader: CSVReader) -> String? {
        guard reader.count != names.count else { return nil }
        return "has \(reader.count) fields, and the header has \(names.count): "
            + "the row is malformed or cut off"
    }

    /// Whether the row is an empty line that says nothing.
    func skips(_ reader: CSVReader) -> Bool { reader.isBlank && names.count > 1 }
}
