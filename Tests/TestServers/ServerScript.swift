import Foundation
import Glibc

/// Runs the project's own scripts below Tests/Servers.
enum ServerScript {
    /// The folder of the scripts, found from this file's own place.
    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Servers")
        .path(percentEncoded: false)

    /// How a script ended.
    struct Result {
        /// Its exit status.
        let status: Int32
        /// What it printed, errors included.
        let told: String
    }

    /// Whether what a test needs is there or can be installed; in CI the tests run in any case, and
    /// say what is missing.
    static func canInstall(_ what: String, named name: String) async -> Bool {
        do {
            let result = try await run("install", [what])
            guard result.status == 0 else { throw ServerError(result.told) }
            return true
        } catch {
            print("\(name) cannot be had: \(error)")
            return ProcessInfo.processInfo.environment["CI"] == "true"
        }
    }

    /// Runs a script to its end, on a thread of its own: a server takes seconds to start, and
    /// tests of connections and time-outs need the few threads that tasks share.
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Swift.Result { try wait(name, arguments, environment) })
            }
        }
    }

    private static func wait(
        _ name: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> Result {
        var template = Array("/tmp/mooring-script-XXXXXX".utf8CString)
        let output = mkstemp(&template)
        guard output >= 0 else { throw ServerError("no temporary file: errno \(errno)") }
        defer { close(output) }
        unlink(template)
        let process = try spawn(
            [folder + "/" + name] + arguments, input: -1, output: output,
            environment: environment)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        lseek(output, 0, SEEK_SET)
        let handle = FileHandle(fileDescriptor: output, closeOnDealloc: false)
        // An output that cannot be read says as much as an empty one.
        let text = (try? handle.readToEnd()).flatMap { String(decoding: $0, as: UTF8.self) }
        return Result(
            status: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F),
            told: (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Starts what stops a server as soon as this process is gone, even when it was killed.
    static func watch(_ name: String, _ data: String) throws {
        var ends: [Int32] = [0, 0]
        // The other end stays open for as long as this process lives, and no child inherits it.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw ServerError("no pair of sockets: errno \(errno)")
        }
        defer { close(ends[0]) }
        _ = try spawn(
            ["/usr/bin/setsid", folder + "/watch", folder + "/" + name, data], input: ends[0],
            output: -1, environment: [:])
    }

    private static func spawn(
        _ words: [String], input: Int32, output: Int32, environment: [String: String]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, file) in [(Int32(0), input), (1, output), (2, output)] {
            if file >= 0 {
                posix_spawn_file_actions_adddup2(&actions, file, stream)
            } else {
                posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
            }
        }
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C"]
        // Package registries behind a proxy or a mirror are reached as the developer does.
        for (name, value) in ProcessInfo.processInfo.environment
        where name.uppercased().hasSuffix("PROXY") || name.hasPrefix("PIP_")
            || ["HOME", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"].contains(name)
        {
            variables[name] = value
        }
        variables.merge(environment) { _, given in given }
        let argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let envp: [UnsafeMutablePointer<CChar>?] =
            variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var process = pid_t()
        let status = posix_spawn(&process, words[0], &actions, nil, argv, envp)
        guard status == 0 else { throw ServerError("\(words[0]) cannot run: errno \(status)") }
        return process
    }
}
