import Foundation
import Testing

/// The demo's app with its records in another store than the SQLite database that they come from.
final class DemoApp {
    /// A table of the demo, each value as the text that the app gave it; nil for NULL.
    struct Table {
        let name: String
        let columns: [String]
        let rows: [[String?]]
    }

    let folder: Folder
    let environment: [String: String]
    private var home: String { folder.path + "/app" }

    /// Makes a demo; nothing is moved yet.
    init(environment: [String: String] = [:]) throws {
        folder = try Folder()
        self.environment = environment
        let made = try Program.run(["demo", "app"], in: folder.path)
        try #require(made.status == 0, "\(made.told)")
    }

    /// The columns that hold whole numbers; every other one holds texts.
    static let numbers: Set<String> = ["_version", "_lastChangedAt", "_deleted"]

    /// What the app's records are, for another store to take.
    func tables() throws -> [Table] {
        let database = try Database(home + "/app.sqlite")
        let names = try database.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return try names.compactMap { $0[0] }.map { name in
            Table(
                name: name,
                columns: try database.rows("PRAGMA table_info(\(name))").compactMap { $0[1] },
                rows: try database.rows("SELECT * FROM \(name) ORDER BY id"))
        }
    }

    /// Lets the configuration read the app's records from another store, named as YAML.
    func move(to source: String) throws {
        let file = home + "/mooring.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try #require(text.contains("sqlite: ./app.sqlite"))
        try text.replacingOccurrences(of: "sqlite: ./app.sqlite", with: source)
            .write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Runs the program in the demo's folder.
    func mooring(_ words: String...) throws -> Program.Result {
        try Program.run(words, in: home, environment: environment)
    }

    /// Audits, and says what was found: each finding's identifier, cause and verdict.
    func findings() throws -> Set<String> {
        let audit = try mooring("audit")
        try #require(audit.status == 0, "\(audit.told)")
        let rows = try mooring("findings", "--json").json()["findings"].elements
        return Set(
            rows.map { row in
                ["kind", "cause", "verdict", "id"].map { row[$0].string ?? "-" }
                    .joined(separator: " ")
            })
    }

    private func identifiers() throws -> Set<String> { Set(try findings().map(Self.identifier)) }

    private static func identifier(_ finding: String) -> String {
        finding.split(separator: " ").last.map(String.init) ?? finding
    }

    /// What the SQLite form of the same demo finds, for comparison; before `move`.
    func expected() throws -> Set<String> {
        let found = try findings()
        try FileManager.default.removeItem(atPath: home + "/mooring.ledger")
        return found
    }

    /// Plans, repairs, audits, undoes and audits again; nothing that was repaired may be found
    /// after the repair, and everything has to be found again after the undo.
    func round() throws {
        let before = try findings()
        let plan = try mooring("plan", "--json").json()["steps"].elements
        #expect(!plan.isEmpty)
        let repair = try mooring("repair", "Reports/Runs/latest/plan.json", "--apply")
        #expect(repair.status == 0, "\(repair.told)")
        let left = try findings()
        let repaired = Set(plan.compactMap { $0["finding"].string })
        #expect(repaired.isDisjoint(with: left.map(Self.identifier)))
        let undo = try mooring("undo", "latest", "--apply")
        #expect(undo.status == 0, "\(undo.told)")
        // An undo is a write too, so that its records changed just now: the verdicts say so.
        #expect(try identifiers() == Set(before.map(Self.identifier)))
    }

    /// Wants a repair to be refused while its source's clock is ten minutes off, in either
    /// direction, and to be carried out when it is right again.
    func refusesAClock(setting set: (_ seconds: Int) -> Void) throws {
        _ = try findings()
        let steps = try mooring("plan", "--json").json()["steps"].elements
        #expect(!steps.isEmpty)
        for (seconds, status) in [(600, 3), (-600, 3), (0, 0)] as [(Int, Int32)] {
            set(seconds)
            let repair = try mooring("repair", "Reports/Runs/latest/plan.json", "--apply")
            #expect(repair.status == status, "\(seconds): \(repair.told)")
            let isRefused = repair.errors.contains("clock")
            #expect(isRefused == (status == 3), "\(seconds): \(repair.told)")
        }
    }
}
