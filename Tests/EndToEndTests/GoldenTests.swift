import Foundation
import Testing

/// Texts that users read, word for word. `MOORING_RECORD=1 swift test --filter GoldenTests` writes
/// the files of `Golden` anew; read the difference before you commit it.
@Suite("Golden texts")
struct GoldenTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("Golden").path
    private static let records = ProcessInfo.processInfo.environment["MOORING_RECORD"] == "1"

    private func compare(_ text: String, _ name: String) throws {
        let path = Self.folder + "/" + name
        if Self.records {
            try FileManager.default.createDirectory(
                atPath: Self.folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        let data = try #require(FileManager.default.contents(atPath: path), "\(name) is missing")
        #expect(text == String(decoding: data, as: UTF8.self), "\(name)")
    }

    @Test(
        "Every help text, at 80 columns and in ASCII",
        arguments: [
            "", "demo", "init", "doctor", "audit", "check", "plan", "repair", "run", "sweep",
            "undo", "baseline",
            "report", "runs", "findings", "diff", "explain", "resolve", "try", "notify", "simulate",
            "erase",
            "journal verify", "ledger check", "ledger rebuild", "presign", "iam-policy", "evidence",
            "evidence write", "evidence verify", "spark", "inventory",
        ])
    func help(command: String) throws {
        let words = command.split(separator: " ").map(String.init) + ["--help"]
        let result = try Program.run(words, in: "/tmp", environment: ["COLUMNS": "80"])
        #expect(result.status == 0)
        #expect(result.errors == "")
        for line in result.output.split(separator: "\n") {
            #expect(line.utf8.count <= 80, "\(line)")
            #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(line)")
        }
        // A paragraph that is filled twice leaves a line of a word or two in its middle.
        let name = words.dropLast().map { "-" + $0 }.joined()
        try compare(result.output, "help\(name).txt")
        if !command.isEmpty { #expect(result.output.contains("EXIT STATUS")) }
    }

    @Test("The policies for audit and for repair", arguments: ["audit", "repair"])
    func iamPolicy(purpose: String) throws {
        let app = try S3Folder(
            endpoint: "http://127.0.0.1:1", bucket: "store", prefixes: "[public/, protected/]")
        let result = try Program.run(["iam-policy", "--for", purpose], in: app.path)
        #expect(result.status == 0, "\(result.told)")
        try compare(result.output, "iam-policy-\(purpose).json")
    }

    @Test("The SQL of an inventory table")
    func inventory() throws {
        let app = try S3Folder(
            endpoint: "https://s3.eu-west-1.amazonaws.com", bucket: "my.store",
            prefixes: "[public/, \"it's/\", \"é/\"]")
        let result = try Program.run(["inventory", "--sql", "media"], in: app.path)
        #expect(result.status == 0, "\(result.told)")
        try compare(result.output, "inventory.sql")
    }

    @Test("The main error messages")
    func errors() throws {
        var text = ""
        let app = try App()
        for number in 1...4 { try app.orphan("o\(number)") }
        func tell(_ words: String...) throws {
            let result = try Program.run(words, in: app.path, environment: ["COLUMNS": "80"])
            text += "$ mooring \(words.joined(separator: " "))\n"
            text += normalised(result.errors, app) + "(status \(result.status))\n\n"
        }
        try tell("runs")
        try tell("plan")
        try tell("report", "latest")
        try tell("audit", "--format", "pdf")
        try tell("audit", "--as-of", "now")
        try tell("repair", "x", "--as-of", "2030-01-01T00:00:00Z")
        try tell("plan", "--accept", "everything")
        try tell("audti")
        try app.audit()
        try tell("repair", "nothing.json")
        try tell("report", "20010101")
        var settings = App.Settings()
        settings.limits = "{}"
        try app.configure(settings)
        try tell("plan")
        try app.audit()
        try tell("plan")
        settings.repair = "{orphan: delete}"
        try app.configure(settings)
        try app.audit()
        try tell("plan")
        try tell("run")
        settings.repair = "{}"
        settings.extra = "confirm: never"
        try app.configure(settings)
        try app.audit()
        try tell("plan")
        settings.extra = ""
        try app.configure(settings)
        try app.rename("app.sqlite", to: "gone.sqlite")
        _ = try app.mooring("audit")
        try tell("plan")
        settings.extra = "colour: red\nrepport: {}"
        settings.repair = "{orphan: delte}"
        try app.configure(settings)
        try tell("audit")
        app.remove("mooring.yaml")
        try tell("audit", "--config", "mooring.yaml")
        try compare(text, "errors.txt")
    }

    // Names of runs and of the temporary folder differ in every run.
    private func normalised(_ text: String, _ app: App) -> String {
        text.replacing(app.path, with: "DIR")
            .replacing(/\d{8}T\d{6}Z-[0-9a-z]{6}/, with: "RUN")
    }
}
