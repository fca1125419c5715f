import Foundation

/// Small, made-up Amplify projects, as each of Amplify's tools leaves them. What looks like a
/// secret in them is none, and contains `HIDDEN`.
enum AmplifySample {
    static let schema = """
        type S3Object { bucket: String! key: String! region: String! }
        type Song @model @auth(rules: [{ allow: public }]) {
          id: ID!
          name: String!
          coverArtKey: String
        }
        type PhotoAlbum @model @auth(rules: [{ allow: owner }]) {
          id: ID!
          imageKeys: [String]
          pages: [Page]
        }
        type Page { imageKey: String, text: String }
        type Post @model {
          id: ID!
          file: S3Object
          tags: [Tag] @manyToMany(relationName: "PostTags")
          comments: [Comment] @hasMany
        }
        type Comment @model { id: ID! content: String! post: Post @belongsTo }
        type Tag @model { id: ID! posts: [Post] @manyToMany(relationName: "PostTags") }
        """

    static let endpoint = "https://abc123.appsync-api.eu-west-1.amazonaws.com/graphql"

    /// A web app of Gen 1, with its backend, whose conflicts are merged.
    static func web(in folder: Folder) throws {
        try folder.write("amplify/backend/api/music/schema.graphql", schema)
        try folder.write(
            "amplify/backend/api/music/transform.conf.json",
            """
            {"Version": 5, "ResolverConfig": {
              "project": {"ConflictHandler": "AUTOMERGE", "ConflictDetection": "VERSION"}}}
            """)
        try folder.write("amplify/.config/local-env-info.json", #"{"envName": "dev"}"#)
        try folder.write(
            "amplify/team-provider-info.json",
            """
            {"dev": {"awscloudformation": {"Region": "eu-west-1"}},
             "prod": {"awscloudformation": {"Region": "us-east-1"}}}
            """)
        try folder.write(
            "amplify/backend/amplify-meta.json",
            """
            {"providers": {"awscloudformation": {"Region": "eu-west-1"}},
             "api": {"music": {"service": "AppSync", "output": {
                "authConfig": {"defaultAuthentication": {"authenticationType": "API_KEY"}},
                "GraphQLAPIIdOutput": "apiidapiid", "GraphQLAPIKeyOutput": "da2-HIDDEN1",
                "GraphQLAPIEndpointOutput": "\(endpoint)"}}},
             "storage": {"s3music": {"service": "S3", "output": {
                "BucketName": "music-files-dev", "Region": "eu-west-1"}}}}
            """)
        try folder.write(
            "src/aws-exports.js",
            """
            /* eslint-disable */
            // WARNING: DO NOT EDIT.

            const awsmobile = {
                "aws_project_region": "eu-west-1",
                "aws_appsync_graphqlEndpoint": "\(endpoint)",
                "aws_appsync_region": "eu-west-1",
                "aws_appsync_authenticationType": "API_KEY",
                "aws_appsync_apiKey": "da2-HIDDEN1",
                'oauth': {},
                "aws_user_files_s3_bucket": "music-files-dev",
                "aws_user_files_s3_bucket_region": "eu-west-1",
            };

            export default awsmobile;
            """)
    }

    /// An app of Gen 1 for iOS, without its backend's state; users sign in with Cognito.
    static func swift(in folder: Folder) throws {
        try folder.write("amplify/backend/api/music/schema.graphql", schema)
        try folder.write(
            "Music/amplifyconfiguration.json",
            configuration(auth: "AMAZON_COGNITO_USER_POOLS", level: "private"))
        try folder.write(
            "Music/awsconfiguration.json",
            """
            {"Version": "0.1.0",
             "CognitoUserPool": {"Default": {"AppClientSecret": "HIDDEN2"}},
             "S3TransferUtility": {"Default": {"Bucket": "music-files", "Region": "eu-west-1"}}}
            """)
    }

    /// An app of Gen 1 for Flutter, whose schema lies in several files.
    static func flutter(in folder: Folder) throws {
        let parts = schema.components(separatedBy: "type Post ")
        try folder.write("amplify/backend/api/music/schema/a.graphql", parts[0])
        try folder.write("amplify/backend/api/music/schema/more/b.graphql", "type Post " + parts[1])
        try folder.write(
            "amplify/backend/api/music/transform.conf.json",
            #"{"Version": 5, "ElasticsearchWarning": true}"#)
        try folder.write(
            "lib/amplifyconfiguration.dart",
            "const amplifyconfig = ''' "
                + configuration(auth: "AWS_IAM", level: "guest").replacing("$", with: "\\$")
                + "''';\n")
    }

    private static func configuration(auth: String, level: String) -> String {
        """
        {
          "UserAgent": "aws-amplify-cli/2.0", "Version": "1.0",
          "api": {"plugins": {"awsAPIPlugin": {
            "music": {"endpointType": "GraphQL", "endpoint": "\(endpoint)", "region": "eu-west-1",
              "authorizationType": "\(auth)", "apiKey": "da2-HIDDEN3$"},
            "rest": {"endpointType": "REST", "endpoint": "https://rest.example.com/dev"}}}},
          "auth": {"plugins": {"awsCognitoAuthPlugin": {
            "CognitoUserPool": {"Default": {"AppClientSecret": "HIDDEN4"}},
            "AppSync": {"Default": {"ApiUrl": "\(endpoint)", "ApiKey": "da2-HIDDEN3"}}}}},
          "storage": {"plugins": {"awsS3StoragePlugin": {
            "bucket": "music-files", "region": "eu-west-1", "defaultAccessLevel": "\(level)"}}}
        }
        """
    }

    /// An app of Gen 2 with two buckets.
    static func second(in folder: Folder) throws {
        try folder.write(
            "amplify_outputs.json",
            """
            {
              "auth": {"user_pool_id": "eu-west-1_x", "aws_region": "eu-west-1"},
              "data": {
                "url": "\(endpoint)", "aws_region": "eu-west-1", "api_key": "da2-HIDDEN5",
                "default_authorization_type": "AMAZON_COGNITO_USER_POOLS",
                "authorization_types": ["API_KEY", "AWS_IAM"],
                "model_introspection": {"version": 1, "models": {
            \(models)
                }, "enums": {}, "nonModels": {"Page": {"name": "Page", "fields": {
                  "imageKey": {"name": "imageKey", "isArray": false, "type": "String"}}}}}
              },
              "storage": {
                "aws_region": "eu-west-1", "bucket_name": "amplify-music-photos",
                "buckets": [
                  {"name": "tapes", "bucket_name": "music-tapes", "aws_region": "eu-north-1"},
                  {"name": "photos", "bucket_name": "amplify-music-photos",
                   "aws_region": "eu-west-1", "paths": {
                    "public/*": {"guest": ["get"]},
                    "protected/${cognito-identity.amazonaws.com:sub}/*": {"groupsA": ["get"]},
                    "portraits/{entity_id}/*": {"entityidentity": ["get", "write"]},
                    "portraits/*": {"authenticated": ["get"]}}}]
              },
              "version": "1.4"
            }
            """)
    }

    private static let models = """
              "Song": {"name": "Song", "fields": {
                "id": {"name": "id", "isArray": false, "type": "ID"},
                "coverArtPath": {"name": "coverArtPath", "isArray": false, "type": "String"},
                "pages": {"name": "pages", "isArray": true, "type": {"nonModel": "Page"}},
                "albumId": {"name": "albumId", "isArray": false, "type": "ID"},
                "album": {"name": "album", "isArray": false, "type": {"model": "Album"},
                  "association": {"connectionType": "BELONGS_TO", "targetNames": ["albumId"]}},
                "updatedAt": {"name": "updatedAt", "isArray": false, "type": "AWSDateTime",
                  "isReadOnly": true}},
                "attributes": [{"type": "model", "properties": {}},
                  {"type": "auth", "properties": {"rules": [
                    {"allow": "owner", "ownerField": "owner", "operations": ["create", "read"]}]}}],
                "primaryKeyInfo": {"isCustomPrimaryKey": false, "primaryKeyFieldName": "id",
                  "sortKeyFieldNames": []}},
              "Album": {"name": "Album", "fields": {
                "isbn": {"name": "isbn", "isArray": false, "type": "String"},
                "imageKeys": {"name": "imageKeys", "isArray": true, "type": "String"},
                "songs": {"name": "songs", "isArray": true, "type": {"model": "Song"},
                  "association": {"connectionType": "HAS_MANY", "associatedWith": ["albumId"]}}},
                "attributes": [{"type": "model", "properties": {}}],
                "primaryKeyInfo": {"isCustomPrimaryKey": true, "primaryKeyFieldName": "isbn",
                  "sortKeyFieldNames": []}}
        """
}
