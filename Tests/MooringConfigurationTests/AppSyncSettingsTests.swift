import MooringConfiguration
import MooringModel
import Testing
import MooringSchema

@Suite("An appsync source")
struct AppSyncSettingsTests {
    private static func source(_ keys: String) -> String {
        Sample.replacing("sqlite: ./app.sqlite", "appsync: {\(keys)}")
    }

    private static let user = "auth: cognito, tokenFile: t"
    private static let url = "url: 'https://api.example/graphql'"

    @Test("every key is read, and what is left out has its default")
    func keys() throws {
        let full = try Sample.read(
            Self.source(
                "url: 'http://127.0.0.1:9000/a/graphql', auth: iam, region: eu-west-1, "
                    + "profile: night, schema: s.graphql, pageSize: 50, concurrency: 2, "
                    + "consistentReads: true, readPause: 5s, mergedRepairs: write, "
                    + "caBundle: ca.pem"))
        guard case .appsync(let settings) = full.records[0].store else {
            Issue.record("is no appsync source")
            return
        }
        #expect(settings.url == "http://127.0.0.1:9000/a/graphql")
        #expect(settings.auth == .iam && settings.region == "eu-west-1")
        #expect(settings.profile == "night" && settings.schema == "/app/s.graphql")
        #expect(settings.pageSize == 50 && settings.concurrency == 2 && settings.consistentReads)
        #expect(settings.readPause == .seconds(5) && settings.mergedRepairs == .write)
        #expect(settings.caBundle == "/app/ca.pem")
        #expect(full.records[0].store.kind == "appsync" && full.records[0].store.path == nil)

        let short = try Sample.read(Self.source(Self.url))
        guard case .appsync(let other) = short.records[0].store else { return }
        #expect(other.auth == .apiKey && other.pageSize == 1_000 && other.concurrency == 8)
        #expect(!other.consistentReads && other.readPause == .seconds(1))
        #expect(other.mergedRepairs == .refuse)
        #expect(other.seesAll == nil)
        #expect(other == AppSyncSettings(endpoint: other.endpoint, path: "/graphql"))
        // The API moves versions and change times on itself.
        #expect(short.records[0].mapping.models.allSatisfy { $0.movesOnItself })
        #expect(full.fingerprint != short.fingerprint)
    }

    @Test("a token comes from a file or a command")
    func tokens() throws {
        for (keys, isFile) in [
            ("auth: cognito, tokenFile: t", true), ("auth: oidc, tokenCommand: 'get t'", false),
        ] {
            let read = try Sample.read(Self.source("\(Self.url), \(keys)"))
            guard case .appsync(let settings) = read.records[0].store else { continue }
            #expect(settings.tokenFile == (isFile ? "/app/t" : nil))
            #expect(settings.tokenCommand == (isFile ? nil : "get t"))
        }
    }

    @Test(
        "a user's token proves no absence but in words, and never where a schema's rules filter",
        arguments: [
            ("auth: iam", "{allow: owner}", true), ("auth: apiKey", "{allow: owner}", true),
            ("auth: iam, seesAll: false", nil, false), ("\(user)", nil, false),
            ("\(user)", "{allow: private}", false), ("\(user), seesAll: false", nil, false),
            ("\(user), seesAll: true", nil, true),
            ("\(user), seesAll: true", "{allow: owner}", false),
            ("\(user), seesAll: true", "{allow: groups, groupsField: \"team\"}", false),
            ("\(user), seesAll: true", "{allow: groups, groups: [\"Admin\"]}", true),
            ("\(user), seesAll: true", "{allow: owner}, {allow: private}", true),
            (
                "\(user), seesAll: true",
                "{allow: owner}, {allow: private, operations: [create]}", false
            ),
            ("\(user), seesAll: true", "{allow: owner}, {allow: private, provider: iam}", false),
            ("\(user), seesAll: true", "{allow: owner}, {allow: public}", false),
            ("auth: oidc, tokenFile: t, seesAll: true", "{allow: owner, provider: oidc}", false),
        ] as [(String, String?, Bool)])
    func rights(_ keys: String, _ rules: String?, _ seesAll: Bool) throws {
        let read = try Sample.read(Self.source("\(Self.url), \(keys)"))
        guard case .appsync(let settings) = read.records[0].store else { return }
        let document = try rules.map { rules in
            try SchemaDocument.parse(
                Array(
                    """
                    type Open @model { id: ID! }
                    type Note @model @auth(rules: [\(rules)]) { id: ID! }
                    """.utf8), file: "s")
        }
        #expect((CallerRights(settings, document: document).hiding == nil) == seesAll)
    }

    @Test("who is told that records are hidden is not advised to do what is done already")
    func advice() throws {
        func hiding(_ keys: String) throws -> String {
            let read = try Sample.read(Self.source("\(Self.url), \(keys)"))
            guard case .appsync(let settings) = read.records[0].store else { return "" }
            return CallerRights(settings, document: nil).hiding ?? ""
        }
        for auth in ["iam", "apiKey"] {
            let told = try hiding("auth: \(auth), seesAll: false")
            #expect(!told.contains("auth: iam"), "\(told)")
            #expect(told.contains("take seesAll: false out"), "\(told)")
        }
        #expect(
            try hiding(Self.user)
                == "with auth: cognito the API may hide records without a word, and one that is "
                + "hidden protects no file; ask with auth: iam, or write seesAll: true under "
                + "appsync where the caller is shown every record of every model")
    }

    @Test(
        "what an API cannot be asked with is refused",
        arguments: [
            (
                "auth: iam",
                "'url' is missing in 'appsync'; write the API's own, which ends in /graphql"
            ),
            (
                "\(url), auth: cognito",
                "auth: cognito needs one of tokenFile and tokenCommand, where the token comes from"
            ),
            (
                "\(url), auth: oidc, tokenFile: a, tokenCommand: b",
                "auth: oidc needs one of tokenFile and tokenCommand, where the token comes from"
            ),
            (
                "\(url)}\n    taken: 2026-11-21T02:00:00Z #",
                "'taken' is for copies, and an API is live"
            ),
        ])
    func refusals(keys: String, message: String) {
        let refusal = Sample.refusal(Self.source(keys))
        #expect(refusal.contains(message), "\(refusal)")
    }

    @Test(
        "a written conflicts: none is another value than the default",
        arguments: [
            ("", "", false), ("{conflicts: none}", "", true), ("", "{conflicts: none}", true),
            ("{conflicts: none}", "{uploadWindow: 2h}", true),
            ("{conflicts: none}", "{preset: offline}", false),
            ("{preset: standard}", "", false),
        ])
    func conflicts(_ general: String, _ own: String, _ isSaid: Bool) throws {
        func text(_ general: String, _ own: String) -> String {
            Self.source(Self.url).replacing(
                "models:", with: (own.isEmpty ? "" : "race: \(own)\n    ") + "models:")
                + (general.isEmpty ? "" : "\nrace: \(general)")
        }
        let read = try Sample.read(text(general, own))
        #expect(read.records[0].saysConflicts == isSaid)
        #expect(read.records[0].race.conflicts == .none)
        if own.isEmpty, general == "{conflicts: none}" {
            #expect(try read.fingerprint != Sample.read(text("", "")).fingerprint)
        }
    }

    @Test(
        "what cannot be meant is refused",
        arguments: [
            ("auth: iam", "'url' is missing"),
            ("url: 'https://me:secret@api.example/graphql'", "'url' needs the API's URL"),
            ("url: 'https://api.example/graphql?key=secret'", "'url' needs the API's URL"),
            ("\(url), auth: password", "unknown auth 'password'"),
            ("\(url), pageSize: 0", "'pageSize' needs a number from 1 to 1000; found 0"),
            ("\(url), concurrency: 65", "'concurrency' needs a number from 1 to 64; found 65"),
            ("\(url), readPause: 5", "readPause"),
            ("\(url), mergedRepairs: yes", "unknown mergedRepairs 'yes'"),
            ("\(url), tokenFile: t", "'tokenFile' is read with auth: cognito or oidc, not apiKey"),
            ("\(url), auth: cognito", "auth: cognito needs one of tokenFile and tokenCommand"),
            (
                "\(url), auth: oidc, tokenFile: t, tokenCommand: c",
                "auth: oidc needs one of tokenFile and tokenCommand"
            ),
            ("\(url), auth: iam, apiKeyFile: k", "'apiKeyFile' is read with auth: apiKey, not iam"),
            ("\(url), region: eu-west-1", "'region' is read with auth: iam, not apiKey"),
            ("\(url), apiKey: da2", "unknown key 'apiKey'"),
        ])
    func refused(_ keys: String, _ words: String) {
        do {
            _ = try Sample.read(Self.source(keys))
            Issue.record("was taken: \(keys)")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
            #expect(!"\(error)".contains("secret"))
        }
    }

    @Test("an API is read as it is now: it has no moment at which it was taken")
    func taken() {
        let text = Sample.replacing(
            "sqlite: ./app.sqlite", "appsync: {\(Self.url)}\n    taken: 2026-11-01")
        #expect(throws: ConfigurationError.self) { try Sample.read(text) }
    }
}
