import Foundation
import Testing

@Suite("An Amplify project: init and check")
struct AmplifyTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Golden").path
    private static let records = ProcessInfo.processInfo.environment["MOORING_RECORD"] == "1"

    private func compare(_ text: String, _ name: String) throws {
        let path = Self.folder + "/" + name
        if Self.records { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        let data = try #require(FileManager.default.contents(atPath: path), "\(name) is missing")
        #expect(text == String(decoding: data, as: UTF8.self), "\(name)")
    }

    @discardableResult
    private func mooring(
        _ status: Int32, in folder: Folder, _ words: String...
    ) throws -> Program.Result {
        let result = try Program.run(words, in: folder.path)
        #expect(result.status == status, "\(words): \(result.told)")
        return result
    }

    /// The draft with a database and a folder in place of the stores in the cloud.
    private func local(_ text: String) -> String {
        var lines: [Substring] = []
        var isSkipping = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if isSkipping, line.hasPrefix("      ") { continue }
            isSkipping = false
            switch line {
            case "    appsync:", "    dynamodb:":
                lines.append("    sqlite: ./app.sqlite")
                isSkipping = true
            case "    s3:":
                lines.append("    directory: ./files")
                isSkipping = true
            default: lines.append(line)
            }
        }
        return lines.joined(separator: "\n")
    }

    enum Project: String, CaseIterable {
        case web, swift, flutter, second

        func write(in folder: Folder) throws {
            switch self {
            case .web: try AmplifySample.web(in: folder)
            case .swift: try AmplifySample.swift(in: folder)
            case .flutter: try AmplifySample.flutter(in: folder)
            case .second: try AmplifySample.second(in: folder)
            }
        }
    }

    @Test("init drafts each kind of project, word for word", arguments: Project.allCases)
    func drafts(project: Project) throws {
        let folder = try Folder()
        try project.write(in: folder)
        let told = try mooring(0, in: folder, "init", "--amplify", ".")
        let text = try #require(folder.read("mooring.yaml"))
        for words in [text, told.output, told.errors] {
            #expect(!words.contains("HIDDEN"), "a secret was copied")
        }
        try compare(text, "amplify-\(project).yaml")
        try compare(told.output, "amplify-\(project).txt")
        let again = try mooring(2, in: folder, "init", "--amplify", ".")
        #expect(again.errors.contains("mooring.yaml exists"))
        #expect(folder.read("mooring.yaml") == text)
    }

    @Test("what init drafts is audited at once, with a local database and folder")
    func audited() throws {
        let folder = try Folder()
        try AmplifySample.web(in: folder)
        try mooring(0, in: folder, "init", "--amplify", ".")
        let database = try Database(folder.path + "/app.sqlite")
        let system = "_version INTEGER, _lastChangedAt INTEGER, _deleted INTEGER"
        for table in [
            "Song (id TEXT PRIMARY KEY, coverArtKey TEXT",
            "PhotoAlbum (id TEXT PRIMARY KEY, imageKeys TEXT",
            "Post (id TEXT PRIMARY KEY, file TEXT", "Tag (id TEXT PRIMARY KEY",
            "Comment (id TEXT PRIMARY KEY, postCommentsId TEXT",
            "PostTags (id TEXT PRIMARY KEY, postId TEXT, tagId TEXT",
        ] {
            try database.run("CREATE TABLE \(table), \(system))")
        }
        try database.run("INSERT INTO Song VALUES ('s1', 'there', 1, 1700000000000, NULL)")
        try database.run("INSERT INTO Song VALUES ('s2', 'gone', 1, 1700000000000, NULL)")
        try database.run("INSERT INTO PostTags VALUES ('t', 'p', 'q', 1, 1700000000000, NULL)")
        try folder.write("files/public/there", "content")
        // SQLite's rows hold no nested values, so the path into one is no column there.
        let draft = local(try #require(folder.read("mooring.yaml")))
        let lines = draft.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.contains("pages[].imageKey") })
        let plain = lines[..<start] + lines[(start + 2)...]
        try folder.write("mooring.yaml", plain.joined(separator: "\n"))
        try mooring(0, in: folder, "doctor")
        try mooring(0, in: folder, "audit")
        let found = try mooring(0, in: folder, "findings", "--json").json()["findings"].elements
        let kinds = Set(found.compactMap { $0["kind"].string })
        #expect(kinds == ["dangling", "dangling-relation"])
        #expect(found.contains { $0["value"].string == "gone" })
    }

    @Test("check holds the draft to the schema: a file, a folder, and a description in JSON")
    func gate() throws {
        let folder = try Folder()
        try AmplifySample.flutter(in: folder)
        try mooring(0, in: folder, "init", "--amplify", ".")
        try folder.write("mooring.yaml", local(try #require(folder.read("mooring.yaml"))))
        _ = try Database(folder.path + "/app.sqlite")
        try folder.write("files/x", "")
        func gate(_ schema: String) throws -> String {
            // The database is empty, so the audit is incomplete; the gate is told all the same.
            try mooring(4, in: folder, "check", "--schema", schema).output
        }
        let schema = "amplify/backend/api/music/schema"
        for path in [schema, "amplify/backend/api/music"] {
            #expect(try gate(path).contains("gate passed: schema.unmapped == 0"))
        }
        try folder.write(
            schema + "/more/c.graphql", "extend type Tag { iconKey: String }\n")
        let failed = try gate(schema)
        #expect(failed.contains("gate FAILED: schema.unmapped == 0 (is 1)"))
        #expect(failed.contains("\(schema)/more/c.graphql:1:19: Tag.iconKey may hold keys"))
        try folder.write(schema + "/more/c.graphql", "type Tag @model { id: ID! }\n")
        let twice = try mooring(78, in: folder, "check", "--schema", schema)
        #expect(twice.errors.contains("\(schema)/more/c.graphql:1:6: found another type 'Tag'"))
        #expect(twice.errors.contains("\(schema)/more/b.graphql line 8 defines"))
    }

    @Test("check holds a draft of Gen 2 to amplify_outputs.json")
    func secondGate() throws {
        let folder = try Folder()
        try AmplifySample.second(in: folder)
        try mooring(0, in: folder, "init", "--amplify", ".")
        let draft = local(try #require(folder.read("mooring.yaml")))
        let one = draft.replacing("  - name: tapes\n    directory: ./files\n", with: "")
        try folder.write("mooring.yaml", one)
        _ = try Database(folder.path + "/app.sqlite")
        try folder.write("files/x", "")
        let passed = try mooring(4, in: folder, "check", "--schema", "amplify_outputs.json")
        #expect(passed.output.contains("gate passed: schema.unmapped == 0"), "\(passed.told)")
        let outputs = try #require(folder.read("amplify_outputs.json"))
        try folder.write(
            "amplify_outputs.json",
            outputs.replacing(
                #""isbn": {"#, with: #""logoKey": {"isArray": false, "type": "String"}, "isbn": {"#)
        )
        let failed = try mooring(4, in: folder, "check", "--schema", "amplify_outputs.json")
        #expect(failed.output.contains("gate FAILED: schema.unmapped == 0 (is 1)"))
        #expect(failed.output.contains("Album.logoKey may hold keys"))
        try folder.write("amplify_outputs.json", #"{"version": "1"}"#)
        let none = try mooring(78, in: folder, "check", "--schema", "amplify_outputs.json")
        #expect(none.errors.contains("no data.model_introspection in it"))
    }

    @Test("what no file says is a placeholder that doctor refuses, and init tells it")
    func placeholders() throws {
        let folder = try Folder()
        try folder.write("amplify/backend/api/music/schema.graphql", AmplifySample.schema)
        let told = try mooring(0, in: folder, "init", "--amplify", ".")
        #expect(told.output.contains("FILL IN  the bucket\n"))
        #expect(told.output.contains("FILL IN  the url of appsync\n"))
        try folder.write("mooring.yaml", local(try #require(folder.read("mooring.yaml"))))
        try mooring(2, in: folder, "doctor")
        folder.remove("mooring.yaml")
        try mooring(0, in: folder, "init", "--amplify", ".")
        let text = try #require(folder.read("mooring.yaml"))
        let records = text.replacing("    appsync:", with: "    sqlite: app.sqlite\n    # appsync:")
            .replacing("      url:", with: "    #").replacing("      auth:", with: "    #")
            .replacing("      schema:", with: "    #")
        let lines = records.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("      region: FILL-IN") })
        let plain = lines[..<start] + lines[(start + 1)...]
        try folder.write("mooring.yaml", plain.joined(separator: "\n"))
        let doctor = try mooring(78, in: folder, "doctor")
        #expect(doctor.errors.contains("'bucket' holds the placeholder FILL-IN"), "\(doctor.told)")
        try folder.write(
            "mooring.yaml",
            plain.joined(separator: "\n").replacing("bucket: FILL-IN", with: "bucket: music"))
        let region = try mooring(78, in: folder, "doctor")
        #expect(region.errors.contains("'region' holds the placeholder FILL-IN"))
    }
}
