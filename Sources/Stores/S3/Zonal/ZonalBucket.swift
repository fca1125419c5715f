import MooringAWS
package import MooringModel

/// A directory bucket of S3 (S3 Express One Zone), for findings only: it is listed in one pass, and
/// its objects are looked at.
///
/// Nothing can be changed in it, since it is no `ActingBucket`: it keeps no versions, and its
/// listing has no order by which a lost part would show.
package final class ZonalBucket: Bucket {
    /// The bucket's name in the configuration.
    package let name: String
    /// As the configuration spells it.
    package let kind = "s3"
    /// The most looks that are under way at once.
    package let concurrency: Int
    private let calls: BucketCalls
    private let scope: ListingScope

    /// A bucket; what begins with `quarantine` is passed over, as everywhere.
    package init(
        name: String, client: S3Client, quarantine: [UInt8], prefixes: [[UInt8]] = [[]],
        concurrency: Int = 8, clock: @escaping @Sendable () -> Instant
    ) {
        self.name = name
        self.concurrency = max(1, concurrency)
        calls = BucketCalls(client, clock: clock)
        scope = ListingScope(
            prefixes: prefixes, hiddenPrefixes: [quarantine], hiddenKeys: OwnKey.all)
    }

    /// Nothing in it is acted on.
    package var isLive: Bool { false }
    /// Its objects can be looked at, though.
    package var isOnlyLookedAt: Bool { true }
    /// Endpoint and bucket.
    package var storeIdentity: String {
        "\(calls.client.place.endpoint.text)/\(calls.client.place.bucket)"
    }
    /// Nobody acts on it, so nobody holds it.
    package var lease: (any LeaseReader)? { nil }
    /// None is ever written.
    package var marker: (any MarkerReader)? { nil }
    /// They are not looked at; what `uploadWindow` says of an object covers its upload.
    package var uploads: (any UploadReader)? { nil }
    /// A directory bucket keeps none.
    package var versions: (any VersionReader)? { nil }
    /// A directory bucket knows none.
    package var tags: (any TagReader)? { nil }
    /// Requests so far. Directory buckets have prices of their own, which nobody tells here.
    package var traffic: String? {
        TrafficText.words(calls.client.traffic, prices: nil)
    }

    /// What every run that lists it has to say.
    static let note =
        "is a directory bucket of S3: listed in one pass and in no order, for findings only; "
        + "nothing in it is changed, and its open uploads are not looked at"

    /// The objects of `listBatches`, as values of their own.
    package func list(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await listBatches { try await receive($0.objects) }
    }

    /// Lists what belongs to the app, one page after the other.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        var pass = UnorderedListing(calls.client, scope, clock: calls.clock)
        var result = try await pass.run(receive)
        result.notes.append(Self.note)
        return result
    }

    /// Nothing is delivered, and that is a problem: it has no quarantine.
    package func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        let now = calls.clock()
        return ScanResult(
            window: ScanWindow(from: now, to: now),
            problems: [ScanProblem(place: name, reason: Self.unheld)], consistency: "moving")
    }

    /// Looks by HEAD; only a 404 is absence, and only where the bucket itself answers.
    package func head(_ key: ObjectKey) async -> HeadAnswer {
        guard !OwnKey.contains(key) else { return .unknown(S3Bucket.leaseDoubt) }
        do {
            return try await calls.facts(key).map { .present($0.version) } ?? .absent
        } catch {
            return .unknown("\(error)")
        }
    }

    /// Always unknown: it has no quarantine.
    package func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        .unknown(Self.unheld)
    }

    private static let unheld = "a directory bucket of S3 has no quarantine"
}
