import MooringConfiguration
import MooringFiles
import MooringModel

extension OwnFiles {
    // What SQLite puts beside a database.
    private static let databaseSuffixes = ["", "-wal", "-shm", "-journal"]

    /// Every file and folder of this machine that a configuration names and that is no bucket, and
    /// the folders of the buckets beside this one.
    init(
        _ configuration: Configuration, beside bucket: BucketConfiguration, scratch: String?
    ) {
        var entries = [
            Entry(what: "the configuration file", path: configuration.file),
            Entry(what: "the report directory", path: configuration.report.directory),
            Entry(what: "the ledger's lock", path: configuration.ledger + ".lock"),
        ]
        entries += Self.database("the ledger", configuration.ledger)
        if let scratch { entries.append(Entry(what: "the scratch folder", path: scratch)) }
        for source in configuration.records {
            let what = "the file of source '\(source.name)'"
            switch source.store {
            case .sqlite(let path, _), .datastore(let path, _):
                entries += Self.database(what, path)
            case .csv(let path, _), .jsonl(let path, _), .parquet(let path, _):
                entries.append(Entry(what: what, path: path))
            case .dynamodbExport(let settings):
                guard case .folder(let path) = settings.place else { continue }
                entries.append(Entry(what: "the folder of source '\(source.name)'", path: path))
            case .postgres, .dynamodb, .appsync: continue
            }
        }
        for bucket in configuration.buckets {
            guard let path = bucket.store.listPath else { continue }
            entries.append(Entry(what: "the file of bucket '\(bucket.name)'", path: path))
        }
        self.init(
            entries, neighbours: configuration.buckets.compactMap { Self.neighbour($0, of: bucket) }
        )
    }

    private static func neighbour(
        _ other: BucketConfiguration, of bucket: BucketConfiguration
    ) -> Neighbour? {
        guard other.name != bucket.name, case .directory(let folder, _) = other.store else {
            return nil
        }
        let (prefixes, mapping) = (other.mapping.prefixes, bucket.mapping)
        return Neighbour(
            name: other.name, folder: folder,
            quarantine: folder + "/" + other.mapping.quarantine.text
        ) { path in
            prefixes.contains { mapping.judges(path + [UInt8(ascii: "/")] + $0.bytes) }
        }
    }

    private static func database(_ what: String, _ path: String) -> [Entry] {
        databaseSuffixes.map { Entry(what: what, path: path + $0) }
    }
}
