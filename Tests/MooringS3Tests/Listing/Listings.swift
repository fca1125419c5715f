import MooringAWS
import MooringModel

@testable import MooringS3

/// Listings for tests.
enum Listings {
    /// A listing of a bucket called `b`.
    static func of(_ caller: any AWSCaller, concurrency: Int = 4, pageSize: Int = 1_000)
        -> S3Listing
    {
        S3Listing(
            S3Client(
                place: S3Place(
                    bucket: "b", endpoint: Origin(host: "s3.test"), usesPath: true),
                caller: caller),
            concurrency: concurrency, pageSize: pageSize,
            clock: { Instant(seconds: 1_700_000_000) })
    }

    /// Keys of texts.
    static func keys(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    /// What a listing of all objects gives, and its result.
    static func objects(
        _ listing: S3Listing, _ scope: ListingScope = ListingScope()
    ) async throws -> (keys: [[UInt8]], result: ScanResult) {
        var keys: [[UInt8]] = []
        let result = try await listing.objects(scope) { keys += $0.map(\.key.bytes) }
        return (keys, result)
    }
}
