import Foundation
import MooringConfiguration
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
            SparkPlan(configuration, buckets: mappings), at: place(configuration.spark),
            records: records, buckets: buckets,
            telling: SparkJob(
                environment: ProcessInfo.processInfo.environment,
                isInterrupted: { interruption.isInterrupted },
                advance: { progress.advance($0) }))
    }

    /// How Spark is reached.
    static func place(_ settings: SparkSettings) -> SparkPlace {
        SparkPlace(
            submit: settings.submit, master: settings.master, settings: settings.conf,
            work: settings.work)
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
