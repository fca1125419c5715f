import Foundation
import PlainS3
import TestServers
import Testing

/// An inventory of a bucket of a real server, written as S3 writes one: into another bucket, or
/// into a folder.
struct StoredInventory {
    private static let config = "reports/daily"
    private static let schema =
        "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, ETag"

    let app: StoreApp
    /// The bucket that it is written to.
    let bucket: String
    /// What the manifest says that it lists.
    var source: String
    /// Its moment, in milliseconds.
    var moment = Int(Date().timeIntervalSince1970 * 1_000)
    /// Whether the manifest's MD5 is written too.
    var isFinished = true
    /// Changes the bytes of a part behind the manifest's back; nil, and it is not there.
    var damage: (Data) -> Data? = { $0 }
    /// Changes the rows.
    var change: ([String]) -> [String] = { $0 }

    init(_ app: StoreApp) async throws {
        self.app = app
        bucket = try await app.server.makeBucket()
        source = app.bucket
    }

    /// What `mooring.yaml` calls it.
    var place: String { "s3://\(bucket)/\(key("manifest.json"))" }

    private func key(_ name: String) -> String {
        "\(Self.config)/2026-11-21T01-00Z/\(name)"
    }

    /// Writes it, of what lies in the bucket now: in two parts.
    func write() throws {
        let rows = change(try rows())
        let half = rows.count / 2
        var files: [String] = []
        for (number, part) in [rows[..<half], rows[half...]].enumerated() {
            let name = "\(Self.config)/data/part-\(number).csv.gz"
            let bytes = try zipped(part.joined())
            let md5 = try put(name, bytes)
            files.append(
                "{\"key\": \"\(name)\", \"size\": \(bytes.count), \"MD5checksum\": \"\(md5)\"}")
            if let damaged = damage(bytes) {
                if damaged != bytes { try put(name, damaged) }
            } else {
                try app.server.s3.delete(bucket, Array(name.utf8))
            }
        }
        let manifest = """
            {"sourceBucket": "\(source)", "destinationBucket": "arn:aws:s3:::\(bucket)",
             "version": "2016-11-30", "creationTimestamp": "\(moment)", "fileFormat": "CSV",
             "fileSchema": "\(Self.schema)", "files": [\(files.joined(separator: ", "))]}
            """
        let md5 = try put(key("manifest.json"), Data(manifest.utf8))
        if isFinished { try put(key("manifest.checksum"), Data((md5 + "\n").utf8)) }
    }

    @discardableResult
    private func put(_ key: String, _ bytes: Data) throws -> String {
        try app.server.s3.put(bucket, Array(key.utf8), Array(bytes)).etag
    }

    private func rows() throws -> [String] {
        try app.server.s3.list(app.bucket).map { entry in
            [
                source, Self.encode(entry.key), "", "true", "false", "\(entry.size)",
                entry.lastModified, entry.etag,
            ].map { "\"\($0)\"" }.joined(separator: ",") + "\n"
        }
    }

    // As a form is sent.
    private static func encode(_ key: [UInt8]) -> String {
        key.map { byte in
            switch byte {
            case 0x20: "+"
            case 0x2D...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: String(UnicodeScalar(byte))
            default: String(format: "%%%02X", byte)
            }
        }.joined()
    }

    private func zipped(_ text: String) throws -> Data {
        let path = "\(app.path)/rows.csv"
        try app.write("rows.csv", text)
        #expect(Folder.command(["gzip", "-nf", path]) == 0)
        defer { app.remove("rows.csv.gz") }
        return Data(try #require(app.read(Array("rows.csv.gz".utf8))))
    }
}
