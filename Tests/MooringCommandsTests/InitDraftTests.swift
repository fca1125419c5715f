import Glibc
import MooringConfiguration
import MooringModel
import MooringSQLite
import Testing

@testable import MooringCommands

struct InitDraftTests {
    @Test("Of the demo's data the draft guesses the demo's own mappings")
    func demo() async throws {
        let scratch = try Scratch()
        _ = try DemoApp.write(to: scratch.path("app"), now: Instant(seconds: 1_790_000_000))
        let file = scratch.path("app/draft.yaml")
        let text = try await ConfigurationDraft.draft(
            database: scratch.path("app/app.sqlite"), objects: scratch.path("app/files/"),
            configurationFile: file)
        let draft = try Configuration.parse(text, file: file, environment: [:])
        let own = try Configuration.parse(DemoTexts.configuration, file: file, environment: [:])
        // Who may read a record, and what else is a copy of it, no data tells.
        let expected = own.records.prefix(1).flatMap(\.mapping.models)
            .filter { !$0.files.isEmpty }
            .map { model in
                var model = model
                model.visibility = nil
                return model
            }
        let guessed = draft.records.flatMap(\.mapping.models)
        #expect(Set(guessed) == Set(expected))
        #expect(draft.buckets.map(\.store) == own.buckets.map(\.store))
        #expect(draft.records.map(\.store) == own.records.prefix(1).map(\.store))
        #expect(draft.warnings == [])
        #expect(draft.guardsOff == [])
        #expect(!draft.repair.apply)
        #expect(text.contains("sqlite: \"./app.sqlite\""))
        #expect(text.contains("Comment: no text of it is a file here"))
    }

    @Test("A small database gives this draft")
    func golden() async throws {
        let scratch = try Scratch()
        try SQLiteScript.run(
            [
                SQLStatement("CREATE TABLE Note (body TEXT, code INTEGER)"),
                SQLStatement("INSERT INTO Note VALUES ('hello', 1)"),
                SQLStatement(
                    "CREATE TABLE Photo (id TEXT PRIMARY KEY, file TEXT, old TEXT, updatedAt TEXT)"
                ),
                SQLStatement(
                    "INSERT INTO Photo VALUES ('p1', 'p1.jpg', 'a/x.jpg', '2026-01-01T00:00:00Z')"),
                SQLStatement(
                    "INSERT INTO Photo VALUES ('p2', 'p2.jpg', 'a/y.jpg', '2026-01-02T00:00:00Z')"),
            ], path: scratch.path("app.sqlite"))
        try scratch.write("1", to: "files/public/p1.jpg")
        let text = try await ConfigurationDraft.draft(
            database: scratch.path("app.sqlite"), objects: scratch.path("files"),
            configurationFile: scratch.path("mooring.yaml"))
        let start = try #require(text.firstRange(of: "    models:\n"))
        let end = try #require(text.firstRange(of: "\n\n# Where files live."))
        #expect(
            text[start.upperBound..<end.lowerBound] == """
                      - model: Photo
                        changed: updatedAt  # guessed from its name; \
                add changedBy: device if devices set it
                        files:
                          # guessed: 1 of 2 values are files under public/
                          - field: file
                            level: guest
                            template: "{id}.jpg"  # guessed: 2 of 2 keys name their record so
                          # not named: 0 of 2 values are files here, though they look like keys
                          # - field: old
                          #   level: root
                      # Tables that are not named:
                      #   Note: has no primary key, so its records cannot be told apart
                """)
        _ = try Configuration.parse(
            text, file: scratch.path("mooring.yaml"), environment: [:])
    }

    @Test("A column that holds other texts beside files is left to a person")
    func mixed() async throws {
        let scratch = try Scratch()
        var statements = [
            SQLStatement("CREATE TABLE setting (id TEXT PRIMARY KEY, value TEXT, icon TEXT)")
        ]
        for number in 0..<13 {
            let value = number < 6 ? "up/\(number).png" : "A title of \(number)"
            statements.append(
                SQLStatement("INSERT INTO setting VALUES ('s\(number)', '\(value)', 'i.png')"))
        }
        try SQLiteScript.run(statements, path: scratch.path("app.sqlite"))
        for number in 0..<6 { try scratch.write("1", to: "files/up/\(number).png") }
        try scratch.write("1", to: "files/i.png")
        let file = scratch.path("mooring.yaml")
        let text = try await ConfigurationDraft.draft(
            database: scratch.path("app.sqlite"), objects: scratch.path("files"),
            configurationFile: file)
        let draft = try Configuration.parse(text, file: file, environment: [:])
        #expect(draft.records[0].mapping.models.flatMap(\.files).map(\.field) == ["icon"])
        #expect(text.contains("6 of 13 values are files here"))
    }

    @Test(
        "Hostile names are read back as they are",
        arguments: [
            "a: b # c", "quote\"back\\slash", "${HOME}", "$${HOME}", "true", "12",
            "- x", "{id}", "\u{85}\u{2028}\u{202E}x", "<script>", " lead", "é", "!tag", "a'b",
        ])
    func hostileNames(name: String) async throws {
        let scratch = try Scratch()
        let quoted =
            "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
        try SQLiteScript.run(
            [
                SQLStatement("CREATE TABLE \(quoted) (id TEXT PRIMARY KEY, \(quoted) TEXT)"),
                SQLStatement(
                    "INSERT INTO \(quoted) VALUES ('p1', ?)", [.text(Array("p1.txt".utf8))]),
            ], path: scratch.path("app.sqlite"))
        try scratch.write("1", to: "files/p1.txt")
        let text = try await ConfigurationDraft.draft(
            database: scratch.path("app.sqlite"), objects: scratch.path("files"),
            configurationFile: scratch.path("mooring.yaml"))
        let draft = try Configuration.parse(
            text, file: scratch.path("mooring.yaml"), environment: [:])
        let model = try #require(draft.records.first?.mapping.models.first)
        #expect(model.model.utf8.elementsEqual(name.utf8))
        #expect(model.files.map(\.field).first?.utf8.elementsEqual(name.utf8) == true)
    }

    @Test("A table's name may hold control characters, and a field's is left to a person")
    func controlCharacters() async throws {
        let scratch = try Scratch()
        try SQLiteScript.run(
            [
                SQLStatement(
                    "CREATE TABLE \"new\nline\u{7}\" (id INTEGER PRIMARY KEY, k, \"a\nb\")"),
                SQLStatement("INSERT INTO \"new\nline\u{7}\" VALUES (1, 'x.txt', 'x.txt')"),
            ], path: scratch.path("app.sqlite"))
        try scratch.write("1", to: "files/x.txt")
        let text = try await ConfigurationDraft.draft(
            database: scratch.path("app.sqlite"), objects: scratch.path("files"),
            configurationFile: scratch.path("mooring.yaml"))
        let draft = try Configuration.parse(
            text, file: scratch.path("mooring.yaml"), environment: [:])
        let model = try #require(draft.records.first?.mapping.models.first)
        #expect(model.model == "new?line?")
        #expect(model.table == "new\nline\u{7}")
        #expect(model.files.map(\.field) == ["k"])
        #expect(text.contains("# - field: \"a\\nb\""))
    }

    @Test("Values that would leave the folder are no files")
    func valuesOutside() async throws {
        let scratch = try Scratch()
        try scratch.write("1", to: "secret.txt")
        try scratch.write("1", to: "files/public/x")
        let values = ["../secret.txt", "/etc/passwd", "public/../public/x", "\u{0}", "public/"]
        try SQLiteScript.run(
            [SQLStatement("CREATE TABLE T (id INTEGER PRIMARY KEY, k TEXT)")]
                + values.map {
                    SQLStatement("INSERT INTO T (k) VALUES (?)", [.text(Array($0.utf8))])
                }, path: scratch.path("app.sqlite"))
        let error = await #expect(throws: SetupError.self) {
            try await ConfigurationDraft.draft(
                database: scratch.path("app.sqlite"), objects: scratch.path("files"),
                configurationFile: scratch.path("mooring.yaml"))
        }
        #expect(
            error?.what
                == "no column of '\(scratch.path("app.sqlite"))' holds names of files in "
                + "'\(scratch.path("files"))': looked at T.k (0 of 5)")
        #expect(error?.next.hasPrefix("Name with --objects the folder that keys start") == true)
    }

    @Test("A side that is not there is an error that says so")
    func missingSides() async throws {
        let scratch = try Scratch()
        try scratch.write("no database", to: "text")
        try scratch.write("1", to: "files/x")
        for (database, objects) in [("none", "files"), ("text", "files"), ("text", "none")] {
            await #expect(throws: SetupError.self, "\(database) \(objects)") {
                try await ConfigurationDraft.draft(
                    database: scratch.path(database), objects: scratch.path(objects),
                    configurationFile: scratch.path("mooring.yaml"))
            }
        }
    }

    @Test("What lies in the folder of objects and is none is ignored")
    func ownFilesInTheFolder() async throws {
        let scratch = try Scratch()
        try SQLiteScript.run(
            [
                SQLStatement("CREATE TABLE T (id INTEGER PRIMARY KEY, k TEXT)"),
                SQLStatement("INSERT INTO T (k) VALUES ('x.txt')"),
            ], path: scratch.path("app.sqlite"))
        try scratch.write("1", to: "x.txt")
        let text = try await ConfigurationDraft.draft(
            database: scratch.path("app.sqlite"), objects: scratch.path(""),
            configurationFile: scratch.path("mooring.yaml"))
        let draft = try Configuration.parse(
            text, file: scratch.path("mooring.yaml"), environment: [:])
        #expect(text.contains("directory: \".\""))
        #expect(draft.buckets.first?.mapping.ignore.count == 4)
    }

    @Test(
        "A template names what is the same in nine keys of ten",
        arguments: [
            (["a.png", "b.png"], "{id}.png"), (["covers/a", "covers/b"], "covers/{id}"),
            (["a-1", "b_22"], "{id}{*}"), (["x", "y"], nil), (["ab.png", "ba.png"], nil),
            (
                [
                    "a-00000000-0000-4000-8000-000000000001.jpg",
                    "b-00000000-0000-4000-8000-000000000002.jpg",
                ], "{id}-{uuid}.jpg"
            ),
        ] as [([String], String?)])
    func templates(keys: [String], expected: String?) {
        let pairs = zip(["a", "b"], keys).map { (id: Array($0.utf8), key: Array($1.utf8)) }
        #expect(TemplateGuess(pairs)?.template.text == expected)
    }
}
