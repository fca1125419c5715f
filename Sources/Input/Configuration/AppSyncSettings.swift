/// Which API of AppSync holds records, and how it is reached.
package struct AppSyncSettings: Hashable, Sendable {
    /// How requests say who asks.
    package enum Auth: String, Hashable, Sendable, CaseIterable {
        /// By a key, from MOORING_APPSYNC_API_KEY or a file.
        case apiKey
        /// By a signature with the usual credentials of AWS.
        case iam
        /// By a token of a user pool.
        case cognito
        /// By a token of another provider.
        case oidc
    }

    /// What is done where the API merges writes that conflict.
    package enum MergedRepairs: String, Hashable, Sendable, CaseIterable {
        /// Records are not written.
        case refuse
        /// They are; each write is read again, and what did not hold is told.
        case write
    }

    /// Where the API answers: scheme, host and port.
    package var endpoint: S3Settings.Endpoint
    /// The path below it, with its slash.
    package var path: String
    /// How requests say who asks; by key by default.
    package var auth = Auth.apiKey
    /// The absolute path of the file that holds the key; nil for the environment.
    package var apiKeyFile: String?
    /// The absolute path of the file that holds the token.
    package var tokenFile: String?
    /// The command line that prints the token.
    package var tokenCommand: String?
    /// What the configuration says in words of whether the caller sees every record; nil where it
    /// says nothing.
    package var seesAll: Bool?
    /// The region to sign for; nil where the URL, the environment or the profile says it.
    package var region: String?
    /// The profile of the shared files; nil for the usual chain.
    package var profile: String?
    /// The role that is asked for with these; nil to ask as oneself.
    package var role: AssumedRole?
    /// The absolute path of the schema; nil to ask the API itself.
    package var schema: String?
    /// The most records of a page, 1 to 1,000; 1,000 by default.
    package var pageSize = 1_000
    /// How many models are read at once, 1 to 64; 8 by default.
    package var concurrency = 8
    /// Whether the API answers with what was written last; false by default.
    package var consistentReads = false
    /// The time between two reads that have to agree; 1 s by default.
    package var readPause = Duration.seconds(1)
    /// What is done where the API merges writes that conflict; refused by default.
    package var mergedRepairs = MergedRepairs.refuse
    /// The absolute path of further certificates to trust, in PEM; nil for the system's alone.
    package var caBundle: String?

    /// Settings with the defaults.
    package init(endpoint: S3Settings.Endpoint, path: String) {
        self.endpoint = endpoint
        self.path = path
    }

    /// `https://host/graphql`.
    package var url: String {
        (endpoint.isSecure ? "https://" : "http://") + endpoint.host
            + (endpoint.port.map { ":\($0)" } ?? "") + path
    }
}
