import Foundation
import Glibc
import MooringConfiguration

/// Hands a notice to the program of the machine that sends mail.
enum NoticeMail {
    /// The whole message, with its headers: ASCII, lines that end with a line feed, as such
    /// programs read it.
    static func message(_ title: String, _ text: String, _ settings: NotifySettings.Mail) -> String
    {
        let headers = [
            settings.from.map { "From: \($0)" }, "To: \(settings.to)", "Subject: \(title)",
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=us-ascii",
            // So that no reply of an absent reader answers it.
            "Auto-Submitted: auto-generated",
        ]
        return headers.compactMap { $0 }.joined(separator: "\n") + "\n\n" + text
    }

    /// How long the program may take.
    static let patience = Duration.seconds(60)

    /// Runs the program with the message as its input, and waits for its end. Throws
    /// `CommandError` where it cannot be started, ends with another status than 0, or takes longer
    /// than a minute, after which it is ended.
    static func send(_ message: String, _ command: [String]) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        // No secret of the job's own.
        process.environment = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ"].contains($0.key)
        }
        let input = Pipe()
        process.standardInput = input
        // Stdout holds results alone.
        process.standardOutput = FileHandle.standardError
        let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            ended.yield(
                process.terminationReason == .exit
                    ? process.terminationStatus : -process.terminationStatus)
            ended.finish()
        }
        do { try process.run() } catch {
            throw CommandError("\(command[0]) could not be started: \(error.systemWords)")
        }
        let limit = Task {
            try await Task.sleep(for: patience)
            // It inherited that a gentler signal is not listened to.
            kill(process.processIdentifier, SIGKILL)
        }
        defer { limit.cancel() }
        // Not waited for: somebody may hold the other end and read nothing.
        Thread.detachNewThread {
            let handle = input.fileHandleForWriting
            // A program that ends without reading takes the rest with it; its status tells.
            try? handle.write(contentsOf: Data(message.utf8))
            // Closing what the program has closed already tells nothing new.
            try? handle.close()
        }
        var status: Int32 = 0
        for await end in ends { status = end }
        guard status == 0 else {
            throw CommandError(
                status < 0
                    ? "\(command[0]) was ended by signal \(-status)"
                    : "\(command[0]) ended with status \(status)")
        }
    }
}
