import Foundation
import Testing

@Suite("A GraphQL schema: init and check")
struct SchemaTests {
    private static let schema = """
        type Song @model { id: ID! title: String! coverArtKey: String }
        type Album @model { id: ID! imageKeys: [String] }
        type Post @model { id: ID! file: S3Object }
        type S3Object { bucket: String! key: String! region: String! }
        """

    private func app() throws -> App {
        let app = try App()
        for number in 0..<3 { try app.healthy("h\(number)") }
        try app.write("schema.graphql", Self.schema)
        return app
    }

    @Test("init drafts what doctor can read, and doctor names what is to be filled in")
    func initialise() throws {
        let folder = try Folder()
        try folder.write("schema.graphql", Self.schema)
        func mooring(_ words: String...) throws -> Program.Result {
            try Program.run(words, in: folder.path)
        }
        let written = try mooring("init", "--schema", "schema.graphql")
        #expect(written.status == 0, "\(written.told)")
        #expect(written.output.contains("fill in sqlite and directory"))
        let text = try #require(folder.read("mooring.yaml"))
        #expect(text.contains("FILL IN: the database"))
        let doctor = try mooring("doctor")
        #expect(doctor.status == 2, "\(doctor.told)")
        #expect(doctor.output.contains("ok      configuration"))
        #expect(doctor.output.contains("app.sqlite: there is no such file"))
        #expect(doctor.output.contains("files: the bucket's folder cannot be opened"))
        let again = try mooring("init", "--schema", "schema.graphql")
        #expect(again.status == 2)
        #expect(folder.read("mooring.yaml") == text)
    }

    @Test("init with a database and a folder audits at once, and check finds nothing missing")
    func initialiseWithStores() throws {
        let app = try app()
        try app.dangling("gone")
        app.remove("mooring.yaml")
        try app.expect(
            0, "init", "--schema", "schema.graphql", "--database", "app.sqlite", "--objects",
            "files")
        try app.expect(0, "doctor")
        let findings = try app.audit()
        #expect(findings.contains { $0.kind == "dangling" && $0.recordID == "gone" })
        #expect(!findings.contains { $0.kind == "orphan" })
        let check = try app.expect(1, "check", "--schema", "schema.graphql")
        #expect(check.output.contains("gate passed: schema.unmapped == 0 (is 0)"))
        #expect(check.output.contains("gate FAILED: dangling.settled == 0 (is 1)"))
    }

    @Test("check fails for a field of the schema that the configuration does not map")
    func gate() throws {
        let app = try app()
        try app.expect(0, "check", "--schema", "schema.graphql")
        try app.write(
            "schema.graphql", Self.schema + "\ntype User @model {\n  avatarKey: String\n}\n")
        let failed = try app.expect(1, "check", "--schema", "schema.graphql")
        #expect(failed.output.contains("gate FAILED: schema.unmapped == 0 (is 1)"))
        #expect(
            failed.output.contains(
                "schema.graphql:6:3: User.avatarKey may hold keys, and there is no model User in "
                    + "the configuration; add it; --except User.avatarKey lets it pass"))
        let json = try app.expect(1, "check", "--schema", "schema.graphql", "--json").json()
        let notes = json["notes"].elements.compactMap { $0.string }
        #expect(json["gates"][0]["gate"].string == "schema.unmapped == 0")
        #expect(json["gates"][0]["value"].integer == 1)
        #expect(json["gates"][0]["passed"].bool == false)
        #expect(notes.contains { $0.hasPrefix("schema.graphql:6:3: User.avatarKey") })
        try app.expect(
            0, "check", "--schema", "schema.graphql", "--except", "User.avatarKey")
        try app.expect(64, "check", "--except", "User.avatarKey")
        try app.write(
            "schema.graphql",
            Self.schema.replacing("coverArtKey: String", with: "")
                + "\ntype Note @model { key: ID }")
        let left = try app.expect(0, "check", "--schema", "schema.graphql")
        #expect(
            left.output.contains(
                "note: Song.coverArtKey is mapped, and the schema has no such field"))
        #expect(left.output.contains("note: schema.graphql:5:20: Note.key may hold keys of files"))
    }

    @Test("a side that cannot be read counts more than the gate, which is told all the same")
    func incomplete() throws {
        let app = try app()
        try app.database.run("DROP TABLE Post")
        try app.write("schema.graphql", Self.schema + " type A @model { bKey: String }")
        let result = try app.expect(4, "check", "--schema", "schema.graphql")
        #expect(result.output.contains("gate FAILED: schema.unmapped == 0 (is 1)"))
    }

    @Test("a schema that is none ends with 78 and its place, before anything is done")
    func refused() throws {
        let app = try app()
        try app.write("schema.graphql", "type Song @model {\n  id: ID!\n  cover Key\n}")
        let expected = "schema.graphql:3:9: found 'Key', expected ':' and the type of 'cover'"
        let check = try app.expect(78, "check", "--schema", "schema.graphql")
        #expect(check.errors.contains(expected))
        #expect(!app.exists("mooring.ledger"))
        app.remove("mooring.yaml")
        let initial = try app.expect(78, "init", "--schema", "schema.graphql")
        #expect(initial.errors.contains(expected))
        #expect(!app.exists("mooring.yaml"))
        try app.write("schema.graphql", "type Song { id: ID! }")
        let empty = try app.expect(2, "init", "--schema", "schema.graphql")
        #expect(empty.errors.contains("no type of 'schema.graphql' is a @model"))
        try app.expect(78, "init", "--schema", "none.graphql")
        try app.expect(64, "init")
    }
}
