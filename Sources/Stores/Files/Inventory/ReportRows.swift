import Crypto
import MooringModel
import MooringText

/// The rows of one part of an inventory, which is checked as it is read.
protocol PartRows: AnyObject {
    /// Fills a slab with the objects of the rows that can be read; problems on the way are added,
    /// and it is false at the end.
    func fill(_ slab: inout ObjectSlab, _ problems: inout ProblemList) -> Bool

    /// Checks the part, when all of it was read: what could not be read is a problem already.
    func check(_ problems: inout ProblemList)
}

/// The rows of one file with a header.
final class ReportRows: PartRows {
    private let part: InventoryPart
    private let file: CopyFile
    private let source: ByteSource
    private let reader: CSVReader
    private let header: CSVHeader
    private let columns: any HeadedColumns
    private let report: ReportTally
    private var object = HeadedObject()

    /// The rows of a part; nil, after a problem, where its header lacks what an object needs.
    init?(
        _ part: InventoryPart, _ opened: OpenedPart, _ layout: any HeadedLayout,
        _ report: ReportTally, _ problems: inout ProblemList
    ) {
        self.part = part
        self.report = report
        file = CopyFile(path: opened.place, taken: nil)
        source = opened.bytes
        reader = CSVReader(TextBuffer(source), separator: layout.separator)
        part.compareSize(opened, &problems)
        guard let header = CSVHeader(reader, file, &problems) else { return nil }
        self.header = header
        if let name = header.doubled {
            problems.add(
                file.problem(
                    1,
                    "the header names the column \(name.label.printable) twice, in letters of "
                        + "another case, so that nobody can tell which is meant"))
            return nil
        }
        do {
            columns = try layout.columns(header)
        } catch {
            problems.add(ScanProblem(place: opened.place, reason: error.reason))
            return nil
        }
    }

    func fill(_ slab: inout ObjectSlab, _ problems: inout ProblemList) -> Bool {
        func add(_ row: CSVReader.Row) {
            if row.isBlank { return }
            report.rows += 1
            do throws(RowFault) {
                if let mismatch = header.mismatch(row) { throw RowFault(reason: mismatch) }
                try append(row, to: &slab)
            } catch {
                problems.add(file.problem(row.line, error.reason))
            }
        }
        return reader.read(add) { line, reason in
            problems.add(file.problem(line, reason))
        } while: {
            slab.count < ListingBucket.batchSize
        }
    }

    func check(_ problems: inout ProblemList) {
        if let change = source.changeWhileRead() {
            problems.add(ScanProblem(place: file.path, reason: change))
        }
    }

    // A row that is no object of the bucket adds nothing, and counts all the same.
    private func append(_ row: CSVReader.Row, to slab: inout ObjectSlab) throws(RowFault) {
        // Where the manifest tells a file's size nothing can be cut off it unseen.
        guard row.isEnded || part.size != nil || !columns.used.contains(header.count - 1) else {
            throw RowFault(
                reason: "the file ends in the middle of this line, or without a line break behind "
                    + "a column that matters: it may be cut off")
        }
        guard try columns.read(row, into: &object), try report.takes(object) else { return }
        object.key.withUnsafeBufferPointer { key in
            object.tag.withUnsafeBufferPointer { tag in
                slab.append(
                    key: key, etag: entityTag(tag), size: object.size,
                    lastModified: object.written)
            }
        }
    }
}

/// What the rows of all files of a report come to.
final class ReportTally {
    /// How many rows there were, whatever they hold.
    var rows: Int64 = 0
    private let wanted: [UInt8]?
    private let remembers: Bool
    // Of a report of one bucket the one that its first row names.
    private var bucket: [UInt8]?
    private var hasWanted = false
    private var other: [UInt8]?
    // 24 bytes for each object, and up to 40 for the room between them.
    private var seen: [Digest: UInt64] = [:]

    private struct Digest: Hashable {
        let high: UInt64
        let low: UInt64
    }

    /// The tally of a report's files. Where it has several and lists while the container changes,
    /// one blob may stand in two of them.
    init(_ layout: any HeadedLayout, files: Int) {
        wanted = layout.container
        remembers = wanted != nil && files > 1
    }

    /// Whether an object is one of the bucket, for the first time. Throws `RowFault` where it is of
    /// another bucket than the row before, or another version of one that was told already.
    func takes(_ object: HeadedObject) throws(RowFault) -> Bool {
        guard let wanted else {
            guard bucket == nil || bucket == object.place else {
                throw RowFault(reason: "names another bucket than the rows before")
            }
            bucket = object.place
            return true
        }
        guard object.place == wanted else {
            other = other ?? object.place
            return false
        }
        hasWanted = true
        return try remembers ? isNew(object) : true
    }

    private func isNew(_ object: HeadedObject) throws(RowFault) -> Bool {
        let digest = words(of: object.key)
        let key = Digest(high: digest[0], low: digest[1])
        let version = words(
            of: object.tag + Array("\n\(object.size)\n\(object.written.nanoseconds)".utf8))[0]
        guard let before = seen.updateValue(version, forKey: key) else { return true }
        guard before == version else {
            throw RowFault(
                reason: "tells another version of a blob than a row before: it was written to "
                    + "while it was listed, and nobody can tell which is there now; name the "
                    + "manifest of another run")
        }
        return false
    }

    private func words(of bytes: [UInt8]) -> [UInt64] {
        SHA256.hash(data: bytes).withUnsafeBytes { digest in
            [0, 8].map { digest.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        }
    }

    /// Why the rows are not those that the manifest promised; nil where they are.
    func doubt(promised: Int64) -> String? {
        guard rows == promised else {
            return "says that the report has \(promised) rows, and \(rows) could be read: files "
                + "are cut off, or of another report; copy them again"
        }
        guard let wanted, let other, !hasWanted else { return nil }
        return "lists no blob of container '\(wanted.label.printable)', and some of "
            + "'\(other.label.printable)': name the bucket as its container is named"
    }
}

extension InventoryPart {
    /// Adds a problem where an opened part has another size than the manifest says.
    func compareSize(_ opened: OpenedPart, _ problems: inout ProblemList) {
        guard let size, opened.bytes.size != size else { return }
        problems.add(
            ScanProblem(
                place: opened.place,
                reason: "has \(opened.bytes.size) bytes, and the manifest says \(size): it is cut "
                    + "off, damaged or another file; copy it again"))
    }
}
