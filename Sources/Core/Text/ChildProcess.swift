import Glibc

/// A program that was started without a shell, in a group of its own, with nothing of this process
/// but its environment, as far as that is given on.
package struct ChildProcess: Sendable {
    /// That a program could not be started, with the system's number of the error.
    package struct NotStarted: Error {
        /// The number.
        package let code: Int32
    }

    /// The streams of a program: descriptors, and nothing where there is none.
    package struct Streams: Sendable {
        fileprivate let input, output, errors: Int32?

        /// Streams; nothing for errors by default: what a program says there may hold anything.
        package init(input: Int32? = nil, output: Int32?, errors: Int32? = nil) {
            (self.input, self.output, self.errors) = (input, output, errors)
        }
    }

    private let id: pid_t

    /// Starts a program by its path. Its streams are the given descriptors, nothing where there is
    /// none, and nothing for errors.
    package init(
        _ program: String, _ words: [[UInt8]], environment: [String: String], input: Int32?,
        output: Int32?
    ) throws(NotStarted) {
        try self.init(
            program, words, environment: environment, Streams(input: input, output: output))
    }

    /// Starts a program by its path, with these streams.
    package init(
        _ program: String, _ words: [[UInt8]], environment: [String: String], _ streams: Streams
    ) throws(NotStarted) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, descriptor) in [
            (STDIN_FILENO, streams.input), (STDOUT_FILENO, streams.output),
            (STDERR_FILENO, streams.errors),
        ] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, stream)
            } else {
                posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
            }
        }
        // Nothing else that this process holds open is its business.
        for descriptor in Self.openDescriptors() where descriptor > STDERR_FILENO {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.set(&attributes)
        let arguments = words.map { strdup(String(decoding: $0, as: UTF8.self)) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let status = posix_spawn(
            &process, program, &actions, &attributes, arguments + [nil], variables + [nil])
        guard status == 0 else { throw NotStarted(code: status) }
        id = process
    }

    // A group of its own, so that a time-out reaches what it starts; signals as a shell gives.
    private static func set(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    // One that is closed before the start does no harm: closing it again is overlooked there.
    private static func openDescriptors() -> [Int32] {
        guard let folder = opendir("/proc/self/fd") else { return [] }
        defer { closedir(folder) }
        var found: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let descriptor = Int32(name) { found.append(descriptor) }
        }
        return found
    }

    /// Waits for its end on this thread; its status as `waitpid` tells it, or nil where it did not
    /// end in time.
    package func wait(until deadline: ContinuousClock.Instant) -> Int32? {
        var status: Int32 = 0
        while true {
            let ended = waitpid(id, &status, WNOHANG)
            if ended == id { return status }
            guard ended == 0 || errno == EINTR, ContinuousClock.now < deadline else { return nil }
            usleep(5_000)
        }
    }

    /// Asks it and what it started to end, and ends them where they did not in time.
    package func end(within time: Duration) {
        Glibc.kill(-id, SIGTERM)
        if wait(until: .now + time) == nil { kill() }
    }

    /// Ends it at once, with what it started and what still belongs to its group.
    package func kill() {
        Glibc.kill(-id, SIGKILL)
        var status: Int32 = 0
        waitpid(id, &status, 0)
    }
}
