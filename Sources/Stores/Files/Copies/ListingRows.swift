import MooringModel
import MooringText

/// The rows of a CSV listing.
final class CSVListing: ListingRows {
    private let reader: CSVReader
    private let header: CSVHeader
    private let file: CopyFile
    private let key: Int
    private let keyBase64: Int?
    private let size: Int
    private let lastModified: Int
    private let etag: Int?

    /// A listing whose header names what an object needs; nil, after a problem, when it does not.
    init?(_ reader: CSVReader, _ file: CopyFile, _ problems: inout ProblemList) {
        guard let header = CSVHeader(reader, file, &problems) else { return nil }
        // Some engines write every name in small letters.
        func index(_ name: String) -> Int? {
            header.index(of: name) ?? header.index(of: name.lowercased())
        }
        let keyBase64 = index("keyBase64")
        let key = header.index(of: "key") ?? keyBase64
        for (name, place) in [
            ("key", key), ("size", index("size")), ("lastModified", index("lastModified")),
        ] where place == nil {
            problems.add(file.problem(1, "the header names no column \"\(name)\""))
        }
        guard let key, let size = index("size"), let lastModified = index("lastModified") else {
            return nil
        }
        self.reader = reader
        self.header = header
        self.file = file
        self.key = key
        self.keyBase64 = keyBase64
        self.size = size
        self.lastModified = lastModified
        self.etag = header.index(of: "etag")
    }

    /// Fills a slab with the objects of the rows that can be read.
    func fill(_ slab: inout ObjectSlab, _ problems: inout ProblemList) -> Bool {
        func add(_ row: CSVReader.Row) {
            if row.fields.count == header.count {
                do {
                    try append(row, to: &slab)
                } catch {
                    problems.add(file.problem(row.line, error.reason))
                }
            } else if let mismatch = header.mismatch(row) {
                problems.add(file.problem(row.line, mismatch))
            }
        }
        return reader.read(add) { line, reason in
            problems.add(file.problem(line, reason))
        } while: {
            slab.count < ListingBucket.batchSize
        }
    }

    private func append(
        _ row: CSVReader.Row, to slab: inout ObjectSlab
    ) throws(RowFault) {
        guard let size = TimeReader.digits(row.raw(row.fields[size])) else { throw RowFault.size }
        let written = row.raw(row.fields[lastModified])
        guard let time = TimeReader.instant(written) else { throw RowFault.time }
        // What is left of `2026-01-01T…` in a file that was cut off may be the number 20.
        guard row.isEnded || !TimeReader.mayBeCut(written) else {
            throw RowFault(
                reason: "the time has fewer than \(TimeReader.wholeDigits) digits, and no line "
                    + "break follows: the file is cut off")
        }
        let etag = etag.map { row.fields[$0] }
        if let encoded = try encodedKey(row) {
            append(encoded, etag.map(row.bytes) ?? [], size, time, to: &slab)
            return
        }
        let key = row.fields[key]
        guard key.start < key.end else { throw RowFault.key }
        guard !key.hasDoubledQuotes, etag?.hasDoubledQuotes != true else {
            append(row.bytes(key), etag.map(row.bytes) ?? [], size, time, to: &slab)
            return
        }
        let tag = etag.map(row.raw) ?? UnsafeBufferPointer(start: nil, count: 0)
        slab.append(key: row.raw(key), etag: entityTag(tag), size: size, lastModified: time)
    }

    private func append(
        _ key: [UInt8], _ etag: [UInt8], _ size: Int64, _ time: Instant, to slab: inout ObjectSlab
    ) {
        key.withUnsafeBufferPointer { key in
            etag.withUnsafeBufferPointer { etag in
                slab.append(key: key, etag: entityTag(etag), size: size, lastModified: time)
            }
        }
    }

    // Nil where the row has none of that kind.
    private func encodedKey(_ row: CSVReader.Row) throws(RowFault) -> [UInt8]? {
        guard let field = keyBase64.map({ row.fields[$0] }), field.start < field.end else {
            return nil
        }
        guard let key = Base64.decode(row.bytes(field).label) else {
            throw RowFault(reason: "has a keyBase64 that is no base64")
        }
        return key
    }
}

/// The lines of a JSON listing.
final class JSONListing: ListingRows {
    private let reader: LineReader
    private let file: CopyFile
    private var json = JSONObjectReader()

    private static let names = (
        key: Array("key".utf8), keyBase64: Array("keyBase64".utf8), size: Array("size".utf8),
        lastModified: Array("lastModified".utf8), etag: Array("etag".utf8)
    )

    /// A listing before its first line.
    init(_ reader: LineReader, _ file: CopyFile) {
        self.reader = reader
        self.file = file
    }

    /// Fills a slab with the objects of the lines that can be read.
    func fill(_ slab: inout ObjectSlab, _ problems: inout ProblemList) -> Bool {
        while slab.count < ListingBucket.batchSize {
            switch reader.next() {
            case .end: return false
            case .problem(let line, let reason): problems.add(file.problem(line, reason))
            case .line(let line, let isEnded):
                do throws(RowFault) {
                    try reader.withBytes { (bytes) throws(RowFault) in try read(bytes, &slab) }
                } catch {
                    problems.add(file.problem(line, error.text(isEnded: isEnded)))
                }
            }
        }
        return true
    }

    // A line that is blank adds nothing.
    private func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ slab: inout ObjectSlab
    ) throws(RowFault) {
        if JSONText.isBlank(bytes) { return }
        try json.read(bytes)
        try append(bytes, &slab)
    }

    private func append(
        _ bytes: UnsafeBufferPointer<UInt8>, _ slab: inout ObjectSlab
    ) throws(RowFault) {
        guard let size = member(Self.names.size), case .number(isWhole: true) = size.kind,
            let count = TimeReader.digits(bytes[size.range])
        else { throw RowFault.size }
        let key: [UInt8]
        if let encoded = try text(Self.names.keyBase64, bytes) {
            guard let decoded = Base64.decode(encoded.label) else {
                throw RowFault(reason: "has a keyBase64 that is no base64")
            }
            key = decoded
        } else {
            key = try text(Self.names.key, bytes) ?? []
        }
        guard !key.isEmpty else { throw RowFault.key }
        let (etag, time) = (try text(Self.names.etag, bytes) ?? [], try time(bytes))
        key.withUnsafeBufferPointer { key in
            etag.withUnsafeBufferPointer { etag in
                slab.append(key: key, etag: entityTag(etag), size: count, lastModified: time)
            }
        }
    }

    private func time(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) -> Instant {
        guard let member = member(Self.names.lastModified) else { throw RowFault.time }
        var instant: Instant?
        if case .number = member.kind {
            instant = TimeReader.instant(UnsafeBufferPointer(rebasing: bytes[member.range]))
        } else if let text = try text(Self.names.lastModified, bytes) {
            instant = text.withUnsafeBufferPointer { TimeReader.instant($0) }
        }
        guard let instant else { throw RowFault.time }
        return instant
    }

    private func member(_ name: [UInt8]) -> JSONObjectReader.Member? {
        json.members.first { json.names[$0.name] == name }
    }

    // Nil where the member is missing or null; anything but a string is a fault.
    private func text(
        _ name: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault) -> [UInt8]? {
        guard let member = member(name) else { return nil }
        switch member.kind {
        case .null: return nil
        case .string(let hasEscapes):
            return try JSONText.decode(bytes, member.range.inner, hasEscapes: hasEscapes)
        default: throw RowFault(reason: "has a \"\(name.label)\" that is no string")
        }
    }
}

/// An ETag without the quotes that S3 writes it in, which are no part of it.
func entityTag(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let quote = UInt8(ascii: "\"")
    guard let first = bytes.firstIndex(where: { $0 != quote }),
        let last = bytes.lastIndex(where: { $0 != quote })
    else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(rebasing: bytes[first...last])
}

extension RowFault {
    /// A size that is missing or no number.
    static let size = RowFault(reason: "has no size in whole bytes")
    /// A time that is missing or in no known form.
    static let time = RowFault(
        reason: "has no lastModified in ISO 8601, seconds or milliseconds since 1970")
    /// A key that is missing or empty.
    static let key = RowFault(reason: "has no key")
}
