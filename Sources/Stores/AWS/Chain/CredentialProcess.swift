import Glibc
import MooringModel
import NIOPosix
import Synchronization

/// A program that prints credentials or a token, as `credential_process` of a profile names it, or
/// another setting.
struct CredentialProcess: Sendable {
    private static let outputLimit = 1 << 20
    private static let starting = Mutex(())

    private let line: String
    private let environment: [String: String]
    private let timeout: Duration
    private let name: String

    /// A command line, started with this environment. It is killed at the end of `timeout`, with
    /// what it started. Errors call it by the name of its setting.
    init(
        _ line: String, environment: [String: String], timeout: Duration = .minutes(1),
        name: String = "credential_process"
    ) {
        self.name = name
        self.line = line
        self.environment = environment
        self.timeout = timeout
    }

    /// Starts the program without a shell and reads the credentials that it prints.
    func look() async -> CredentialAnswer {
        do {
            let output = try await printed()
            // Nothing of what was printed is shown, nor where in it the parser stopped.
            guard let document = try? JSONNode(parsing: output),
                document["Version"]?.integer == 1
            else {
                return .failure("\(name) printed no JSON object of \"Version\": 1")
            }
            return .document(output, token: "SessionToken")
        } catch {
            return .failure("\(error)")
        }
    }

    /// Starts the program without a shell and reads what it prints. What it says on stderr is not
    /// shown: it may hold anything. Throws `EndpointClient.Failure`.
    func printed() async throws -> [UInt8] {
        // Nothing of the line is shown: it may hold a password.
        guard let words = try? ShellWords.split(Array(line.utf8)), let command = words.first else {
            throw failure("is no command line: a quote is not closed")
        }
        guard let program = program(String(decoding: command, as: UTF8.self)) else {
            throw failure("names a program that is not there")
        }
        do {
            return try await NIOThreadPool.singleton.runIfActive {
                try self.output(of: program, words)
            }
        } catch let error as ProcessFailure {
            throw failure(error.reason)
        } catch {
            throw failure("was not started")
        }
    }

    private func failure(_ reason: String) -> EndpointClient.Failure {
        EndpointClient.Failure(description: "\(name) \(reason)")
    }

    private struct ProcessFailure: Error {
        let reason: String
    }

    // The search that a shell does, in the folders of the given environment.
    private func program(_ command: String) -> String? {
        if command.contains("/") { return access(command, X_OK) == 0 ? command : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(command)" }.first { path in
            var facts = stat()
            return access(path, X_OK) == 0 && stat(path, &facts) == 0
                && facts.st_mode & S_IFMT == S_IFREG
        }
    }

    private func output(of program: String, _ words: [[UInt8]]) throws -> [UInt8] {
        // One at a time: another process that is started meanwhile must not hold the end that this
        // one writes to, or the other end would wait for it too.
        let (process, end) = try Self.starting.withLock { _ in
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else {
                throw ProcessFailure(reason: "was not started: no pipe")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { close(ends[1]) }
            do {
                return (try spawn(program, words, output: ends[1]), ends[0])
            } catch {
                close(ends[0])
                throw error
            }
        }
        defer { close(end) }
        let deadline = ContinuousClock.now + timeout
        do {
            let bytes = try read(end, until: deadline)
            let status = try wait(for: process, until: deadline)
            // The status of a program that ended by itself stands in the second byte.
            guard status & 0x7F == 0 else { throw ProcessFailure(reason: "was killed") }
            guard status >> 8 & 0xFF == 0 else {
                throw ProcessFailure(reason: "ended with status \(status >> 8 & 0xFF)")
            }
            return bytes
        } catch {
            kill(-process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
            throw error
        }
    }

    private func spawn(_ program: String, _ words: [[UInt8]], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // Nothing else that this process holds open is its business.
        for descriptor in Self.openDescriptors() where descriptor > STDERR_FILENO {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that a time-out reaches what it starts; signals as a shell gives.
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
        let arguments = words.map { strdup(String(decoding: $0, as: UTF8.self)) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let status = posix_spawn(
            &process, program, &actions, &attributes, arguments + [nil], variables + [nil])
        guard status == 0 else { throw ProcessFailure(reason: "was not started: error \(status)") }
        return process
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

    private func read(_ descriptor: Int32, until deadline: ContinuousClock.Instant) throws
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = ContinuousClock.now.duration(to: deadline).nanoseconds / 1_000_000
            guard left > 0 else {
                throw ProcessFailure(reason: "did not end within \(timeout.label)")
            }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(min(left, 60_000))) > 0 else { continue }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ProcessFailure(reason: "could not be read") }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= Self.outputLimit else {
                throw ProcessFailure(reason: "printed more than \(Self.outputLimit) bytes")
            }
        }
    }

    private func wait(
        for process: pid_t, until deadline: ContinuousClock.Instant
    ) throws -> Int32 {
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status }
            guard ended == 0 || errno == EINTR, ContinuousClock.now < deadline else {
                throw ProcessFailure(reason: "did not end within \(timeout.label)")
            }
            usleep(5_000)
        }
    }
}
