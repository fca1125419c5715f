import Foundation
import MooringAWS
import MooringConfiguration
import MooringDecisions
import MooringFiles
import MooringModel
import MooringPipeline
import MooringS3

/// Builds the adapter of an `s3` bucket: credentials, region, connections, and where it answers.
struct S3Assembly {
    /// The file, for messages.
    let file: String
    /// The process's environment.
    let environment: [String: String]
    /// Where listings are kept until they are done; nil where each begins anew.
    var spools: ListingSpools?
    /// The folder that takes a file of an inventory while it is read; `/tmp` where nil.
    var scratch: String?

    /// The bucket, listed by its inventory where it has one beside it; throws as `bucket` does.
    func store(
        _ own: BucketConfiguration, _ settings: S3Settings, reuse: KeyReuse, retention: Duration
    ) throws -> any Bucket {
        // What can be acted on is made of the others alone.
        if settings.isDirectory { return try zonal(own, settings) }
        let live = try bucket(own, settings, reuse: reuse, retention: retention)
        guard let inventory = settings.inventory else { return live }
        let demands = InventoryDemands(bucket: settings.storeName)
        let listing: InventoryBucket
        switch inventory.manifest {
        case .file(let path):
            listing = InventoryBucket(name: own.name, manifest: path, demands: demands)
        case .object(let bucket, let key):
            var elsewhere = settings
            (elsewhere.bucket, elsewhere.bucketName) = (bucket, nil)
            // It may be another account's, as accounts keep such reports apart.
            elsewhere.expectedOwner = nil
            listing = InventoryBucket(
                name: own.name, manifest: key,
                in: InventoryObjects(client: try client(elsewhere, name: own.name)),
                scratch: scratch ?? "/tmp", demands: demands)
        }
        return InventoriedBucket(
            live, listedBy: listing, notOlderThan: inventory.longest, clock: SystemClock.now)
    }

    private func zonal(
        _ own: BucketConfiguration, _ settings: S3Settings
    ) throws -> ZonalBucket {
        ZonalBucket(
            name: own.name, client: try client(settings, name: own.name),
            quarantine: own.mapping.quarantine.bytes,
            prefixes: own.mapping.prefixes.map(\.bytes), concurrency: settings.concurrency,
            clock: SystemClock.now)
    }

    /// The bucket; throws `ConfigurationError` where the environment cannot be used.
    func bucket(
        _ own: BucketConfiguration, _ settings: S3Settings, reuse: KeyReuse, retention: Duration
    ) throws -> S3Bucket {
        let client = try client(settings, name: own.name)
        var elsewhere: S3Client?
        if let other = settings.quarantineBucket {
            var settings = settings
            (settings.bucket, settings.bucketName) = (other, nil)
            elsewhere = try self.client(settings, name: own.name)
        }
        return S3Bucket(
            name: own.name, client: client,
            quarantine: S3Quarantine(prefix: own.mapping.quarantine.bytes, in: elsewhere),
            prefixes: own.mapping.prefixes.map(\.bytes), concurrency: settings.concurrency,
            spool: spools?.place(of: own.name), retention: retention, clock: SystemClock.now,
            neverReused: reuse.isNeverReused)
    }

    /// Calls to a bucket, signed by the usual chain.
    func client(_ settings: S3Settings, name: String) throws -> S3Client {
        let (access, caller) = try caller(settings, name: name)
        return S3Client(place: access.place, caller: caller)
    }

    /// The list of the account's buckets, asked for as a bucket is.
    func buckets(_ settings: S3Settings, name: String) throws -> StoredBuckets {
        let (access, caller) = try caller(settings, name: name)
        return StoredBuckets(caller: caller, place: access.place)
    }

    private func caller(
        _ settings: S3Settings, name: String
    ) throws -> (access: S3Access, caller: any AWSCaller) {
        let access = try S3Access(settings, named: name, file: file, environment: environment)
        let travel: AWSClientSettings
        do {
            travel = try AWSClientSettings(
                environment: environment, caBundle: settings.caBundle)
        } catch {
            throw ConfigurationError(file: file, "bucket '\(name)': \(error)")
        }
        let caller = AWSClient(
            signer: access.signer, credentials: access.credentials,
            connections: settings.isDirectory ? 1 : settings.concurrency, settings: travel,
            clock: SystemClock.now)
        guard settings.isDirectory else { return (access, caller) }
        let signer = Signer(
            region: access.signer.region, service: ZonalSession.service,
            tokenHeader: ZonalSession.tokenHeader)
        let asking = AWSClient(
            signer: signer,
            credentials: ZonalSession(
                place: access.place, caller: caller, clock: SystemClock.now),
            connections: settings.concurrency, settings: travel, clock: SystemClock.now)
        return (access, ZonalCaller(opening: caller, asking: asking))
    }
}
