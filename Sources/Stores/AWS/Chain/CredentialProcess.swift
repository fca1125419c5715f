import Glibc
import MooringModel
import MooringText
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
            do throws(ChildProcess.NotStarted) {
                let process = try ChildProcess(
                    program, words, environment: environment, input: nil, output: ends[1])
                return (process, ends[0])
            } catch {
                close(ends[0])
                throw ProcessFailure(reason: "was not started: error \(error.code)")
            }
        }
        defer { close(end) }
        let deadline = ContinuousClock.now + timeout
        do {
            let bytes = try read(end, until: deadline)
            guard let status = process.wait(until: deadline) else {
                throw ProcessFailure(reason: "did not end within \(timeout.label)")
            }
            // The status of a program that ended by itself stands in the second byte.
            guard status & 0x7F == 0 else { throw ProcessFailure(reason: "was killed") }
            guard status >> 8 & 0xFF == 0 else {
                throw ProcessFailure(reason: "ended with status \(status >> 8 & 0xFF)")
            }
            return bytes
        } catch {
            process.kill()
            throw error
        }
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
}
