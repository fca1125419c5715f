import MooringModel

@testable import MooringFiles

/// A report of Cloud Storage or of Azure, as each writes it, for tests: a manifest with its files
/// beside it, below a sandbox.
struct MadeReport {
    /// The files: names and texts.
    var files: [(name: String, text: String)] = []
    /// The members of the manifest, each as JSON; those that the files tell are added.
    var members: [String: String]
    /// The name of the manifest.
    var name: String
    /// What the file of the manifest's MD5 holds; nil where there is none.
    var checksum: (([UInt8]) -> String?) = { _ in nil }
    private let product: InventoryProduct
    private var rows = 0

    static let moment = Instant(iso8601: "2026-11-20T06:35:00Z") ?? .distantPast
    static let gcsColumns = [
        "project", "bucket", "name", "size", "timeCreated", "timeDeleted", "updated", "etag",
        "generation", "contentType",
    ]
    static let azureColumns = [
        "Name", "Creation-Time", "Last-Modified", "ETag", "Content-Length", "AccessTier",
    ]

    /// A report of Cloud Storage, with the manifest beside its shards.
    static var gcs: MadeReport {
        MadeReport(
            .gcs, "u_2026-11-20T06:35_manifest.json",
            [
                "snapshot_time": "\"2026-11-20T06:35:00Z\"",
                "report_config": #"""
                {"display_name": "daily", "csv_options": {"record_separator": "\n",
                 "delimiter": ",", "header_required": true},
                 "object_metadata_report_options": {"storage_filters": {"bucket": "media"},
                  "storage_destination_options": {"bucket": "reports"}}}
                """#,
            ])
    }

    /// A report of Azure on the container `media`.
    static var azure: MadeReport {
        var report = MadeReport(
            .azure, "Rule_1-manifest.json",
            [
                "destinationContainer": "\"reports\"", "ruleName": "\"Rule_1\"",
                "inventoryStartTime": "\"2026-11-20T06:35:00Z\"", "status": "\"Succeeded\"",
                "version": "\"1.0\"", "endpoint": "\"https://a.blob.core.windows.net\"",
            ])
        report.checksum = { MadeInventory.md5($0) }
        report.setRule()
        return report
    }

    private init(_ product: InventoryProduct, _ name: String, _ members: [String: String]) {
        (self.product, self.name, self.members) = (product, name, members)
    }

    /// Sets the rule of a report of Azure.
    mutating func setRule(
        filters: String = #""blobTypes": ["blockBlob", "appendBlob", "pageBlob"]"#,
        format: String = "csv", type: String = "blob", fields: String = #""Name""#
    ) {
        members["ruleDefinition"] = #"""
            {"filters": {\#(filters)}, "format": "\#(format)", "objectType": "\#(type)",
             "schedule": "daily", "schemaFields": [\#(fields)]}
            """#
    }

    /// Adds a file of these rows behind a header of their columns.
    mutating func add(_ columns: [String], _ rows: [[String: String]]) {
        let lines = rows.map { row in
            columns.map { Self.cell(row[$0] ?? "") }.joined(separator: ",") + "\n"
        }
        add(columns.joined(separator: ",") + "\n" + lines.joined(), rows: rows.count)
    }

    /// Adds a file of this text, which has so many rows.
    mutating func add(_ text: String, rows: Int) {
        let name = product == .gcs ? "u_2026-11-20T06:35_\(files.count).csv" : "R\(files.count).csv"
        files.append((name, text))
        self.rows += rows
    }

    private static func cell(_ text: String) -> String {
        let isPlain = !text.utf8.contains { "\",\n\r".utf8.contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// A row of an object of Cloud Storage.
    static func gcs(_ name: String, _ number: Int = 1) -> [String: String] {
        [
            "project": "p", "bucket": "media", "name": name, "size": "\(number)",
            "timeCreated": "2026-01-01T00:00:0\(number)Z", "updated": "2026-02-01T00:00:00Z",
            "etag": "CAE=", "generation": "17\(number)", "contentType": "image/png",
        ]
    }

    /// A row of a blob of Azure; its name begins with the container's.
    static func azure(_ name: String, _ number: Int = 1) -> [String: String] {
        [
            "Name": name, "Content-Length": "\(number)", "ETag": "0x8D9\(number)",
            "Last-Modified": "2026-01-01T00:00:0\(number)Z", "AccessTier": "Hot",
        ]
    }

    /// Writes it, and gives the path of its manifest; files whose names are left out are missing.
    func write(to sandbox: Sandbox, without missing: Set<Int> = []) throws -> String {
        for (index, file) in files.enumerated() where !missing.contains(index) {
            try sandbox.write(Array("report/\(file.name)".utf8), Array(file.text.utf8))
        }
        let text = Array(manifest.utf8)
        try sandbox.write(Array("report/\(name)".utf8), text)
        if let said = checksum(text) {
            let stem = name.dropLast(".json".count)
            try sandbox.write(Array("report/\(stem).checksum".utf8), Array(said.utf8))
        }
        return "\(sandbox.path)/report/\(name)"
    }

    private var manifest: String {
        var all = members
        func set(_ name: String, _ value: String) { all[name] = all[name] ?? value }
        switch product {
        case .gcs:
            set("records_processed", "\(rows)")
            set("shard_count", "\(files.count)")
            let names = files.map { "\"\($0.name)\"" }.joined(separator: ",")
            set("report_shards_file_names", "[\(names)]")
        case .azure:
            set("summary", "{\"objectCount\": \(rows), \"totalObjectSize\": 1}")
            let parts = files.map {
                "{\"blob\": \"2026/11/20/06-35-00/Rule_1/\($0.name)\", "
                    + "\"size\": \($0.text.utf8.count)}"
            }
            set("files", "[\(parts.joined(separator: ","))]")
        case .s3: break
        }
        let lines = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        return "{\(lines.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ",\n"))}"
    }
}
