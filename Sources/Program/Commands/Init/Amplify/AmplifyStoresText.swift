import MooringConfiguration
import MooringModel
import MooringSchema

/// Writes where an Amplify project's records and objects live.
struct AmplifyStoresText {
    /// The project.
    let project: AmplifyProject
    /// Where its schema lies.
    let places: ProjectPlaces

    /// The kinds of source that a draft names.
    enum Source: String {
        case appsync, dynamodb
    }

    // MARK: Records

    /// What the records are read from. A user's token sees only what that user may read, and
    /// everybody else's files would look like orphans; so where it is the only way in, and the
    /// tables are known, they are read themselves.
    var source: Source {
        let isKnown = project.api?.url != nil
        guard project.tableSuffix != nil else { return .appsync }
        return isKnown && !isByToken ? .appsync : .dynamodb
    }

    /// Whether requests are signed with a user's token.
    var isByToken: Bool {
        guard let auth else { return false }
        return auth == .cognito || auth == .oidc || auth == .lambda
    }

    /// How requests are signed: by IAM where the API takes it, which reads most.
    var auth: AmplifyProject.Auth? {
        let known = project.api?.auth ?? []
        return known.contains(.iam) ? .iam : known.first
    }

    /// The environment variable that holds the API's key.
    static let keyVariable = "MOORING_APPSYNC_API_KEY"

    /// The source's lines, indented as an entry of `records`, the other kind as a comment.
    var sourceLines: [String] {
        let other = source == .appsync ? dynamodb(isActive: false) : appsync(isActive: false)
        let own = source == .appsync ? appsync(isActive: true) : dynamodb(isActive: true)
        return (own + other.map { "# " + $0 }).map { "    " + $0 }
    }

    private func appsync(isActive: Bool) -> [String] {
        let api = project.api
        var lines: [String] = []
        if !isActive { lines.append("The same records as AppSync gives them:") }
        if isByToken {
            let mark = isActive ? "# " : ""
            lines += [
                mark + "WARNING: a user's token reads only what that user may read. Every other",
                mark + "user's file would look like an orphan. Sign with IAM as somebody who may",
                mark + "read every record, or read the tables (dynamodb) instead.",
            ]
        }
        let url = api?.url.map(YAMLText.quoted) ?? AmplifyDraft.placeholder
        lines += [
            "appsync:",
            "  url: \(url)  # "
                + (api?.url == nil
                    ? "FILL IN: no file names the endpoint" : origin(api?.urlFile)),
        ]
        lines += authLines(isActive: isActive)
        let file = places.schema.flatMap { $0.hasSuffix(".graphql") ? $0 : nil }
        lines.append(
            file.map { "  schema: \(YAMLText.quoted($0))" }
                ?? "  # no schema: the API is asked for its own")
        return lines
    }

    private func authLines(isActive: Bool) -> [String] {
        let region = "  region: \(written(region: regionOfAPI))"
        switch auth {
        case .apiKey?:
            return ["  auth: apiKey  # the key is not copied: put it into \(Self.keyVariable)"]
        case .iam?: return ["  auth: iam  # the usual chain of AWS credentials", region]
        case .cognito?, .oidc?:
            let blank = isActive ? AmplifyDraft.placeholder : "./token"
            return [
                "  auth: \(auth?.rawValue ?? "")",
                "  tokenFile: \(blank)  # FILL IN: a file with a token, or tokenCommand: COMMAND",
            ]
        case .lambda?:
            return [
                "  auth: iam  # guess: the app's own way, a Lambda, is not spoken here", region,
            ]
        case nil: return ["  auth: iam  # guess: no file says how", region]
        }
    }

    private func dynamodb(isActive: Bool) -> [String] {
        let suffix = project.tableSuffix
        var lines: [String] = []
        if !isActive {
            lines += [
                "The same records without AppSync, read from its tables, which hides nothing"
                    + (suffix == nil ? ";" : ":")
            ]
            if suffix == nil {
                lines.append(
                    "FILL IN: tables are called MODEL-APIID-ENVIRONMENT, with NONE for Gen 2:")
            }
        }
        lines += [
            "dynamodb:",
            "  region: \(written(region: regionOfAPI))",
            "  tableSuffix: \(YAMLText.quoted(suffix ?? "-APIID-ENVIRONMENT"))"
                + (suffix == nil ? "" : "  # after each model's name"),
        ]
        return lines
    }

    private var regionOfAPI: String? {
        Self.region(project.api?.region) ?? Self.region(ofEndpoint: project.api?.url)
            ?? Self.region(project.region) ?? Self.region(project.buckets.first?.region)
    }

    // MARK: Buckets

    /// The names of the buckets in the configuration, the default one first.
    var bucketNames: [String] {
        var taken: Set<String> = []
        let names = project.buckets.map { bucket in
            var name = Self.bucketName(bucket.name)
            while !taken.insert(name).inserted { name += "-2" }
            return name
        }
        return names.isEmpty ? ["files"] : names
    }

    /// The buckets' entries, and `levels` where the project has paths of its own.
    var bucketLines: [String] {
        guard !project.buckets.isEmpty else {
            return [
                "  - name: files", "    s3:",
                "      bucket: \(AmplifyDraft.placeholder)  # FILL IN: no file names the bucket",
                "      region: \(written(region: regionOfAPI))",
            ]
        }
        return zip(project.buckets, bucketNames).flatMap { bucket, name in
            var lines = ["  - name: \(YAMLText.scalar(name))", "    s3:"]
            if let own = Self.bucket(bucket.bucket) {
                lines.append("      bucket: \(YAMLText.quoted(own))  # \(origin(bucket.file))")
            } else {
                lines.append(
                    "      bucket: \(AmplifyDraft.placeholder)  # FILL IN: what stands in "
                        + "\(VisibleName.of(bucket.file)) is no bucket's name")
            }
            lines.append("      region: \(written(region: region(of: bucket)))")
            let prefixes = AmplifyPaths(bucket.paths).prefixes
            if !prefixes.isEmpty {
                let shown = prefixes.map(YAMLText.quoted).joined(separator: ", ")
                lines.append("    prefixes: [\(shown)]  # the paths that the app may use")
            }
            return lines
        }
    }

    /// The levels that the project's paths add to Amplify's own.
    var levels: [AmplifyPaths.Level] { AmplifyPaths(project.buckets.flatMap(\.paths)).levels }

    private func region(of bucket: AmplifyProject.Bucket) -> String? {
        Self.region(bucket.region) ?? Self.region(project.region)
    }

    // MARK: What is missing

    /// What has to be filled in before anything can be read, each as a person would look for it.
    var blanks: [String] {
        var blanks: [String] = []
        if source == .appsync, project.api?.url == nil { blanks.append("the url of appsync") }
        if source == .appsync, auth == .cognito || auth == .oidc {
            blanks.append("the tokenFile or tokenCommand of appsync")
        } else if regionOfAPI == nil, source == .dynamodb || auth != .apiKey {
            blanks.append("the region of the records")
        }
        if project.buckets.isEmpty {
            blanks.append("the bucket")
            return blanks
        }
        for (bucket, name) in zip(project.buckets, bucketNames) {
            if Self.bucket(bucket.bucket) == nil { blanks.append("the bucket of \(name)") }
            if region(of: bucket) == nil { blanks.append("the region of \(name)") }
        }
        return blanks
    }

    // MARK: Words

    private func origin(_ file: String?) -> String { "from \(VisibleName.of(file ?? ""))" }

    private func written(region: String?) -> String {
        region ?? "\(AmplifyDraft.placeholder)  # FILL IN: no file names the region"
    }

    /// A region, if it is written like one.
    static func region(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 40, text.contains("-"),
            text.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
            text.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
            })
        else { return nil }
        return text
    }

    /// The region in the host's name of an endpoint of AWS's own.
    private static func region(ofEndpoint url: String?) -> String? {
        let parts = (url ?? "").split(separator: "/").dropFirst().first?.split(separator: ".") ?? []
        guard let index = parts.firstIndex(of: "appsync-api"), index + 1 < parts.count else {
            return nil
        }
        return region(String(parts[index + 1]))
    }

    /// A bucket's own name, if it is written like one.
    static func bucket(_ text: String?) -> String? {
        guard let text, (3...63).contains(text.utf8.count),
            text.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                    || $0 == 0x2E
            })
        else { return nil }
        return text
    }

    private static func bucketName(_ text: String) -> String {
        let name = text.utf8.filter {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x2D || $0 == 0x5F
        }
        let plain = String(decoding: name.prefix(60), as: UTF8.self)
        return plain.isEmpty || plain == AmplifyDraft.placeholder ? "files" : plain
    }
}
