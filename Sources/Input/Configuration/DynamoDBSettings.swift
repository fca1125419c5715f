package import MooringModel

/// Which tables of DynamoDB, and how they are reached, read and written.
package struct DynamoDBSettings: Hashable, Sendable {
    /// The region; nil where the environment or the profile has to say it.
    package var region: String?
    /// Another service than AWS's; nil for AWS.
    package var endpoint: S3Settings.Endpoint?
    /// The profile of the shared files; nil for the usual chain.
    package var profile: String?
    /// The role that is asked for with these; nil to ask as oneself.
    package var role: AssumedRole?
    /// What stands before a table's name in the store; nothing by default.
    package var tablePrefix = ""
    /// What stands behind it, such as Amplify's `-API-ENVIRONMENT`; nothing by default.
    package var tableSuffix = ""
    /// The tables that belong to the app, by their names without prefix and suffix; nil for all
    /// that prefix and suffix fit. Others are somebody else's: nothing of them is read.
    package var tables: [Glob]?
    /// Into how many segments a scan cuts each table, 1 to 256; 4 by default.
    package var segments = 4
    /// The most units of read capacity a second that scans consume; nil for the bound that each
    /// table gives itself.
    package var readCapacity: Int?
    /// Whether pass A reads consistently, as pass B always does.
    package var consistent = false
    /// The absolute path of further certificates to trust, in PEM; nil for the system's alone.
    package var caBundle: String?
    /// Whether tables under AppSync's conflict detection are written directly.
    package var writesVersioned = false
    /// Whether no other region writes the tables, as the configuration says in words.
    package var isOnlyWriter = false

    /// The defaults.
    package init() {}
}

/// Where an export of DynamoDB lies, and how it is reached.
package struct DynamoDBExportSettings: Hashable, Sendable {
    /// The place of an export.
    package enum Place: Hashable, Sendable {
        /// A folder, by its absolute path.
        case folder(String)
        /// A prefix of a bucket of S3.
        case bucket(String, prefix: String)
    }

    /// Where it lies.
    package var place: Place
    /// The region of the bucket; nil where the environment or the profile has to say it.
    package var region: String?
    /// Another store than AWS's; nil for AWS.
    package var endpoint: S3Settings.Endpoint?
    /// The profile of the shared files; nil for the usual chain.
    package var profile: String?
    /// The role that is asked for with these; nil to ask as oneself.
    package var role: AssumedRole?
    /// What stands before a table's name in the store; nothing by default.
    package var tablePrefix = ""
    /// What stands behind it; nothing by default.
    package var tableSuffix = ""
    /// The absolute path of further certificates to trust, in PEM; nil for the system's alone.
    package var caBundle: String?
    /// Whether the changes of incremental exports are applied to the full one of their table.
    package var appliesChanges = false

    /// The export at a place.
    package init(place: Place) { self.place = place }

    /// The place as messages and the fingerprint name it.
    package var text: String {
        switch place {
        case .folder(let path): path
        case .bucket(let bucket, let prefix): "s3://\(bucket)/\(prefix)"
        }
    }
}
