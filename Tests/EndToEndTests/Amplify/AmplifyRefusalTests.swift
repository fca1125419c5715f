import Foundation
import Testing

@Suite("An Amplify project that cannot be drafted from")
struct AmplifyRefusalTests {
    @discardableResult
    private func initialise(
        _ status: Int32, in folder: Folder, _ words: String...
    ) throws -> Program.Result {
        let result = try Program.run(["init", "--amplify"] + words, in: folder.path)
        #expect(result.status == status, "\(words): \(result.told)")
        if status != 0 { #expect(!folder.exists("mooring.yaml")) }
        return result
    }

    @Test("no folder, and a folder without any of the files")
    func nothing() throws {
        let folder = try Folder()
        try folder.write("plain.txt", "x")
        for path in ["none", "plain.txt"] {
            let result = try initialise(2, in: folder, path)
            #expect(result.errors.contains("'\(path)' is no folder that can be read"))
        }
        let empty = try initialise(2, in: folder, ".")
        #expect(empty.errors.contains("holds none of the files of an Amplify project"))
        try initialise(64, in: folder, ".", "--schema", "x")
        #expect(try Program.run(["init", "--api", "x"], in: folder.path).status == 64)
    }

    @Test("a file that does not parse is named with line and column")
    func malformed() throws {
        for (name, text, expected) in [
            ("amplify_outputs.json", "{\n  \"a\": }", "2:8: found '}', expected a value"),
            ("amplify_outputs.json", "{\"a\": 1,}", "1:9: found '}', expected another entry"),
            ("aws-exports.js", "const a = {\n a: (1; };", "2:10: found ';', expected ',' or '}'"),
            ("aws-exports.js", "const a = 1;", "1:13: found the end of the file, expected an"),
            ("src/amplifyconfiguration.json", "{\"a\": 1} x", "1:10: found 'x', expected the end"),
            (
                "lib/amplify_outputs.dart", "const a = '''{ x }''';",
                "1:16: found 'x', expected a na"
            ),
            ("lib/amplify_outputs.dart", "const a = 1;", "1:1: found no string in three quotes"),
            (
                "amplify/backend/api/m/schema.graphql", "type A @model {\n  id ID!\n}",
                "2:6: found 'ID', expected ':'"
            ),
            ("amplify/team-provider-info.json", "{]", "1:2: found ']', expected a name"),
            ("awsconfiguration.json", "{\"a\": \"", "1:7: found a string without an end"),
        ] {
            let folder = try Folder()
            try folder.write(name, text)
            let result = try initialise(78, in: folder, ".")
            #expect(result.errors.contains("\(name):"), "\(result.told)")
            #expect(result.errors.contains(expected), "\(result.told)")
        }
    }

    @Test("several APIs and several environments ask for a name")
    func several() throws {
        let folder = try Folder()
        try AmplifySample.web(in: folder)
        try folder.write("amplify/backend/api/shop/schema.graphql", "type A @model { fileKey: ID }")
        let apis = try initialise(2, in: folder, ".")
        #expect(apis.errors.contains("the project has 2 GraphQL APIs: music and shop"))
        #expect(apis.errors.contains("Name one with --api"))
        let none = try initialise(2, in: folder, ".", "--api", "pop")
        #expect(none.errors.contains("there is no API called 'pop'"))
        folder.remove("amplify/.config")
        let environments = try initialise(2, in: folder, ".", "--api", "music")
        #expect(environments.errors.contains("the project has 2 environments: dev and prod"))
        let other = try initialise(2, in: folder, ".", "--api", "music", "--env", "pr")
        #expect(other.errors.contains("Name one of dev and prod"))
        try initialise(0, in: folder, ".", "--api", "music", "--env", "dev")
        #expect(folder.read("mooring.yaml")?.contains("tableSuffix: \"-apiidapiid-dev\"") == true)
    }

    @Test("a choice among nothing is refused, and an API without a name is told as one")
    func nothingToChoose() throws {
        let folder = try Folder()
        try folder.write(
            "amplify_outputs.json",
            #"{"storage": {"aws_region": "eu-west-1", "bucket_name": "music"}}"#)
        let api = try initialise(2, in: folder, ".", "--api", "music")
        #expect(api.errors.contains("there is no API called 'music' in the project"))
        #expect(api.errors.contains("Leave --api out."))
        let environment = try initialise(2, in: folder, ".", "--env", "dev")
        #expect(environment.errors.contains("there is no environment called 'dev' in the project"))
        #expect(environment.errors.contains("Leave --env out."))
        try folder.write("amplify_outputs.json", #"{"data": {"url": "https://a.example/graphql"}}"#)
        try folder.write(
            "aws-exports.js",
            #"export default {"aws_appsync_graphqlEndpoint": "https://b.example/graphql"};"#)
        let nameless = try initialise(2, in: folder, ".")
        #expect(
            nameless.errors.contains(
                "the project has 2 GraphQL APIs: data and one without a name"))
        #expect(nameless.errors.contains("Name one with --api."))
    }

    @Test("an environment that no table can be named after is refused with the file it stands in")
    func environmentName() throws {
        for (name, text) in [
            (".config/local-env-info.json", #"{"envName": "de v"}"#),
            ("team-provider-info.json", #"{"de v": {}}"#),
        ] {
            let folder = try Folder()
            try AmplifySample.web(in: folder)
            folder.remove("amplify/.config")
            try folder.write("amplify/" + name, text)
            let result = try initialise(2, in: folder, ".")
            #expect(
                result.errors.contains(
                    "'de v' is no name of an environment (letters and digits)"))
            #expect(
                result.errors.contains("Put it right in amplify/\(name)."), "\(result.told)")
        }
    }

    @Test("a file of another deployment is told, and its bucket is left out with its endpoint")
    func otherDeployment() throws {
        let folder = try Folder()
        try AmplifySample.web(in: folder)
        try folder.write(
            "src/amplifyconfiguration.json",
            #"{"api": {"plugins": {"awsAPIPlugin": {"music": {"endpointType": "GraphQL","#
                + #" "endpoint": "https://other.example/graphql"}}}},"#
                + #" "storage": {"plugins": {"awsS3StoragePlugin": {"bucket": "other-files"}}}}"#)
        let told = try initialise(0, in: folder, ".")
        for expected in [
            "src/amplifyconfiguration.json names another endpoint; the one of amplify-meta.json "
                + "was taken",
            "the bucket of src/amplifyconfiguration.json, other-files, was left out with its "
                + "endpoint",
        ] {
            #expect(told.output.contains(expected), "\(told.told)")
        }
        let text = try #require(folder.read("mooring.yaml"))
        #expect(!text.contains("other.example") && !text.contains("other-files"))
    }

    @Test("another environment than the one checked out takes nothing of that one's")
    func otherEnvironment() throws {
        let folder = try Folder()
        try AmplifySample.web(in: folder)
        let told = try initialise(0, in: folder, ".", "--env", "prod")
        let text = try #require(folder.read("mooring.yaml"))
        for word in ["music-files-dev", "apiidapiid", AmplifySample.endpoint, "eu-west-1"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains("region: us-east-1"))
        #expect(told.output.contains("endpoint and bucket of prod are not known"))
        #expect(told.output.contains("FILL IN  the bucket\n"))
    }

    @Test("links out of the project, devices and huge files are not read")
    func hostileFiles() throws {
        let folder = try Folder()
        let outside = try Folder()
        try AmplifySample.web(in: folder)
        try AmplifySample.second(in: outside)
        for (name, target) in [
            ("amplify_outputs.json", outside.path + "/amplify_outputs.json"),
            ("awsconfiguration.json", "/dev/zero"), ("amplifyconfiguration.json", "nowhere"),
        ] {
            try #require(symlink(target, folder.path + "/" + name) == 0)
        }
        try #require(mkfifo(folder.path + "/src/awsconfiguration.json", 0o644) == 0)
        let told = try initialise(0, in: folder, ".")
        for expected in [
            "amplify_outputs.json is a link that leads out of the project, and was not read",
            "awsconfiguration.json is a link that leads out of the project",
            "amplifyconfiguration.json is a link that leads nowhere",
            "src/awsconfiguration.json is no file",
        ] {
            #expect(told.output.contains(expected), "\(told.told)")
        }
        folder.remove("mooring.yaml")
        folder.remove("amplify_outputs.json")
        let huge = [UInt8](repeating: 0x20, count: 5 << 20)
        try folder.write(Array("amplify_outputs.json".utf8), huge)
        let result = try initialise(78, in: folder, ".")
        #expect(result.errors.contains("over 4 MiB"))
    }

    @Test("names and values that would break the file are quoted or left out")
    func hostileNames() throws {
        let folder = try Folder()
        let storage =
            #"{"aws_region": "x\": y", "bucket_name": "a b\n# c", "buckets": ["#
            + #"{"name": "n\": {}\n", "bucket_name": "ok-bucket", "aws_region": "eu-west-1","#
            + ##" "paths": {"a\"b\n/*": {}, "${HOME}/*": {}, "{entity_id}/{entity_id}/*": {},"##
            + ##" "# x/*": {}}}]}"##
        try folder.write(
            "amplify_outputs.json",
            #"{"data": {"url": "https://user:HIDDEN@host/graphql?key=HIDDEN","#
                + #" "model_introspection": {"models": {"A": {"fields": {"aKey": {"type": "ID"}"#
                + #"}}}}}, "storage": \#(storage)}"#)
        let told = try initialise(0, in: folder, ".")
        let text = try #require(folder.read("mooring.yaml"))
        #expect(!text.contains("HIDDEN") && !told.told.contains("HIDDEN"))
        #expect(text.contains("url: FILL-IN"))
        #expect(text.contains("what stands in amplify_outputs.json is no bucket's name"))
        #expect(!text.contains("\n# c"))
        try folder.write(
            "amplify_outputs.json",
            #"{"data": {"url": "https://h/g", "model_introspection": {"models": {"#
                + #""A\n- b: c": {"fields": {}}}}}}"#)
        folder.remove("mooring.yaml")
        let refused = try initialise(78, in: folder, ".")
        #expect(refused.errors.contains("which is no name of GraphQL"))
    }
}
