import Glibc
import Testing

/// Runs the program as a user who, unlike root, may not do everything: CI runs the tests as root.
enum OtherUser {
    private static let id = "65534"
    private static let words = [
        "/usr/bin/env", "setpriv", "--reuid=\(id)", "--regid=\(id)", "--clear-groups",
    ]

    /// Whether the tests run as somebody else than root, or may become somebody else.
    static let isPossible = geteuid() != 0 || Folder.command(words + ["/bin/true"]) == 0

    /// Why a test is skipped where neither is so.
    static let lack: Comment =
        "root cannot become another user here, for want of setpriv"

    /// Gives the app's folder and all in it to the user, and runs the program in it.
    static func run(_ arguments: String..., in app: App) throws -> Program.Result {
        guard geteuid() == 0 else { return try Program.run(arguments, in: app.path) }
        try #require(Folder.command(["chown", "-R", "\(id):\(id)", app.path]) == 0)
        return try RunningProgram(
            words + [try reachable(app)] + arguments, in: app.path, environment: [:]
        ).wait()
    }

    // The program may lie where only root may go.
    private static func reachable(_ app: App) throws -> String {
        if Folder.command(words + ["test", "-x", Program.path]) == 0 { return Program.path }
        let copy = app.path + "/mooring"
        try #require(Folder.command(["cp", Program.path, copy]) == 0)
        try #require(chmod(copy, 0o755) == 0)
        return copy
    }
}
