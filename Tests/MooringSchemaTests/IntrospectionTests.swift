import MooringModel
import Testing

@testable import MooringSchema

struct IntrospectionTests {
    private func schema(_ models: String, nonModels: String = "{}") throws -> AmplifySchema {
        let text =
            "{\"data\": {\"model_introspection\": {\"models\": \(models), \"enums\": "
            + "{\"E\": {\"name\": \"E\"}}, \"nonModels\": \(nonModels)}}}"
        let root = try ProjectParser.parse(Array(text.utf8), file: "o.json", form: .json)
        return try AmplifySchema.read(Introspection.document(root, file: "o.json"))
    }

    private func links(_ schema: AmplifySchema, _ model: String) -> [String] {
        schema.model(model)?.links.map { "\($0.column) -> \($0.target)" } ?? []
    }

    @Test("fields, identifiers, readers and change times")
    func models() throws {
        let schema = try schema(
            """
            {"A": {"fields": {
               "pk": {"type": "ID"}, "sk": {"type": "Int"}, "aKey": {"type": "String"},
               "bKeys": {"type": "String", "isArray": true}, "eKey": {"type": {"enum": "E"}},
               "file": {"type": {"nonModel": "File"}},
               "updatedAt": {"type": "AWSDateTime", "isReadOnly": true}},
              "primaryKeyInfo": {"primaryKeyFieldName": "pk", "sortKeyFieldNames": ["sk"]},
              "attributes": [{"type": "auth", "properties": {"rules": [
                {"allow": "private", "operations": ["read"]}, {"allow": "public",
                 "operations": ["create"]}]}}]},
             "B": {"fields": {"id": {"type": "ID"}, "updatedAt": {"type": "AWSDateTime"}}},
             "C": {"fields": {"id": {"type": "ID"}}}}
            """,
            nonModels: """
                {"File": {"fields": {"bucket": {"type": "String"}, "key": {"type": "String"},
                 "region": {"type": "String"}}}}
                """)
        let model = try #require(schema.model("A"))
        #expect(model.id == ["pk", "sk"])
        #expect(model.keys.map(\.field) == ["aKey", "bKeys", "file"])
        #expect(model.keys.map(\.isList) == [false, true, false])
        #expect(model.keys.map(\.isComplex) == [false, false, true])
        #expect(model.visibility == .signedIn)
        #expect(model.changed == "updatedAt" && !model.isChangedByDevice)
        #expect(schema.model("B")?.isChangedByDevice == true)
        #expect(schema.model("C")?.changed == nil)
    }

    @Test("relations of both generations")
    func relations() throws {
        let schema = try schema(
            """
            {"Post": {"fields": {
               "comments": {"isArray": true, "type": {"model": "Comment"},
                 "association": {"connectionType": "HAS_MANY", "associatedWith": ["post"]}},
               "likes": {"isArray": true, "type": {"model": "Like"},
                 "association": {"connectionType": "HAS_MANY", "associatedWith": "postLikesId"}},
               "cover": {"type": {"model": "Cover"}, "association":
                 {"connectionType": "HAS_ONE", "associatedWith": ["id"], "targetNames": ["c"]}},
               "draft": {"type": {"model": "Draft"}, "association":
                 {"connectionType": "HAS_ONE", "associatedWith": ["postId"]}}}},
             "Comment": {"fields": {"post": {"type": {"model": "Post"}, "association":
                 {"connectionType": "BELONGS_TO", "targetName": "postID"}}}},
             "Like": {"fields": {}}, "Cover": {"fields": {}}, "Draft": {"fields": {}}}
            """)
        #expect(links(schema, "Post") == ["c -> Cover"])
        #expect(links(schema, "Comment") == ["postID -> Post"])
        #expect(links(schema, "Like") == ["postLikesId -> Post"])
        #expect(links(schema, "Draft") == ["postId -> Post"])
    }

    @Test("names that are none of GraphQL are refused with their place")
    func names() {
        for models in ["{\"A b\": {}}", "{\"A\": {\"fields\": {\"x: y\": {}}}}"] {
            #expect(throws: SchemaError.self) { try schema(models) }
        }
        #expect(throws: SchemaError.self) { try schema("{}", nonModels: "{\"\\n\": {}}") }
        #expect(throws: SchemaError.self) {
            let root = try ProjectParser.parse(Array("{}".utf8), file: "o", form: .json)
            _ = try Introspection.document(root, file: "o")
        }
    }

    @Test("fields inside other values are named by the way to them, through one list at most")
    func nested() throws {
        let schema = try SchemaSample.read(
            """
            type A @model { id: ID! inner: Inner inners: [Inner] aKey: String }
            type Inner { imageKey: String imageKeys: [String] deep: Deep deeps: [Deep] a: A }
            type Deep { fileKey: String inner: Inner }
            """)
        let paths = try #require(schema.model("A")).nested.map(\.path)
        #expect(
            paths == [
                "inner.imageKey", "inner.imageKeys", "inners[].imageKey", "inner.deep.fileKey",
                "inner.deeps[].fileKey", "inners[].deep.fileKey",
            ])
        for path in paths { #expect(FieldPath(parsing: path) != nil) }
    }

    @Test("a time of change is Amplify's own unless the schema says otherwise")
    func changed() throws {
        func model(_ arguments: String, _ field: String = "") throws -> AmplifySchema.Model {
            try #require(
                try SchemaSample.read("type A @model\(arguments) { id: ID! \(field) }").model("A"))
        }
        #expect(try model("").changed == "updatedAt")
        #expect(try model("(timestamps: null)").changed == nil)
        #expect(try model("(timestamps: {updatedAt: null})").changed == nil)
        #expect(try model("(timestamps: {createdAt: \"c\"})").changed == "updatedAt")
        #expect(try model("(timestamps: {updatedAt: \"u\"})").changed == "u")
        #expect(try model("", "updatedAt: AWSDateTime").isChangedByDevice)
    }
}
