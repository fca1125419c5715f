import MooringAWS
import MooringAppSync
import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringSchema

/// Builds the adapter of an `appsync` source: who asks, connections, and where the schema is.
struct AppSyncAssembly {
    /// The variable of the environment that holds the API key.
    static let keyVariable = "MOORING_APPSYNC_API_KEY"

    /// The file, for messages.
    let file: String
    /// The process's environment.
    let environment: [String: String]

    /// The source; throws `ConfigurationError` where the environment or the schema cannot be used.
    func source(
        _ own: RecordsConfiguration, _ settings: AppSyncSettings
    ) throws -> AppSyncSource {
        let travel: AWSClientSettings
        do {
            travel = try AWSClientSettings(environment: environment, caBundle: settings.caBundle)
        } catch {
            throw problem(own, "\(error)")
        }
        let (scheme, credentials, hint) = try authorization(own, settings)
        let choice = EndpointChoice(
            subject: "records '\(own.name)'", file: file, environment: environment)
        let client = GraphQLClient(
            endpoint: GraphQLClient.Endpoint(
                origin: try choice.origin(settings.endpoint, profile: settings.profile),
                path: Array(settings.path.utf8)),
            caller: AWSClient(
                scheme: scheme, credentials: credentials, connections: settings.concurrency,
                settings: travel, clock: SystemClock.now),
            hint: hint)
        var options = AppSyncOptions()
        options.pageSize = settings.pageSize
        options.concurrency = settings.concurrency
        options.readsAreConsistent = settings.consistentReads
        options.readPause = settings.readPause
        options.refusal = Self.refusal(own, settings)
        options.versions = Self.versions(own, settings)
        let schema = try schema(own, settings)
        options.hiding = CallerRights(settings, document: schema.document).hiding
        return AppSyncSource(
            name: own.name, client: client, schema: schema, options: options,
            clock: SystemClock.now)
    }

    // An API that merges keeps its own value of a field and joins lists: what a repair takes out
    // comes back.
    private static func refusal(
        _ own: RecordsConfiguration, _ settings: AppSyncSettings
    ) -> String? {
        guard [.automerge, .lambda].contains(own.race.conflicts), settings.mergedRepairs == .refuse
        else { return nil }
        return "under conflicts: \(own.race.conflicts.rawValue) the API merges a repair with what "
            + "others write; mergedRepairs: write under appsync asks for repairs all the same"
    }

    // mergedRepairs: write asks in words for writes to an API that may do its worst.
    private static func versions(
        _ own: RecordsConfiguration, _ settings: AppSyncSettings
    ) -> AppSyncOptions.Versions {
        if own.race.conflicts != .none { return .expected }
        if own.saysConflicts { return .denied }
        return settings.mergedRepairs == .write ? .expected : .unsaid
    }

    private func authorization(
        _ own: RecordsConfiguration, _ settings: AppSyncSettings
    ) throws -> (AuthorizationScheme, any CredentialSource, String) {
        switch settings.auth {
        case .apiKey:
            let hint = "set \(Self.keyVariable), or name the key's file under appsync as apiKeyFile"
            let place: ShownSecret.Place =
                settings.apiKeyFile.map { .file(path: $0, setting: "apiKeyFile") }
                ?? .variable(name: Self.keyVariable, value: environment[Self.keyVariable])
            return (
                .secret(header: "x-api-key"), ShownSecret(place, what: "API key", hint: hint), hint
            )
        case .iam:
            guard let region = region(settings) else {
                throw problem(
                    own, "nobody says its region; write region: under appsync, or set AWS_REGION")
            }
            return (
                .signature(Signer(region: region, service: "appsync")),
                CredentialChain(
                    profile: settings.profile, role: settings.role?.request(in: region),
                    environment: environment, clock: SystemClock.now),
                "allow appsync:GraphQL on the API to the credentials' user or role"
            )
        case .cognito, .oidc:
            let hint = "let tokenFile or tokenCommand under appsync give a token that is good now"
            let place: ShownSecret.Place =
                if let line = settings.tokenCommand {
                    .command(line: line, setting: "tokenCommand", environment: environment)
                } else {
                    .file(path: settings.tokenFile ?? "", setting: "tokenFile")
                }
            return (
                .secret(header: "authorization"), ShownSecret(place, what: "token", hint: hint),
                hint
            )
        }
    }

    // AWS's own addresses name their region: ID.appsync-api.REGION.amazonaws.com.
    private func region(_ settings: AppSyncSettings) -> String? {
        let parts = settings.endpoint.host.split(separator: ".")
        let named = parts.firstIndex(of: "appsync-api").map { parts[min($0 + 1, parts.count - 1)] }
        return RegionChoice.region(
            explicit: settings.region ?? named.map(String.init), profile: settings.profile,
            environment: environment)
    }

    private func schema(
        _ own: RecordsConfiguration, _ settings: AppSyncSettings
    ) throws -> AppSyncSchema {
        guard let path = settings.schema else { return .introspection }
        do {
            let document = try SchemaDocument.load(path: path)
            let columns = Set(own.mapping.models.flatMap(\.columns))
            return .document(
                document, try AmplifySchema.read(document),
                detectsConflicts: own.race.conflicts != .none || columns.contains("_version"))
        } catch let error as SchemaError {
            throw problem(own, "\(error)")
        }
    }

    private func problem(_ own: RecordsConfiguration, _ words: String) -> ConfigurationError {
        ConfigurationError(file: file, "records '\(own.name)': \(words)")
    }
}
