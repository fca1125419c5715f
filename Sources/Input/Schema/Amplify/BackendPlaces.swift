import MooringText

/// Where the files of a project's backend lie, seen from the project's folder.
struct BackendPlaces {
    /// The folder that holds `backend`, with its slash; empty for the project's own folder.
    let root: String
    /// The file or folder of each API's schema, by the API's name.
    private(set) var schemas: [String: String] = [:]
    /// The settings of each API's transformer, by the API's name.
    private(set) var transform: [String: String] = [:]

    /// Places of a project whose backend lies in this folder.
    init(root: String) {
        self.root = root
    }

    /// What was deployed, as it is here, and as it was fetched last.
    var meta: [String] {
        [root + "backend/amplify-meta.json", root + "#current-cloud-backend/amplify-meta.json"]
    }

    /// What is meant to be deployed.
    var backendConfiguration: String { root + "backend/backend-config.json" }
    /// The environments.
    var environments: String { root + "team-provider-info.json" }
    /// The environment that is checked out.
    var current: String { root + ".config/local-env-info.json" }

    /// Looks for the APIs that have a schema.
    mutating func find(in folder: ProjectFolder) {
        let apis = root + "backend/api"
        for name in folder.entries(apis) where folder.isFolder(apis + "/" + name) {
            let names = folder.entries(apis + "/" + name)
            let own = apis + "/" + name + "/"
            if names.contains("schema.graphql") {
                schemas[name] = own + "schema.graphql"
            } else if names.contains("schema"), folder.isFolder(own + "schema") {
                schemas[name] = own + "schema"
            }
            if names.contains("transform.conf.json") {
                transform[name] = own + "transform.conf.json"
            }
        }
    }
}

/// The environments of a project, and which one is meant.
struct Environments {
    /// The environment that is checked out; nil where no file says.
    let current: String?
    private let all: [ProjectNode.Member]
    private let file: String
    // Where the one that is checked out stands.
    private let currentFile: String

    /// What the files of a project say of its environments.
    init(reader: inout AmplifyReader, _ places: BackendPlaces) throws {
        file = places.environments
        currentFile = places.current
        all = try reader.value(places.environments)?.members ?? []
        current = try reader.value(places.current)?["envName"]?.text
    }

    /// The environment that is meant: the chosen one, the one that is checked out, or the only one;
    /// throws a refusal where there are several, or none of the chosen name.
    func chosen(_ name: String?) throws(ProjectError) -> String? {
        let names =
            all.map(\.name)
            + [current].compactMap { $0 }.filter { name in
                !all.contains { $0.name == name }
            }
        if let name {
            if names.contains(name) { return try valid(name) }
            throw ProjectError(
                what: "there is no environment called '\(name.printable)' in the project",
                next: names.isEmpty
                    ? "Leave --env out."
                    : "Name one of \(names.map(\.printable).inWords()).")
        }
        if let current { return try valid(current) }
        guard names.count > 1 else { return try names.first.map(valid) }
        throw ProjectError(
            what: "the project has \(names.count) environments: "
                + names.map(\.printable).inWords(),
            next: "Name one with --env.")
    }

    /// Whether the files of what is deployed are of an environment; they are of the one that is
    /// checked out. Where no file says which that is, they are taken for those of the one that was
    /// chosen, and a note says so.
    func isDeployed(_ name: String?) -> Bool { current == nil || name == current }

    /// The region of an environment.
    func region(_ name: String?) -> String? {
        entry(name)?["awscloudformation", "Region"]?.text
    }

    /// The buckets that an environment names.
    func buckets(_ name: String?) -> [AmplifyProject.Bucket] {
        (entry(name)?["categories", "storage"]?.members ?? []).compactMap { member in
            let bucket = member.value["bucketName"]?.text ?? member.value["BucketName"]?.text
            guard let bucket else { return nil }
            return AmplifyProject.Bucket(
                name: member.name, bucket: bucket,
                region: member.value["region"]?.text ?? member.value["Region"]?.text
                    ?? region(name),
                paths: [], file: file)
        }
    }

    private func entry(_ name: String?) -> ProjectNode? {
        all.last { $0.name == name }?.value
    }

    // It becomes a part of the tables' names.
    private func valid(_ name: String) throws(ProjectError) -> String {
        if let valid = AmplifyNames.identifier(name) { return valid }
        let place = name == current ? currentFile : file
        throw ProjectError(
            what: "'\(name.printable)' is no name of an environment (letters and digits)",
            next: "Put it right in \(place.printablePath).")
    }
}
