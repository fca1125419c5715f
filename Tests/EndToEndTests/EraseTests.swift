import Foundation
import Glibc
import SeededNumbers
import Testing

@Suite("Erase: a deletion request")
struct EraseTests {
    static let other = "eu-west-1:11111111-2222-3333-4444-5555555555556"
    static let receipt = "erase-receipt.json"

    /// Two people's objects: live, orphaned, in quarantine, and made from others.
    private func app(
        _ limits: String = "{orphanShare: 100%, recordShare: 100%, objectDrop: 100%}"
    ) throws -> App {
        var settings = App.Settings()
        settings.limits = limits
        settings.bucket = "directory: ./files\n    derived: [\"thumbs/{key}\"]"
        let app = try App(settings)
        try app.healthy("mine")
        try app.put("thumbs/" + App.songKey("mine"), "thumb")
        try app.put("protected/\(App.identity)/p.png", "protected")
        try app.put("private/\(Self.other)/theirs.png", "theirs")
        try app.put("public/everybody.png", "public")
        return app
    }

    private func remaining(_ app: App) -> [String] {
        app.files(below: "files").keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Whether bytes stand in any file of the ledger or of the reports.
    private func isNamed(_ text: String, _ app: App) -> [String] {
        var places: [String] = []
        var files = app.files(below: "Reports")
        for name in ["mooring.ledger", "mooring.ledger-wal", "mooring.ledger-shm"] {
            files[Array(name.utf8)] = app.read(Array(name.utf8)) ?? []
        }
        for (name, bytes) in files
        where String(decoding: bytes, as: UTF8.self).contains(text) {
            places.append(String(decoding: name, as: UTF8.self))
        }
        return places.sorted()
    }

    private func receipt(_ app: App) throws -> JSON {
        let run = try #require(try app.newest("erase")["id"].string)
        return try JSON(
            parsing: try #require(app.read("Reports/Runs/\(run)/\(Self.receipt)")))
    }

    @Test("A dry run lists what would go, and changes nothing")
    func dryRun() throws {
        let app = try app()
        let before = remaining(app)
        let result = try app.expect(0, "erase", "--identity", App.identity)
        #expect(result.output.contains("3 objects"))
        #expect(result.output.contains("records still hold 1 of them"))
        #expect(result.output.components(of: "would remove for good") == 3)
        #expect(result.output.contains("dry run") && result.output.contains("cannot be undone"))
        #expect(remaining(app) == before)
        let json = try app.expect(0, "erase", "--identity", App.identity, "--json").json()
        #expect(json["applied"].bool == false)
        #expect(json["objects"]["found"].integer == 3)
        #expect(json["objects"]["referenced"].integer == 1)
        #expect(json["steps"].elements.count == 3)
        #expect(json["asked"]["by"].string == "identity")
        #expect(!app.exists("files/.mooring"))
    }

    @Test("Bucket, quarantine, ledger and reports hold nothing of the person afterwards")
    func everything() throws {
        let app = try app()
        // Not their real owner: whose an object is, its key says.
        try app.orphan("removed", "in quarantine")
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        try app.orphan("found", "an orphan")
        try app.dangling("missing")
        try app.expect(0, "audit", "--format", "json,html,text,csv")
        try app.expect(0, "plan")
        #expect(app.quarantined().count == 1)
        let keys = [App.identity + "/", "removed-\(App.uuid(1))", "found-\(App.uuid(1))"]
        for key in keys { #expect(!isNamed(key, app).isEmpty, "\(key)") }
        let reports = try app.runs().compactMap { $0["id"].string }

        let result = try app.expect(0, "erase", "--identity", App.identity, "--apply")
        #expect(result.output.contains("removing them for good; this cannot be undone"))
        #expect(result.output.contains("7 of 7 objects removed for good; this cannot be undone"))
        #expect(result.output.contains("run mooring audit"))
        #expect(
            remaining(app) == ["private/\(Self.other)/theirs.png", "public/everybody.png"])
        for key in keys { #expect(isNamed(key, app) == [], "\(key)") }
        // A folder with the person's name is no object, and goes when it is empty.
        for folder in ["private", "protected"] {
            #expect(!app.exists("files/\(folder)/\(App.identity)"))
        }
        for run in reports where app.exists("Reports/Runs/\(run)") {
            #expect(app.exists("Reports/Runs/\(run)/report.json"))
        }
        #expect(try app.findings().isEmpty || !app.findings().contains { $0.kind == "dangling" })
        #expect(app.read("Reports/Runs/latest/report.html") != nil)

        let receipt = try receipt(app)
        #expect(receipt["schema"].string == "mooring.erase-receipt/1")
        #expect(receipt["objects"]["removed"].integer == 7)
        #expect(receipt["objects"]["quarantined"].integer == 1)
        #expect(receipt["evidence"]["cleared"].bool == true)
        #expect((receipt["evidence"]["findings"].integer ?? 0) > 0)
        #expect(receipt["failed"].elements.isEmpty)
        let verified = try app.expect(0, "journal", "verify", "--json").json()
        #expect(receipt["journal"]["head"].string == verified["head"].string)
        #expect(verified["erased"].integer == 8)
        try app.expect(0, "ledger", "check")

        // Records are not changed; what they hold dangles, and can be repaired as ever.
        let found = try app.audit()
        #expect(found.contains { $0.kind == "dangling" && $0.recordID == "mine" })
        let again = try app.expect(0, "erase", "--identity", App.identity)
        #expect(again.output.contains("0 objects"))
        try app.expect(0, "undo", try #require(try app.newest("repair")["id"].string), "--apply")
        try app.expect(2, "undo", try #require(try app.newest("erase")["id"].string))
    }

    @Test("Pages hold more findings than can be seen in their bytes, and those go too")
    func pages() throws {
        var settings = App.Settings()
        settings.limits = "{orphanShare: 100%, recordShare: 100%, objectDrop: 100%}"
        settings.report = "{directory: Reports/Runs, formats: [html]}"
        let app = try App(settings)
        try app.put("private/\(Self.other)/theirs.png", "theirs")
        for number in 0..<120 { try app.put(App.songKey("s\(number)")) }
        // Those that a page tells in plain text come first; they are nobody's.
        for number in 0..<60 { try app.put("archive/\(number)") }
        try app.expect(0, "audit")
        let plan = "Reports/Runs/latest/plan.json"
        try app.expect(0, "plan")
        try app.expect(0, "repair", plan, "--apply")
        // Of one run the ledger knows nothing any more.
        let audit = try #require(try app.newest("audit")["id"].string)
        let unknown = "Reports/Runs/20200101T000000Z-000000/report.html"
        let page = try #require(app.read("Reports/Runs/\(audit)/report.html"))
        #expect(!page.contains(App.identity), "it is in the blocks alone")
        try app.write(unknown, page)
        try app.expect(0, "erase", "--identity", App.identity, "--apply")
        #expect(!app.exists(unknown))
        var pages = 0
        for (name, bytes) in app.files(below: "Reports")
        where String(decoding: name, as: UTF8.self).hasSuffix("/report.html") {
            pages += 1
            let page = String(decoding: bytes, as: UTF8.self)
            #expect(
                !page.contains("private/\(App.identity)/"),
                "\(String(decoding: name, as: UTF8.self))")
            // The other person's orphan and nobody's alone, if any.
            for block in page.components(separatedBy: "data-kind=\"orphan\" data-rows=\"")
                .dropFirst()
            {
                #expect(block.hasPrefix("61\""), "\(String(decoding: name, as: UTF8.self))")
            }
        }
        #expect(pages >= 2)
    }

    @Test("The repairs of a longer identity can still be taken back")
    func longerIdentity() throws {
        var settings = App.Settings()
        settings.models = """
            - model: Song
              version: _version
              changed: _lastChangedAt
              files: [{field: coverArtKey}]
            """
        let app = try App(settings)
        let covers = [App.identity, Self.other].map { "private/\($0)/gone.png" }
        for (id, cover) in zip(["mine", "theirs"], covers) { try app.song(id, cover: cover) }
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        let repair = try #require(try app.newest("repair")["id"].string)
        try app.expect(0, "erase", "--identity", App.identity, "--apply")
        try app.expect(0, "undo", repair, "--apply")
        let held = try app.database.rows("SELECT coverArtKey FROM Song ORDER BY id")
        #expect(held == [[nil], [covers[1]]])
    }

    @Test("A prefix means keys that begin so; other keys stay")
    func prefix() throws {
        let app = try app()
        let result = try app.expect(
            0, "erase", "--prefix", "protected/\(App.identity)/p", "--apply", "--json"
        ).json()
        #expect(result["applied"].bool == true)
        #expect(result["receipt"]["objects"]["removed"].integer == 1)
        #expect(result["steps"][0]["outcome"].string == "done")
        #expect(!remaining(app).contains("protected/\(App.identity)/p.png"))
        #expect(remaining(app).count == 4)
    }

    @Test("What means too much is refused, and so is wrong usage")
    func refusals() throws {
        let app = try app("{steps: 2}")
        let before = remaining(app)
        for wrong in [
            ["erase"], ["erase", "--prefix", ""], ["erase", "--identity", ""],
            ["erase", "--identity", "a/b"], ["erase", "--identity", "a", "--prefix", "b"],
            ["erase", "--identity-base64", "*"], ["erase", "--prefix", "x", "--bucket", "none"],
            ["erase", "--prefix", "x", "--as-of", "2026-01-01T00:00:00Z"],
        ] {
            let result = try Program.run(wrong + ["--apply"], in: app.path)
            #expect(result.status == 64, "\(wrong): \(result.told)")
        }
        for prefix in ["p", "priv", "private"] {
            let result = try app.expect(3, "erase", "--prefix", prefix, "--apply")
            #expect(result.errors.contains("spell the whole prefix out"))
        }
        let whole = try app.expect(3, "erase", "--prefix", "private/", "--apply")
        // So few are never too large a share; the limit on steps holds for them too.
        #expect(whole.errors.contains("steps is 3"))
        let many = try app.expect(3, "erase", "--identity", App.identity, "--apply")
        #expect(many.errors.contains("--accept steps=3"))
        #expect(remaining(app) == before)
        try app.expect(
            0, "erase", "--identity", App.identity, "--accept", "steps=3", "--apply")
        #expect(remaining(app).count == 2)
        try app.expect(
            0, "erase", "--prefix", "private/", "--accept", "orphanShare=100%", "--apply")
        #expect(remaining(app) == ["public/everybody.png"])
    }

    @Test("An identity of any bytes erases its own objects and no other's")
    func hostile() throws {
        let app = try app()
        let folder = Array("files/private/".utf8)
        let names: [[UInt8]] = [[0xFF, 0x0A], [0xFF], [0xFF, 0x0A, 0x0A], Array("é".utf8)]
        for name in names {
            try app.write(folder + name + Array("/k".utf8), [1], age: Age.old)
        }
        try app.write(folder + Array("e\u{301}/k".utf8), [2], age: Age.old)
        try app.audit()
        let result = try app.expect(
            0, "erase", "--identity-base64", "/wo=", "--apply")
        #expect(result.output.contains("1 of 1 object"))
        #expect(result.output.contains("\\xff\\x0a"))
        try app.expect(0, "erase", "--identity", "é", "--apply")
        #expect(app.read(folder + names[0] + Array("/k".utf8)) == nil)
        #expect(app.read(folder + names[3] + Array("/k".utf8)) == nil)
        for name in [names[1], names[2], Array("e\u{301}".utf8)] {
            #expect(app.read(folder + name + Array("/k".utf8)) != nil, "\(name)")
        }
        try app.expect(0, "journal", "verify")
    }

    // The records are read behind the listing: the erasure waits there.
    @Test("An object that is newer than the listing is left; a second run leaves with 6")
    func newer() throws {
        let app = try App(mode: "DELETE")
        try app.put("private/me/a", "old")
        try app.put("private/me/b", "old")
        let held = try HeldProgram(["erase", "--identity", "me", "--apply"], in: app)
        try app.expect(6, "erase", "--identity", "me", "--apply")
        #expect(
            try app.expect(0, "ledger", "check").output.contains(
                "held by process \(held.process.pid)"))
        try app.put("private/me/a", "newer", age: 0)
        try held.goOn()
        let result = try held.process.wait()
        #expect(result.status == 5, "\(result.told)")
        #expect(result.output.contains("1 could not be removed"))
        #expect(app.read("files/private/me/a") == "newer")
        #expect(!app.exists("files/private/me/b"))
        let failed = try receipt(app)["failed"]
        #expect(failed[0]["outcome"].string == "stale" && failed[0]["key"].isNull)
        try app.expect(0, "erase", "--identity", "me", "--apply")
        #expect(!app.exists("files/private/me/a"))
    }

    @Test("Records that cannot be read keep nothing from going, and the run is incomplete (4)")
    func incomplete() throws {
        let app = try app()
        try app.rename("app.sqlite", to: "gone.sqlite")
        try app.expect(4, "erase", "--identity", App.identity)
        try app.expect(4, "erase", "--identity", App.identity, "--apply")
        #expect(remaining(app).count == 2)
        #expect(try receipt(app)["incomplete"].elements.compactMap(\.string) == ["app"])
    }

    @Test("A mapped table that is gone is told, and leaves what records hold incomplete (4)")
    func goneTable() throws {
        let app = try app()
        try app.database.run("DROP TABLE Post")
        let told = try app.expect(4, "erase", "--identity", App.identity).told
        #expect(told.contains("Post"), "\(told)")
        try app.expect(4, "erase", "--identity", App.identity, "--apply")
        #expect(remaining(app).count == 2)
        #expect(try receipt(app)["incomplete"].elements.compactMap(\.string) == ["app"])
    }

    @Test("Killed at random points until it is done: nothing of the person is left")
    func killed() throws {
        let seed = Seed.one()
        var random = Seeded(state: seed)
        let app = try app()
        for number in 0..<20 { try app.orphan("q\(number)") }
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        for number in 0..<20 { try app.orphan("o\(number)") }
        try app.audit()
        var kills = 0
        while kills < 60 {
            let process = try Program.start(
                ["erase", "--identity", App.identity, "--apply"], in: app.path)
            let wanted = Int(random.next() % 12)
            while try process.poll() == nil {
                if process.output.components(of: "\n  done ") >= wanted {
                    usleep(UInt32(random.next() % 20_000))
                    process.signal(SIGKILL)
                    break
                }
                usleep(300)
            }
            let result = try process.wait()
            if result.status != 128 + SIGKILL {
                #expect(result.status == 0, "seed \(seed): \(result.told)")
                break
            }
            kills += 1
            // A nightly job in between ends what was left open, and gives nothing back for good.
            if kills == 2 { try app.expect(0, "run") }
        }
        #expect(kills < 60, "seed \(seed)")
        // A lease that was being written when the program was killed names nobody, and may stay.
        let left = remaining(app).filter { !$0.hasPrefix(".mooring/quarantine/.lease-") }
        #expect(
            left == ["private/\(Self.other)/theirs.png", "public/everybody.png"], "seed \(seed)")
        #expect(try app.openIntents() == 0, "seed \(seed)")
        #expect(isNamed(App.identity + "/", app) == [], "seed \(seed)")
        try app.expect(0, "journal", "verify")
    }

    @Test("What cannot be removed is named, and the run ends with 5")
    func leftUndone() throws {
        let app = try app()
        // It has a place in the bucket, and none below the quarantine: its path is too long there.
        let part = String(repeating: "x", count: 250) + "/"
        let long =
            "private/\(App.identity)/" + String(repeating: part, count: 15)
            + String(repeating: "y", count: 230)
        try app.put(long)
        let result = try app.expect(5, "erase", "--identity", App.identity, "--apply")
        #expect(result.output.contains("too long or too deep"))
        #expect(result.output.contains("3 of 4 objects removed for good"))
        #expect(app.exists("files/" + long))
        #expect(remaining(app).count == 3)
        #expect(try app.openIntents() == 0)
        let receipt = try receipt(app)
        #expect(receipt["failed"][0]["outcome"].string == "failed")
        #expect(receipt["failed"][0]["keySHA256"].string?.utf8.count == 64)
        #expect(isNamed(App.identity + "/", app) == [])
    }
}
