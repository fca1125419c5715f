import Glibc
import Testing

/// What cannot be written, and where that is told.
@Suite("Output that is lost")
struct LostOutputTests {
    private func shell(_ script: String, _ arguments: [String], in app: App) throws
        -> Program.Result
    {
        try RunningProgram(
            ["/bin/sh", "-c", script, Program.path] + arguments, in: app.path,
            environment: app.environment
        ).wait()
    }

    @Test(
        "On a full disk no command ends as if its results were there",
        arguments: [
            ["audit"], ["audit", "--json"], ["findings"], ["runs"], ["plan"], ["doctor"],
            ["explain", App.songKey("orphaned")],
            ["diff"], ["ledger", "check"], ["journal", "verify"],
        ])
    func fullDisk(arguments: [String]) throws {
        let app = try App()
        try app.orphan()
        try app.expect(0, "audit")
        try app.expect(0, "audit")
        let result = try shell("exec \"$0\" \"$@\" >/dev/full", arguments, in: app)
        #expect(result.status == 2, "\(result.told)")
        #expect(
            result.errors.contains(
                "the output is not whole: it could not be written (No space left on device); "
                    + "what a run did stands in the ledger: mooring runs"))
    }

    @Test("A reader that went away is no error")
    func closedPipe() throws {
        let app = try App()
        try app.orphan()
        try app.expect(0, "audit")
        let result = try shell(
            "{ sleep 1; \"$0\" \"$@\"; echo \"status $?\" >&2; } | true", ["runs"], in: app)
        #expect(result.errors == "status 0\n")
    }

    @Test("That the reports cannot be written is told before anything is changed")
    func reportFolder() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        let app = try App(settings)
        let key = try app.orphan()
        try app.dangling()
        try #require(symlink("nowhere", app.path + "/Reports") == 0)
        let result = try app.expect(2, "run")
        #expect(result.errors.contains("Reports"))
        #expect(app.quarantined().isEmpty)
        #expect(app.exists("files/\(key)"))
        #expect(try app.cover(of: "dangling") != nil)
        try #require(unlink(app.path + "/Reports") == 0)
        try app.expect(0, "run")
        #expect(app.quarantined().count == 1)
    }

    @Test("A repair that an earlier run left open, and that fails again, is in the status")
    func failedResume() throws {
        let app = try App(mode: "DELETE")
        try app.orphan()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.dangling()
        let (path, _) = try app.plan()
        // A writer keeps others from writing, and nobody from reading.
        try app.database.run("BEGIN IMMEDIATE")
        let process = try Program.start(["repair", path, "--apply"], in: app.path)
        while try app.openIntents() == 0, try process.poll() == nil { usleep(2_000) }
        process.signal(SIGKILL)
        #expect(try process.wait().status == 128 + SIGKILL)
        #expect(try app.openIntents() == 1)
        let first = try #require(try app.runs().last { $0["command"].string == "repair" })
        let name = try #require(first["id"].string)
        // The run that is taken back has nothing to do with the step that is stuck.
        let undo = try app.expect(5, "undo", name, "--apply")
        #expect(undo.output.contains("resumed: failed"), "\(undo.told)")
        try app.database.run("ROLLBACK")
        try app.expect(0, "undo", name, "--apply")
        #expect(try app.openIntents() == 0)
    }
}
