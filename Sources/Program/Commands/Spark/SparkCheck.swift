import MooringConfiguration
import MooringModel
import MooringSpark
import MooringText

/// The doctor's check of the engine.
struct SparkCheck {
    /// The configuration.
    let configuration: Configuration

    /// What nobody but Spark reads, as `records 'app'`; none where it does no work.
    func alone() async -> Set<String> {
        guard configuration.engine == .spark else { return [] }
        return await SparkAssembly.plan(
            configuration, configuration.buckets.map(\.mapping)
        ).alone
    }

    /// What Spark needs of this machine, and what it reads of the configuration; none where it does
    /// no work. The master itself is not asked: a run tells where it does not answer.
    func checks(_ environment: [String: String]) async -> [Check] {
        guard configuration.engine == .spark else { return [] }
        let place = SparkAssembly.place(configuration.spark)
        if let failure = place.failure(environment) {
            return [
                Check(
                    name: "engine spark", result: .failed,
                    detail: "\(failure.found); \(failure.next)")
            ]
        }
        let plan = await SparkAssembly.plan(
            configuration, configuration.buckets.map(\.mapping))
        let sources = plan.tables.map { "records '\($0.source)'" }
        let buckets = plan.listings.map { "bucket '\($0.mapping.name)'" }
        let read = plan.isNeeded ? sources + buckets : []
        var checks = [
            Check(
                name: "engine spark", result: read.isEmpty ? .noted : .passed,
                detail: read.isEmpty
                    ? "leaves nothing out: it reads records as CSV, JSON lines, Parquet and "
                        + "exports against inventories, and listings as CSV"
                    : "reads \(read.joined(separator: ", ")) by \(place.submit) at "
                        + "\(place.master)")
        ]
        if plan.isNeeded { checks += mounted(plan) }
        checks += plan.rest.map {
            Check(
                name: "engine spark", result: $0.isRead ? .noted : .failed,
                detail: $0.isRead
                    ? "\($0.place) is read by mooring: \($0.reason)"
                    : "\($0.place) is in files of columns, which Spark alone reads: \($0.reason)")
        }
        return checks
    }

    // Where Spark has other names for folders, one that is forgotten is a file that it misses.
    private func mounted(_ plan: SparkPlan) -> [Check] {
        let mounts = configuration.spark.mounts
        let paths =
            (plan.tables.map(\.file) + plan.listings.map(\.file)).map { $0.parts.first ?? $0.path }
            + [configuration.spark.work]
        let words =
            mounts.outside(among: paths).map {
                "Spark is asked for \($0.printable) as \(mounts.url(of: $0).printable): it lies in "
                    + "no folder of spark.mounts"
            }
            + mounts.unused(by: paths).map {
                "nothing that Spark reads or writes lies in \($0.printable), which spark.mounts "
                    + "names"
            }
        return words.map { Check(name: "engine spark", result: .noted, detail: $0) }
    }
}
