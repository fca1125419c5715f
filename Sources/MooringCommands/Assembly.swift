import MooringConfiguration
import MooringFiles
import MooringModel
import MooringSQLite

/// The one place where adapters are chosen.
enum Assembly {
    /// The record sources of a configuration, in its order.
    static func records(
        _ configuration: Configuration, scratch: String?
    ) -> [any RecordSource] {
        configuration.records.map { source in
            let tables = source.mapping.models.map(\.table)
            switch source.store {
            case .sqlite(let path, let taken):
                return SQLiteSource(
                    name: source.name, path: path, isLive: taken == nil, scratch: scratch)
            case .csv(let path, let taken):
                return CSVSource(name: source.name, file: path, tables: tables, taken: taken)
            case .jsonl(let path, let taken):
                return JSONLinesSource(
                    name: source.name, file: path, tables: tables, taken: taken)
            }
        }
    }

    /// The buckets of a configuration, in its order.
    static func buckets(_ configuration: Configuration) throws -> [any Bucket] {
        try configuration.buckets.map { bucket in
            switch bucket.store {
            case .directory(let path, let trust):
                return try DirectoryBucket(
                    name: bucket.name, folder: path,
                    quarantine: bucket.mapping.quarantine.bytes,
                    trust: trust == .ctime ? .ctime : .mtime)
            case .listing(let path, let taken):
                return ListingBucket(name: bucket.name, file: path, taken: taken)
            }
        }
    }
}
