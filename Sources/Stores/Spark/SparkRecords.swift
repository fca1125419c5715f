import MooringFiles
import MooringModel

/// What Spark handed on of a file of records: lines of it in their order, in a file of their own.
struct SparkRecords: CopySource {
    /// The source's name in the configuration.
    let name: String
    /// The file that they are from.
    let original: OriginalFile
    /// Reads them.
    let lines: any CopySource

    /// That of the source.
    var kind: String { lines.kind }
    /// The lines lie in a file.
    var replaysByScan: Bool { lines.replaysByScan }

    /// That of the source.
    var refusal: StoreError {
        StoreError(
            place: original.path,
            reason: "a copy never serves a repair: it does not tell what is there now",
            hint: "configure source \(name) as its live database to repair it")
    }

    /// Reads the lines; a problem is one of the file that they are from.
    func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        original.own(try await lines.scan(scope, receive))
    }
}

/// What Spark handed on of a listing, or of an inventory.
struct SparkObjects: CopyBucket {
    /// The bucket's name in the configuration.
    let name: String
    /// The file that the lines are from.
    let original: OriginalFile
    /// Reads the lines that were handed on.
    let lines: any CopyBucket

    /// That of the bucket.
    var kind: String { lines.kind }
    /// That of the bucket.
    var noun: String { lines.noun }
    /// The file that the lines are from.
    var path: String { original.path }

    /// Lists what was handed on; a problem is one of the file that it is from.
    func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        original.own(try await lines.listBatches(receive))
    }
}

/// What Spark read: a file, or the files that one names.
struct OriginalFile: Sendable {
    /// The path that the configuration names.
    let path: String
    /// What that file was before Spark read it.
    let face: FileFace
    /// What those were that it names, by their paths.
    var parts: [String: FileFace] = [:]
    /// Whether those have lines.
    var haveLines = true
    /// Of records in Parquet the files that they are, which no other one names.
    var columns: ParquetRecords?
    /// Where it names others, what sums them up.
    var summed: (any SummedFiles)?
    /// Of an export, who reads what is handed on of it.
    var export: (any SparkExport)?

    /// The result of reading lines of it as one of reading the file, which has to be what it was.
    func own(_ result: ScanResult) -> ScanResult {
        var problems = result.problems.map { ScanProblem(place: path, reason: $0.reason) }
        var count = result.problemCount
        if let change {
            problems.insert(ScanProblem(place: path, reason: change), at: 0)
            count += 1
        }
        var own = ScanResult(
            window: result.window, problems: problems, problemCount: count,
            consistency: result.consistency, requests: result.requests)
        own.state = result.state
        own.notes = result.notes
        return own
    }

    private var change: String? {
        do throws(ReadFailure) {
            if let columns {
                if try columns.haveOthersCome() { return Self.changed }
            } else if try FileFace(path: path) != face {
                return Self.changed
            }
            for (path, face) in parts {
                let now =
                    try haveLines ? FileFace(path: path) : FileFace(ofNoLines: path)
                if now != face { return Self.changed }
            }
            return nil
        } catch {
            return error.reason
        }
    }

    private static let changed = "was changed while it was read; run again"
}
