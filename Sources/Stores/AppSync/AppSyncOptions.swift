package import MooringSchema

/// How an API's records are read, and whether they are written; every part has a default.
package struct AppSyncOptions: Sendable {
    /// The most records of a page, 1 to 1,000; 1,000.
    package var pageSize = 1_000
    /// How many models are read at once; 8.
    package var concurrency = 8
    /// Whether the API answers with what was written last, so that a record is read once and not
    /// twice; false.
    package var readsAreConsistent = false
    /// The time between two reads that have to agree; 1 s.
    package var readPause = Duration.seconds(1)
    /// Why records may be there that its answers do not show; nil where the caller sees them all.
    package var hiding: String?
    /// Why its records are not written, whatever the schema says; nil.
    package var refusal: String?
    /// What the configuration says of versions that the API keeps; that it settles conflicts.
    package var versions = Versions.expected

    /// What a configuration says of an API that may detect conflicts.
    package enum Versions: Hashable, Sendable {
        /// That it does, and how it settles them.
        case expected
        /// Nothing: its records are not written where it does.
        case unsaid
        /// That it does not: where it does, the configuration is about another API.
        case denied
    }

    /// The defaults.
    package init() {}
}

/// Where the types of an API are known from.
package enum AppSyncSchema: Sendable {
    /// From the API itself, by introspection.
    case introspection
    /// From a schema's text: with operations, or with Amplify's directives, which generate them.
    case document(SchemaDocument, AmplifySchema, detectsConflicts: Bool)

    /// The schema's text; nil where the API itself is asked.
    package var document: SchemaDocument? {
        guard case .document(let document, _, _) = self else { return nil }
        return document
    }
}
