/// Reads the `appsync` of a record source.
struct AppSyncReader {
    /// The section of the source.
    let section: Section

    /// The keys of `appsync`, in the order of the documentation.
    static let keys = [
        "url", "auth", "apiKeyFile", "tokenFile", "tokenCommand", "seesAll", "region", "profile",
        "role",
        "schema", "pageSize", "concurrency", "consistentReads", "readPause", "mergedRepairs",
        "caBundle",
    ]

    /// The settings; nil after a problem was reported.
    func read() -> AppSyncSettings? {
        guard let own = section.section("appsync", known: Self.keys) else { return nil }
        if section.has("taken") {
            section.report("'taken' is for copies, and an API is live", at: "taken")
        }
        guard own.has("url") else {
            own.reportMissing("url", "write the API's own, which ends in /graphql")
            return nil
        }
        guard let text = own.filled("url") else { return nil }
        guard var settings = Self.place(text.value) else {
            // What stood there is not repeated: it may hold a password.
            own.context.report(
                "'url' needs the API's URL, such as https://example.com/graphql, without a user, "
                    + "a query or a fragment",
                line: text.line)
            return nil
        }
        settings.auth = own.choice("auth", of: AppSyncSettings.Auth.self) ?? .apiKey
        for (key, path) in [
            ("apiKeyFile", \AppSyncSettings.apiKeyFile), ("tokenFile", \.tokenFile),
            ("schema", \.schema), ("caBundle", \.caBundle),
        ] where own.has(key) {
            settings[keyPath: path] = own.path(key)
        }
        settings.tokenCommand = own.filled("tokenCommand")?.value
        settings.seesAll = own.bool("seesAll")
        settings.region = own.filled("region")?.value
        settings.profile = own.filled("profile")?.value
        settings.role = RoleReader(section: own).read()
        settings.pageSize = count("pageSize", 1...1_000, own) ?? settings.pageSize
        settings.concurrency = count("concurrency", 1...64, own) ?? settings.concurrency
        settings.consistentReads = own.bool("consistentReads") ?? false
        settings.readPause = own.duration("readPause") ?? settings.readPause
        settings.mergedRepairs =
            own.choice("mergedRepairs", of: AppSyncSettings.MergedRepairs.self) ?? .refuse
        check(settings, own)
        return settings
    }

    private func count(_ key: String, _ range: ClosedRange<Int>, _ own: Section) -> Int? {
        guard let count = own.count(key) else { return nil }
        guard range.contains(count) else {
            own.report(
                "'\(key)' needs a number from \(range.lowerBound) to \(range.upperBound); found "
                    + "\(count)", at: key)
            return nil
        }
        return count
    }

    // A setting that its kind of authorization does not read was meant for another one.
    private func check(_ settings: AppSyncSettings, _ own: Section) {
        let takesToken = [.cognito, .oidc].contains(settings.auth)
        let auth = settings.auth.rawValue
        if settings.auth != .apiKey, own.has("apiKeyFile") {
            own.report("'apiKeyFile' is read with auth: apiKey, not \(auth)", at: "apiKeyFile")
        }
        for key in ["region", "profile", "role"] where settings.auth != .iam && own.has(key) {
            own.report("'\(key)' is read with auth: iam, not \(auth)", at: key)
        }
        let tokens = ["tokenFile", "tokenCommand"].filter(own.has)
        if !takesToken, let key = tokens.first {
            own.report("'\(key)' is read with auth: cognito or oidc, not \(auth)", at: key)
        }
        if takesToken, tokens.count != 1 {
            own.report(
                "auth: \(auth) needs one of tokenFile and tokenCommand, where the token comes "
                    + "from", at: "auth")
        }
    }

    private static func place(_ url: String) -> AppSyncSettings? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let rest = url[scheme.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let path = String(rest[slash...])
        let isPath = path.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: true
            default: false
            }
        }
        guard isPath, let endpoint = S3Settings.Endpoint(url: String(url[..<slash])) else {
            return nil
        }
        return AppSyncSettings(endpoint: endpoint, path: path.isEmpty ? "/graphql" : path)
    }
}
