import Testing

/// Nulling where a column takes no NULL: nothing is planned that would fail every night.
@Suite("Columns that take no NULL")
struct NotNullTests {
    private func app(_ field: String) throws -> App {
        var settings = App.Settings()
        settings.models = """
            - model: Cover
              files: [{\(field)}]
            """
        settings.race = "{preset: testing}"
        let app = try App(settings)
        try app.database.run(
            """
            CREATE TABLE Cover (id TEXT PRIMARY KEY, key TEXT NOT NULL, keys TEXT NOT NULL);
            INSERT INTO Cover VALUES ('c1', 'here.png', '["here.png"]');
            INSERT INTO Cover VALUES ('c2', 'gone.png', '["here.png", "gone.png"]')
            """)
        try app.put("here.png")
        try app.audit()
        return app
    }

    private func value(_ app: App, _ column: String) throws -> String? {
        try app.database.text("SELECT \(column) FROM Cover WHERE id = 'c2'")
    }

    @Test("the finding says what it needs, and no step is planned")
    func held() throws {
        let app = try app("field: key")
        let finding = try app.audit().about("gone.png")
        #expect(finding.label == "dangling/missing/settled")
        #expect(finding.action == "nullify")
        #expect(
            finding.proof == "empty: \"\" at Cover.key, whose column takes no NULL",
            "\(finding.proof ?? "nothing")")
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        try app.expect(0, "run")
    }

    @Test("an empty text is what the field is set to where the mapping says so, and no finding")
    func emptied() throws {
        let app = try app("field: key, empty: ''")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try value(app, "key") == "")
        #expect(try app.audit().isEmpty)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try value(app, "key") == "gone.png")
    }

    @Test("a list loses the element, which needs no NULL")
    func list() throws {
        let app = try app("field: keys, list: true")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try value(app, "keys") == #"["here.png"]"#)
        #expect(try app.audit().labels == ["shared/settled"])
    }
}
