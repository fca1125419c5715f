import Crypto
import MooringModel

@testable import MooringFiles

/// An inventory as S3 writes one, for tests: in the layout of a bucket, below a sandbox.
struct MadeInventory {
    /// One row: an object, a version that is not the latest, or a delete marker.
    struct Row {
        var object: ListedObject
        var isLatest = true
        var isMarker = false
        var bucket = MadeInventory.source
    }

    static let source = "my-app-media"
    static let config = "inventories/my-app-media/weekly"
    /// Milliseconds since 1970 of the manifest; the same moment as `moment`.
    static let created = "1763690400250"
    static let moment = Instant(nanoseconds: 1_763_690_400_250_000_000)
    static let plain = ["Bucket", "Key", "Size", "LastModifiedDate", "ETag"]
    static let versioned = [
        "Bucket", "Key", "VersionId", "IsLatest", "IsDeleteMarker", "Size", "LastModifiedDate",
        "ETag",
    ]

    var columns = plain
    var members = [
        "sourceBucket": "\"\(source)\"", "destinationBucket": "\"arn:aws:s3:::reports\"",
        "version": "\"2016-11-30\"", "creationTimestamp": "\"\(created)\"",
        "fileFormat": "\"CSV\"",
    ]
    /// The parts: their keys and the bytes of their files.
    var parts: [(key: String, bytes: [UInt8])] = []
    /// Where they lie below the folder of the bucket; by default at their keys.
    var place: (String) -> String = { $0 }
    var folder = "\(config)/2026-11-21T01-00Z"
    /// What `manifest.checksum` holds; nil where there is none.
    var checksum: (([UInt8]) -> String?) = { MadeInventory.md5($0) + "\n" }

    init() {}

    /// Adds a part of these rows.
    mutating func add(_ rows: [Row]) throws {
        try add(rows.map { line($0) }.joined())
    }

    /// Adds a part of this text.
    mutating func add(_ text: String) throws {
        parts.append(("\(Self.config)/data/part-\(parts.count).csv.gz", try gzip(Array(text.utf8))))
    }

    /// Writes it, and gives the path of its manifest. `damage` may change what is on disk behind
    /// the manifest's back.
    func write(
        to sandbox: Sandbox, damage: (Int, [UInt8]) -> [UInt8]? = { $1 }
    ) throws -> String {
        for (index, part) in parts.enumerated() {
            guard let bytes = damage(index, part.bytes) else { continue }
            try sandbox.write(Array("inventory/\(place(part.key))".utf8), bytes)
        }
        let text = Array(manifest.utf8)
        let name = "inventory/\(folder)/manifest"
        try sandbox.write(Array("\(name).json".utf8), text)
        if let checksum = checksum(text) {
            try sandbox.write(Array("\(name).checksum".utf8), Array(checksum.utf8))
        }
        return "\(sandbox.path)/\(name).json"
    }

    private var manifest: String {
        var all = members
        if all["fileSchema"] == nil {
            all["fileSchema"] = "\"\(columns.joined(separator: ", "))\""
        }
        if all["files"] == nil {
            let files = parts.map { part in
                "{\"key\": \(Self.json(part.key)), \"size\": \(part.bytes.count), "
                    + "\"MD5checksum\": \"\(Self.md5(part.bytes))\"}"
            }
            all["files"] = "[\(files.joined(separator: ","))]"
        }
        let lines = all.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        return "{\(lines.joined(separator: ",\n"))}"
    }

    private static func json(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            scalar.value == 0 ? "\\u0000" : String(scalar)
        }
        return "\"\(escaped.joined())\""
    }

    static func md5(_ bytes: [UInt8]) -> String {
        Insecure.MD5.hash(data: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// A row as S3 writes it: every cell in quotes, the key as a form sends it.
    func line(_ row: Row) -> String {
        let version = row.object.version
        return columns.map { column in
            switch column {
            case "Bucket": row.bucket
            case "Key": Self.encode(row.object.key.bytes)
            case "IsLatest": "\(row.isLatest)"
            case "IsDeleteMarker": "\(row.isMarker)"
            case "VersionId": "3HL4kqtJlcpXroDTDmJ"
            case "Size": row.isMarker ? "" : "\(version.size)"
            case "LastModifiedDate": version.lastModified.iso8601
            case "ETag": row.isMarker ? "" : version.etag
            case "IsMultipartUploaded": row.isMarker ? "" : "\(version.isMultipart)"
            default: "what nobody reads, \"\"quoted\"\""
            }
        }.map { "\"\($0)\"" }.joined(separator: ",") + "\n"
    }

    static func encode(_ key: [UInt8]) -> String {
        key.map { byte in
            switch byte {
            case 0x20: return "+"
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x2F, 0x5F:
                return String(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }.joined()
    }
}
