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

    /// Starts the program in a folder; the caller waits for it. Where it is paced, it comes no
    /// further than a few lines beyond those that were read.
    static func start(
        _ arguments: [String], in folder: String, environment: [String: String] = [:],
        isPaced: Bool = false
    ) throws -> RunningProgram {
        try RunningProgram(
            [path] + arguments, in: folder, environment: environment, isPaced: isPaced)
    }
}

/// A program that was started, its streams in files so that neither can fill up and block it.
///
/// One that is paced writes its output into a pipe of one page, which is read a few lines at a
/// time: it waits there for whoever looks, so that a signal lands while it has work left, however
/// fast the machine is.
final class RunningProgram {
    let pid: pid_t
    private let streams: String
    private var ended: Int32?
    // The pipe's end and what was read of it, of a program that is paced.
    private var paced: (end: Int32, read: [UInt8])?

    init(
        _ words: [String], in folder: String, environment: [String: String], isPaced: Bool = false
    ) throws {
        var template = Array("/tmp/mooring-streams-XXXXXX".utf8CString)
        streams = try #require(mkdtemp(&template).map { String(cString: $0) })
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let mode = O_WRONLY | O_CREAT | O_TRUNC
        var ends: [Int32] = [-1, -1]
        if isPaced {
            try #require(pipe(&ends) == 0 && fcntl(ends[1], Self.setPipeSize, 1) >= 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, streams + "/1", mode, 0o600)
        }
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
        guard isPaced else { return }
        close(ends[1])
        paced = (ends[0], [])
    }

    // F_SETPIPE_SZ, which Glibc's module leaves out; the least that is given is a page.
    private static let setPipeSize: Int32 = 1_031

    deinit {
        if ended == nil {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        if let paced { close(paced.end) }
        for name in ["/1", "/2"] { unlink(streams + name) }
        rmdir(streams)
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(pid, number) }

    /// Stops it, and waits until each of its threads stands still: the call that one is in ends
    /// first.
    func stop() throws {
        signal(SIGSTOP)
        for _ in 0..<60_000 {
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
            let states = threads.compactMap { thread -> Character? in
                let stat = FileManager.default.contents(atPath: "/proc/\(pid)/task/\(thread)/stat")
                let text = String(decoding: stat ?? Data(), as: UTF8.self)
                // The state stands behind the name, which is in parentheses.
                return text.split(separator: ")").last?.dropFirst().first
            }
            if states.allSatisfy({ $0 == "T" }) { return }
            usleep(1_000)
        }
        Issue.record("process \(pid) was not stopped")
    }

    /// What it printed so far on stdout; of a program that is paced a little more each time.
    var output: String {
        guard paced != nil else { return text("/1") }
        drain(atMost: 256)
        return String(decoding: paced?.read ?? [], as: UTF8.self)
    }

    private func drain(atMost count: Int) {
        guard let paced else { return }
        var piece = [UInt8](repeating: 0, count: count)
        let read = read(paced.end, &piece, count)
        if read > 0 { self.paced?.read += piece.prefix(read) }
        if read == count, count > 256 { drain(atMost: count) }
    }

    /// What it printed so far on stderr.
    var errors: String { text("/2") }

    /// Waits for the end; a program that takes longer is killed, and the test fails.
    func wait(timeout: Int = 120) throws -> Program.Result {
        let patience = timeout * 200
        for _ in 0..<patience {
            drain(atMost: 65_536)
            if let status = try poll() {
                drain(atMost: 65_536)
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
