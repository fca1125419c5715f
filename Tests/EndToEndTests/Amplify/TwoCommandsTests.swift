import Foundation
import PlainS3
import TestServers
import Testing

/// An Amplify project on real servers: drafted and audited without a change by hand.
@Suite(
    "Amplify in two commands", .requires(.appsync), .requires(.ministack), .timeLimit(.minutes(60)))
struct TwoCommandsTests {
    private static let schema = """
        type Song @model @auth(rules: [{ allow: public }]) {
          id: ID!
          title: String
          coverArtKey: String
        }
        type PhotoAlbum @model @auth(rules: [{ allow: public }]) {
          id: ID!
          imageKeys: [String]
        }
        """

    private static let models = """
        {"mode": "optimistic", "auth": {"apiKey": "da2-two"}, "models": {
          "Song": {"fields": {"id": "ID!", "title": "String", "coverArtKey": "String"}},
          "PhotoAlbum": {"fields": {"id": "ID!", "imageKeys": "[String]"}}}}
        """

    private static let rows = """
        {"Song": [
          {"id": "s1", "coverArtKey": "there.png", \(moved)},
          {"id": "s2", "coverArtKey": "gone.png", \(moved)}],
         "PhotoAlbum": [{"id": "a1", "imageKeys": ["one.png", "lost.png"], \(moved)}]}
        """
    private static let moved = #""_version": 1, "_lastChangedAt": 1700000000000"#

    private func project(_ folder: Folder, url: String, bucket: String) throws {
        try folder.write("amplify/backend/api/music/schema.graphql", Self.schema)
        try folder.write(
            "amplify/backend/api/music/transform.conf.json",
            """
            {"Version": 5, "ResolverConfig": {"project": {
              "ConflictHandler": "OPTIMISTIC_CONCURRENCY", "ConflictDetection": "VERSION"}}}
            """)
        try folder.write(
            "src/aws-exports.js",
            """
            const awsmobile = {
                "aws_project_region": "us-east-1",
                "aws_appsync_graphqlEndpoint": "\(url)",
                "aws_appsync_region": "us-east-1",
                "aws_appsync_authenticationType": "API_KEY",
                "aws_appsync_apiKey": "da2-two",
                "aws_user_files_s3_bucket": "\(bucket)",
                "aws_user_files_s3_bucket_region": "us-east-1",
            };
            export default awsmobile;
            """)
    }

    @Test("init --amplify and audit find what is wrong; the key comes from the environment")
    func audited() async throws {
        let store = try await S3TestServer.ministack()
        let bucket = try await store.makeBucket()
        let api = try (try await AppSyncTestServer.start()).api(Self.models)
        try api.load(Self.rows)
        try await store.run { s3 in
            for key in ["public/there.png", "public/one.png", "public/nobody.png"] {
                _ = try s3.put(bucket, key, "content")
            }
        }
        let folder = try Folder()
        try project(folder, url: api.url, bucket: bucket)
        let environment = [
            "MOORING_APPSYNC_API_KEY": "da2-two", "AWS_ENDPOINT_URL_S3": "\(store.endpoint)",
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
        ]
        for words in [["init", "--amplify", "."], ["audit"]] {
            let result = try Program.run(words, in: folder.path, environment: environment)
            #expect(result.status == 0, "\(words): \(result.told)")
            #expect(!result.told.contains("da2-two"))
        }
        let found = try Program.run(["findings", "--json"], in: folder.path).json()["findings"]
        let told = found.elements.map { finding in
            "\(finding["kind"].string ?? "") "
                + (finding["value"].string ?? finding["key"].string ?? "")
        }
        #expect(
            told.sorted() == [
                "dangling gone.png", "dangling lost.png", "orphan public/nobody.png",
            ])
    }
}
