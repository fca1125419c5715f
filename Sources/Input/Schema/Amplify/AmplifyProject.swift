/// What the files of an AWS Amplify project say of its records and its objects.
///
/// Of the files' secrets nothing is kept but the names under which they stand.
package struct AmplifyProject: Sendable {
    /// How requests to AppSync are signed.
    package enum Auth: String, Hashable, Sendable {
        case apiKey, iam, cognito, oidc, lambda

        /// The one that a word of AppSync's means.
        init?(appSync word: String) {
            switch word {
            case "API_KEY": self = .apiKey
            case "AWS_IAM": self = .iam
            case "AMAZON_COGNITO_USER_POOLS": self = .cognito
            case "OPENID_CONNECT": self = .oidc
            case "AWS_LAMBDA": self = .lambda
            default: return nil
            }
        }
    }

    /// How AppSync settles conflicting writes.
    package enum Conflicts: String, Hashable, Sendable {
        case none, optimistic, automerge, lambda
    }

    /// One API of GraphQL.
    package struct API: Hashable, Sendable {
        /// Its name in the project; nil where no file names it.
        package var name: String?
        /// Its endpoint.
        package var url: String?
        /// Which file says so.
        package var urlFile: String?
        /// Its region.
        package var region: String?
        /// How it is signed in to, the app's own way first.
        package var auth: [Auth] = []
        /// AppSync's identifier of it, which is part of its tables' names.
        package var id: String?
        /// The file or folder of its GraphQL schema, seen from the project's folder.
        package var schema: String?
        /// The file that describes its models in JSON, where it has no schema.
        package var models: String?
        /// Whether Amplify Gen 2 made it.
        package var isSecondGeneration = false

        /// An API of which nothing else is known yet.
        init(name: String?, isSecondGeneration: Bool = false) {
            self.name = name
            self.isSecondGeneration = isSecondGeneration
        }

        /// Takes an endpoint, unless it is no URL or may hold a secret.
        mutating func set(url: String?, _ file: String) {
            guard let url, Self.isEndpoint(url) else { return }
            self.url = url
            urlFile = file
        }

        private static func isEndpoint(_ url: String) -> Bool {
            let rest = url.hasPrefix("https://") ? url.dropFirst(8) : url.dropFirst(7)
            return (url.hasPrefix("https://") || url.hasPrefix("http://")) && !rest.isEmpty
                && rest.utf8.count <= 300
                && rest.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x61...0x7A).contains(byte) || "-._:/[]".utf8.contains(byte)
                }
        }
    }

    /// One bucket.
    package struct Bucket: Hashable, Sendable {
        /// Its name in the project.
        package var name: String
        /// Its own name in the store, and its region.
        package var bucket, region: String?
        /// The paths that Gen 2 gives access to, as `photos/{entity_id}/*`.
        package var paths: [String]
        /// Which file says so.
        package var file: String
    }

    /// A file that was read.
    package struct File: Hashable, Sendable {
        /// Its path, seen from the project's folder.
        package let path: String
        /// The names under which it holds secrets.
        package let secrets: [String]
    }

    /// The folder as it was named.
    package let folder: String
    /// The API that holds the records; nil where no file names one.
    package internal(set) var api: API?
    /// What the API's schema says; nil without one.
    package internal(set) var schema: AmplifySchema?
    /// The environment; nil where the project has none.
    package internal(set) var environment: String?
    /// Whether what was read of the deployed API and bucket belongs to the environment.
    package internal(set) var isDeployed = true
    /// The region of the environment.
    package internal(set) var region: String?
    /// The buckets, the default one first.
    package internal(set) var buckets: [Bucket] = []
    /// The access level that the app uses where it names none.
    package internal(set) var defaultLevel: String?
    /// How conflicts are settled, by model; nil where no file says.
    package internal(set) var conflicts: ConflictModes?
    /// The files that were read, in the order of reading.
    package internal(set) var files: [File] = []
    /// Sentences about files that were left alone, and about what two of them say differently.
    package internal(set) var notes: [String] = []

    /// How the tables of the API end; nil where the environment or the API's identifier is not
    /// known.
    package var tableSuffix: String? {
        guard isDeployed, let id = api?.id, let environment, api?.isSecondGeneration == false else {
            return nil
        }
        return "-\(id)-\(environment)"
    }
}

/// How AppSync settles conflicts, for a project and for single models.
package struct ConflictModes: Hashable, Sendable {
    /// The mode of models that have none of their own.
    package var general: AmplifyProject.Conflicts = .none
    /// The modes of models.
    package var models: [String: AmplifyProject.Conflicts] = [:]

    /// The modes that a `transform.conf.json` names; an unknown handler counts as a lambda, of
    /// which nothing is known either.
    init(_ configuration: ProjectNode) {
        let resolver = configuration["ResolverConfig"]
        general = Self.mode(resolver?["project"])
        for member in resolver?["models"]?.members ?? [] {
            models[member.name] = Self.mode(member.value)
        }
    }

    /// The mode of a model.
    package func mode(of model: String) -> AmplifyProject.Conflicts { models[model] ?? general }

    /// The mode that holds for all of these models, the one that allows least where they differ.
    package func mode(of names: [String]) -> AmplifyProject.Conflicts {
        let modes = Set(names.map(mode))
        let order: [AmplifyProject.Conflicts] = [.lambda, .automerge, .none, .optimistic]
        return order.first(where: modes.contains) ?? general
    }

    private static func mode(_ node: ProjectNode?) -> AmplifyProject.Conflicts {
        guard let node, node["ConflictDetection"]?.text != "NONE" else { return .none }
        switch node["ConflictHandler"]?.text {
        case "OPTIMISTIC_CONCURRENCY": return .optimistic
        case "AUTOMERGE": return .automerge
        case "NONE", nil: return .none
        default: return .lambda
        }
    }
}
