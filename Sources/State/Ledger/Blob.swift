import FoundationEssentials
import GRDB
import MooringModel

/// Bytes as SQLite stores them, compared byte by byte.
///
/// Texts from stores are kept this way too: SQLite ends a bound text at its first NUL byte.
struct Blob: Hashable, Sendable, DatabaseValueConvertible {
    /// The bytes, NUL among them.
    let bytes: [UInt8]

    /// These bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The UTF-8 bytes of a text.
    init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    /// The bytes as text; what was stored from a text comes back unchanged.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value that SQLite gets.
    var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    /// The bytes of a stored value; nil when it is no BLOB.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? {
        guard case .blob(let data) = value.storage else { return nil }
        return Blob(Array(data))
    }
}

/// What a finding or a journal entry speaks of, as one key to look it up by.
enum Subject: Hashable, Sendable {
    case object(bucket: String, key: ObjectKey)
    case record(RecordIdentity)

    /// The object that a step acts on, or its record where it acts on no object; nil where it names
    /// neither.
    init?(of step: PlanStep) {
        if let bucket = step.bucket, let key = step.key {
            self = .object(bucket: bucket, key: key)
        } else if let record = step.record {
            self = .record(record.identity)
        } else {
            return nil
        }
    }

    /// Bytes that differ for different subjects: each part is preceded by its length.
    var blob: Blob {
        var bytes: [UInt8] = []
        switch self {
        case .object(let bucket, let key):
            bytes.append(UInt8(ascii: "O"))
            Self.append(bucket.utf8, to: &bytes)
            Self.append(key.bytes, to: &bytes)
        case .record(let identity):
            bytes = Self.head(ofRecordsIn: identity.source).bytes
            Self.append(identity.model.utf8, to: &bytes)
            identity.id.parts.forEach { Self.append($0, to: &bytes) }
        }
        return Blob(bytes)
    }

    /// How the bytes of every record of a source begin, and of no other source's.
    static func head(ofRecordsIn source: String) -> Blob {
        var bytes = [UInt8(ascii: "R")]
        append(source.utf8, to: &bytes)
        return Blob(bytes)
    }

    private static func append(_ part: some Collection<UInt8>, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(part.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: part)
    }
}

extension Instant: DatabaseValueConvertible {
    /// Whole nanoseconds since 1970.
    var databaseValue: DatabaseValue { nanoseconds.databaseValue }

    /// The moment of a stored number.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Instant? {
        Int64.fromDatabaseValue(value).map(Instant.init(nanoseconds:))
    }
}
