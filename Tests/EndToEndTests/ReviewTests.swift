import Foundation
import Testing

@Suite("People decide: plan --by and plan --review")
struct ReviewTests {
    private func steps(_ app: App) throws -> [JSON] {
        let text = try #require(app.read("Reports/Runs/latest/plan.json"))
        return try JSON(parsing: text)["steps"].elements
    }

    // MARK: From the backlog to the repair

    @Test("Approved and unchanged is done, and nothing else: a backlog from its table to repair")
    func backlog() throws {
        let app = try App()
        let keys = try (1...6).map { try app.orphan("s\($0)", "orphan \($0)") }
        for id in ["d1", "d2", "d3"] { try app.dangling(id) }
        var (path, table) = try app.ask()
        #expect(table.rows.count == 9)
        #expect(!app.exists("Reports/Runs/latest/plan.json"))
        table.decide("approve") { _ in true }
        table.decide("keep") { $0["key"] == keys[1] }
        table.decide("") { $0["key"] == keys[2] }
        table.rows.removeAll { $0["key"] == keys[3] }
        try app.write(path, table.text())
        // Meanwhile: another content, a file that is referenced again, a record that was written.
        try app.put(keys[4], "another content")
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's6'", Array(App.cover("s6").utf8))
        try app.database.run("UPDATE Song SET _version = 2 WHERE id = 'd2'")
        try app.put(App.songKey("d3"))
        let late = try app.orphan("s7")
        try app.expect(0, "audit")
        let told = try app.expect(0, "plan", "--review", path).output
        #expect(
            told.contains(
                "reviewed: 2 approved, 1 kept, 1 without a decision, 2 changed, "), "\(told)")
        let notDone = told.components(separatedBy: "changed meanwhile, not done:\n").last ?? ""
        #expect(notDone.contains("no longer found; finding "), "\(told)")
        #expect(notDone.contains("its cause, object or record is another one now"), "\(told)")
        #expect(notDone.components(separatedBy: "  \(path):").count == 5, "\(told)")
        #expect(try steps(app).count == 2)
        try app.expect(0, "repair", "Reports/Runs/latest/plan.json", "--apply")
        #expect(app.quarantined() == [keys[0]: "orphan 1"])
        #expect(try app.cover(of: "d1") == nil)
        #expect(try app.cover(of: "d2") != nil && app.cover(of: "d3") != nil)
        for key in keys.dropFirst() + [late] { #expect(app.exists("files/" + key)) }
    }

    /// Names that files may really have, and spreadsheets and shells trip over.
    private static let names: [[UInt8]] =
        [
            "a\nb", "=cmd()", "<script>", "\u{1B}[2J", "-rf", "@sum", "+1", "a b", "é", "e\u{301}",
            "\\", "\"", "'", "a;b", "a,b", "\u{202E}gnp", "00012", "1e5", "2026-01-02", "...",
            "\u{FF1D}1", "\t=1", "x\u{0}".replacing("\u{0}", with: "0"),
        ].map { Array($0.utf8) } + [[0xFF], [0x80, 0xC3], [UInt8](repeating: 0x7A, count: 255)]

    @Test("Hostile keys go through a table and back, each under its own bytes")
    func hostileKeys() throws {
        var settings = App.Settings()
        settings.models = """
            - model: Song
              version: _version
              changed: _lastChangedAt
              files: [{field: coverArtKey, template: "{id}"}]
            """
        settings.race = "{preset: testing}"
        let app = try App(settings)
        try app.put("healthy")
        try app.database.run(
            "INSERT INTO Song (id, coverArtKey, _version, _lastChangedAt) VALUES (?, ?, 1, 1)",
            Array("healthy".utf8), Array("healthy".utf8))
        for name in Self.names {
            try app.write(Array("files/".utf8) + name, name, age: Age.old)
        }
        try app.expect(0, "audit")
        try app.expect(0, "audit")
        try app.expect(0, "plan", "--by", "owner", "--review-to", "asked")
        let tables = try app.tables("asked")
        #expect(tables.count == Self.names.count)
        var approved: Set<[UInt8]> = []
        for (number, (name, table)) in tables.sorted(by: { $0.key < $1.key }).enumerated() {
            #expect(name.utf8.allSatisfy { (0x2D...0x7A).contains($0) && $0 != 0x2F }, "\(name)")
            let row = try #require(table.rows.first)
            for cell in row.values {
                #expect(!"=+-@\t\r".contains(cell.first ?? "x"), "\(cell)")
            }
            let key =
                row["keyBase64"].flatMap { $0.isEmpty ? nil : Data(base64Encoded: $0) }
                .map { [UInt8]($0) } ?? Array((row["key"] ?? "").utf8)
            #expect(Self.names.contains(key), "\(row)")
            guard number.isMultiple(of: 2) else { continue }
            approved.insert(key)
            var decided = table
            decided.decide("approve") { _ in true }
            try app.write("asked/" + name, decided.text())
        }
        let told = try app.expect(0, "plan", "--review", "asked")
        #expect(told.output.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        #expect(
            told.output.contains("reviewed: \(approved.count) approved, 0 kept"), "\(told.told)")
        try app.expect(0, "repair", "Reports/Runs/latest/plan.json", "--apply")
        for name in Self.names {
            let isThere = app.read(Array("files/".utf8) + name) != nil
            #expect(isThere != approved.contains(name), "\(name)")
        }
    }

    @Test(
        "A table comes back as spreadsheets and editors save it",
        arguments: [
            ReviewTable.Form(), ReviewTable.Form(lineEnd: "\r\n", mark: "\u{FEFF}"),
            ReviewTable.Form(separator: ";", lineEnd: "\r\n", mark: "\u{FEFF}", quotesAll: true),
            ReviewTable.Form(separator: "\t"),
        ])
    func forms(form: ReviewTable.Form) throws {
        let app = try App()
        let keys = try (1...3).map { try app.orphan("s\($0)") }
        var (path, table) = try app.ask()
        table.decide(" Approve") { $0["key"] == keys[0] }
        table.decide("KEEP") { $0["key"] == keys[1] }
        table.rows.reverse()
        table.columns.reverse()
        for place in table.rows.indices { table.rows[place]["note"] = "for Anna; \"later\", maybe" }
        try app.write(path, table.text(form))
        try app.expect(0, "plan", "--review", path)
        #expect(try steps(app).map { $0["key"].string } == [keys[0]])
    }

    @Test("Only decision and seen are needed, whatever spreadsheets made of numbers and times")
    func mangled() throws {
        let app = try App()
        let key = try app.orphan("s1")
        var (path, table) = try app.ask()
        table.decide("approve") { _ in true }
        table.rows[0]["lastModified"] = "26.10.2026 04:52"
        table.rows[0]["size"] = "6,00E+00"
        table.rows[0]["finding"] = "1,23E+31"
        try app.write(path, table.text())
        try app.expect(0, "plan", "--review", path)
        #expect(try steps(app).map { $0["key"].string } == [key])
        table.columns = ["seen", "decision"]
        try app.write(path, table.text())
        try app.expect(0, "plan", "--review", path)
        #expect(try steps(app).count == 1)
    }

    @Test("Rows torn apart by sorting one column approve nothing")
    func torn() throws {
        let app = try App()
        for id in ["s1", "s2"] { try app.orphan(id) }
        var (path, table) = try app.ask()
        table.decide("approve") { _ in true }
        let keys = table.rows.map { $0["key"] }
        for place in 0..<2 { table.rows[place]["key"] = keys[1 - place] }
        try app.write(path, table.text())
        let told = try app.expect(0, "plan", "--review", path).output
        #expect(told.contains("cells are of several steps"), "\(told)")
        #expect(try steps(app).isEmpty)
    }

    // MARK: Several files, and what is refused

    @Test("Keep in one file wins over approve in another, and both are counted")
    func contradiction() throws {
        let app = try App()
        let keys = try (1...2).map { try app.orphan("s\($0)") }
        var (path, table) = try app.ask()
        table.decide("approve") { _ in true }
        try app.write(path, table.text())
        table.decide("keep") { $0["key"] == keys[0] }
        try app.write("other.csv", table.text())
        for files in [[path, "other.csv"], ["other.csv", path]] {
            let result = try app.expect(0, "plan", "--review", files[0], files[1], "--json").json()
            #expect(result["steps"].elements.map { $0["key"].string } == [keys[1]])
            #expect(result["review"]["contradicted"].integer == 1)
            #expect(result["review"]["approved"].integer == 1)
            #expect(result["review"]["kept"].integer == 1)
        }
    }

    @Test("A word that is none refuses everything with file, line and column, and is escaped")
    func unknownWord() throws {
        let app = try App()
        for id in ["s1", "s2"] { try app.orphan(id) }
        var (path, table) = try app.ask()
        table.decide("approve") { _ in true }
        table.rows[1]["decision"] = "del\u{1B}[31mete"
        try app.write(path, table.text())
        let refused = try app.expect(2, "plan", "--review", path)
        #expect(
            refused.errors.contains(
                "\(path):3: column 'decision': 'del\\x1b[31mete' is no decision"),
            "\(refused.told)")
        table.rows[1]["decision"] = "approve"
        table.rows[1]["seen"] = table.rows[1]["seen"].map { String($0.dropLast()) }
        try app.write(path, table.text())
        let cut = try app.expect(2, "plan", "--review", path)
        #expect(cut.errors.contains("\(path):3: column 'seen'"), "\(cut.told)")
        for text in ["", "a,b\n", "decision,seen\n\"approve,x\n"] {
            try app.write("bad.csv", text)
            #expect(try app.expect(2, "plan", "--review", "bad.csv").errors.contains("bad.csv:"))
        }
        try app.expect(2, "plan", "--review", "none.csv")
        try app.expect(2, "plan", "--review", "files")
        #expect(!app.exists("Reports/Runs/latest/plan.json"))
    }

    @Test("A step is never invented: neither hash, key nor strategy of a table means anything")
    func invented() throws {
        let app = try App()
        try app.healthy()
        try app.orphan("s1")
        var (path, table) = try app.ask()
        table.decide("approve") { _ in true }
        var other = table.rows[0]
        other["key"] = App.songKey("healthy")
        other["strategy"] = "delete"
        other["seen"] =
            "v1-\(String(repeating: "a", count: 32))-\(String(repeating: "b", count: 32))"
        other["finding"] = String(repeating: "a", count: 32)
        table.rows.append(other)
        try app.write(path, table.text())
        let result = try app.expect(0, "plan", "--review", path, "--json").json()
        #expect(result["steps"].elements.count == 1)
        #expect(result["review"]["notDone"][0]["reason"].string == "gone")
        #expect(result["review"]["notDone"][0]["line"].integer == 3)
    }

    @Test("Guards are asked about the whole plan, however little of it is approved")
    func guards() throws {
        var settings = App.Settings()
        settings.limits = "{}"
        let app = try App(settings)
        for number in 1..<5 { try app.orphan("s\(number)") }
        for number in 0..<32 { try app.healthy("h\(number)") }
        try app.expect(0, "audit")
        try app.expect(3, "plan", "--by", "month", "--review-to", "asked")
        #expect(!app.exists("asked"))
        let words = ["--accept", "orphanShare=10%"]
        try app.expect(0, "plan", "--by", "month", "--review-to", "asked", words[0], words[1])
        let (name, table) = try #require(try app.tables("asked").first)
        var decided = table
        decided.rows[0]["decision"] = "approve"
        try app.write("asked/" + name, decided.text())
        #expect(try app.expect(3, "plan", "--review", "asked").errors.contains("orphanShare"))
        try app.expect(0, "plan", words[0], words[1], "--review", "asked")
        #expect(try steps(app).count == 1)
    }

    // MARK: Asking

    @Test("Parts are told with steps and bytes, and each has a file of its own")
    func parts() throws {
        let app = try App()
        try app.orphan("s1", "four")
        try app.orphan("s2", "fourfour")
        try app.dangling("d1")
        try app.put("public/x/1", age: 400 * Age.day)
        try app.expect(0, "audit")
        try app.expect(0, "audit")
        let words = try app.expect(0, "plan", "--by", "prefix", "--review-to", "one").output
        #expect(words.contains(" in 1 part by prefix\n"), "\(words)")
        #expect(words.contains("media:private/\(App.identity)/"), "\(words)")
        #expect(words.contains("3 steps"), "\(words)")
        #expect(words.hasSuffix("  mooring plan --review one\n"), "\(words)")
        let months = try app.expect(
            0, "plan", "--by", "month", "--review-to", "two/deep", "--json"
        ).json()
        let parts = months["parts"].elements
        #expect(parts.compactMap { $0["name"].string }.last == "(no object)")
        #expect(months["steps"].integer == 3 && months["bytes"].integer == 12)
        let tables = try app.tables("two/deep")
        #expect(Set(parts.compactMap { $0["file"].string }) == Set(tables.keys))
        for part in parts {
            let table = try #require(tables[part["file"].string ?? ""])
            #expect(table.rows.count == part["steps"].integer)
            #expect(table.rows.allSatisfy { $0["part"] == part["name"].string })
        }
        #expect(
            try app.expect(0, "plan", "--by", "owner", "--quiet").output
                .hasPrefix("written: mooring-review-"))
    }

    @Test("Nothing is written over, nor into a bucket, and where nothing is planned nothing at all")
    func places() throws {
        let app = try App()
        try app.healthy()
        try app.expect(0, "audit")
        let nothing = try app.expect(0, "plan", "--by", "model", "--review-to", "asked").output
        #expect(nothing.hasSuffix("nothing to repair\n") && !app.exists("asked"))
        try app.orphan("s1")
        try app.expect(0, "audit")
        try app.write("taken/note", "mine")
        let taken = try app.expect(2, "plan", "--by", "model", "--review-to", "taken")
        #expect(taken.errors.contains("taken: exists and is left as it is"), "\(taken.told)")
        try app.expect(2, "plan", "--by", "model", "--review-to", "mooring.yaml")
        try app.expect(2, "plan", "--by", "model", "--review-to", "mooring.yaml/x")
        #expect(app.files(below: "taken").count == 1)
        let inside = try app.expect(2, "plan", "--by", "model", "--review-to", "files/asked")
        #expect(inside.errors.contains("lies in bucket 'media'"), "\(inside.told)")
        #expect(!app.exists("files/asked"))
        try app.expect(0, "plan", "--by", "model", "--review-to", "asked/")
        try app.expect(2, "plan", "--by", "model", "--review-to", "asked")
        let leftovers = try FileManager.default.contentsOfDirectory(atPath: app.path)
        #expect(!leftovers.contains { $0.hasSuffix(".partial") })
    }

    @Test("Options that do not go together are wrong usage")
    func usage() throws {
        let app = try App()
        try app.expect(64, "plan", "--by", "colour")
        try app.expect(64, "plan", "--review-to", "x")
        try app.expect(64, "plan", "--by", "owner", "--review", "x")
        try app.expect(64, "plan", "--review")
    }

    @Test("The walk of REVIEW.md does what the page says it does")
    func walk() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Docs/REVIEW.md"), encoding: .utf8)
        let walk = try #require(
            page.components(separatedBy: "## A walk\n").last?.components(separatedBy: "\n## ").first
        )
        let block = walk.split(separator: "\n").filter { $0.hasPrefix("    ") }
        let isCommand = { (line: Substring) in
            ["mooring ", "cd ", "sed "].contains { line.dropFirst(4).hasPrefix($0) }
        }
        let script = block.filter(isCommand).map { $0.dropFirst(4) }.joined(separator: "\n")
        let folder = try Folder()
        try folder.write("walk.sh", "set -e\nmooring() { '\(Program.path)' \"$@\"; }\n" + script)
        let running = try RunningProgram(
            ["sh", "walk.sh"], in: folder.path, environment: ["LC_ALL": "C"])
        let result = try running.wait(timeout: 120)
        #expect(result.status == 0, "\(result.told)")
        let shown = block.filter { !isCommand($0) }.map { $0.dropFirst(4) }
        #expect(shown.count > 5)
        for line in shown {
            // A run's name differs in every run.
            let words = line.split(separator: ": ").last ?? line
            #expect(result.output.contains(words), "\(line)\n\(result.told)")
        }
        #expect(result.output.contains(": 5 done, 0 stale, 0 failed of 5\n"), "\(result.told)")
    }
}
