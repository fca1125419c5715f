import Foundation
import MooringConfiguration
import MooringDynamoDB
import MooringFiles
import MooringModel
import MooringPipeline
import MooringSpark

/// Chooses the engine of a job.
enum SparkAssembly {
    /// The engine that the configuration or `--engine` names; nil where that is this program.
    static func engine(
        _ session: Session, _ mappings: [BucketMapping], _ records: [any RecordSource],
        _ buckets: [any Bucket]
    ) throws -> SparkEngine? {
        let configuration = session.configuration
        guard (session.options.engine ?? configuration.engine) == .spark else { return nil }
        try refuseLive(configuration, records, buckets)
        let (interruption, progress) = (session.interruption, session.progress)
        return SparkEngine(
            { await plan(configuration, mappings) }, at: place(configuration.spark),
            records: records, buckets: buckets,
            telling: SparkJob(
                environment: ProcessInfo.processInfo.environment,
                isInterrupted: { interruption.isInterrupted },
                advance: { progress.advance($0) }))
    }

    /// What Spark reads of a configuration; exports are looked at for that.
    static func plan(
        _ configuration: Configuration, _ mappings: [BucketMapping]
    ) async -> SparkPlan {
        var exports: [String: SparkExportLook] = [:]
        for source in configuration.records {
            guard case .dynamodbExport(let settings) = source.store else { continue }
            exports[source.name] = await look(at: settings, source)
        }
        return SparkPlan(configuration, buckets: mappings, exports: exports)
    }

    private static func look(
        at settings: DynamoDBExportSettings, _ source: RecordsConfiguration
    ) async -> SparkExportLook {
        guard case .folder(let path) = settings.place else {
            return .unreadable("its export lies in a bucket; Spark reads those in a folder")
        }
        if settings.appliesChanges { return .unreadable("changes are applied to its export") }
        do throws(ReadFailure) {
            return .readable(
                try await ExportFace(
                    path,
                    names: TableNames(
                        prefix: settings.tablePrefix, suffix: settings.tableSuffix),
                    table: source.mapping.models.first?.table ?? ""))
        } catch {
            return .unreadable("its export \(error.reason)")
        }
    }

    /// How Spark is reached.
    static func place(_ settings: SparkSettings) -> SparkPlace {
        SparkPlace(
            submit: settings.submit, master: settings.master, settings: settings.conf,
            work: settings.work, mounts: settings.mounts)
    }

    // What changes while it is read says something else the second time.
    private static func refuseLive(
        _ configuration: Configuration, _ records: [any RecordSource], _ buckets: [any Bucket]
    ) throws {
        let live =
            records.first { $0.isLive }.map { "records '\($0.name)'" }
            ?? buckets.first { $0.isLive }.map { "bucket '\($0.name)'" }
        guard let live else { return }
        throw ConfigurationError(
            file: configuration.file,
            "engine spark reads copies alone, and \(live) is live: name an export or a listing of "
                + "it, or take --engine native")
    }
}

extension ExportFace: SparkExport {}
