import Glibc
import MooringModel
import MooringPipeline
import Synchronization

/// Shows on stderr how far a stage is, once it has taken two seconds; one line, rewritten.
final class TerminalProgress: MooringPipeline.Progress {
    private struct State {
        var line = ProgressLine()
        var startedAt = Instant.distantPast
        var shownAt = Instant.distantPast
        var isShown = false
    }

    private static let patience = Duration.seconds(2)
    private static let interval = Duration.milliseconds(200)
    private let state = Mutex(State())

    func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {
        state.withLock {
            $0 = State(
                line: ProgressLine(stage: stage, phase: phase, expected: expected),
                startedAt: SystemClock.now())
        }
    }

    func advance(_ count: Int) {
        state.withLock { state in
            state.line.count += count
            let now = SystemClock.now()
            guard now - state.startedAt > Self.patience, now - state.shownAt > Self.interval
            else { return }
            state.shownAt = now
            state.isShown = true
            let text = state.line.text(after: now - state.startedAt)
            StandardError.write("\r\u{1B}[K\(text)")
        }
    }

    func end() {
        state.withLock { state in
            if state.isShown { StandardError.write("\r\u{1B}[K") }
            state.isShown = false
        }
    }
}

/// Shows nothing: in cron, in pipes and in tests.
struct QuietProgress: MooringPipeline.Progress {
    func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {}
    func advance(_ count: Int) {}
    func end() {}
}

/// The stream for everything that is not a result.
enum StandardError {
    /// Writes a text as it is.
    static func write(_ text: String) {
        // There is no third place to tell that this one is lost.
        _ = Stream.write(text, to: 2)
    }

    /// Writes a line after the program's name.
    static func report(_ text: String) {
        write("mooring: \(text)\n")
    }
}

/// The stream for results.
enum StandardOutput {
    private static let lost = Mutex<Int32>(0)

    /// Writes a text as it is; what cannot be written is told by `loss` at the command's end.
    static func write(_ text: String) {
        let code = Stream.write(text, to: 1)
        // A reader that went away (a closed pipe) wants no more; the command's status still counts.
        guard code != 0, code != EPIPE else { return }
        lost.withLock { if $0 == 0 { $0 = code } }
    }

    /// What is missing of the output so far, and why; nil when all of it was taken, or its reader
    /// went away.
    static var loss: String? {
        let code = lost.withLock { $0 }
        guard code != 0 else { return nil }
        return "the output is not whole: it could not be written "
            + "(\(String(cString: strerror(code))))"
    }

    /// Writes a text and a line feed.
    static func line(_ text: String) { write(text + "\n") }

    /// Writes one JSON document.
    static func document(_ value: JSONValue) {
        write(String(decoding: value.prettyRendered, as: UTF8.self))
    }
}

/// Unbuffered output, so that both streams keep their order.
private enum Stream {
    // Returns the system's error number when the rest could not be written; 0 otherwise.
    static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            bytes = bytes.dropFirst(count)
        }
        return 0
    }
}
