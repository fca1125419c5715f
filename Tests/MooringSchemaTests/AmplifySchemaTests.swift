import MooringModel
import Testing

@testable import MooringSchema

struct AmplifySchemaTests {
    private func model(_ name: String, in text: String) throws -> AmplifySchema.Model {
        try #require(try SchemaSample.read(text).model(name))
    }

    private func links(_ name: String, in text: String) throws -> [String] {
        try model(name, in: text).links.map { "\($0.column) -> \($0.target)" }
    }

    @Test("the documented app: models, keys, relations and readers")
    func documented() throws {
        let schema = try SchemaSample.read(SchemaSample.amplify)
        #expect(
            schema.models.map(\.name) == [
                "Song", "PhotoAlbum", "Post", "Comment", "PostEditor", "User",
            ])
        let song = try #require(schema.model("Song"))
        #expect(song.keys.map(\.name) == ["Song.coverArtKey"])
        #expect(song.keys[0].basis == .name)
        #expect(song.keys[0].place == SchemaPlace(line: 10, column: 3))
        #expect(song.visibility == .anyone)
        let album = try #require(schema.model("PhotoAlbum"))
        #expect(album.keys[0].isList)
        #expect(album.visibility == .owner)
        let post = try #require(schema.model("Post"))
        #expect(post.keys[0].basis == .complexObject(type: "S3Object"))
        #expect(post.keys[0].isComplex)
        #expect(post.visibility == nil)
        let comment = try #require(schema.model("Comment"))
        #expect(comment.links.map(\.column) == ["postCommentsId"])
        #expect(comment.links.map(\.target) == ["Post"])
        #expect(!comment.isJoin)
        let editor = try #require(schema.model("PostEditor"))
        #expect(editor.isJoin)
        #expect(editor.links.map(\.column) == ["postID", "editorID"])
        #expect(editor.links.map(\.target) == ["Post", "User"])
        #expect(schema.models.flatMap(\.notes) == [])
        #expect(schema.embedded == [])
    }

    // MARK: Identifiers and relations

    @Test("an identifier is id, @primaryKey with its sort keys, or the old @key without a name")
    func identifiers() throws {
        #expect(try model("A", in: "type A @model { x: Int }").id == ["id"])
        let keyed = "type A @model { b: Int a: ID! @primaryKey(sortKeyFields: [\"b\", \"a\"]) }"
        #expect(try model("A", in: keyed).id == ["a", "b"])
        let single = "type A @model { b: Int a: ID! @primaryKey(sortKeyFields: \"b\") }"
        #expect(try model("A", in: single).id == ["a", "b"])
        let old = "type A @model @key(name: \"n\", fields: [\"b\"]) @key(fields: [\"a\", \"b\"]) "
        let oldModel = try model("A", in: old + "{ a: ID! b: Int }")
        #expect(oldModel.id == ["a", "b"])
        #expect(oldModel.notes.contains { $0.contains("@key is a directive") })
    }

    @Test(
        "columns of relations are named as Amplify names them",
        arguments: [
            // Without fields, the many get a column, and @belongsTo reads the same one.
            (
                "type Post @model { comments: [Comment] @hasMany } type Comment @model { x: Int }",
                "Comment", ["postCommentsId -> Post"]
            ),
            (
                "type Post @model { comments: [Comment] @hasMany } "
                    + "type Comment @model { post: Post @belongsTo }",
                "Comment", ["postCommentsId -> Post"]
            ),
            // Without fields, the owner of @hasOne gets a column, and so does that of @belongsTo.
            (
                "type Project @model { team: Team @hasOne } type Team @model { x: Int }",
                "Project", ["projectTeamId -> Team"]
            ),
            (
                "type Project @model { team: Team @hasOne } "
                    + "type Team @model { project: Project @belongsTo }",
                "Team", ["teamProjectId -> Project"]
            ),
            // The column is named after the identifier that it holds.
            (
                "type Post @model { slug: ID! @primaryKey comments: [Comment] @hasMany } "
                    + "type Comment @model { x: Int }",
                "Comment", ["postCommentsSlug -> Post"]
            ),
            // With fields.
            (
                "type Project @model { t: ID team: Team @hasOne(fields: [\"t\"]) } "
                    + "type Team @model { x: Int }",
                "Project", ["t -> Team"]
            ),
            (
                "type Post @model { x: Int } "
                    + "type Comment @model { p: ID post: Post @belongsTo(fields: \"p\") }",
                "Comment", ["p -> Post"]
            ),
            // By an index.
            (
                "type Post @model { cs: [Comment] @hasMany(indexName: \"byPost\", fields: [\"id\"])"
                    + " } type Comment @model { postID: ID! @index(name: \"byPost\", "
                    + "sortKeyFields: [\"at\"]) at: Int post: Post @belongsTo }",
                "Comment", ["postID -> Post"]
            ),
            // References of the newer schemas name columns of the other side.
            (
                "type Team @model { ms: [Member] @hasMany(references: [\"teamId\"]) } "
                    + "type Member @model { teamId: ID team: Team "
                    + "@belongsTo(references: [\"teamId\"]) }",
                "Member", ["teamId -> Team"]
            ),
            (
                "type Cart @model { cid: ID c: Customer @belongsTo(references: [\"cid\"]) } "
                    + "type Customer @model { cart: Cart @hasOne(references: [\"cid\"]) }",
                "Cart", ["cid -> Customer"]
            ),
            // The old directive, where it names a column.
            (
                "type Post @model { x: Int } "
                    + "type Comment @model { p: ID post: Post @connection(fields: [\"p\"]) }",
                "Comment", ["p -> Post"]
            ),
        ])
    func columns(text: String, name: String, expected: [String]) throws {
        #expect(try links(name, in: text) == expected)
    }

    @Test("@manyToMany adds a model with a column for each end")
    func manyToMany() throws {
        let text = """
            type Post @model @auth(rules: [{allow: owner}]) {
              tags: [Tag] @manyToMany(relationName: "postTags")
            }
            type Tag @model @auth(rules: [{allow: private}]) {
              name: ID! @primaryKey posts: [Post] @manyToMany(relationName: "PostTags")
            }
            """
        let join = try model("PostTags", in: text)
        #expect(join.isJoin)
        #expect(join.links.map(\.column) == ["postId", "tagName"])
        #expect(join.links.map(\.target) == ["Post", "Tag"])
        #expect(join.visibility == .signedIn)
        #expect(join.place.line == 2)
        let once = "type Post @model { tags: [Tag] @manyToMany(relationName: \"x\") }"
        #expect(try model("X", in: once).notes.count == 1)
        #expect(try !model("X", in: once).isJoin)
    }

    @Test("what cannot be configured is a note, and no relation")
    func notes() throws {
        let composite = """
            type Post @model { a: ID! @primaryKey(sortKeyFields: ["b"]) b: Int
              comments: [Comment] @hasMany }
            type Comment @model { x: Int }
            """
        let comment = try model("Comment", in: composite)
        #expect(comment.links.isEmpty)
        #expect(
            comment.notes == [
                "Post has an identifier of 2 columns, so its relation by postCommentsA, "
                    + "postCommentsB (Post.comments: @hasMany) cannot be configured"
            ])
        #expect(comment.fields.contains("postCommentsB"))
        let tests = [
            (
                "type A @model { b: [B] @connection(keyName: \"k\", fields: [\"id\"]) } "
                    + "type B @model { x: Int }", "@connection is a directive of Amplify's old"
            ),
            ("type A @model { b: B @hasOne } type B { x: Int }", "which is no model"),
            ("type A @model { b: B @belongsTo } type B @model { x: Int }", "no relation back"),
            (
                "type A @model { n: Int b: [B] @hasMany(indexName: \"i\", fields: [\"n\"]) } "
                    + "type B @model { m: Int @index(name: \"i\") }",
                "does not join by the identifier"
            ),
        ]
        for (text, note) in tests {
            let model = try model("A", in: text)
            #expect(model.notes.count == 1 && model.notes[0].contains(note), "\(model.notes)")
            #expect(model.links.isEmpty)
        }
    }

    @Test(
        "a @manyToMany that does not join two models is a note, and no join model",
        arguments: [
            (["A": 1], "once"), (["A": 2], "twice in one"), (["A": 1, "B": 1, "C": 1], "3 times"),
        ])
    func looseRelation(ends: [String: Int], times: String) throws {
        let types = ends.sorted { $0.key < $1.key }.map { name, count in
            let fields = (0..<count).map { "f\($0): [A] @manyToMany(relationName: \"Pairs\")" }
            return "type \(name) @model { \(fields.joined(separator: " ")) }"
        }
        let join = try model("Pairs", in: types.joined(separator: " "))
        #expect(!join.isJoin && join.links.isEmpty)
        #expect(
            join.notes == [
                "@manyToMany 'Pairs' does not join two models: it is named \(times)"
            ])
    }

    // MARK: Readers

    @Test(
        "the most open rule that allows reading says who may read",
        arguments: [
            ("{allow: owner}", Visibility.owner), ("{allow: private}", .signedIn),
            ("{allow: groups, groups: [\"Admin\"]}", .signedIn), ("{allow: public}", .anyone),
            ("{allow: public, provider: iam}", .anyone),
            ("[{allow: owner}, {allow: public, operations: [create]}]", .owner),
            ("[{allow: owner}, {allow: public, operations: [read]}]", .anyone),
            ("[{allow: public, operations: [list, sync]}, {allow: owner}]", .anyone),
            ("[{allow: private, operations: [get]}, {allow: owner}]", .signedIn),
            ("[{allow: public, operations: [delete, update]}]", nil),
            ("[{allow: owner}, {allow: public, queries: null}]", .owner),
            ("[{allow: custom}]", nil), ("[{allow: owner}, {allow: custom}]", .owner),
            ("[]", nil),
        ])
    func visibility(rules: String, expected: Visibility?) throws {
        let model = try model("A", in: "type A @model @auth(rules: \(rules)) { x: Int }")
        #expect(model.visibility == expected)
        #expect(model.notes.isEmpty != rules.contains("custom"))
    }

    @Test(
        "a rule that does not tell who may read is a note with its word",
        arguments: [("{allow: custom}", "'custom'"), ("{operations: [read]}", "nobody named")])
    func unknownRule(rule: String, allowed: String) throws {
        let model = try model("A", in: "type A @model @auth(rules: [\(rule)]) { x: Int }")
        #expect(
            model.notes == [
                "an @auth rule allows \(allowed), which does not tell who may read: visibility "
                    + "leaves it out"
            ])
    }

    @Test("models without rules have the general one")
    func generalRule() throws {
        let text = """
            input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }
            type A @model { x: Int }
            type B @model @auth(rules: [{allow: owner}]) { x: Int }
            """
        #expect(try model("A", in: text).visibility == .anyone)
        #expect(try model("B", in: text).visibility == .owner)
    }

    // MARK: Keys

    @Test(
        "a name says whether its values are keys of files",
        arguments: [
            ("coverArtKey", KeyFields.Reading.file), ("imageKeys", .file), ("cover_art_key", .file),
            ("profileImageKey", .file), ("galleryImagesKeys", .file), ("coverArtKEY", .file),
            ("imagekeys", .file), ("coverArtPath", .file), ("imagePaths", .file), ("s3Key", .file),
            ("key", .bare), ("keys", .bare),
            ("apiKey", .other), ("sortKey", .other), ("publicKey", .other), ("monkey", .other),
            ("keyboard", .other), ("path", .other), ("urlPath", .other), ("name", .other),
            ("_", .other), ("keynote", .other), ("turkey", .other),
        ])
    func names(name: String, expected: KeyFields.Reading) {
        #expect(KeyFields.reading(of: name) == expected)
    }

    @Test("types say whether a field may hold keys")
    func types() throws {
        let text = """
            type Attachment { bucket: String, key: String!, region: String, note: String }
            enum Kind { A }
            scalar FileName
            type A @model {
              a: Attachment b: [Attachment!]! c: S3Object
              countKey: Int kindKey: Kind whenKey: AWSDateTime
              imageKey: AWSJSON coverKey: FileName
              idKey: ID! @primaryKey bKey: ID b2: B @belongsTo(fields: ["bKey"])
            }
            type B @model { bucket: String key: String region: String }
            type C @model { key: String b: B @hasOne }
            """
        let model = try model("A", in: text)
        #expect(model.keys.map(\.field) == ["a", "b", "c", "imageKey", "coverKey"])
        #expect(model.keys.map(\.isComplex) == [true, true, true, false, false])
        #expect(model.keys.map(\.isList) == [false, true, false, false, false])
        #expect(model.keys[3].remarks.count == 1)
        let keys = try SchemaSample.read(text).models.dropFirst().flatMap(\.keys)
        #expect(keys.map(\.name) == ["B.key", "C.key"])
        #expect(keys.map(\.isLikely) == [true, false])
    }

    @Test("keys inside a value of a model's field are told apart, and those of queries are not")
    func embedded() throws {
        let text = """
            type A @model { inner: [Inner] }
            type Inner { deeper: Deeper imageKey: String }
            type Deeper { file: S3Object back: Inner }
            type Query { thumbKey: String }
            """
        let schema = try SchemaSample.read(text)
        #expect(schema.embedded.map(\.name) == ["Inner.imageKey", "Deeper.file"])
    }

    @Test("extensions count, wherever they stand")
    func extensions() throws {
        let text = "extend type A { coverKey: String } type A { x: Int } extend type A @model"
        #expect(try model("A", in: text).keys.map(\.field) == ["coverKey"])
    }
}
