import MooringAWS
import MooringSchema
import MooringModel
import Testing

@testable import MooringAppSync

/// Which operations a schema has, or Amplify makes of it.
@Suite("AppSync: schemas")
struct AppSyncSchemaTests {
    private func generated(_ text: String, conflicts: Bool = false) throws -> [APIModel] {
        let document = try text.document
        return GeneratedOperations(
            document: document, amplify: try .read(document), detectsConflicts: conflicts
        ).models()
    }

    @Test(
        "Plurals are Amplify's",
        arguments: [
            ("Song", "Songs"), ("PhotoAlbum", "PhotoAlbums"), ("Category", "Categories"),
            ("Day", "Days"), ("Box", "Boxes"), ("Address", "Addresses"), ("Status", "Statuses"),
            ("Person", "People"), ("UserPerson", "UserPeople"), ("Child", "Children"),
            ("Analysis", "Analyses"), ("News", "News"), ("UserData", "UserData"),
            ("Branch", "Branches"), ("Photo", "Photos"), ("Hero", "Heroes"), ("Woman", "Women"),
            ("Foreman", "Foremen"), ("Leaf", "Leaves"), ("Index", "Indices"),
        ])
    func plurals(_ name: String, _ plural: String) {
        #expect(PluralNames.of(name).first == plural)
    }

    @Test("Operations, columns and inputs of a model follow Amplify's names")
    func names() throws {
        let models = try generated(
            """
            type Category @model { id: ID! name: String key: AWSJSON file: S3Object
              songs: [Song] @hasMany }
            type Song @model { id: ID! title: String }
            type S3Object { bucket: String! key: String! }
            """, conflicts: true)
        let category = try #require(models.first)
        #expect(category.lists.map(\.name) == ["listCategories", "listCategorys"])
        #expect(category.get?.name == "getCategory")
        #expect(category.get?.arguments.map(\.type.text) == ["ID!"])
        #expect(category.update?.name == "updateCategory")
        #expect(category.update?.input == "UpdateCategoryInput")
        #expect(category.update?.condition == "ModelCategoryConditionInput")
        #expect(
            category.columns.selectionText
                == "id name key file { bucket key } createdAt updatedAt _version _deleted "
                + "_lastChangedAt")
        // The key of the other side's relation, which Amplify adds.
        let names = models.last?.columns.map(\.name) ?? []
        #expect(names.contains("categorySongsId"))
    }

    @Test("A field with an exclamation mark takes no null, also where it is a list or an object")
    func required() throws {
        let models = try generated(
            """
            type Song @model { id: ID! cover: String! pages: [String!]! file: S3Object!
              note: [ID!] }
            type S3Object { bucket: String! key: String! }
            """)
        let limits = try #require(models.first).limits
        #expect(limits["note"] == nil)
        #expect(["cover", "pages", "file"].allSatisfy { limits[$0] == .noNull })
    }

    @Test("A list query of another name is taken only where it is the one that there is")
    func ambiguousLists() throws {
        func lists(_ queries: String) throws -> [String] {
            let api = APISchema(
                try """
                type Song { id: ID! cover: String }
                type SongPage { items: [Song] nextToken: String }
                type Query { \(queries) }
                type Mutation { createSong(input: SongInput!): Song }
                input SongInput { id: ID! }
                """.document)
            return OperationSearch(schema: api).models().flatMap(\.lists).map(\.name)
        }
        let (one, two) = (
            "published(nextToken: String): SongPage ", "all(nextToken: String): SongPage "
        )
        let sync = "syncSongs(nextToken: String, lastSync: String): SongPage"
        #expect(try lists(one) == ["published"])
        #expect(try lists(one + two) == [])
        #expect(try lists(one + two + sync) == ["syncSongs"])
    }

    @Test("A directive may rename operations, leave them out, and name other keys and times")
    func renamed() throws {
        let models = try generated(
            """
            type Song @model(queries: {get: "song", list: "songs"}, mutations: null,
                timestamps: {createdAt: "madeAt", updatedAt: null}) {
              artist: ID! @primaryKey(sortKeyFields: ["number", "name"])
              number: Int! name: String! }
            type Hidden @model(queries: null) { id: ID! }
            """)
        let song = models[0]
        #expect(song.lists.map(\.name) == ["songs"])
        #expect(song.get?.name == "song")
        #expect(song.get?.arguments.map(\.name) == ["artist", "number", "name"])
        #expect(song.get?.arguments.map(\.type.text) == ["ID!", "Int!", "String!"])
        #expect(song.update == nil)
        #expect(song.columns.map(\.name).contains("madeAt"))
        #expect(!song.columns.map(\.name).contains("updatedAt"))
        #expect(models[1].lists.isEmpty && models[1].get == nil)
    }

    @Test("A join model that Amplify adds is read like any other")
    func joins() throws {
        let models = try generated(
            """
            type Post @model { id: ID! tags: [Tag] @manyToMany(relationName: "PostTags") }
            type Tag @model { id: ID! posts: [Post] @manyToMany(relationName: "PostTags") }
            """)
        let join = try #require(models.first { $0.name == "PostTags" })
        #expect(join.lists.first?.name == "listPostTags")
        #expect(Set(join.columns.map(\.name)).isSuperset(of: ["id", "postId", "tagId"]))
    }

    @Test("Pages of a union or an interface are told of, unless all its types are models")
    func abstractPages() throws {
        func unlisted(_ more: String) throws -> [String] {
            let text = """
                type Query { songs(nextToken: String): SongPage
                  found(nextToken: String): FoundPage }
                type Song { id: ID! } type SongPage { items: [Song] nextToken: String }
                type FoundPage { items: [Found!] nextToken: String }
                \(more)
                """
            return OperationSearch(schema: APISchema(try text.document)).unlisted()
        }
        #expect(try unlisted("union Found = Song").isEmpty)
        #expect(try unlisted("union Found = Song | Note type Note { id: ID! }") == ["Found"])
        #expect(
            try unlisted("interface Found { id: ID! } type Note implements Found { id: ID! }")
                == ["Found"])
        #expect(try unlisted("interface Found { id: ID! }") == ["Found"])
    }

    @Test("A field, a model or a page of a union or an interface is named by a scan and by doctor")
    func abstractFields() async throws {
        let text = """
            type Query { songs(nextToken: String): SongPage song(id: ID!): Song
              found(nextToken: String): FoundPage }
            type Song { id: ID! owner: Found } type SongPage { items: [Song] nextToken: String }
            union Found = Song | Note type Note { id: ID! cover: String }
            type FoundPage { items: [Found!] nextToken: String }
            """
        let document = try text.document
        let found = ModelList.whole(APISchema(document))
        let client = GraphQLClient(
            endpoint: GraphQLClient.Endpoint(
                origin: Origin(isSecure: false, host: "127.0.0.1", port: 9), path: Array("/".utf8)),
            caller: AWSClient(
                scheme: .secret(header: "x-api-key"), credentials: AppSyncStage.key("k"),
                connections: 1, clock: AppSyncStage.now), hint: "")
        func problems(_ scope: RecordScope) -> [String] {
            var scan = ModelScan(client: client, options: AppSyncOptions())
            scan.plan(scope, found)
            return scan.problems.map(\.text)
        }
        let field = problems(.columns([TableColumns(table: "Song", columns: ["id", "owner"])]))
        #expect(field.first?.contains(#"the field "owner" is a union or an interface"#) == true)
        let model = problems(.columns([TableColumns(table: "Found", columns: ["id"])]))
        #expect(model.first?.contains(#""Found" is a union or an interface, and no model"#) == true)
        let source = AppSyncSource(
            name: "app", client: client,
            schema: .document(document, try .read(document), detectsConflicts: false),
            clock: AppSyncStage.now)
        let told = try await source.unreadable(.everything).map(\.text)
        #expect(told == problems(.everything))
        #expect(told.contains { $0.contains(#"type "Found": pages hold this union"#) })
        #expect(told.contains { $0.contains("owner is a union or an interface") })
        #expect(problems(.all(unread: [Glob("Found")])).count == told.count - 1)
    }

    @Test("A model that is none is refused with what to map in its place")
    func noModel() throws {
        let bare = ModelList.whole(APISchema(try "type Query { health: String }".document))
        let none = #expect(throws: StoreError.self) { _ = try bare.model("Song", at: "here") }
        #expect(none?.reason == "the schema has no model \"Song\"" && none?.isRefusal == true)
        #expect(none?.hint == "it has no model at all")
        let found = ModelList.whole(
            APISchema(
                try "type Query { a: Found } union Found = Note type Note { id: ID! }".document))
        let union = #expect(throws: StoreError.self) { _ = try found.model("Found", at: "here") }
        #expect(union?.reason == "\"Found\" is a union or an interface, and no model")
        #expect(union?.hint == "map the models that its values are of")
    }

    @Test("What a field holds and no page gives is told by the reason")
    func unreadableFields() throws {
        let api = APISchema(
            try """
            type Query { songs(nextToken: String): SongPage authors(nextToken: String): AuthorPage }
            type Mutation { updateSong(input: UpdateSongInput!): Song }
            type Song { id: ID! notes: NotePage author: Author deep(by: Int!): Int }
            type SongPage { items: [Song] nextToken: String }
            type Author { id: ID! } type AuthorPage { items: [Author] nextToken: String }
            type NotePage { items: [String] nextToken: String }
            input UpdateSongInput { id: ID! author: AuthorInput } input AuthorInput { id: ID! }
            """.document)
        let found = ModelList.whole(api)
        var scan = ModelScan(
            client: GraphQLClient(
                endpoint: GraphQLClient.Endpoint(
                    origin: Origin(isSecure: false, host: "127.0.0.1", port: 9),
                    path: Array("/".utf8)),
                caller: AWSClient(
                    scheme: .secret(header: "x-api-key"), credentials: AppSyncStage.key("k"),
                    connections: 1, clock: AppSyncStage.now), hint: ""),
            options: AppSyncOptions())
        scan.plan(.everything, found)
        let told = scan.problems.map(\.reason)
        for reason in [
            "notes is a page of String, which no query lists",
            "author holds a Author of its own, which pages hold as well", "deep wants arguments",
        ] {
            #expect(told.contains("not everything is read: \(reason)"), "\(told)")
        }
    }

    @Test("Operations of a whole schema are found by what they give and take")
    func whole() throws {
        let schema = APISchema(
            try """
            schema { query: Asks mutation: Acts }
            type Asks {
              allOfThem(limit: Int, nextToken: String): SongPage
              byArtist(artist: ID!, nextToken: String): SongPage
              searchSongs(nextToken: String): SearchableSongConnection
              oneOfThem(id: ID!): Song
              health: String
            }
            type Acts {
              change(input: UpdateSongInput!, condition: SongCondition): Song
              createGhost(input: CreateGhostInput!): Ghost
            }
            type Song { id: ID! artist: Artist nested: Nested thing: Thing
              computed(by: Int!): Int friends(nextToken: String): SongPage }
            union Thing = Nested | Song
            type Nested { a: Int inner: Nested }
            type SongPage { items: [Song] nextToken: String }
            type SearchableSongConnection { items: [Song] nextToken: String }
            type Artist { name: String }
            type Ghost { id: ID! }
            input UpdateSongInput { id: ID! artist: String }
            input CreateGhostInput { id: ID }
            input SongCondition { artist: String }
            """.document)
        let models = OperationSearch(schema: schema).models()
        #expect(models.map(\.name) == ["Song", "Ghost"])
        #expect(models[0].lists.map(\.name) == ["allOfThem"])
        #expect(models[0].get?.name == "oneOfThem")
        #expect(models[0].update?.name == "change")
        #expect(models[0].update?.fields == ["id", "artist"])
        #expect(models[0].update?.conditionFields == ["artist"])
        #expect(models[0].columns.selectionText == "id artist { name } nested { a }")
        #expect(models[0].unreadable.count == 3)
        #expect(models[1].lists.isEmpty)
    }
}
