import Glibc
import MooringModel
import MooringPipeline
import Synchronization

/// Shows on stderr how far a stage is, once it has taken two seconds; one line, rewritten.
final class TerminalProgress: MooringPipeline.Progress {
    private struct State {
        var stage = ""
        var count = 0
        var startedAt = Instant.distantPast
        var shownAt = Instant.distantPast
        var isShown = false
    }

    private static let patience = Duration.seconds(2)
    private static let interval = Duration.milliseconds(200)
    private let state = Mutex(State())

    func begin(_ stage: String) {
        state.withLock {
            $0 = State(stage: stage, startedAt: SystemClock.now())
        }
    }

    func advance(_ count: Int) {
        state.withLock { state in
            state.count += count
            let now = SystemClock.now()
            guard now - state.startedAt > Self.patience, now - state.shownAt > Self.interval
            else { return }
            state.shownAt = now
            state.isShown = true
            let seconds = (now - state.startedAt).components.seconds
            StandardError.write("\r\u{1B}[K\(state.stage): \(state.count) (\(seconds) s)")
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
    func begin(_ stage: String) {}
    func advance(_ count: Int) {}
    func end() {}
}

/// The stream for everything that is not a result.
enum StandardError {
    /// Writes a text as it is.
    static func write(_ text: String) {
        Stream.write(text, to: 2)
    }

    /// Writes a line after the program's name.
    static func report(_ text: String) {
        write("mooring: \(text)\n")
    }
}

/// The stream for results.
enum StandardOutput {
    /// Writes a text as it is.
    static func write(_ text: String) {
        Stream.write(text, to: 1)
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
    // A reader that went away (a closed pipe) takes no more; the command's status still counts.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
