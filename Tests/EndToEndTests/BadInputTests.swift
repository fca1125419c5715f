import Glibc
import Testing

/// What bad input gets: a clear error or a finding, the right status, nothing lost.
@Suite("Bad input")
struct BadInputTests {
    @Test("A database file that is missing makes the run incomplete, and is not made")
    func missingDatabase() throws {
        let app = try App()
        try app.healthy()
        try app.orphan()
        try app.rename("app.sqlite", to: "gone.sqlite")
        let result = try app.expect(4, "audit")
        #expect(result.told.contains("app.sqlite"))
        #expect(!app.exists("app.sqlite"))
        #expect(!app.exists("Reports/Runs/latest"))
        #expect(try app.expect(4, "plan").errors.contains("not read to the end"))
        #expect(try app.newest("audit")["status"].string == "incomplete")
        // Without its records nothing can be called an orphan.
        let found = try app.expect(0, "findings", "--json").json()["findings"].elements
        #expect(found.isEmpty)
    }

    @Test("A folder that is missing, or that is a file, makes the run incomplete")
    func missingFolder() throws {
        for isFile in [false, true] {
            let app = try App()
            try app.dangling()
            app.remove("files")
            if isFile { try app.write("files", "x") }
            let result = try app.expect(4, "audit")
            #expect(result.told.contains("files"))
            #expect(try app.expect(4, "plan").errors.contains("not read to the end"))
            #expect(try app.cover(of: "dangling") != nil)
            #expect(isFile || !app.exists("files"))
        }
    }

    @Test("A listing or text source that is missing makes the run incomplete")
    func missingFiles() throws {
        var settings = App.Settings()
        settings.bucket = "listing: ./gone.csv"
        let app = try App(settings)
        try app.healthy()
        #expect(try app.expect(4, "audit").told.contains("gone.csv"))
    }

    @Test("A database that is locked for longer than the wait makes the run incomplete")
    func lockedDatabase() throws {
        let app = try App(mode: "DELETE")
        try app.healthy()
        try app.database.run("BEGIN EXCLUSIVE")
        let result = try app.expect(4, "audit")
        try app.database.run("ROLLBACK")
        #expect(result.told.contains("locked") || result.told.contains("busy"), "\(result.told)")
        try app.expect(0, "audit")
    }

    @Test(
        "A corrupt database, and what is no database at all, makes the run incomplete",
        arguments: [true, false])
    func corruptDatabase(isDatabase: Bool) throws {
        let app = try App(mode: "DELETE")
        for number in 0..<200 { try app.song("s\(number)", cover: App.cover("s\(number)")) }
        try app.put("public/x")
        if isDatabase {
            var bytes = try #require(app.read(Array("app.sqlite".utf8)))
            for index in 4_096..<bytes.count where index % 3 == 0 { bytes[index] = 0x5A }
            try app.write(Array("app.sqlite".utf8), bytes)
        } else {
            try app.write("app.sqlite", String(repeating: "no database ", count: 1_000))
        }
        let result = try app.expect(4, "audit")
        #expect(result.told.contains("app.sqlite"), "\(result.told)")
        #expect(try app.expect(4, "plan").errors.contains("not read to the end"))
        #expect(app.exists("files/public/x"))
    }

    @Test(
        "A missing table or column makes the run incomplete, and is named",
        arguments: [
            ("model: Sonng", "Sonng"), ("model: Song\n  table: Nowhere", "Nowhere"),
            ("model: Song\n  version: _vers", "_vers"), ("model: Song\n  id: key", "key"),
        ])
    func missingNames(model: String, name: String) throws {
        var settings = App.Settings()
        settings.models = """
            - \(model)
              files: [{field: coverArtKey}]
            """
        let app = try App(settings)
        try app.healthy()
        let result = try app.expect(4, "audit")
        #expect(result.told.contains(name), "\(result.told)")
        #expect(try app.expect(2, "doctor").output.contains(name))
    }

    @Test(
        "A listing cut within a line makes the run incomplete, with the line",
        arguments: [
            ("cut.csv", "key,size,lastModified\na.png,1,2026-01-01T00:00:00Z\nb.png,1,20"),
            (
                "cut.jsonl",
                "{\"key\":\"a\",\"size\":1,\"lastModified\":\"2026-01-01T00:00:00Z\"}\n{\"key\""
            ),
        ])
    func cutListing(name: String, content: String) throws {
        var settings = App.Settings()
        settings.bucket = "listing: ./\(name)"
        let app = try App(settings)
        try app.healthy()
        try app.write(name, content)
        let result = try app.expect(4, "audit")
        let line = name.hasSuffix("csv") ? 3 : 2
        let problems = try latestProblems(app)
        #expect(problems.contains { $0.contains("\(name)") && $0.contains("\(line)") })
        #expect(result.told.contains("media"))
    }

    @Test("A gzip listing that is cut makes the run incomplete")
    func cutGzip() throws {
        var settings = App.Settings()
        settings.bucket = "listing: ./cut.csv.gz"
        let app = try App(settings)
        try app.healthy()
        var text = "key,size,lastModified\n"
        for number in 0..<5_000 { text += "\(number * 7_919).png,1,2026-01-01T00:00:00Z\n" }
        try app.write("cut.csv", text)
        try #require(Folder.command(["gzip", app.path + "/cut.csv"]) == 0)
        let bytes = try #require(app.read(Array("cut.csv.gz".utf8)))
        try app.write(Array("cut.csv.gz".utf8), Array(bytes.dropLast(200)))
        try app.expect(4, "audit")
        #expect(try latestProblems(app).contains { $0.contains("cut off") })
    }

    private func latestProblems(_ app: App) throws -> [String] {
        let run = try #require(try app.newest("audit")["id"].string)
        let report = try app.report(run)
        return (report["records"].elements + report["buckets"].elements)
            .flatMap { $0["problems"].elements.compactMap(\.string) }
    }

    @Test(
        "Invalid JSON in a list column is an invalid key, and protects its objects",
        arguments: [
            "[\"a1-00000000-0000-4000-8000-000000000001\"", "{\"k\": 1}", "[1, 2]", "not json",
            "[\"a\"] trailing", "\"a\"",
        ])
    func invalidJSON(value: String) throws {
        let app = try App()
        try app.healthy()
        try app.album("a1", value)
        try app.put("public/a1-\(App.uuid(1))")
        let findings = try app.audit()
        let invalid = try #require(findings.first { $0.kind == "invalid-key" })
        #expect(invalid.recordID == "a1")
        let (path, _) = try app.plan()
        _ = try app.mooring("repair", path, "--apply")
        #expect(app.exists("files/public/a1-\(App.uuid(1))"))
        #expect(try app.database.text("SELECT imageKeys FROM Album") == value)
    }

    @Test("Invalid JSON in a complex column is an invalid key")
    func invalidComplex() throws {
        let app = try App()
        try app.healthy()
        try app.post("p1", "{\"bucket\":\"media\"")
        try app.post("p2", "{\"bucket\":\"media\"}")
        let findings = try app.audit()
        #expect(findings.labels == ["invalid-key/settled", "invalid-key/settled"])
    }

    @Test("A repair whose ledger or report cannot be written changes nothing it cannot tell of")
    func reportDirectoryTaken() throws {
        let app = try App()
        let key = try app.orphan()
        try app.write("out", "a file in the way")
        let result = try app.expect(2, "audit", "--output", "out")
        #expect(result.errors.contains("out"))
        #expect(app.read("out") == "a file in the way")
        #expect(try app.newest("audit")["status"].string == "failed")
        #expect(app.exists("files/" + key))
        app.remove("mooring.ledger")
        try app.write("mooring.ledger/inside", "x")
        #expect(try app.expect(2, "audit").errors.contains("mooring.ledger"))
    }

    @Test("A stdout that is full does not keep a run from its end, and is told by the status")
    func fullOutput() throws {
        let app = try App()
        try app.healthy()
        let shell = "'\(Program.path)' audit > /dev/full 2> /dev/full; echo $? > status"
        let process = try RunningProgram(["/bin/sh", "-c", shell], in: app.path, environment: [:])
        #expect(try process.wait().status == 0)
        #expect(app.read("status") == "2\n")
        #expect(try app.newest("audit")["status"].string == "complete")
        #expect(app.exists("Reports/Runs/latest/report.json"))
    }
}

/// A full disk, as a small file system in memory: only root may mount one.
@Suite("A full disk", .enabled(if: SmallDisk.isPossible, "mounting a small disk is not allowed"))
struct FullDiskTests {
    @Test("While the ledger is written: an error that says so, and nothing lost")
    func ledger() throws {
        let app = try App()
        let disk = try SmallDisk(app.path + "/disk", size: "400k")
        defer { disk.unmount() }
        try app.write(
            "mooring.yaml",
            try #require(app.read("mooring.yaml"))
                .replacing("./mooring.ledger", with: "./disk/mooring.ledger"))
        for number in 0..<600 { try app.put("public/\(number)-\(App.uuid(number))") }
        try app.healthy()
        let result = try app.expect(2, "audit")
        #expect(result.errors.contains("full"), "\(result.told)")
        #expect(!app.exists("Reports/Runs/latest"))
        #expect(app.files(below: "files").count == 601)
    }

    @Test("While a report is written: an error that says so, and no half of a report")
    func report() throws {
        let app = try App()
        let disk = try SmallDisk(app.path + "/disk", size: "100k")
        defer { disk.unmount() }
        for number in 0..<600 { try app.put("public/\(number)-\(App.uuid(number))") }
        try app.healthy()
        let result = try app.expect(2, "audit", "--output", "disk")
        #expect(result.errors.contains("space"), "\(result.told)")
        #expect(!app.exists("disk/latest"))
        #expect(app.files(below: "disk").isEmpty, "\(app.files(below: "disk").keys)")
        #expect(try app.newest("audit")["status"].string == "failed")
    }

    @Test("While repairing: what was done is in the journal, and the next run goes on")
    func repair() throws {
        let app = try App()
        let disk = try SmallDisk(app.path + "/disk", size: "3m")
        defer { disk.unmount() }
        try app.write(
            "mooring.yaml",
            try #require(app.read("mooring.yaml"))
                .replacing("./mooring.ledger", with: "./disk/mooring.ledger"))
        let count = 40
        for number in 0..<count { try app.orphan("s\(number)", "content \(number)") }
        let (path, _) = try app.plan()
        try disk.fill()
        let result = try app.expect(2, "repair", path, "--apply")
        #expect(result.errors.contains("full"), "\(result.told)")
        let moved = app.quarantined().count
        #expect(moved < count)
        app.remove("disk/filler")
        try app.expect(0, "repair", path, "--apply")
        #expect(app.quarantined().count == count)
    }
}

/// A small file system in memory, mounted at a folder.
struct SmallDisk {
    let path: String

    static let isPossible: Bool = {
        guard getuid() == 0 else { return false }
        do {
            let folder = try Folder()
            try SmallDisk(folder.path + "/disk", size: "100k").unmount()
            return true
        } catch {
            // Making one is the only sure way to learn whether it may be made.
            return false
        }
    }()

    struct Refused: Error {}

    init(_ path: String, size: String) throws {
        self.path = path
        guard mkdir(path, 0o755) == 0,
            Folder.command(
                ["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path]) == 0
        else { throw Refused() }
    }

    /// Writes a file `filler` until nothing more fits.
    func fill() throws {
        let file = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let piece = [UInt8](repeating: 1, count: 1_024)
        while write(file, piece, piece.count) > 0 {}
    }

    func unmount() { Folder.command(["umount", "-l", path]) }
}
