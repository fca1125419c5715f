import MooringText

extension AmplifyProject {
    /// What a person chose where a project holds several.
    package struct Choice: Sendable {
        /// The API's name, and the environment's.
        package var api, environment: String?

        /// A choice; nil where there is none to make.
        package init(api: String? = nil, environment: String? = nil) {
            self.api = api
            self.environment = environment
        }
    }

    /// Reads what is there of a project's files; changes nothing.
    ///
    /// Throws `ProjectError` when the folder holds none of them, or several APIs or environments of
    /// which none was chosen; and `SchemaError` when one of them does not parse, with the place, or
    /// cannot be read or is over 4 MiB.
    package static func read(folder path: String, choice: Choice) throws -> AmplifyProject {
        var reader = AmplifyReader(folder: try ProjectFolder(path: path))
        return try reader.read(choice)
    }
}

/// Reads a project: the backend's files first, which name what was deployed, then the app's own.
struct AmplifyReader {
    private let folder: ProjectFolder
    private var files: [AmplifyProject.File] = []
    private var notes: [String] = []
    private var apis: [AmplifyProject.API] = []
    private var buckets: [AmplifyProject.Bucket] = []

    private static let appFiles = [
        "amplify_outputs.json", "amplifyconfiguration.json", "aws-exports.js", "aws-exports.ts",
        "awsconfiguration.json",
    ]
    private static let dartFiles = [
        "lib/amplify_outputs.dart", "lib/amplifyconfiguration.dart",
    ]

    /// A reader of a folder.
    init(folder: ProjectFolder) {
        self.folder = folder
    }

    /// What the project says.
    mutating func read(_ choice: AmplifyProject.Choice) throws -> AmplifyProject {
        var project = AmplifyProject(folder: folder.path)
        let backend = folder.isFolder("amplify") ? "amplify/" : ""
        var places = BackendPlaces(root: backend)
        places.find(in: folder)
        let environments = try Environments(reader: &self, places)
        project.environment = try environments.chosen(choice.environment)
        project.isDeployed = environments.isDeployed(project.environment)
        let provider = try readMeta(places, isUsed: project.isDeployed)
        project.region = environments.region(project.environment) ?? provider
        try readApp(isUsed: project.isDeployed, &project)
        for name in places.schemas.keys.sorted() { add(schema: name, places) }
        guard !files.isEmpty || !places.schemas.isEmpty else { throw nothingFound }
        project.api = try chosen(choice.api)
        try readAPI(places, &project)
        if environments.current == nil, choice.environment != nil {
            notes.append(
                "no file says of which environment the app's own files are; they are taken for "
                    + "those of \((project.environment ?? "").printable)")
        }
        if !project.isDeployed {
            notes.append(
                "the app's files and amplify-meta.json are of environment "
                    + "\((environments.current ?? "").printable), so endpoint and bucket of "
                    + "\((project.environment ?? "").printable) are not known; 'amplify env "
                    + "checkout' fetches them")
            buckets += environments.buckets(project.environment)
        }
        project.buckets = buckets
        project.files = files
        project.notes = notes
        return project
    }

    private var nothingFound: ProjectError {
        ProjectError(
            what:
                "'\(folder.path.printablePath)' holds none of the files of an Amplify project that "
                + "were looked for (amplify/backend, amplify_outputs.json, "
                + "amplifyconfiguration.json, aws-exports.js, awsconfiguration.json)",
            next: "Name the project's own folder with --amplify, after 'amplify pull' or "
                + "'ampx generate outputs' wrote them; or use mooring init --schema.")
    }

    // MARK: Files

    /// The value of a JSON file; nil where there is none, or where it is left alone.
    mutating func value(
        _ file: String, form: ProjectParser.Form = .json
    ) throws -> ProjectNode? {
        switch try folder.read(file) {
        case .absent: return nil
        case .skipped(let reason):
            notes.append("\(file.printablePath) \(reason), and was not read")
            return nil
        case .content(let bytes):
            let node = try ProjectParser.parse(bytes, file: folder.named(file), form: form)
            files.append(AmplifyProject.File(path: file, secrets: node.secrets))
            return node
        }
    }

    private mutating func readMeta(_ places: BackendPlaces, isUsed: Bool) throws -> String? {
        var found: ProjectNode?
        var file = ""
        for path in places.meta where found == nil {
            file = path
            found = try value(path)
        }
        if let more = try value(places.backendConfiguration) {
            for member in more["api"]?.members ?? [] { add(meta: member, isUsed: false) }
        }
        guard let meta = found else { return nil }
        for member in meta["api"]?.members ?? [] { add(meta: member, isUsed: isUsed) }
        guard isUsed else { return nil }
        for member in meta["storage"]?.members ?? [] where member.value["service"]?.text == "S3" {
            guard let bucket = member.value["output", "BucketName"]?.text else { continue }
            buckets.append(
                AmplifyProject.Bucket(
                    name: member.name, bucket: bucket,
                    region: member.value["output", "Region"]?.text, paths: [], file: file))
        }
        return meta["providers", "awscloudformation", "Region"]?.text
    }

    private mutating func add(meta member: ProjectNode.Member, isUsed: Bool) {
        guard member.value["service"]?.text == "AppSync" else { return }
        let output = member.value["output"]
        let index = index(ofName: member.name)
        let access = output?["authConfig"]
        let others = access?["additionalAuthenticationProviders"]?.elements ?? []
        let auth = AppFacts.auth(
            [access?["defaultAuthentication", "authenticationType"]]
                + others.map { $0["authenticationType"] })
        if !auth.isEmpty { apis[index].auth = auth }
        guard isUsed else { return }
        apis[index].set(url: output?["GraphQLAPIEndpointOutput"]?.text, "amplify-meta.json")
        apis[index].id = output?["GraphQLAPIIdOutput"]?.text.flatMap(AmplifyNames.identifier)
    }

    private mutating func readApp(isUsed: Bool, _ project: inout AmplifyProject) throws {
        let places =
            folder.places(of: Self.appFiles).map { ($0, false) } + Self.dartFiles.map { ($0, true) }
        for (path, isDart) in places {
            let isScript = path.hasSuffix(".js") || path.hasSuffix(".ts")
            let form: ProjectParser.Form = isDart ? .dart : isScript ? .script : .json
            guard let node = try value(path, form: form) else { continue }
            let facts = AppFacts(node, file: path)
            project.defaultLevel = project.defaultLevel ?? facts.defaultLevel
            var isElsewhere = false
            for var api in facts.apis {
                if !isUsed, !api.isSecondGeneration { (api.url, api.region) = (nil, nil) }
                if !add(app: api, file: path) { isElsewhere = true }
            }
            guard isUsed else { continue }
            // The records of one deployment and the files of another would all be orphans.
            if isElsewhere {
                for bucket in facts.buckets {
                    notes.append(
                        "the bucket of \(path.printablePath), \((bucket.bucket ?? "").printable), "
                            + "was left out with its endpoint")
                }
            } else {
                add(facts.buckets, file: path)
            }
        }
    }

    private mutating func add(_ found: [AmplifyProject.Bucket], file: String) {
        guard let first = buckets.first else {
            buckets = found
            return
        }
        for bucket in found where !buckets.contains(where: { $0.bucket == bucket.bucket }) {
            notes.append(
                "\(file.printablePath) names another bucket, \((bucket.bucket ?? "").printable); "
                    + "the one of \(first.file.printablePath) was taken")
        }
        for index in buckets.indices where buckets[index].region == nil {
            buckets[index].region =
                found.first { $0.bucket == buckets[index].bucket }?.region
        }
    }

    // MARK: APIs

    private mutating func index(ofName name: String) -> Int {
        if let index = apis.firstIndex(where: { $0.name == name }) { return index }
        apis.append(AmplifyProject.API(name: name))
        return apis.count - 1
    }

    // An endpoint names an API more surely than a name does, and a file may name none. False where
    // the file's endpoint is another one than that of an earlier file.
    private mutating func add(app api: AmplifyProject.API, file: String) -> Bool {
        let known =
            apis.firstIndex { $0.url != nil && $0.url == api.url }
            ?? apis.firstIndex { api.name != nil && $0.name == api.name }
        let firsts = apis.indices.filter { !apis[$0].isSecondGeneration }
        let only = api.name == nil && firsts.count == 1 ? firsts[0] : nil
        guard let index = known ?? only else {
            apis.append(api)
            return true
        }
        if apis[index].url == nil {
            apis[index].url = api.url
            apis[index].urlFile = api.urlFile
        } else if let url = api.url, url != apis[index].url {
            notes.append(
                "\(file.printablePath) names another endpoint; the one of "
                    + "\((apis[index].urlFile ?? "").printablePath) was taken")
            return false
        }
        apis[index].region = apis[index].region ?? api.region
        apis[index].models = apis[index].models ?? api.models
        if apis[index].auth.isEmpty { apis[index].auth = api.auth }
        return true
    }

    private mutating func add(schema name: String, _ places: BackendPlaces) {
        let nameless = apis.filter { $0.name == nil }.count == 1 && places.schemas.count == 1
        if nameless, !apis.contains(where: { $0.name == name }),
            let index = apis.firstIndex(where: { $0.name == nil })
        {
            apis[index].name = name
        }
        apis[index(ofName: name)].schema = places.schemas[name]
    }

    private func chosen(_ name: String?) throws(ProjectError) -> AmplifyProject.API? {
        let names = apis.compactMap(\.name)
        if let name {
            if let api = apis.first(where: { $0.name == name }) { return api }
            throw ProjectError(
                what: "there is no API called '\(name.printable)' in the project",
                next: names.isEmpty
                    ? "Leave --api out."
                    : "Name one of \(names.map(\.printable).inWords()).")
        }
        guard apis.count > 1 else { return apis.first }
        throw ProjectError(
            what: "the project has \(apis.count) GraphQL APIs: "
                + apis.map { $0.name.map(\.printable) ?? "one without a name" }.inWords(),
            next: "Name one with --api.")
    }

    private mutating func readAPI(
        _ places: BackendPlaces, _ project: inout AmplifyProject
    ) throws {
        guard let api = project.api else { return }
        if let name = api.name, let path = places.transform[name], let node = try value(path) {
            project.conflicts = ConflictModes(node)
        }
        guard let source = api.schema ?? api.models else { return }
        project.schema = try AmplifySchema.load(path: folder.named(source))
        if api.schema != nil { files.append(AmplifyProject.File(path: source, secrets: [])) }
    }
}
