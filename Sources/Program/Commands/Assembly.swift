import Foundation
import Glibc
import MooringConfiguration
import MooringFiles
import MooringModel
import MooringPipeline
import MooringPostgres
import MooringSQLite

/// The one place where adapters are chosen.
enum Assembly {
    /// The record sources of a configuration, in its order. Throws `ConfigurationError` where the
    /// environment lacks what one of them needs.
    static func records(
        _ configuration: Configuration, scratch: String
    ) throws -> [any RecordSource] {
        try configuration.records.map { source -> any RecordSource in
            let tables = source.mapping.models.map(\.table)
            switch source.store {
            case .sqlite(let path, let taken):
                return SQLiteSource(
                    name: source.name, path: path, isLive: taken == nil, scratch: scratch,
                    mapping: source.mapping)
            case .datastore(let path, let taken):
                return SQLiteSource(
                    name: source.name, path: path, isLive: taken == nil, scratch: scratch,
                    mapping: source.mapping, device: source.mapping.models.map { DeviceModel($0) })
            case .csv(let path, let taken):
                return CSVSource(name: source.name, file: path, tables: tables, taken: taken)
            case .jsonl(let path, let taken):
                return JSONLinesSource(
                    name: source.name, file: path, tables: tables, taken: taken)
            case .parquet(let path, _):
                return ParquetSource(name: source.name, path: path)
            case .postgres(let settings):
                return PostgresSource(
                    name: source.name, address: settings.address, mapping: source.mapping,
                    options: PostgresOptions(
                        schema: settings.schema, statementTimeout: settings.statementTimeout,
                        lockTimeout: settings.lockTimeout))
            case .dynamodb(let settings):
                return try DynamoDBAssembly(
                    file: configuration.file, environment: ProcessInfo.processInfo.environment
                ).source(source, settings)
            case .dynamodbExport(let settings):
                return try DynamoDBAssembly(
                    file: configuration.file, environment: ProcessInfo.processInfo.environment
                ).export(source, settings, scratch: scratch)
            case .appsync(let settings):
                return try AppSyncAssembly(
                    file: configuration.file, environment: ProcessInfo.processInfo.environment
                ).source(source, settings)
            }
        }
    }

    /// The buckets of a configuration, in its order; with `spools`, a listing that is broken off
    /// is gone on with.
    static func buckets(
        _ configuration: Configuration, spools: ListingSpools? = nil, scratch: String? = nil
    ) throws -> [any Bucket] {
        try refuseSharedFolders(configuration)
        return try configuration.buckets.map {
            try bucket($0, in: configuration, spools: spools, scratch: scratch)
        }
    }

    /// One bucket of a configuration.
    static func bucket(
        _ bucket: BucketConfiguration, in configuration: Configuration, spools: ListingSpools?,
        scratch: String? = nil
    ) throws -> any Bucket {
        switch bucket.store {
        case .directory(let path, let trust):
            try DirectoryBucket(
                name: bucket.name, folder: path, quarantine: bucket.mapping.quarantine.bytes,
                trust: trust == .ctime ? .ctime : .mtime,
                ownFiles: OwnFiles(configuration, beside: bucket, scratch: scratch),
                isIgnored: { key in bucket.mapping.ignores(key) })
        case .listing(let path, let taken):
            ListingBucket(name: bucket.name, file: path, taken: taken)
        case .inventory(let path, let taken):
            InventoryBucket(
                name: bucket.name, manifest: path, taken: taken,
                prefixes: bucket.mapping.prefixes)
        case .s3(let settings):
            try S3Assembly(
                file: configuration.file, environment: ProcessInfo.processInfo.environment,
                spools: spools, scratch: scratch
            ).store(
                bucket, settings, reuse: configuration.keyReuse(of: bucket.name),
                retention: configuration.repair.retention)
        }
    }

    /// Refuses one folder under two names: it would be two buckets with the same objects, each an
    /// orphan in the one that no record names. Equal and nested paths the configuration refuses;
    /// links are seen only here.
    static func refuseSharedFolders(_ configuration: Configuration) throws {
        var names: [String: String] = [:]
        for bucket in configuration.buckets {
            guard case .directory(let path, _) = bucket.store, let real = realpath(path, nil)
            else { continue }
            defer { free(real) }
            let folder = String(cString: real)
            if let other = names.updateValue(bucket.name, forKey: folder) {
                throw ConfigurationError(
                    file: configuration.file,
                    "buckets '\(other)' and '\(bucket.name)' are one folder by a link: "
                        + "\(folder); name it once")
            }
        }
    }
}
