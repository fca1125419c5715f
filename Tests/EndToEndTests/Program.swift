import Foundation
import Glibc
import Testing

/// Runs the built program as a user would, and keeps what it prints and how it ends.
struct Program {
    /// How a run of the program ended.
    struct Result {
        /// The exit status; 128 and the signal's number where a signal ended it, as in a shell.
        let status: Int32
        let output: String
        let errors: String

        /// Everything printed, for the message of a failed expectation.
        var told: String { "status \(status)\n\(output)\n\(errors)" }
    }

    /// The program beside the tests' own bundle, or the one that MOORING_PROGRAM names: the release
    /// build is tested too, and a race is lost by one with a safeguard taken out.
    static let path =
        ProcessInfo.processInfo.environment["MOORING_PROGRAM"] ?? beside("mooring")

    /// A program that was built with the tests.
    static func beside(_ name: String) -> String {
        let folder = Bundle.main.bundleURL
        let folders = [
            folder, folder.deletingLastPathComponent(),
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
        ]
        let files = folders.map { $0.appendingPathComponent(name).path }
        return files.first { FileManager.default.isExecutableFile(atPath: $0) } ?? files[0]
    }

    /// Runs the program in a folder and waits for its end.
    static func run(
        _ arguments: [String], in folder: String, environment: [String: String] = [:],
        timeout: Int = 120
    ) throws -> Result {
        try start(arguments, in: folder, environment: environment).wait(timeout: timeout)
    }

    /// Starts the program in a folder; the caller waits for it.
    static func start(
        _ arguments: [String], in folder: String, environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram([path] + arguments, in: folder, environment: environment)
    }
}

/// A program that was started, its streams in files so that neither can fill up and block it.
final class RunningProgram {
    let pid: pid_t
    private let streams: String
    private var ended: Int32?

    init(_ words: [String], in folder: String, environment: [String: String]) throws {
        var template = Array("/tmp/mooring-streams-XXXXXX".utf8CString)
        streams = try #require(mkdtemp(&template).map { String(cString: $0) })
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let mode = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 1, streams + "/1", mode, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, streams + "/2", mode, 0o600)
        // A clean environment, so that a setting of the developer's changes no test.
        var variables = ["PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C"]
        variables.merge(environment) { _, given in given }
        // `env` changes the folder and becomes the program, so the process is the same.
        let all = ["/usr/bin/env", "-C", folder] + words
        let argv: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
        let envp: [UnsafeMutablePointer<CChar>?] =
            variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var process = pid_t()
        try #require(posix_spawn(&process, all[0], &actions, nil, argv, envp) == 0)
        pid = process
    }

    deinit {
        if ended == nil {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        for name in ["/1", "/2"] { unlink(streams + name) }
        rmdir(streams)
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(pid, number) }

    /// What it printed so far on stdout.
    var output: String { text("/1") }

    /// What it printed so far on stderr.
    var errors: String { text("/2") }

    /// Waits for the end; a program that takes longer is killed, and the test fails.
    func wait(timeout: Int = 120) throws -> Program.Result {
        let patience = timeout * 200
        for _ in 0..<patience {
            if let status = try poll() {
                return Program.Result(status: status, output: output, errors: errors)
            }
            usleep(5_000)
        }
        signal(SIGKILL)
        Issue.record("the program did not end in \(timeout) s: \(output) \(errors)")
        return Program.Result(status: -1, output: output, errors: errors)
    }

    /// Whether it has ended, and how.
    func poll() throws -> Int32? {
        if let ended { return ended }
        var status: Int32 = 0
        let found = waitpid(pid, &status, WNOHANG)
        try #require(found >= 0)
        guard found == pid else { return nil }
        let signal = status & 0x7F
        ended = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        return ended
    }

    private func text(_ name: String) -> String {
        // A stream that was never opened says as much as an empty one.
        let data = FileManager.default.contents(atPath: streams + name) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
