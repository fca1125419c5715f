import MooringSchema

/// Schemas that several tests read, and short ways to read them.
enum SchemaSample {
    /// The app of Amplify's documentation, with its files in every form.
    static let amplify = #"""
        # The complex object of AppSync.
        type S3Object { bucket: String! key: String! region: String! }

        """
        A song; its cover lies at a key.
        """
        type Song @model @auth(rules: [{ allow: public }]) {
          id: ID!
          name: String!
          coverArtKey: String # Set as optional to allow adding file after initial create
        }
        type PhotoAlbum @model @auth(rules: [{ allow: owner }]) {
          id: ID!
          name: String!
          imageKeys: [String]
        }
        type Post @model {
          id: ID!
          title: String!
          file: S3Object
          comments: [Comment] @hasMany
          editors: [PostEditor] @hasMany(indexName: "byPost", fields: ["id"])
        }
        type Comment @model { id: ID! post: Post @belongsTo content: String! }
        type PostEditor @model {
          id: ID!
          postID: ID! @index(name: "byPost", sortKeyFields: ["editorID"])
          editorID: ID! @index(name: "byEditor", sortKeyFields: ["postID"])
          post: Post! @belongsTo(fields: ["postID"])
          editor: User! @belongsTo(fields: ["editorID"])
        }
        type User @model {
          id: ID!
          username: String!
          posts: [PostEditor] @hasMany(indexName: "byEditor", fields: ["id"])
        }
        """#

    /// What a schema means.
    static func read(_ text: String) throws -> AmplifySchema {
        try AmplifySchema.parse(Array(text.utf8), file: "schema.graphql")
    }

    /// The definitions of a schema.
    static func definitions(_ text: String) throws -> [SchemaDefinition] {
        try SchemaDocument.parse(Array(text.utf8), file: "schema.graphql").definitions
    }

    /// What is printed for bytes that are no schema, or `accepted`.
    static func refusal(_ bytes: [UInt8]) -> String {
        do {
            _ = try AmplifySchema.parse(bytes, file: "s.graphql")
            return "accepted"
        } catch {
            return error.description
        }
    }

    /// What is printed for a text that is no schema, or `accepted`.
    static func refusal(_ text: String) -> String { refusal(Array(text.utf8)) }
}
