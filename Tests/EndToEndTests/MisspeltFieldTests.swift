import Testing

/// A mapping that misses the keys: doctor and report say so, with what may have been meant.
@Suite("Fields that are misspelt")
struct MisspeltFieldTests {
    private func app(_ field: String) throws -> App {
        var settings = App.Settings()
        settings.models = """
            - model: Pic
              files: [{\(field)}]
            """
        let app = try App(settings)
        try app.database.run(
            "CREATE TABLE Pic (id TEXT PRIMARY KEY, cover_key TEXT, coverKey TEXT)")
        for number in 1...12 {
            try app.database.run(
                "INSERT INTO Pic VALUES ('p\(number)', '[\"\(number).png\"]', NULL)")
        }
        try app.put("1.png")
        return app
    }

    private func expect(_ sentence: String, of app: App) throws {
        #expect(try app.expect(0, "doctor").output.contains(sentence))
        try app.expect(0, "audit")
        let notes = try app.report()["notes"].elements.compactMap(\.string)
        #expect(notes.contains { $0.contains(sentence) }, "\(notes)")
        #expect(app.read("Reports/Runs/latest/report.txt")?.contains("field app.Pic.") == true)
    }

    @Test("a field that no record holds is told with the nearest columns")
    func nobody() throws {
        try expect(
            "field app.Pic.coverKey: none of 12 records holds a key there; the nearest are "
                + "\"cover_key\"", of: try app("field: coverKey"))
    }

    @Test("a list that is mapped as one key is told with the word that is missing")
    func list() throws {
        let wrong = try app("field: cover_key")
        try expect(
            "field app.Pic.cover_key: lists stand there in place of a key; add list: true",
            of: wrong)
        let right = try app("field: cover_key, list: true")
        #expect(!(try right.expect(0, "doctor").output.contains("field app.Pic.cover_key: lists")))
    }
}
