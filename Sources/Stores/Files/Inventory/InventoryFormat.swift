/// In which form the rows of an inventory of S3 are written, by the `fileFormat` of its manifest,
/// and the columns that are read of them.
package enum InventoryFormat: Hashable, Sendable {
    /// Lines without a header, whose keys are URL-encoded.
    case csv
    /// Files of columns, whose keys are keys as they stand: the user guide says of CSV alone that
    /// they are encoded (docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory.html,
    /// "When you're using the CSV file format, the key name is URL-encoded").
    case columns(ColumnFormat)

    /// The format of a name; nil where no such one is read.
    init?(name: String) {
        if name == "CSV" {
            self = .csv
        } else if let format = ColumnFormat(rawValue: name) {
            self = .columns(format)
        } else {
            return nil
        }
    }

    /// The columns that a `fileSchema` names, by the names that they have in CSV; of files of
    /// columns those that are read. Throws `ReadFailure` where it is no schema of this format.
    func columns(_ schema: String) throws(ReadFailure) -> [String] {
        let found: [String]?
        switch self {
        case .csv:
            return schema.split(separator: ",", omittingEmptySubsequences: false).map {
                String($0.drop { $0 == " " })
            }
        case .columns(.parquet): found = Self.ofParquet(schema)
        case .columns(.orc): found = Self.ofORC(schema)
        }
        guard let found else {
            throw ReadFailure(
                reason: "has a fileSchema in another form than is documented, so that nobody can "
                    + "tell what its columns hold")
        }
        return found.compactMap { name in
            InventoryCell.allCases.first { $0.column == name }?.rawValue
        }
    }

    // `message s3.inventory { required binary key (STRING); … }`
    private static func ofParquet(_ schema: String) -> [String]? {
        guard schema.hasPrefix("message "), let start = schema.firstIndex(of: "{"),
            let end = schema.lastIndex(of: "}"), start < end
        else { return nil }
        var names: [String] = []
        for field in schema[schema.index(after: start)..<end].split(separator: ";") {
            let words = field.prefix { $0 != "(" && $0 != "=" }.split(separator: " ")
            if words.isEmpty { continue }
            guard words.count == 3, ["required", "optional"].contains(words[0]) else { return nil }
            names.append(String(words[2]))
        }
        return names
    }

    // `struct<key:string,size:bigint,…>`
    private static func ofORC(_ schema: String) -> [String]? {
        let head = "struct<"
        guard schema.hasPrefix(head), schema.hasSuffix(">") else { return nil }
        var (names, depth, name): ([String], Int, String?) = ([], 0, "")
        for character in schema.dropFirst(head.count).dropLast() {
            switch character {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            case ":" where depth == 0:
                guard let known = name, !known.isEmpty else { return nil }
                names.append(known.trimmed)
                name = nil
            case "," where depth == 0:
                guard name == nil else { return nil }
                name = ""
            default: name?.append(character)
            }
        }
        return depth == 0 && name == nil ? names : nil
    }
}

extension String {
    // Without blanks around it.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// What of an inventory's rows is read, by the names that its columns have in CSV.
package enum InventoryCell: String, CaseIterable, Sendable {
    case bucket = "Bucket"
    case key = "Key"
    case versionID = "VersionId"
    case isLatest = "IsLatest"
    case isDeleteMarker = "IsDeleteMarker"
    case size = "Size"
    case lastModified = "LastModifiedDate"
    case etag = "ETag"
    case isMultipart = "IsMultipartUploaded"

    /// The column's name in a file of columns.
    package var column: String {
        switch self {
        case .bucket: "bucket"
        case .key: "key"
        case .versionID: "version_id"
        case .isLatest: "is_latest"
        case .isDeleteMarker: "is_delete_marker"
        case .size: "size"
        case .lastModified: "last_modified_date"
        case .etag: "e_tag"
        case .isMultipart: "is_multipart_uploaded"
        }
    }

    /// What such a column holds.
    package var kind: ColumnKind {
        switch self {
        case .bucket, .key, .versionID, .etag: .text
        case .isLatest, .isDeleteMarker, .isMultipart: .truth
        case .size: .integer
        case .lastModified: .moment
        }
    }

    /// Why a file whose columns are these cannot be read by this one; nil where it can.
    func misfit(_ footer: ColumnFooter) -> String? {
        guard let found = footer.columns[column] else { return "which has no column \(column)" }
        // S3 tells moments in UTC, whether a file says so or not.
        guard found == kind || found == .clock && kind == .moment else {
            return "whose column \(column) is of another type than S3 writes"
        }
        return nil
    }
}
