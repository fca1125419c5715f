import Glibc
import Testing

@Suite("A prefix that vanished")
struct VanishedTests {
    /// Songs of several owners, each with its file in its owner's folder.
    private func app(
        owners: Int, each: Int, repair: String = "{dangling: nullify, apply: true}"
    ) throws -> App {
        var settings = App.Settings()
        settings.repair = repair
        settings.models = """
            - model: Song
              version: _version
              changed: _lastChangedAt
              deleted: _deleted
              identity: ownerIdentity
              files: [{field: coverArtKey, level: private}]
            """
        let app = try App(settings)
        try app.database.run("BEGIN")
        for owner in 0..<owners {
            for number in 0..<each {
                let key = "\(owner)-\(number).png"
                try app.database.run(
                    """
                    INSERT INTO Song VALUES ('s\(owner)-\(number)', 'A title', '\(key)',
                        '\(Self.identity(owner))', 1, \(App.milliseconds(ago: Age.old)), 0)
                    """)
                try app.put("private/\(Self.identity(owner))/\(key)", "x")
            }
        }
        try app.database.run("COMMIT")
        return app
    }

    private static func identity(_ owner: Int) -> String { "eu-west-1:\(App.uuid(owner))" }
    private static func head(_ owner: Int) -> String { "private/\(identity(owner))/" }

    private func held(_ app: App, _ owner: Int) throws -> String? {
        try app.database.text(
            "SELECT count(coverArtKey) FROM Song WHERE id LIKE 's\(owner)-%'")
    }

    @Test("One identity's folder of 33 among 5,000 references stays undecided, until accepted")
    func oneIdentity() throws {
        let app = try app(owners: 151, each: 33)
        app.remove("files/" + Self.head(7))
        app.remove("files/" + Self.head(8) + "8-1.png")
        try app.expect(0, "run")
        let findings = try app.findings().filter { $0.kind == "dangling" }
        #expect(
            findings.count(where: { $0.label == "dangling/vanished/undecided" }) == 33)
        #expect(findings.count(where: { $0.label == "dangling/missing/settled" }) == 1)
        #expect(try held(app, 7) == "33" && held(app, 8) == "32")
        let command = "mooring audit --accept 'vanished:\(Self.head(7))=33'"
        #expect(findings.contains { $0.evidence.contains(command) })
        let notes = try app.report()["notes"].elements.compactMap(\.string)
        #expect(notes.contains { $0.contains("33 dangling references below 1 prefix") })
        #expect(!notes.contains { $0.contains(Self.identity(7)) })
        // A number that does not cover what is missing accepts nothing.
        try app.expect(0, "run", "--accept", "vanished:\(Self.head(7))=32")
        #expect(try held(app, 7) == "33")
        try app.expect(0, "audit", "--accept", "vanished:\(Self.head(7))=33")
        // It is kept: the next run goes on from there.
        try app.expect(0, "run")
        #expect(try held(app, 7) == "0" && held(app, 9) == "33")
    }

    @Test("An account that was deleted by erase is no doubt, and nothing names it afterwards")
    func erased() throws {
        let app = try app(owners: 3, each: 10)
        try app.expect(0, "run")
        try app.expect(0, "erase", "--identity", Self.identity(1), "--apply")
        try app.expect(0, "run")
        #expect(try held(app, 1) == "0" && held(app, 0) == "10")
    }

    @Test("An erased prefix, and one that was accepted before it was erased")
    func erasedPrefix() throws {
        let app = try app(owners: 3, each: 10)
        app.remove("files/" + Self.head(1))
        try app.expect(0, "audit", "--accept", "vanished:\(Self.head(1))=10")
        try app.expect(0, "erase", "--prefix", Self.head(1), "--apply")
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        #expect(try ledger.text("SELECT count(*) FROM acceptedLoss") == "0")
        #expect(try ledger.text("SELECT count(*) FROM erasure") == "1")
        try app.expect(0, "run")
        #expect(try held(app, 1) == "0")
    }

    @Test("What vanishes again below a prefix that was accepted or erased is a doubt again")
    func again() throws {
        let app = try app(owners: 3, each: 10)
        app.remove("files/" + Self.head(1))
        try app.expect(0, "run", "--accept", "vanished:\(Self.head(1))=10")
        try app.expect(0, "erase", "--identity", Self.identity(2), "--apply")
        try app.expect(0, "run")
        #expect(try held(app, 1) == "0" && held(app, 2) == "0")
        for owner in 1...2 {
            try app.database.run(
                """
                UPDATE Song SET coverArtKey = substr(id, 2) || '.png' WHERE id LIKE 's\(owner)-%'
                """)
            for number in 0..<10 {
                try app.put(Self.head(owner) + "\(owner)-\(number).png", "x")
            }
        }
        try app.expect(0, "run")
        for owner in 1...2 { app.remove("files/" + Self.head(owner)) }
        for _ in 0..<2 { _ = try app.mooring("run") }
        #expect(try held(app, 1) == "10" && held(app, 2) == "10")
    }

    @Test("Four records are too few to doubt, and a tenth that is left is no vanished prefix")
    func borders() throws {
        let app = try app(owners: 2, each: 4)
        app.remove("files/" + Self.head(1))
        try app.expect(0, "run")
        #expect(try held(app, 1) == "0")
        let other = try self.app(owners: 2, each: 10)
        for number in 1..<10 { other.remove("files/" + Self.head(1) + "1-\(number).png") }
        try other.expect(0, "run")
        #expect(try held(other, 1) == "1")
    }

    @Test("More that vanishes below an accepted prefix is a doubt again")
    func more() throws {
        let app = try app(owners: 2, each: 10)
        app.remove("files/" + Self.head(1))
        try app.database.run("UPDATE Song SET coverArtKey = NULL WHERE id = 's1-9'")
        try app.expect(0, "audit", "--accept", "vanished:\(Self.head(1))=9")
        try app.database.run("UPDATE Song SET coverArtKey = '1-9.png' WHERE id = 's1-9'")
        try app.expect(0, "run")
        #expect(try held(app, 1) == "10")
        for wrong in ["vanished:", "vanished:=3", "vanished:private/", "vanished:private/=0"] {
            try app.expect(64, "audit", "--accept", wrong)
        }
    }

    @Test("What a user adds after the loss does not end the doubt, and all of it back does")
    func goesOn() throws {
        let app = try app(owners: 5, each: 33)
        try app.rename("files/" + Self.head(3), to: "away")
        try app.expect(0, "run")
        for number in 100..<104 {
            try app.database.run(
                """
                INSERT INTO Song VALUES ('s3-\(number)', 'A title', '3-\(number).png',
                    '\(Self.identity(3))', 1, \(App.milliseconds(ago: 0)), 0)
                """)
            try app.put(Self.head(3) + "3-\(number).png", "x", age: 0)
        }
        for _ in 0..<3 { try app.expect(0, "run") }
        #expect(try held(app, 3) == "37")
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        // Copied back by half, the rest is still to come.
        for (numbers, count) in [(0..<17, "1"), (17..<33, "0")] {
            for number in numbers { try app.put(Self.head(3) + "3-\(number).png", "x") }
            try app.expect(0, "run")
            #expect(try held(app, 3) == "37")
            #expect(try ledger.text("SELECT count(*) FROM vanishedPrefix") == count)
        }
    }

    @Test("An acceptance covers what every bucket misses below the prefix, or accepts nothing")
    func buckets() throws {
        let app = try app(owners: 1, each: 1)
        var settings = App.Settings()
        settings.repair = "{dangling: nullify, apply: true}"
        settings.bucket = "directory: ./files\n  - name: masters\n    directory: ./masters"
        settings.models = """
            - model: Song
              changed: _lastChangedAt
              identity: ownerIdentity
              files:
                - {field: coverArtKey, level: private, bucket: media}
                - {field: title, level: private, bucket: masters}
            """
        try app.configure(settings)
        for owner in 1..<4 {
            for number in 0..<10 {
                let key = "\(owner)-\(number).png"
                try app.database.run(
                    """
                    INSERT INTO Song VALUES ('s\(owner)-\(number)', '\(key)', '\(key)',
                        '\(Self.identity(owner))', 1, \(App.milliseconds(ago: Age.old)), 0)
                    """)
                try app.put(Self.head(owner) + key, "x")
                try app.write("masters/" + Self.head(owner) + key, "x", age: Age.old)
            }
        }
        func masters() throws -> String? {
            try app.database.text("SELECT count(title) FROM Song WHERE id LIKE 's1-%'")
        }
        app.remove("files/" + Self.head(1))
        app.remove("masters/" + Self.head(1))
        for count in [10, 19] {
            try app.expect(0, "run", "--accept", "vanished:\(Self.head(1))=\(count)")
            #expect(try held(app, 1) == "10" && masters() == "10")
        }
        let command = "mooring audit --accept 'vanished:\(Self.head(1))=20'"
        let told = try app.findings().filter { $0.evidence.contains(command) }
        #expect(told.count == 20)
        try app.expect(0, "audit", "--accept", "vanished:\(Self.head(1))=20")
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        #expect(try ledger.text("SELECT group_concat(count) FROM acceptedLoss") == "10,10")
        try app.expect(0, "run")
        #expect(try held(app, 1) == "0" && masters() == "0")
    }

    @Test("What was accepted is lowered before it is used, also in a run that a guard refuses")
    func lowered() throws {
        let app = try app(owners: 5, each: 10)
        try app.rename("files/" + Self.head(1), to: "away")
        try app.expect(0, "audit", "--accept", "vanished:\(Self.head(1))=10")
        try app.rename("away", to: "files/" + Self.head(1))
        try app.database.run("UPDATE Song SET coverArtKey = NULL WHERE id LIKE 's2-%'")
        try app.expect(0, "audit")
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        #expect(try ledger.text("SELECT count(*) FROM acceptedLoss") == "0")
        app.remove("files/" + Self.head(1))
        _ = try app.mooring("run")
        #expect(try held(app, 1) == "10")
    }
}
