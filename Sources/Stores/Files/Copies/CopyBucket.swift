package import MooringModel

/// A list of a bucket's objects, as somebody or something took it at some moment: it can be listed,
/// and nothing else, since what is true now cannot be learned from it.
package protocol CopyBucket: Bucket {
    /// What it is, with its article, as `a listing`.
    var noun: String { get }
    /// The file that it is read from.
    var path: String { get }
}

extension CopyBucket {
    /// Never.
    package var isLive: Bool { false }
    /// It is never acted on, so nobody holds it.
    package var lease: (any LeaseReader)? { nil }
    /// What would be in it says nothing about the store itself.
    package var marker: (any MarkerReader)? { nil }
    /// A list of objects names no uploads.
    package var uploads: (any UploadReader)? { nil }
    /// Older versions that it may name are passed over.
    package var versions: (any VersionReader)? { nil }
    /// A list of objects tells no tags.
    package var tags: (any TagReader)? { nil }

    /// The objects of `listBatches`, as values of their own.
    package func list(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await listBatches { try await receive($0.objects) }
    }

    /// Nothing is delivered, and that is a problem: it knows no quarantine.
    package func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        var problems = ProblemList()
        problems.add(ScanProblem(place: path, reason: "\(noun) knows no quarantine"))
        return CopyFile(path: path, taken: nil).unopened(problems)
    }

    /// Always unknown.
    package func head(_ key: ObjectKey) async -> HeadAnswer { .unknown(doubt) }

    /// Always unknown.
    package func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        .unknown(doubt)
    }

    private var doubt: String { "\(noun) is a copy and does not tell what is there now" }
}
