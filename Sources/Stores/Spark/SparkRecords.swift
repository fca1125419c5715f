import MooringFiles
import MooringModel

/// What Spark handed on of a CSV file: lines of it in their order, in a file of their own.
struct SparkRecords: CopySource {
    /// The source's name in the configuration.
    let name: String
    /// That of the source.
    let kind = "csv"
    /// The lines lie in a file.
    let replaysByScan = true
    /// The file that they are from.
    let original: OriginalFile
    /// Reads them.
    let lines: CSVSource

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

/// What Spark handed on of a listing.
struct SparkObjects: CopyBucket {
    /// The bucket's name in the configuration.
    let name: String
    /// That of the bucket.
    let kind = "listing"
    /// That of the bucket.
    let noun = "a listing"
    /// The file that the lines are from.
    let original: OriginalFile
    /// Reads the lines that were handed on.
    let lines: ListingBucket

    /// The file that the lines are from.
    var path: String { original.path }

    /// Lists what was handed on; a problem is one of the file that it is from.
    func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        original.own(try await lines.listBatches(receive))
    }
}

/// A file that Spark read.
struct OriginalFile: Hashable, Sendable {
    /// Its path.
    let path: String
    /// What it was before Spark read it.
    let face: FileFace

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
            let now = try FileFace(path: path)
            return now == face ? nil : "was changed while it was read; run again"
        } catch {
            return error.reason
        }
    }
}
