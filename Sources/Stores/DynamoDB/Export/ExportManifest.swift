import Crypto
import MooringModel
import MooringText

/// What an export says of itself in its `manifest-summary.json`.
struct ExportSummary {
    /// The table's own name.
    let table: String
    /// The moment whose state it holds; of an incremental one, its end.
    let time: Instant
    /// How many items, or changes, it holds.
    let itemCount: Int
    /// Which table it is, with its region and account.
    let arn: String
    /// Whether it holds changes, and no state.
    let isIncremental: Bool
    /// The first moment of its changes; nil of a full export, and where it does not say.
    let from: Instant?
    /// Which images its changes hold; nil where it does not say.
    let view: String?
    /// What tells the table from another of its name; nil where it does not say.
    let tableID: String?
    /// The path of its own folder, below the place of all exports; empty where that is the place.
    let folder: String
    /// The folder of its manifests, as it was when it was written.
    let writtenFolder: String

    /// Reads the summary in a folder. Throws `ItemFault` that says what it lacks.
    init(_ bytes: [UInt8], folder: String) throws(ItemFault) {
        // What cannot be parsed is no summary.
        guard let node = try? JSONNode(parsing: bytes) else {
            throw ItemFault(reason: "is no JSON")
        }
        let format = node["outputFormat"]?.string ?? "DYNAMODB_JSON"
        guard format == "DYNAMODB_JSON" else {
            throw ItemFault(
                reason: "says that the format is \(Quoted.name(format)); export as DYNAMODB_JSON")
        }
        guard let arn = node["tableArn"]?.string, let table = Self.table(arn) else {
            throw ItemFault(reason: "names no table in tableArn")
        }
        // Of its items or attributes only some would be there (docs.aws.amazon.com/
        // amazondynamodb/latest/developerguide/S3DataExport.Filtered.html), however it says so.
        guard !Self.isFiltered(node) else {
            throw ItemFault(
                reason: "says that it is filtered, so that it holds a part of the table; export "
                    + "the whole table")
        }
        isIncremental = node["exportType"]?.string == "INCREMENTAL_EXPORT"
        let begin = isIncremental ? node["exportFromTime"] : nil
        from = begin?.string.flatMap { Instant(iso8601: $0) }
        view = node["outputView"]?.string
        tableID = node["tableId"]?.string
        let moment = isIncremental ? node["exportToTime"] : node["exportTime"]
        guard let time = moment?.string.flatMap({ Instant(iso8601: $0) }) else {
            throw ItemFault(reason: "does not say of which moment it is")
        }
        guard let count = node["itemCount"]?.integer, count >= 0 else {
            throw ItemFault(reason: "does not say how many items there are")
        }
        guard let manifest = node["manifestFilesS3Key"]?.string else {
            throw ItemFault(reason: "names no manifestFilesS3Key")
        }
        self.arn = arn
        self.table = table
        self.time = time
        self.folder = folder
        itemCount = Int(count)
        writtenFolder = ExportPath.folder(of: manifest)
    }

    /// Its folder's name, for messages.
    var name: String { Quoted.line(String(ExportPath.name(of: folder))) }

    private static func isFiltered(_ node: JSONNode) -> Bool {
        (node.members ?? []).contains { member in
            String(decoding: member.name, as: UTF8.self).lowercased().contains("filter")
                && member.value.kind != .null
        }
    }

    // arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
    private static func table(_ arn: String) -> String? {
        let parts = arn.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5].hasPrefix("table/") else { return nil }
        let name = parts[5].dropFirst("table/".count).prefix { $0 != "/" }
        return name.isEmpty ? nil : String(name)
    }
}

/// One data file of an export, as `manifest-files.json` names it.
struct ExportPart: Hashable {
    /// Its path below the place of all exports.
    let path: String
    /// How many items it holds.
    let itemCount: Int
    /// The MD5 of its bytes.
    let checksum: [UInt8]

    /// The parts that a manifest names, a line each. Throws `ItemFault` at the first that is none.
    static func parts(
        _ bytes: [UInt8], of summary: ExportSummary
    ) throws(ItemFault) -> [ExportPart] {
        var parts: [ExportPart] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            // What cannot be parsed names no part.
            guard let node = try? JSONNode(parsing: Array(line)),
                let count = node["itemCount"]?.integer, count >= 0,
                let checksum = node["md5Checksum"]?.string.flatMap(Base64.decode),
                checksum.count == Insecure.MD5.byteCount,
                let key = node["dataFileS3Key"]?.string,
                let path = ExportPath.path(of: key, in: summary)
            else { throw ItemFault(reason: "names no data file in line \(index + 1)") }
            parts.append(ExportPart(path: path, itemCount: Int(count), checksum: checksum))
        }
        return parts
    }
}

/// Paths of the files of exports, which may have been copied elsewhere since.
enum ExportPath {
    /// The folder of a path; empty where it has none.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// The name in a path.
    static func name(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    /// Where a data file lies now: as far from the manifests as when it was written, below their
    /// folder or, as incremental exports share theirs, below the folder above. Nil for any other.
    static func path(of key: String, in summary: ExportSummary) -> String? {
        guard !key.split(separator: "/").contains("..") else { return nil }
        let written = summary.writtenFolder
        if let rest = below(written, key) { return joined(summary.folder, rest) }
        guard !summary.folder.isEmpty, let rest = below(folder(of: written), key) else {
            return nil
        }
        return joined(folder(of: summary.folder), rest)
    }

    private static func below(_ folder: String, _ key: String) -> String? {
        if folder.isEmpty { return key }
        return key.hasPrefix(folder + "/") ? String(key.dropFirst(folder.count + 1)) : nil
    }

    private static func joined(_ folder: String, _ rest: String) -> String {
        folder.isEmpty ? rest : folder + "/" + rest
    }
}

/// MD5, by which DynamoDB lets every file of an export be checked.
enum ExportChecksum {
    /// The checksum of a file.
    static func of(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.MD5.hash(data: bytes)) }

    /// The checksum that a file of one says, in base64 or in hexadecimal digits; nil where it says
    /// none.
    static func said(_ bytes: [UInt8]) -> [UInt8]? {
        let word =
            String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace || $0 == "\"" }
            .first.map(String.init) ?? ""
        if let plain = Base64.decode(word), plain.count == Insecure.MD5.byteCount { return plain }
        guard word.utf8.count == 2 * Insecure.MD5.byteCount else { return nil }
        let digits = word.compactMap(\.hexDigitValue)
        guard digits.count == word.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
