import MooringAWS
import MooringConfiguration
import MooringModel
import MooringS3

/// How a bucket of S3 is reached: where it answers, for which region requests are signed, and by
/// whom.
struct S3Access {
    /// Where the bucket answers.
    let place: S3Place
    /// Signs for its region.
    let signer: Signer
    /// Who asks.
    let credentials: CredentialChain

    /// The way to the bucket that the configuration in `file` calls `name`. Throws
    /// `ConfigurationError` where nobody says the region of one of AWS's own buckets.
    init(
        _ settings: S3Settings, named name: String, file: String, environment: [String: String]
    ) throws {
        let said = RegionChoice.region(
            explicit: settings.region, profile: settings.profile, environment: environment)
        let choice = EndpointChoice(
            subject: "bucket '\(name)'", file: file, environment: environment)
        let endpoint = try choice.named(settings.endpoint, service: "s3")
        // Other stores than AWS's take this region, or tell theirs when they do not.
        guard let region = said ?? endpoint.map({ _ in "us-east-1" }) else {
            throw ConfigurationError(
                file: file,
                "bucket '\(name)': nobody says its region; write region: under s3, or set "
                    + "AWS_REGION")
        }
        let point = settings.accessPoint
        let zone = settings.directoryName.map { EndpointVariant.zonal + $0.zone }
        let service = zone ?? (point == nil ? "s3" : "s3-accesspoint")
        let origin = try choice.origin(
            endpoint, service: service, region: region, profile: settings.profile)
        // A variable may name a host of AWS's that takes no bucket's name in the path.
        let isHostOnly =
            settings.isAccessPoint || settings.isDirectory && endpoint?.isAWS == true
        var place = S3Place(
            bucket: settings.bucket, endpoint: origin,
            usesPath: settings.pathStyle
                || settings.endpoint == nil && endpoint != nil && !isHostOnly,
            expectedOwner: settings.expectedOwner,
            accessPoint: point.map { S3AccessPoint(arn: $0.arn, label: $0.hostLabel) })
        (place.isAccessPoint, place.requesterPays) =
            (settings.isAccessPoint, settings.requesterPays)
        place.isZonal = settings.isDirectory
        self.place = place
        let variable = settings.endpoint == nil ? choice.variable(service: "s3") : nil
        let refusal =
            settings.isDirectory
            ? Self.refusal(ofZonal: endpoint, in: region, endpointBy: variable)
            : Self.refusal(of: place, point, endpointBy: variable)
        if let refusal {
            throw ConfigurationError(file: file, "bucket '\(name)': \(refusal)")
        }
        signer = Signer(
            region: region, service: settings.isDirectory ? ZonalSession.service : "s3")
        credentials = CredentialChain(
            profile: settings.profile, role: settings.role?.request(in: region),
            environment: environment, clock: SystemClock.now)
    }

    // Why an access point is not asked at such a place, which the environment may have named; nil
    // where it is, and of plain buckets.
    private static func refusal(
        of place: S3Place, _ point: AccessPoint?, endpointBy variable: String?
    ) -> String? {
        guard place.isAccessPoint else { return nil }
        let remedy =
            variable.map { "take \($0) away for this program" } ?? "leave the endpoint out"
        if place.usesPath {
            return "an access point answers at a host of its own, and "
                + "\(place.endpoint.authority) has no names below; \(remedy), or write the name "
                + "of one for access points as endpoint: under s3"
        }
        guard let point else { return nil }
        if Partition.of(region: point.region).id != point.partition {
            return "\(point.region) is no region of \(point.partition), which the name of the "
                + "access point says"
        }
        // There the first label is a bucket's name, whoever's that is.
        guard S3Host(place.endpoint.host) == nil, !isOfBuckets(place.endpoint.host) else {
            return "\(place.endpoint.authority) is a host of buckets, where "
                + "\(point.hostLabel) would be a bucket's name; \(remedy)"
        }
        return nil
    }

    // Why a directory bucket is not asked at such a place; nil where it is.
    private static func refusal(
        ofZonal endpoint: S3Settings.Endpoint?, in region: String, endpointBy variable: String?
    ) -> String? {
        guard let endpoint else {
            let partition = Partition.of(region: region).id
            guard partition != "aws" else { return nil }
            return "directory buckets are documented for regions of aws alone, and \(region) is of "
                + "\(partition); write the host of the zone as endpoint: under s3"
        }
        guard endpoint.isAWS, !endpoint.isOfZone else { return nil }
        return "\(endpoint.host) is a host of other buckets, and this is a directory bucket; "
            + (variable.map { "take \($0) away for this program" } ?? "leave the endpoint out")
    }

    // Whether it is a host of a VPC endpoint (`bucket.vpce-….s3.REGION.vpce.amazonaws.com`) for
    // something else than access points, of which there are `bucket` and `control`.
    private static func isOfBuckets(_ host: String) -> Bool {
        let name = host.lowercased()
        return Partition.all.contains { name.hasSuffix(".vpce." + $0.suffix) }
            && !name.hasPrefix("accesspoint.")
    }
}

extension AssumedRole {
    /// What is asked of the token service of a region.
    func request(in region: String?) -> (request: RoleRequest, region: String?) {
        (RoleRequest(role: arn, session: session, externalID: externalID), region)
    }
}

extension Configuration {
    /// The buckets of S3, with their settings, in the order of the file.
    var s3Buckets: [(bucket: BucketConfiguration, settings: S3Settings)] {
        buckets.compactMap { bucket in
            guard case .s3(let settings) = bucket.store else { return nil }
            return (bucket, settings)
        }
    }

    /// The bucket of S3 that a name means, in the configuration or in the store; without a name
    /// the only one. Throws `CommandError` that says what there is.
    func s3Bucket(
        named name: String?
    ) throws -> (bucket: BucketConfiguration, settings: S3Settings) {
        let names = s3Buckets.map(\.bucket.name).joined(separator: ", ")
        guard let name else {
            guard let first = s3Buckets.first else { throw noS3Bucket }
            guard s3Buckets.count == 1 else {
                throw CommandError("there are several s3 buckets: \(names); name one with --bucket")
            }
            return first
        }
        let known =
            buckets.first { $0.name == name } ?? buckets.first { $0.mapping.storeName == name }
        guard let known else {
            throw CommandError(
                "no bucket is named '\(name)'; the configuration has "
                    + buckets.map(\.name).joined(separator: ", "))
        }
        guard case .s3(let settings) = known.store else {
            throw CommandError(
                "bucket '\(known.name)' is a \(known.store.kind), and no bucket of S3")
        }
        return (known, settings)
    }

    private var noS3Bucket: CommandError {
        let kinds = buckets.map { "'\($0.name)' is a \($0.store.kind)" }.joined(separator: ", ")
        return CommandError("the configuration has no s3 bucket: \(kinds)")
    }
}
