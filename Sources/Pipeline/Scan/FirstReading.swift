import MooringModel

/// What a source told when it was read at first, so that it can be had once more as it was.
struct FirstReading {
    /// The source.
    let source: any RecordSource
    /// The columns that were read, table by table.
    let columns: [TableColumns]
    /// The rows for a replay, where that is no scan of the source.
    let spool: RowSpool?
    /// As of which write it was read, where it tells that.
    var state: String?
    /// How many problems there were.
    var problems = 0

    /// Gives the rows once more, asking between batches whether to stop; says why they are not the
    /// same as at first, where they may not be. Rows that could not be kept are read as they are
    /// now.
    func replay(
        _ job: Job, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanProblem? {
        if let spool, spool.failure == nil {
            try await spool.replay { batch in
                try job.interruption.check()
                try await receive(batch)
            }
            return spool.failure.map { ScanProblem(place: source.name, reason: $0) }
        }
        let result = try await source.scan(.columns(columns)) { batch in
            try job.interruption.check()
            try await receive(batch)
        }
        if let failure = spool?.failure { return ScanProblem(place: source.name, reason: failure) }
        let isSame = result.problemCount == problems && result.state == state
        return isSame ? nil : .writtenWhileRead(source.name)
    }
}
