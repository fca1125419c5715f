import Glibc
import Testing

/// What a user is told who may not read or write everything, and that nothing is lost by it.
@Suite(
    "Without permission", .enabled(if: OtherUser.isPossible, OtherUser.lack))
struct PermissionTests {
    /// Puts the app's folders back into a state in which they can be removed.
    private func reopen(_ app: App) { Folder.command(["chmod", "-R", "u+rwX", app.path]) }

    @Test("A folder that may not be read makes the run incomplete, and is named")
    func folderWithoutPermission() throws {
        let app = try App()
        defer { reopen(app) }
        try app.healthy()
        try app.orphan()
        try app.put("closed/a")
        try #require(chmod(app.path + "/files/closed", 0) == 0)
        let result = try OtherUser.run("audit", in: app)
        #expect(result.status == 4, "\(result.told)")
        #expect(result.told.contains("closed"))
        let plan = try OtherUser.run("plan", in: app)
        #expect(plan.status == 4 && plan.errors.contains("not read to the end"), "\(plan.told)")
    }

    @Test("A database that may not be read makes the run incomplete, and nothing is an orphan")
    func databaseWithoutPermission() throws {
        let app = try App()
        defer { reopen(app) }
        try app.healthy()
        try app.orphan()
        try #require(chmod(app.path + "/app.sqlite", 0) == 0)
        let result = try OtherUser.run("audit", in: app)
        #expect(result.status == 4, "\(result.told)")
        #expect(result.told.contains("Permission denied"), "\(result.told)")
        let found = try app.expect(0, "findings", "--json").json()["findings"].elements
        #expect(found.isEmpty)
    }

    @Test("An object in a folder that may not be written stays, and its step says why")
    func closedForWriting() throws {
        let app = try App()
        defer { reopen(app) }
        let key = try app.orphan()
        let (path, _) = try app.plan()
        let folder = key.split(separator: "/").dropLast().joined(separator: "/")
        try #require(chmod(app.path + "/files/" + folder, 0o555) == 0)
        let result = try OtherUser.run("repair", path, "--apply", in: app)
        #expect(result.status != 0 && result.told.contains("Permission denied"), "\(result.told)")
        #expect(app.read("files/" + key) == "orphan")
        #expect(app.quarantined().isEmpty)
        reopen(app)
        // What was left is done once it may be.
        try app.expect(0, "repair", path, "--apply")
        #expect(!app.exists("files/" + key) && app.quarantined()[key] == "orphan")
    }

    @Test("A ledger that may not be written stops a run before it changes anything")
    func ledgerWithoutPermission() throws {
        let app = try App()
        defer { reopen(app) }
        let key = try app.orphan()
        let (path, _) = try app.plan()
        try #require(chmod(app.path + "/mooring.ledger", 0o444) == 0)
        let result = try OtherUser.run("repair", path, "--apply", in: app)
        #expect(result.status == 2 && result.errors.contains("mooring.ledger"), "\(result.told)")
        #expect(app.exists("files/" + key) && app.quarantined().isEmpty)
    }
}
