/// What one of the app's own files says: `amplifyconfiguration.json`, `awsconfiguration.json`,
/// `aws-exports.js` and `amplify_outputs.json` have four forms, of which each file may hold any.
struct AppFacts {
    /// The APIs of GraphQL.
    private(set) var apis: [AmplifyProject.API] = []
    /// The buckets, the default one first.
    private(set) var buckets: [AmplifyProject.Bucket] = []
    /// The access level that the app uses where it names none.
    private(set) var defaultLevel: String?

    private let file: String

    /// What a file's value says.
    init(_ root: ProjectNode, file: String) {
        self.file = file
        readOutputs(root)
        readPlugins(root)
        readServices(root)
        if let services = root["auth", "plugins", "awsCognitoAuthPlugin"] { readServices(services) }
        readExports(root)
    }

    // Gen 2: amplify_outputs.json.
    private mutating func readOutputs(_ root: ProjectNode) {
        if let data = root["data"], data["url"] != nil {
            var api = AmplifyProject.API(name: "data", isSecondGeneration: true)
            api.set(url: data["url"]?.text, file)
            api.region = data["aws_region"]?.text
            api.auth = Self.auth(
                [data["default_authorization_type"]] + (data["authorization_types"]?.elements ?? [])
            )
            api.models = data["model_introspection"].map { _ in file }
            apis.append(api)
        }
        guard let storage = root["storage"], let main = storage["bucket_name"]?.text else { return }
        let listed = storage["buckets"]?.elements ?? []
        var found = listed.map { entry in
            AmplifyProject.Bucket(
                name: entry["name"]?.text ?? "files", bucket: entry["bucket_name"]?.text,
                region: entry["aws_region"]?.text ?? storage["aws_region"]?.text,
                paths: entry["paths"]?.members.map(\.name) ?? [], file: file)
        }
        if !found.contains(where: { $0.bucket == main }) {
            found.append(
                AmplifyProject.Bucket(
                    name: "files", bucket: main, region: storage["aws_region"]?.text, paths: [],
                    file: file))
        }
        buckets += found.filter { $0.bucket == main } + found.filter { $0.bucket != main }
    }

    // Gen 1: amplifyconfiguration.json of Swift, Android and Flutter.
    private mutating func readPlugins(_ root: ProjectNode) {
        if let plugin = root["api", "plugins", "awsAPIPlugin"] {
            let isSingle = plugin["endpointType"] != nil
            let entries = isSingle ? [(nil, plugin)] : plugin.members.map { ($0.name, $0.value) }
            for (name, entry) in entries {
                guard entry["endpointType"]?.text?.lowercased() == "graphql" else { continue }
                var api = AmplifyProject.API(name: name)
                api.set(url: entry["endpoint"]?.text, file)
                api.region = entry["region"]?.text
                api.auth = Self.auth([entry["authorizationType"]])
                apis.append(api)
            }
        }
        if let plugin = root["storage", "plugins", "awsS3StoragePlugin"] {
            add(bucket: plugin["bucket"]?.text, region: plugin["region"]?.text)
            defaultLevel = plugin["defaultAccessLevel"]?.text
        }
    }

    // Gen 1: awsconfiguration.json, which the auth plugin repeats.
    private mutating func readServices(_ root: ProjectNode) {
        if let entry = root["AppSync", "Default"], entry["ApiUrl"] != nil {
            addNameless(
                url: entry["ApiUrl"]?.text, region: entry["Region"]?.text,
                auth: [entry["AuthMode"]])
        }
        if let entry = root["S3TransferUtility", "Default"] {
            add(bucket: entry["Bucket"]?.text, region: entry["Region"]?.text)
        }
    }

    // Gen 1: aws-exports.js, and amplifyconfiguration.json of JavaScript.
    private mutating func readExports(_ root: ProjectNode) {
        if let url = root["aws_appsync_graphqlEndpoint"] {
            addNameless(
                url: url.text, region: root["aws_appsync_region"]?.text,
                auth: [root["aws_appsync_authenticationType"]])
            if root["modelIntrospection"] != nil, apis.last?.name == nil {
                apis[apis.count - 1].models = file
            }
        }
        if let bucket = root["aws_user_files_s3_bucket"] {
            add(bucket: bucket.text, region: root["aws_user_files_s3_bucket_region"]?.text)
        }
    }

    private mutating func addNameless(url: String?, region: String?, auth: [ProjectNode?]) {
        var api = AmplifyProject.API(name: nil)
        api.set(url: url, file)
        if let known = apis.first(where: { $0.url == api.url }), known.url != nil { return }
        api.region = region
        api.auth = Self.auth(auth)
        apis.append(api)
    }

    private mutating func add(bucket: String?, region: String?) {
        guard let bucket, !buckets.contains(where: { $0.bucket == bucket }) else { return }
        buckets.append(
            AmplifyProject.Bucket(
                name: "files", bucket: bucket, region: region, paths: [], file: file))
    }

    /// The ways of signing in that AppSync's words mean, each once.
    static func auth(_ words: [ProjectNode?]) -> [AmplifyProject.Auth] {
        var found: [AmplifyProject.Auth] = []
        for word in words {
            guard let word = word?.text, let auth = AmplifyProject.Auth(appSync: word),
                !found.contains(auth)
            else { continue }
            found.append(auth)
        }
        return found
    }
}
