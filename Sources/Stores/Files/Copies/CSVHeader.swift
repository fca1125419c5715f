import MooringModel

/// The names in the first row of a CSV file, compared byte for byte.
struct CSVHeader {
    /// The names, in the order of the columns.
    let names: [[UInt8]]
    /// How many they are: a number of its own, since asking the names counts them as used for
    /// every row.
    let count: Int

    /// Reads the first row; nil, after a problem, when there is none or a name stands twice.
    init?(_ reader: CSVReader, _ file: CopyFile, _ problems: inout ProblemList) {
        var found: [[UInt8]]?
        let step = reader.next { row in
            if !row.isBlank { found = row.fields.map { row.bytes($0) } }
        }
        guard case .row(let line) = step, let found else {
            if case .problem(let line, let reason) = step {
                problems.add(file.problem(line, reason))
            } else {
                problems.add(file.problem(1, "there is no header row"))
            }
            return nil
        }
        (names, count) = (found, found.count)
        guard Set(names).count == names.count else {
            problems.add(file.problem(line, "the header names a column twice"))
            return nil
        }
    }

    /// The place of a column; nil when the header does not name it.
    func index(of name: String) -> Int? {
        names.firstIndex(of: Array(name.utf8))
    }

    /// Why a row does not fit the header; nil when it does, or is an empty line that says nothing.
    func mismatch(_ row: CSVReader.Row) -> String? {
        let found = row.fields.count
        guard found != count, !row.isBlank else { return nil }
        return "has \(found) fields, and the header has \(count): the row is malformed or cut off"
    }
}
