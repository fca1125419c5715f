import Foundation
import MooringAWS
import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringS3

/// Builds the adapter of an `s3` bucket: credentials, region, connections, and where it answers.
struct S3Assembly {
    /// The file, for messages.
    let file: String
    /// The process's environment.
    let environment: [String: String]

    /// The bucket; throws `ConfigurationError` where the environment cannot be used.
    func bucket(
        _ own: BucketConfiguration, _ settings: S3Settings, reuse: KeyReuse
    ) throws -> S3Bucket {
        let client = try client(settings, name: own.name)
        var elsewhere: S3Client?
        if let other = settings.quarantineBucket {
            var settings = settings
            settings.bucket = other
            elsewhere = try self.client(settings, name: own.name)
        }
        return S3Bucket(
            name: own.name, client: client,
            quarantine: S3Quarantine(prefix: own.mapping.quarantine.bytes, in: elsewhere),
            prefixes: own.mapping.prefixes.map(\.bytes), concurrency: settings.concurrency,
            clock: SystemClock.now, neverReused: reuse.isNeverReused)
    }

    /// Calls to a bucket, signed by the usual chain.
    func client(_ settings: S3Settings, name: String) throws -> S3Client {
        let region = try region(settings, name: name)
        let endpoint =
            settings.endpoint.map {
                Origin(isSecure: $0.isSecure, host: $0.host, port: $0.port)
            } ?? Origin(host: Self.host(in: region))
        let travel: AWSClientSettings
        do {
            travel = try AWSClientSettings(
                environment: environment, caBundle: settings.caBundle)
        } catch {
            throw ConfigurationError(file: file, "bucket '\(name)': \(error)")
        }
        return S3Client(
            place: S3Place(
                bucket: settings.bucket, endpoint: endpoint, usesPath: settings.pathStyle,
                expectedOwner: settings.expectedOwner),
            caller: AWSClient(
                signer: Signer(region: region, service: "s3"),
                credentials: CredentialChain(
                    profile: settings.profile, environment: environment, clock: SystemClock.now),
                connections: settings.concurrency, settings: travel, clock: SystemClock.now))
    }

    // Other stores than AWS's take this region, or tell theirs when they do not.
    private func region(_ settings: S3Settings, name: String) throws -> String {
        let said = RegionChoice.region(
            explicit: settings.region, profile: settings.profile, environment: environment)
        if let region = said ?? settings.endpoint.map({ _ in "us-east-1" }) { return region }
        throw ConfigurationError(
            file: file,
            "bucket '\(name)': nobody says its region; write region: under s3, or set AWS_REGION")
    }

    private static func host(in region: String) -> String {
        "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    }
}
