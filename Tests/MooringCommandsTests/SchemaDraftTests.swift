import MooringConfiguration
import MooringModel
import MooringSQLite
import Testing

@testable import MooringCommands
import MooringSchema

struct SchemaDraftTests {
    private static let documented = """
        type S3Object { bucket: String! key: String! region: String! }
        type Song @model @auth(rules: [{ allow: public }]) {
          id: ID! name: String! coverArtKey: String
        }
        type PhotoAlbum @model @auth(rules: [{ allow: owner }]) {
          id: ID! name: String! imageKeys: [String]
        }
        type Post @model {
          id: ID! title: String! file: S3Object
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
          id: ID! username: String!
          posts: [PostEditor] @hasMany(indexName: "byEditor", fields: ["id"])
        }
        """

    private func draft(
        _ schema: String, database: String? = nil, objects: String? = nil, in scratch: Scratch
    ) async throws -> (draft: SchemaDraft, read: Configuration) {
        try scratch.write(schema, to: "schema.graphql")
        let file = scratch.path("mooring.yaml")
        let draft = try await SchemaDraft(
            SchemaDraft.Sources(
                schema: scratch.path("schema.graphql"), database: database, objects: objects),
            configurationFile: file)
        try scratch.write(draft.text, to: "mooring.yaml")
        return (draft, try Configuration.load(path: file, environment: [:]))
    }

    @Test("Of the documented schema comes a configuration that loads and says the same")
    func documented() async throws {
        let scratch = try Scratch()
        let (draft, read) = try await draft(Self.documented, in: scratch)
        let models = read.records.flatMap(\.mapping.models)
        let any = LevelChoice.any
        #expect(
            models == [
                ModelMapping(
                    model: "Song", visibility: .anyone,
                    files: [FileField(field: "coverArtKey", level: any)]),
                ModelMapping(
                    model: "PhotoAlbum", visibility: .owner,
                    files: [FileField(field: "imageKeys", isList: true, level: any)]),
                ModelMapping(
                    model: "Post", files: [FileField(field: "file", isComplex: true, level: any)]),
                ModelMapping(
                    model: "Comment",
                    relations: [Relation(field: "postCommentsId", model: "Post")]),
                ModelMapping(
                    model: "PostEditor",
                    relations: [
                        Relation(field: "postID", model: "Post"),
                        Relation(field: "editorID", model: "User"),
                    ], isJoin: true),
                ModelMapping(model: "User"),
            ])
        #expect(read.warnings == [])
        #expect(read.guardsOff == [])
        #expect(!read.repair.apply)
        #expect(draft.blanks == ["sqlite", "directory"])
        #expect(!draft.isWithoutKeys)
        #expect(read.records[0].store == .sqlite(path: scratch.path("app.sqlite"), taken: nil))
        #expect(read.buckets[0].store == .directory(path: scratch.path("files"), trust: .mtime))
        let schema = try AmplifySchema.load(path: scratch.path("schema.graphql"))
        let coverage = SchemaCoverage(schema: schema, records: read.records, exceptions: [])
        #expect(coverage.gaps.isEmpty && coverage.notes.isEmpty)
    }

    @Test("A model's entry says what each line rests on")
    func golden() async throws {
        let scratch = try Scratch()
        let schema = """
            type Song @model @auth(rules: [{ allow: private }]) {
              id: ID! @primaryKey(sortKeyFields: ["at"])
              at: AWSDateTime!
              coverKey: AWSJSON
              key: String
              album: Album @belongsTo
              old: [Album] @connection(keyName: "x")
            }
            type Album @model { songs: [Song] @hasMany }
            """
        let text = try await draft(schema, in: scratch).draft.text
        let start = try #require(text.firstRange(of: "    models:\n"))
        let end = try #require(text.firstRange(of: "\n\n# Where files live."))
        #expect(
            text[start.upperBound..<end.lowerBound] == """
                      - model: Song  # line 1
                        # note: old: @connection is a directive of Amplify's old transformer, and \
                not read here; write the relation by hand where it has a column
                        id: [id, at]
                        # version: _version  # with conflict detection
                        # changed: _lastChangedAt  # with conflict detection; updatedAt without
                        # deleted: _deleted  # with conflict detection
                        visibility: signed-in  # from the most open @auth rule
                        files:
                          # guessed by its name (line 4)
                          # its type AWSJSON does not tell its form: list and complex may be wrong
                          - field: coverKey
                            level: any
                            # template: "{id}"  # where keys are made of the record's identifier
                          # may be the key of anything; take the # away if it is that of a file \
                (line 5)
                          # - field: key
                          #   level: any
                          #   # template: "{id}"  # where keys are made of the record's identifier
                        relations:
                          - field: albumSongsId  # Song.album: @belongsTo
                            model: Album
                            # cascade: true  # where the record is deleted together with its Album
                      - model: Album  # line 9
                        # version: _version  # with conflict detection
                        # changed: _lastChangedAt  # with conflict detection; updatedAt without
                        # deleted: _deleted  # with conflict detection
                """)
    }

    @Test(
        "Every schema with a model gives a configuration that loads",
        arguments: [
            "type A @model { x: Int }",
            "type A @model { x: Int } type B @model { x: Int }",
            "type true @model { null: S3Object noKey: String on: true @belongsTo }",
            "type A @model { key: String }",
            "type A @model { b: [A] @manyToMany(relationName: \"a\\u2028: b\") }",
            "type A @model { b: [B] @manyToMany(relationName: \"x y\") } "
                + "type B @model { a: [A] @manyToMany(relationName: \"x y\") }",
            "type A @model { b: [B] @manyToMany(relationName: \"r\") } type B @model { "
                + "i: ID! @primaryKey(sortKeyFields: [\"s\"]) s: Int "
                + "a: [A] @manyToMany(relationName: \"r\") }",
            "type A @model @auth(rules: [{allow: \"a\\u2028\\nb: c\"}]) { imageKey: String }",
            "type A @model { b: A @belongsTo(fields: [\"x\\ny\"]) cKeys: [String] }",
            "type A @model { aKey: String parent: A @hasOne children: [A] @hasMany }",
        ])
    func anySchema(schema: String) async throws {
        let scratch = try Scratch()
        let (_, read) = try await draft(schema, in: scratch)
        #expect(!read.records[0].mapping.models.isEmpty)
    }

    @Test("With a database and a folder, columns, levels and templates come from there")
    func withStores() async throws {
        let scratch = try Scratch()
        try SQLiteScript.run(
            [
                SQLStatement(
                    "CREATE TABLE Song (id TEXT PRIMARY KEY, coverArtKey TEXT, _version INTEGER, "
                        + "updatedAt TEXT)"),
                SQLStatement("INSERT INTO Song VALUES ('s1', 's1.jpg', 1, '2026-01-01T00:00:00Z')"),
                SQLStatement("CREATE TABLE Comment (id TEXT PRIMARY KEY, body TEXT)"),
            ], path: scratch.path("app.sqlite"))
        try scratch.write("1", to: "objects/public/s1.jpg")
        let (draft, read) = try await draft(
            "type Song @model { coverArtKey: String thumbKey: String comments: [Comment] @hasMany }"
                + " type Comment @model { body: String } type Gone @model { aKey: String }",
            database: scratch.path("app.sqlite"), objects: scratch.path("objects"), in: scratch)
        #expect(draft.blanks == [])
        #expect(
            read.records[0].mapping.models == [
                ModelMapping(
                    model: "Song", version: "_version", changed: "updatedAt",
                    files: [
                        FileField(
                            field: "coverArtKey", level: .named("guest"),
                            template: KeyTemplate("{id}.jpg"))
                    ]),
                ModelMapping(model: "Comment"),
            ])
        #expect(draft.text.contains("# not named: the table has no column thumbKey"))
        #expect(draft.text.contains("# - field: postCommentsId") == false)
        #expect(draft.text.contains("# - field: songCommentsId"))
        #expect(draft.text.contains("Gone: the database has no table of this name"))
    }

    @Test("What cannot be read is an error that says so")
    func refusals() async throws {
        let scratch = try Scratch()
        await #expect(throws: SetupError.self) {
            _ = try await draft("type A { x: Int }", in: scratch)
        }
        let schema = "type A @model { aKey: String }"
        await #expect(throws: SetupError.self) {
            _ = try await draft(schema, database: scratch.path("none"), in: scratch)
        }
        await #expect(throws: SetupError.self) {
            _ = try await draft(schema, objects: scratch.path("none"), in: scratch)
        }
        try SQLiteScript.run(
            [SQLStatement("CREATE TABLE B (id TEXT)")], path: scratch.path("app.sqlite"))
        let error = await #expect(throws: SetupError.self) {
            _ = try await draft(schema, database: scratch.path("app.sqlite"), in: scratch)
        }
        #expect(error?.what.contains("no table that is called like a model") == true)
        #expect(
            error?.next
                == "Name another --database, or none, and write each model's table: by hand.")
        await #expect(throws: SchemaError.self) {
            _ = try await draft("type A @model {", in: scratch)
        }
        let many = (0..<6_000).map { "type A\($0) @model { aKey: String }" }
        let large = await #expect(throws: SetupError.self) {
            _ = try await draft(many.joined(separator: "\n"), in: scratch)
        }
        #expect(
            large?.description
                == "'\(scratch.path("schema.graphql"))' has so many models that their "
                + "configuration would be over 1 MiB; such a file is not read, so none was "
                + "drafted. Name a schema of the models that hold files, or write "
                + "mooring.yaml by hand.")
        let (bare, _) = try await draft("type A @model { x: Int }", in: scratch)
        #expect(bare.isWithoutKeys)
        #expect(bare.text.contains("NO FIELD WAS FOUND THAT HOLDS KEYS"))
    }
}
