import MooringModel
import MooringText

/// The rows of one part of an inventory of S3.
final class InventoryRows: PartRows {
    private let part: InventoryPart
    private let file: CopyFile
    private let source: ByteSource
    private let buffer: TextBuffer
    private let reader: CSVReader
    private let columns: InventoryColumns
    private let bucket: [UInt8]
    private let hasItsSize: Bool
    // A key whose encoding is undone, and an ETag that says that there are parts.
    private var key: [UInt8] = []
    private var tag: [UInt8] = []

    /// The rows of a part of a bucket's inventory; a size that is not the manifest's is a problem.
    init(
        _ part: InventoryPart, _ opened: OpenedPart, of bucket: String,
        _ columns: InventoryColumns, _ problems: inout ProblemList
    ) {
        self.part = part
        file = CopyFile(path: opened.place, taken: nil)
        source = opened.bytes
        buffer = TextBuffer(source)
        reader = CSVReader(buffer)
        self.columns = columns
        self.bucket = Array(bucket.utf8)
        hasItsSize = source.size == part.size
        part.compareSize(opened, &problems)
    }

    func fill(_ slab: inout ObjectSlab, _ problems: inout ProblemList) -> Bool {
        func add(_ row: CSVReader.Row) {
            do {
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
        guard hasItsSize, buffer.failure == nil else { return }
        if source.checksum != part.checksum {
            problems.add(
                ScanProblem(
                    place: file.path,
                    reason: "is damaged or another file: its MD5 is not the manifest's; copy it "
                        + "again"))
        }
    }

    // A row that is no current object adds nothing.
    private func append(
        _ row: CSVReader.Row, to slab: inout ObjectSlab
    ) throws(RowFault) {
        if let mismatch = columns.mismatch(row.fields.count) { throw RowFault(reason: mismatch) }
        if let column = columns.bucket, !row.raw(row.fields[column]).elementsEqual(bucket) {
            throw columns.fault(column, "names another bucket than the manifest's sourceBucket")
        }
        // First, so that a damaged cell is told in rows of older versions too.
        try readKey(row)
        if let column = columns.isLatest, try !flag(row, column) { return }
        if let column = columns.isDeleteMarker, try flag(row, column) { return }
        guard let size = TimeReader.digits(row.raw(row.fields[columns.size])) else {
            throw columns.fault(columns.size, "holds no size in whole bytes")
        }
        guard let time = Instant(iso8601: row.raw(row.fields[columns.lastModified])) else {
            throw columns.fault(columns.lastModified, "holds no time in ISO 8601")
        }
        try readTag(row)
        key.withUnsafeBufferPointer { key in
            tag.withUnsafeBufferPointer { tag in
                slab.append(key: key, etag: tag, size: size, lastModified: time)
            }
        }
    }

    private func flag(_ row: CSVReader.Row, _ column: Int) throws(RowFault) -> Bool {
        let text = row.raw(row.fields[column])
        if text.elementsEqual("true".utf8) { return true }
        if text.elementsEqual("false".utf8) { return false }
        throw columns.fault(column, "holds neither true nor false")
    }

    private func readKey(_ row: CSVReader.Row) throws(RowFault) {
        let field = row.fields[columns.key]
        let isKey =
            field.hasDoubledQuotes
            ? row.bytes(field).withUnsafeBufferPointer { FormText.decode($0, into: &key) }
            : FormText.decode(row.raw(field), into: &key)
        guard isKey else {
            throw columns.fault(columns.key, "holds a key that is not URL-encoded as S3 does it")
        }
        guard !key.isEmpty else { throw columns.fault(columns.key, "holds no key") }
    }

    // S3 tells in a column of its own which objects came in parts, and in the form of most ETags.
    private func readTag(_ row: CSVReader.Row) throws(RowFault) {
        tag.removeAll(keepingCapacity: true)
        if let column = columns.etag {
            tag.append(contentsOf: entityTag(row.raw(row.fields[column])))
        }
        var mayHaveParts = columns.hidesParts
        if let column = columns.isMultipart {
            let isSaid = row.fields[column].start < row.fields[column].end
            mayHaveParts = try isSaid ? flag(row, column) : false
        }
        guard mayHaveParts else { return }
        let digits = tag.reversed().prefix { TimeReader.isDigit($0) }.count
        let saysParts = digits > 0 && tag.dropLast(digits).last == UInt8(ascii: "-")
        if !saysParts { tag.append(contentsOf: "-0".utf8) }
    }
}

/// Text as a form of HTML is sent, which is how S3 Inventory writes keys: `%XX` is a byte, and a
/// plus is a blank.
enum FormText {
    /// Undoes the encoding, in place of what `output` held; false where the text is none, since a
    /// percent sign stands for no byte, or a byte stands there that is always encoded.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Bool {
        output.removeAll(keepingCapacity: true)
        var index = 0
        while index < text.count {
            var byte = text[index]
            switch byte {
            case UInt8(ascii: "%"):
                guard index + 2 < text.count, let high = Hexadecimal.value(text[index + 1]),
                    let low = Hexadecimal.value(text[index + 2])
                else { return false }
                byte = high << 4 | low
                index += 2
            case UInt8(ascii: "+"): byte = UInt8(ascii: " ")
            case ...0x20, 0x7F...: return false
            default: break
            }
            output.append(byte)
            index += 1
        }
        return true
    }
}
