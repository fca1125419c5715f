import MooringModel
import MooringReconcile

/// The mapped tables and columns that a pass over everything of one source has met.
///
/// Whoever reads all that is there does not notice a mapped table or column that is not: what was
/// not met is asked for by its name.
struct MappedTables {
    private let source: any RecordSource
    private let mappings: [ModelMapping]
    private var met: [String: Set<String>] = [:]

    /// Those of a source of a job, none of them met.
    init(_ source: any RecordSource, _ job: Job) {
        self.source = source
        mappings = job.models.filter { $0.source == source.name }.map(\.mapping)
    }

    /// Notes a batch that was met.
    mutating func see(_ batch: RecordBatch) {
        met[batch.table, default: []].formUnion(batch.columns)
    }

    /// Asks for what was not met, and tells what is not there, or was not there at first. An empty
    /// table has no rows then either.
    func missing(_ job: Job) async throws -> [ScanProblem] {
        let unmet = mappings.filter { mapping in
            guard let columns = met[mapping.table] else { return true }
            // Of a table whose rows name what they hold alone, nothing more is to be found out: the
            // whole of it would be read once more.
            return source.namesEveryColumn && !columns.isSuperset(of: mapping.columns)
        }
        guard !unmet.isEmpty else { return [] }
        var appeared: Set<String> = []
        let result = try await source.scan(.columns(ScanStage.columns(of: unmet))) { batch in
            try job.interruption.check()
            if batch.count > 0, met[batch.table] == nil { appeared.insert(batch.table) }
        }
        let problems = result.isComplete ? [] : result.problems
        return problems
            + appeared.sorted().map {
                ScanProblem(
                    place: "\(source.name), table \($0.debugDescription)",
                    reason: "was not there at first, and is now: it was not searched")
            }
    }
}
