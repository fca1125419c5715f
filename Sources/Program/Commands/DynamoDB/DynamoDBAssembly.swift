import MooringAWS
import MooringConfiguration
import MooringDynamoDB
import MooringModel

/// Builds the adapters of `dynamodb` and `dynamodbExport`: credentials, region, connections, and
/// where the service answers.
struct DynamoDBAssembly {
    /// The file, for messages.
    let file: String
    /// The process's environment.
    let environment: [String: String]

    /// The tables of a source; throws `ConfigurationError` where nobody says the region, or the
    /// environment cannot be used.
    func source(
        _ own: RecordsConfiguration, _ settings: DynamoDBSettings
    ) throws -> DynamoDBSource {
        let choice = EndpointChoice(
            subject: "records '\(own.name)'", file: file, environment: environment)
        let endpoint = try choice.named(settings.endpoint, service: "dynamodb")
        let region = try region(own.name, settings.region, settings.profile, endpoint)
        var tables = TableSettings()
        tables.names = TableNames(prefix: settings.tablePrefix, suffix: settings.tableSuffix)
        tables.segments = settings.segments
        tables.tables = settings.tables
        tables.rate = settings.readCapacity.map(ReadRate.fixed) ?? .ofTable
        tables.isConsistent = settings.consistent
        tables.writesVersioned = settings.writesVersioned
        tables.isOnlyWriter = settings.isOnlyWriter
        tables.models = own.mapping.models
        let client = DynamoDBClient(
            origin: try choice.origin(
                endpoint, service: "dynamodb", region: region, profile: settings.profile),
            region: region,
            caller: AWSClient(
                signer: Signer(region: region, service: "dynamodb"),
                credentials: CredentialChain(
                    profile: settings.profile, role: settings.role?.request(in: region),
                    environment: environment, clock: SystemClock.now),
                // A repair's reads need not wait for a scan's pages.
                connections: settings.segments + 2,
                settings: try travel(own.name, settings.caBundle), clock: SystemClock.now))
        return DynamoDBSource(
            name: own.name, client: client, settings: tables, clock: SystemClock.now)
    }

    /// The exports of a source, in a folder or a bucket of S3, with a folder for scratch; throws
    /// `ConfigurationError` as `source` does.
    func export(
        _ own: RecordsConfiguration, _ settings: DynamoDBExportSettings, scratch: String
    ) throws -> DynamoDBExportSource {
        let store: any ExportStore
        switch settings.place {
        case .folder(let path): store = ExportFolder(path)
        case .bucket(let bucket, let prefix):
            var reached = S3Settings(bucket: bucket)
            reached.region = settings.region
            reached.endpoint = settings.endpoint
            reached.pathStyle = settings.endpoint != nil
            reached.profile = settings.profile
            reached.role = settings.role
            reached.caBundle = settings.caBundle
            store = ExportBucket(
                client: try S3Assembly(file: file, environment: environment)
                    .client(reached, name: own.name),
                prefix: prefix)
        }
        return DynamoDBExportSource(
            name: own.name, store: store,
            names: TableNames(prefix: settings.tablePrefix, suffix: settings.tableSuffix),
            applyingChangesIn: settings.appliesChanges ? scratch : nil)
    }

    private func region(
        _ name: String, _ explicit: String?, _ profile: String?, _ endpoint: S3Settings.Endpoint?
    ) throws -> String {
        let said = RegionChoice.region(
            explicit: explicit, profile: profile, environment: environment)
        // Other services than AWS's take this region.
        guard let region = said ?? endpoint.map({ _ in "us-east-1" }) else {
            throw ConfigurationError(
                file: file,
                "records '\(name)': nobody says the region; write region: under dynamodb, or set "
                    + "AWS_REGION")
        }
        return region
    }

    private func travel(_ name: String, _ caBundle: String?) throws -> AWSClientSettings {
        do {
            return try AWSClientSettings(environment: environment, caBundle: caBundle)
        } catch {
            throw ConfigurationError(file: file, "records '\(name)': \(error)")
        }
    }
}
