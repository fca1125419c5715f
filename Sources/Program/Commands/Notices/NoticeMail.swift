import Foundation
import Glibc
import MooringConfiguration
import MooringModel
import MooringText

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

    /// Runs the program with the message as its input, and waits for its end, not for what it
    /// started. What it says is not shown: it may hold anything. Throws `CommandError` where it
    /// cannot be started, ends with another status than 0, or takes longer than a minute, after
    /// which it is ended, with what it started.
    static func send(_ message: String, _ command: [String]) async throws {
        // A file, since nobody waits for whoever does not read one.
        let input = try file(of: message)
        defer { close(input) }
        // No secret of the job's own.
        let environment = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ"].contains($0.key)
        }
        let process: ChildProcess
        do throws(ChildProcess.NotStarted) {
            process = try ChildProcess(
                command[0], command.map { Array($0.utf8) }, environment: environment,
                input: input, output: nil)
        } catch {
            throw CommandError(
                "\(command[0]) could not be started: \(String(cString: strerror(error.code)))")
        }
        let status = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: process.wait(until: .now + patience))
            }
        }
        guard let status else {
            process.kill()
            throw CommandError("\(command[0]) did not end within \(patience.label)")
        }
        guard status != 0 else { return }
        throw CommandError(
            status & 0x7F == 0
                ? "\(command[0]) ended with status \(status >> 8 & 0xFF)"
                : "\(command[0]) was ended by signal \(status & 0x7F)")
    }

    // Without a name, so that it is gone with whoever reads it.
    private static func file(of message: String) throws -> Int32 {
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        let folder = named.isEmpty ? "/tmp" : named
        var template = Array("\(folder)/mooring-mail-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw CommandError(
                "no temporary file in \(folder): \(String(cString: strerror(errno)))")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try handle.write(contentsOf: Data(message.utf8))
            try handle.seek(toOffset: 0)
        } catch {
            close(descriptor)
            throw CommandError("the message could not be written: \(error.systemWords)")
        }
        return descriptor
    }
}
