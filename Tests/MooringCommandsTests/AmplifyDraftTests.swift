import MooringConfiguration
import MooringModel
import Testing

@testable import MooringCommands
import MooringSchema

struct AmplifyDraftTests {
    private static let schema = """
        type Song @model { id: ID! coverKey: String }
        type Album @model { id: ID! songs: [Song] @hasMany }
        """

    private func scratch(
        _ handler: String?, plugin auth: String = "AWS_IAM", region: String = "eu-west-1"
    ) throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(Self.schema, to: "p/amplify/backend/api/m/schema.graphql")
        if let handler {
            try scratch.write(handler, to: "p/amplify/backend/api/m/transform.conf.json")
        }
        try scratch.write(
            """
            {"api": {"plugins": {"awsAPIPlugin": {"m": {"endpointType": "GraphQL",
              "endpoint": "https://x.appsync-api.eu-west-1.amazonaws.com/graphql",
              "authorizationType": "\(auth)"}}}},
             "storage": {"plugins": {"awsS3StoragePlugin": {
               "bucket": "abc", "region": "\(region)"}}}}
            """, to: "p/amplifyconfiguration.json")
        return scratch
    }

    private func draft(_ scratch: Scratch) throws -> AmplifyDraft {
        try AmplifyDraft(
            folder: scratch.path("p"), choice: AmplifyProject.Choice(),
            configurationFile: scratch.path("mooring.yaml"))
    }

    // With a database in place of AppSync, of which this does not depend on how it is read.
    private func read(_ draft: AmplifyDraft, in scratch: Scratch) throws -> Configuration {
        try scratch.write(draft.text, to: "mooring.yaml")
        return try Configuration.load(path: scratch.path("mooring.yaml"), environment: [:])
    }

    @Test(
        "each way to settle conflicts becomes the race's, and columns where there is one",
        arguments: [
            ("OPTIMISTIC_CONCURRENCY", RaceBounds.Conflicts.optimistic, "_version"),
            ("AUTOMERGE", .automerge, "_version"), ("LAMBDA", .lambda, "_version"),
        ])
    func conflicts(handler: String, expected: RaceBounds.Conflicts, version: String) throws {
        let scratch = try scratch(
            "{\"ResolverConfig\": {\"project\": {\"ConflictHandler\": \"\(handler)\", "
                + "\"ConflictDetection\": \"VERSION\"}}}")
        let read = try read(try draft(scratch), in: scratch)
        #expect(read.race.conflicts == expected)
        #expect(read.race.offlineWindow == .days(30))
        let song = try #require(read.records[0].mapping.models.first)
        #expect(song.version == version)
        #expect(song.changed == "_lastChangedAt")
        #expect(song.deleted == "_deleted")
    }

    @Test("without conflict detection, and where no file says, it is Amplify's own time of change")
    func noConflicts() throws {
        for handler in ["{\"Version\": 5}", nil] {
            let scratch = try scratch(handler)
            let draft = try draft(scratch)
            let read = try read(draft, in: scratch)
            #expect(read.race.conflicts == .none)
            #expect(read.race == RaceBounds.presets["standard"])
            let song = try #require(read.records[0].mapping.models.first)
            #expect(song.version == nil && song.deleted == nil)
            #expect(song.changed == "updatedAt")
            #expect(draft.report.guesses.contains { $0.contains("conflict") } == (handler == nil))
        }
    }

    @Test("a project with more models than a configuration can hold is refused, and told so")
    func tooManyModels() throws {
        let scratch = try scratch(nil)
        let many = (0..<6_000).map { "type A\($0) @model { aKey: String }" }
        try scratch.write(
            many.joined(separator: "\n"), to: "p/amplify/backend/api/m/schema.graphql")
        let error = #expect(throws: SetupError.self) { try draft(scratch) }
        #expect(
            error?.description
                == "'\(scratch.path("p"))' has so many models that their configuration would be "
                + "over 1 MiB; such a file is not read, so none was drafted. Write mooring.yaml "
                + "by hand, with the models that hold files.")
    }

    @Test("a model's own mode counts for its columns, and the one that allows least for the race")
    func mixed() throws {
        let scratch = try scratch(
            """
            {"ResolverConfig": {"models": {"Album": {"ConflictHandler": "OPTIMISTIC_CONCURRENCY",
              "ConflictDetection": "VERSION"}}}}
            """)
        let read = try read(try draft(scratch), in: scratch)
        #expect(read.race.conflicts == .none)
        #expect(read.records[0].mapping.models.map(\.version) == [nil, "_version"])
    }

    @Test("the bucket's region, where no file names it, has to be filled in")
    func region() throws {
        let scratch = try scratch(nil, region: "")
        let draft = try draft(scratch)
        #expect(draft.report.blanks == ["the region of files"])
        #expect(throws: ConfigurationError.self) { try read(draft, in: scratch) }
    }

    @Test("with a user's token the tables are read where their names are known")
    func tokens() throws {
        let scratch = try scratch(nil, plugin: "AMAZON_COGNITO_USER_POOLS")
        #expect(try draft(scratch).text.contains("\n    appsync:\n"))
        #expect(try draft(scratch).text.contains("WARNING: a user's token"))
        try scratch.write(
            """
            {"api": {"m": {"service": "AppSync", "output": {"GraphQLAPIIdOutput": "id1"}}}}
            """, to: "p/amplify/backend/amplify-meta.json")
        try scratch.write("{\"envName\": \"dev\"}", to: "p/amplify/.config/local-env-info.json")
        let text = try draft(scratch).text
        #expect(text.contains("\n    dynamodb:\n"))
        #expect(text.contains("\n      tableSuffix: \"-id1-dev\""))
        #expect(text.contains("\n    # appsync:\n"))
    }

    @Test("a project without a schema has a model to be filled in")
    func noSchema() throws {
        let scratch = try Scratch()
        try scratch.write("{\"aws_user_files_s3_bucket\": \"abc\"}", to: "p/amplify_outputs.json")
        let draft = try draft(scratch)
        #expect(draft.report.blanks.contains("the models"))
        #expect(draft.text.contains("- model: FILL-IN"))
    }

    @Test("paths of Gen 2 become prefixes and levels; one of another form looks at everything")
    func paths() {
        let paths = AmplifyPaths([
            "public/*", "private/{entity_id}/*", "a/b/*", "a/*",
            "x/${cognito-identity.amazonaws.com:sub}/y/*", "any/*",
        ])
        #expect(paths.prefixes == ["a/", "any/", "private/", "public/", "x/"])
        #expect(
            paths.levels.map { "\($0.name)=\($0.prefix)" } == [
                "a-b=a/b/", "a=a/", "x-own-y=x/{identity}/y/", "any-2=any/",
            ])
        for odd in ["*", "a", "/a/*", "a/${x}/*", "{entity_id}/*"] {
            #expect(AmplifyPaths(["b/*", odd]).prefixes == [], "\(odd)")
        }
    }
}
