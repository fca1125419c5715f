import MooringModel
import MooringText

/// How the files of a product begin, whose rows have a header.
protocol HeadedLayout {
    /// What stands between two fields.
    var separator: UInt8 { get }
    /// The container whose objects are wanted, where a report lists several; nil where all its rows
    /// have to be of one bucket.
    var container: [UInt8]? { get }
    /// The columns in their order, as the manifest names them; nil where it does not.
    var named: [[UInt8]]? { get }

    /// What the columns of a header mean. Throws `ReadFailure`, as a clause about the file, where
    /// one is missing without which nobody can tell an object.
    func columns(_ header: CSVHeader) throws(ReadFailure) -> any HeadedColumns
}

/// What the rows behind a header mean.
protocol HeadedColumns {
    /// The columns that a cut last row must not end in.
    var used: Set<Int> { get }

    /// Reads a row into an object of the bucket; false where it is none, such as an older version,
    /// or something deleted. Throws `RowFault` of a cell.
    func read(_ row: CSVReader.Row, into object: inout HeadedObject) throws(RowFault) -> Bool
}

/// An object as a row tells it. It is filled again for each row.
struct HeadedObject {
    /// The bucket or container that the row names; empty where it names none.
    var place: [UInt8] = []
    /// The key, as it stands in the row.
    var key: [UInt8] = []
    /// What changes with each write; empty where the report has no such column.
    var tag: [UInt8] = []
    /// Bytes of content.
    var size: Int64 = 0
    /// When this version came to be.
    var written = Instant.distantPast
}

extension CSVHeader {
    /// A column by its name, in whatever case it is spelt.
    func place(_ name: String) -> Int? {
        let wanted = name.lowercased().utf8
        return names.firstIndex { $0.label.lowercased().utf8.elementsEqual(wanted) }
    }

    /// The first name that stands twice when case does not count; nil where none does.
    var doubled: [UInt8]? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0.label.lowercased()).inserted }
    }

    /// A column without which nothing is judged. Throws `ReadFailure` where it is missing.
    func needed(_ name: String, _ why: String, _ remedy: String) throws(ReadFailure) -> Int {
        guard let place = place(name) else {
            throw ReadFailure(
                reason: "has no header row with the column \(name), without which \(why); \(remedy)"
            )
        }
        return place
    }

    /// A fault of one cell, which names its column, from 1.
    func fault(_ column: Int, _ what: String) -> RowFault {
        RowFault(reason: "column \(column + 1) (\(names[column].label.printable)) \(what)")
    }
}

extension CSVReader.Row {
    /// Whether a column is there and holds something.
    func holds(_ column: Int?) -> Bool {
        guard let column else { return false }
        return fields[column].start < fields[column].end
    }

    /// A cell that holds a whole number of bytes. Throws `RowFault`.
    func size(_ column: Int, _ header: CSVHeader) throws(RowFault) -> Int64 {
        guard let size = TimeReader.digits(raw(fields[column])) else {
            throw header.fault(column, "holds no size in whole bytes")
        }
        return size
    }

    /// A cell that holds a moment to the second, with its zone: what nobody can place exactly would
    /// make an object look older than it is. Throws `RowFault`.
    func moment(_ column: Int, _ header: CSVHeader) throws(RowFault) -> Instant {
        guard let read = Instant.read(iso8601: raw(fields[column])) else {
            throw header.fault(column, "holds no time in ISO 8601")
        }
        guard read.isZoned, read.precision == .zero else {
            throw header.fault(
                column,
                "holds a time without its seconds or its zone, such as Z, so that nobody "
                    + "can tell the moment")
        }
        return read.instant
    }

    /// Whether a column is there and holds a moment. Throws `RowFault` where it holds anything
    /// else.
    func tellsTime(_ column: Int, _ header: CSVHeader) throws(RowFault) -> Bool {
        guard holds(column) else { return false }
        guard Instant.read(iso8601: raw(fields[column])) != nil else {
            throw header.fault(column, "holds no time in ISO 8601")
        }
        return true
    }

    /// Its bytes, as they stand in the file.
    var whole: UnsafeBufferPointer<UInt8> {
        guard let first = fields.first, let last = fields.last else {
            return UnsafeBufferPointer(rebasing: bytes[..<0])
        }
        return UnsafeBufferPointer(rebasing: bytes[first.start..<last.end])
    }

    /// A cell that says yes, or nothing or no, in whatever case. Throws `RowFault`.
    func flag(_ column: Int?, _ header: CSVHeader) throws(RowFault) -> Bool {
        guard let column, holds(column) else { return false }
        switch bytes(fields[column]).label.lowercased() {
        case "true": return true
        case "false": return false
        default: throw header.fault(column, "holds neither true nor false")
        }
    }
}
