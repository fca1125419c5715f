import Glibc
import TestServers
import Testing

/// `report.html` in a browser, as the program writes it.
@Suite("Page in a browser")
struct BrowserTests {
    @Test("A reader searches, opens and prints it, and no name of an object acts", .requiresBrowser)
    func page() async throws {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.report = "{directory: Reports/Runs, formats: [html]}"
        let app = try App(settings)
        for number in 1...130 { try app.orphan("s\(number)") }
        for number in 1...3 { try app.dangling("d\(number)") }
        let hostile = [
            "hostile <img src=x onerror=document.title=1>", "hostile <script>alert(1)<",
            "hostile \"'",
            "hostile \u{202E}gnp.exe", "hostile a\tb\nc", "hostile {{x}} <!--",
        ]
        for (number, name) in hostile.enumerated() {
            let content = String(repeating: "x", count: number + 1)
            // At the root, where they stand among the few that are told without the script.
            try app.write("files/\(name)", content, age: Age.old)
        }
        try app.expect(0, "audit")
        let run = try #require(try app.newest("audit")["id"].string)
        try await PageReader.use(app.path + "/Reports/Runs/\(run)/report.html")
    }
}
