import MooringModel
import MooringText

/// What Cloud Storage says of one inventory report: in the manifest beside its shards, or in the
/// report's details as its API gives them (`gcloud storage insights inventory-reports details`).
///
/// Both are read in snake and in camel case. What they hold is told by
/// docs.cloud.google.com/storage/docs/json_api/v1/reportDetail.
struct GCSManifest {
    /// Where the report was written; empty where it is not said.
    let destination: String
    /// The moment of which all of it is; nil where it is not said.
    let snapshot: Instant?
    /// How many rows its shards have together.
    let rows: Int64
    /// How its rows are read.
    let layout: GCSLayout
    /// Its shards.
    let parts: [InventoryPart]

    private static let remedy = "name the manifest of a report that is finished"

    /// Reads a manifest. Throws `ReadFailure` that says what it lacks, or what is not read.
    init(_ node: JSONNode) throws(ReadFailure) {
        try Self.refuseFailure(node)
        let configuration = try node.object("report_config")
        if configuration?.member("parquet_options") != nil { throw Self.parquet }
        let options = try configuration?.object("object_metadata_report_options")
        let bucket = try Self.bucket(try options?.object("storage_filters"))
        let names = try Self.shards(node)
        guard !names.contains(where: { $0.hasSuffix(".parquet") }) else {
            throw Self.parquet
        }
        guard
            let rows = node.member("records_processed")?.count
                ?? node.member("report_metrics")?.member("processed_records_count")?.count
        else {
            throw ReadFailure(
                reason: "does not say how many records the report has, so that nobody can tell "
                    + "whether all are there; \(Self.remedy)")
        }
        self.rows = rows
        snapshot = node.member("snapshot_time")?.string.flatMap { Instant(iso8601: $0) }
        destination =
            options?.member("storage_destination_options")?["bucket"]?.string
            ?? node.member("report_path_prefix")?.string ?? ""
        layout = GCSLayout(
            bucket: bucket, separator: try Self.separator(try configuration?.object("csv_options")),
            named: try options.flatMap(Self.fields))
        var parts: [InventoryPart] = []
        for (index, name) in names.enumerated() {
            let last = InventoryPlaces.name(of: name)
            var part = try InventoryPart(key: last, number: index + 1, of: "Cloud Storage")
            part.isBeside = true
            parts.append(part)
        }
        self.parts = parts
    }

    // Only details tell it; a manifest is written behind all shards.
    private static func refuseFailure(_ node: JSONNode) throws(ReadFailure) {
        guard let status = node["status"], !status.isEmpty, status["code"]?.integer != 0 else {
            return
        }
        let code = status["code"]?.integer.map(String.init) ?? "of no known form"
        throw ReadFailure(
            reason: "says that the report failed (status \(code)), so nothing is read by it; "
                + remedy)
    }

    private static let parquet = ReadFailure(
        reason: "says that the report is in Parquet, and only CSV is read: choose CSV with a "
            + "header in the report's configuration, and name the manifest of the next one")

    // A filter of more than the bucket would leave objects out.
    private static func bucket(_ filters: JSONNode?) throws(ReadFailure) -> [UInt8]? {
        for member in filters?.members ?? [] where !member.value.isEmpty {
            guard member.name.elementsEqual("bucket".utf8) else {
                throw ReadFailure(
                    reason: "says that the report is filtered by '\(member.name.label.printable)', "
                        + "so that it lists a part of the bucket, and nothing is judged by it; "
                        + "name a report of the whole bucket")
            }
        }
        guard let bucket = filters?["bucket"] else { return nil }
        guard let name = bucket.stringBytes else {
            throw ReadFailure(
                reason: "says that the report is filtered by a bucket that is no text, so nothing "
                    + "is read by it; name the manifest of another report")
        }
        return name.isEmpty ? nil : name
    }

    private static func fields(_ options: JSONNode) throws(ReadFailure) -> [[UInt8]]? {
        let name =
            options["metadataFields"] == nil ? "metadata_fields" : "metadataFields"
        let fields = try options.list(name)
        return fields.isEmpty ? nil : fields
    }

    // The names stand in a manifest; of details they follow from a prefix and their number, the
    // first being 0.
    private static func shards(_ node: JSONNode) throws(ReadFailure) -> [String] {
        let count = (node.member("shard_count") ?? node.member("shards_count"))?.count
        if let names = node.member("report_shards_file_names")?.elements {
            let texts = names.compactMap(\.string)
            guard texts.count == names.count, count == nil || count == Int64(names.count) else {
                throw ReadFailure(
                    reason: "names \(texts.count) shards and says that there are "
                        + "\(count.map(String.init) ?? String(names.count)), so nothing is read by "
                        + "it; copy the manifest again")
            }
            return texts
        }
        guard let count, let prefix = node.member("report_path_prefix")?.string, count > 0,
            count <= 1_000_000
        else {
            throw ReadFailure(
                reason: "names no shards of the report: it is not finished, or is no manifest; "
                    + remedy)
        }
        return (0..<count).map { "\(prefix)\($0).csv" }
    }

    private static func separator(_ options: JSONNode?) throws(ReadFailure) -> UInt8 {
        let ending = options?.member("record_separator")?.string ?? "\n"
        guard ending == "\n" || ending == "\r\n" || ending.isEmpty else {
            throw ReadFailure(
                reason: "says that records are separated by '\(ending.printable)', and only line "
                    + "breaks are read: change --csv-separator in the report's configuration")
        }
        let delimiter = options?.member("delimiter")?.stringBytes ?? [UInt8(ascii: ",")]
        guard delimiter.count == 1, delimiter[0] < 0x80, !isPartOfText(delimiter[0]) else {
            throw ReadFailure(
                reason: "says that fields are separated by '\(delimiter.label.printable)', which "
                    + "is not read: choose a comma as --csv-delimiter in the report's configuration"
            )
        }
        return delimiter[0]
    }

    // A quote, a line break, or what names and numbers are made of.
    private static func isPartOfText(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), 0x0A, 0x0D, UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
