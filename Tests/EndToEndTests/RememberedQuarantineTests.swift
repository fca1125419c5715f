import Foundation
import Testing

/// Removed objects that lie where the configuration no longer says: the ledger remembers each place
/// that it ever used, and what it does not know stops everything.
@Suite("Quarantines of before")
struct RememberedQuarantineTests {
    private static func settings(_ quarantine: String?, _ ignore: String? = nil) -> App.Settings {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.repair = "{orphan: quarantine, dangling: nullify, retention: 0s}"
        if let quarantine { settings.bucket += "\n    quarantine: \(quarantine)" }
        if let ignore { settings.bucket += "\n    ignore: [\"\(ignore)\"]" }
        return settings
    }

    /// An app whose orphan lies in the quarantine of the default prefix; it has other references.
    private func prepared() throws -> (app: App, key: String) {
        let app = try App(Self.settings(nil))
        for number in 0..<12 { try app.healthy("h\(number)") }
        let key = try app.orphan("s1", "precious")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(app.quarantined() == [key: "precious"])
        return (app, key)
    }

    private func reference(_ app: App) throws {
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
    }

    private func repair(_ app: App) throws {
        try app.expect(0, "repair", try app.plan().path, "--apply")
    }

    @Test("Under another prefix, what lies in the former one comes back to its record")
    func restores() throws {
        let (app, key) = try prepared()
        try app.configure(Self.settings(".b/"))
        try reference(app)
        #expect(try app.audit().about(key).label == "dangling/quarantined/settled")
        try repair(app)
        #expect(app.read("files/" + key) == "precious")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
        #expect(app.quarantined().isEmpty)
    }

    @Test("It is swept there, and taken back from there by an undo")
    func sweepsAndUndoes() throws {
        let (app, key) = try prepared()
        let run = try #require(try app.newest("repair")["id"].string)
        try app.configure(Self.settings(".b/"))
        try app.expect(0, "undo", run, "--apply")
        #expect(app.read("files/" + key) == "precious")
        // What is an orphan again goes to the present place, and both places are swept.
        try repair(app)
        #expect(app.quarantined().isEmpty)
        #expect(app.files(below: "files/.b").count == 1)
        try app.configure(Self.settings(".c/"))
        for _ in 0..<3 { try app.audit() }
        #expect(try app.expect(0, "sweep", "--apply").output.contains("1 done"))
        #expect(app.files(below: "files/.b").isEmpty)
    }

    @Test("A prefix within a former one is refused, since nobody could tell the two apart")
    func nested() throws {
        let (app, _) = try prepared()
        try app.configure(Self.settings(".mooring/quarantine/new/"))
        let result = try app.expect(78, "audit")
        #expect(result.errors.contains("choose one beside it"))
    }

    @Test("What lies in a quarantine that the ledger does not know stops every act on the bucket")
    func foreign() throws {
        let (app, key) = try prepared()
        try FileManager.default.removeItem(atPath: app.path + "/mooring.ledger")
        try app.configure(Self.settings(".b/"))
        try reference(app)
        let audit = try app.expect(4, "audit")
        #expect(audit.told.contains("named like a run of Mooring"))
        try app.expect(4, "plan")
        try app.expect(4, "run")
        #expect(app.quarantined() == [key: "precious"])
        #expect(try app.cover(of: "s1") == App.cover("s1"))
        #expect(try app.findings().allSatisfy { $0.key?.contains(".mooring") != true })

        // Left out on purpose, it still is not nobody's: what means it is in doubt.
        try app.configure(Self.settings(".b/", ".mooring/**"))
        #expect(try app.audit().about(key).label == "dangling/missing/undecided")

        // Shown to the ledger once, it is remembered.
        try app.configure(Self.settings(nil))
        try app.audit()
        try app.configure(Self.settings(".b/"))
        try repair(app)
        #expect(app.read("files/" + key) == "precious")
    }
}
