import Foundation
import Testing

/// A file field on real stores before it is written down.
@Suite("try, end to end")
struct TryTests {
    private func app() throws -> App {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        let app = try App(settings)
        try app.healthy()
        try app.write("files/public/poster.png", "poster")
        try app.database.run("UPDATE Song SET title = 'poster.png'")
        return app
    }

    @Test("A field that holds keys explains what had no reference, and nothing is kept")
    func explains() throws {
        let app = try app()
        try app.expect(0, "audit")
        let runs = try app.runs().count
        let told = try app.expect(0, "try", "Song: {field: title, level: guest}", "--scratch", ".")
        #expect(
            told.output.hasPrefix(
                "Song.title of app: 1 record, 1 hold it, 1 reference, 1 of them listed\n"),
            "\(told.told)")
        #expect(told.output.contains("\nwould be gone: 1 unmapped-reference\n"))
        #expect(told.output.contains("\nwould be new: nothing\n"))
        #expect(told.output.hasSuffix("\n  Song: {field: title, level: guest}\n"))
        #expect(try app.runs().count == runs)
        let left = try FileManager.default.contentsOfDirectory(atPath: app.path)
        #expect(left.filter { $0.hasPrefix("mooring-try") }.isEmpty)
        let json = try JSON(
            parsing: try app.expect(
                0, "try", "Song: {field: title, level: guest}", "--json"
            ).output)
        #expect(json["gone"].elements.contains { $0["key"].string == "public/poster.png" })
        #expect(json["new"].elements.isEmpty)
    }

    @Test("A field under another level would dangle, and that is told before it is written down")
    func misses() throws {
        let app = try app()
        let told = try app.expect(0, "try", "Song: {field: title, level: private}")
        #expect(told.output.contains("0 of them listed\n  none is listed: another level"))
        #expect(told.output.contains("\nwould be new: 1 dangling, 1 orphan (6 B)\n"))
        #expect(!app.exists("mooring.ledger"))
    }

    @Test("What is no field of a configured model is refused with 78, and half a scan ends with 4")
    func refusals() throws {
        let app = try app()
        #expect(
            try app.expect(78, "try", "Sing: {field: title}").errors.contains(
                "unknown model 'Sing'; did you mean 'Song'?"))
        #expect(
            try app.expect(78, "try", "Song: {feld: title}").errors.contains("did you mean 'field'")
        )
        for text in ["Song", "Song: title", "{Song: {field: a}, Post: {field: b}}", "[Song]"] {
            #expect(try app.expect(78, "try", text).errors.contains("needs the form"), "\(text)")
        }
        try app.expect(64, "try")
        try app.rename("app.sqlite", to: "elsewhere")
        try app.expect(4, "try", "Song: {field: title, level: guest}")
    }
}
