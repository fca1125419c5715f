import MooringModel

/// The rows of a CSV listing.
final class CSVListing: ListingRows {
    private let reader: CSVReader
    private let header: CSVHeader
    private let file: CopyFile
    private let key: Int
    private let size: Int
    private let lastModified: Int
    private let etag: Int?

    /// A listing whose header names what an object needs; nil, after a problem, when it does not.
    init?(_ reader: CSVReader, _ file: CopyFile, _ problems: inout ProblemList) {
        guard let header = CSVHeader(reader, file, &problems) else { return nil }
        for name in ["key", "size", "lastModified"] where header.index(of: name) == nil {
            problems.add(file.problem(1, "the header names no column \"\(name)\""))
        }
        guard let key = header.index(of: "key"), let size = header.index(of: "size"),
            let lastModified = header.index(of: "lastModified")
        else { return nil }
        self.reader = reader
        self.header = header
        self.file = file
        self.key = key
        self.size = size
        self.lastModified = lastModified
        self.etag = header.index(of: "etag")
    }

    /// The object of the next row that can be read.
    func next(_ problems: inout ProblemList) -> ListedObject? {
        while true {
            switch reader.next() {
            case .end: return nil
            case .problem(let line, let reason): problems.add(file.problem(line, reason))
            case .row(let line):
                if header.skips(reader) { continue }
                do {
                    return try object()
                } catch {
                    problems.add(file.problem(line, error.reason))
                }
            }
        }
    }

    private func object() throws(RowFault) -> ListedObject {
        if let mismatch = header.mismatch(reader) { throw RowFault(reason: mismatch) }
        guard let size = reader.withBytes(size, { TimeReader.digits($0) }) else {
            throw RowFault.size
        }
        guard let time = reader.withBytes(lastModified, { TimeReader.instant($0) }) else {
            throw RowFault.time
        }
        // What is left of `2026-01-01T…` in a file that was cut off may be the number 20.
        guard reader.isEnded || !reader.withBytes(lastModified, TimeReader.mayBeCut) else {
            throw RowFault(
                reason: "the time has fewer than \(TimeReader.wholeDigits) digits, and no line "
                    + "break follows: the file is cut off")
        }
        let key = reader.bytes(key)
        guard !key.isEmpty else { throw RowFault.key }
        let etag = etag.map { entityTag(reader.bytes($0)) } ?? ""
        return ListedObject(
            key: ObjectKey(key),
            version: ObjectVersion(size: size, etag: etag, lastModified: time))
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

    /// The object of the next line that can be read.
    func next(_ problems: inout ProblemList) -> ListedObject? {
        while true {
            switch reader.next() {
            case .end: return nil
            case .problem(let line, let reason): problems.add(file.problem(line, reason))
            case .line(let line, let isEnded):
                switch reader.withBytes({ read($0) }) {
                case .success(nil): continue
                case .success(let object?): return object
                case .failure(let fault):
                    problems.add(file.problem(line, fault.text(isEnded: isEnded)))
                }
            }
        }
    }

    // Nil for a line that is blank.
    private func read(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Result<ListedObject?, RowFault> {
        if JSONText.isBlank(bytes) { return .success(nil) }
        do throws(RowFault) {
            try json.read(bytes)
            return .success(try object(bytes))
        } catch {
            return .failure(error)
        }
    }

    private func object(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) -> ListedObject {
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
        return ListedObject(
            key: ObjectKey(key),
            version: ObjectVersion(
                size: count, etag: try text(Self.names.etag, bytes).map(entityTag) ?? "",
                lastModified: try time(bytes)))
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
        json.members.first { $0.name == name }
    }

    // Nil where the member is missing or null; anything but a string is a fault.
    private func text(
        _ name: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault) -> [UInt8]? {
        guard let member = member(name) else { return nil }
        switch member.kind {
        case .null: return nil
        case .string(let hasEscapes):
            return try JSONText.decode(bytes, member.range, hasEscapes: hasEscapes)
        default: throw RowFault(reason: "has a \"\(name.label)\" that is no string")
        }
    }
}

// S3 writes an ETag in quotes, which are no part of it.
private func entityTag(_ bytes: [UInt8]) -> String {
    var tag = bytes[...]
    while tag.first == UInt8(ascii: "\"") { tag.removeFirst() }
    while tag.last == UInt8(ascii: "\"") { tag.removeLast() }
    return String(decoding: tag, as: UTF8.self)
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
