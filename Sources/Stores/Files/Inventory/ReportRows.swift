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
        if let doubt = report.begin(header.names) {
            problems.add(file.problem(1, doubt))
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
        guard try columns.read(row, into: &object), try report.takes(object) else {
            return try report.pass(row.whole)
        }
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
    // The columns of all files, as the manifest or the first of them has them.
    private let named: [[UInt8]]?
    private var first: [[UInt8]]?
    private var file: UInt64 = 0
    // Of a report of one bucket the one that its first row names.
    private var bucket: [UInt8]?
    private var hasWanted = false
    private var other: [UInt8]?
    // By a blob's key what tells its version and, in the lowest bits, the file. 24 bytes for each
    // object, and up to 40 for the room between them.
    private var seen: [Digest: UInt64] = [:]
    // Rows that are no object of the bucket.
    private var passed: Set<Digest> = []

    private static let fileBits: UInt64 = 1 << 24 - 1

    private struct Digest: Hashable {
        let high: UInt64
        let low: UInt64
    }

    /// The tally of a report's files, before the first of them.
    init(_ layout: any HeadedLayout) {
        (wanted, named) = (layout.container, layout.named)
    }

    /// Begins a file with these columns. Gives why they are not those of the report, so that nobody
    /// can tell what each of them holds; nil where they are.
    func begin(_ names: [[UInt8]]) -> String? {
        file += 1
        // Where a report lists while the container changes, a row may stand in two of its files.
        if wanted != nil { passed.removeAll() }
        if let named, !Self.areSame(named, names) {
            return "its header is not what the manifest says of the columns and their order ("
                + named.map { $0.label.printable }.joined(separator: ", ") + "): " + Self.remedy
        }
        let first = first ?? names
        self.first = first
        guard !Self.areSame(first, names) else { return nil }
        return "its header is not that of the first file: " + Self.remedy
    }

    private static let remedy =
        "nobody can tell what each column holds, and nothing of the file is read; copy the files "
        + "of one report again"

    private static func areSame(_ one: [[UInt8]], _ other: [[UInt8]]) -> Bool {
        one.map { $0.label.lowercased() } == other.map { $0.label.lowercased() }
    }

    /// Whether an object is one of the bucket, for the first time. Throws `RowFault` where it is of
    /// another bucket than the row before, another version of one that was told already, or told
    /// twice by one file.
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
        return try isNew(object)
    }

    /// Takes a row that is no object of the bucket, or is one that another file told. Throws
    /// `RowFault` where it stands twice: it may take the place of another in the report's count.
    func pass(_ row: UnsafeBufferPointer<UInt8>) throws(RowFault) {
        guard passed.insert(Self.digest(of: row)).inserted else { throw Self.repeated }
    }

    private static let repeated = RowFault(
        reason: "is the same as a row before: it counts as two of the rows that the manifest "
            + "promises, so that another may be missing; name the manifest of another run")

    private func isNew(_ object: HeadedObject) throws(RowFault) -> Bool {
        let key = object.key.withUnsafeBufferPointer(Self.digest)
        let text = object.tag + Array("\n\(object.size)\n\(object.written.nanoseconds)".utf8)
        let version = text.withUnsafeBufferPointer(Self.digest).high
        let told = version & ~Self.fileBits | file & Self.fileBits
        guard let before = seen.updateValue(told, forKey: key) else { return true }
        guard (before ^ told) & ~Self.fileBits == 0 else {
            throw RowFault(
                reason: "tells another version of a blob than a row before: it was written to "
                    + "while it was listed, and nobody can tell which is there now; name the "
                    + "manifest of another run")
        }
        guard before != told else { throw Self.repeated }
        return false
    }

    private static func digest(of bytes: UnsafeBufferPointer<UInt8>) -> Digest {
        var hash = SHA256()
        hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
        return hash.finalize().withUnsafeBytes { digest in
            Digest(
                high: digest.loadUnaligned(as: UInt64.self),
                low: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
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
