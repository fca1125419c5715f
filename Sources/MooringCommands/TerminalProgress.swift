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
        fputs(text, stderr)
        fflush(stderr)
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
        fputs(text, stdout)
        fflush(stdout)
    }

    /// Writes a text and a line feed.
    static func line(_ text: String) { write(text + "\n") }

    /// Writes one JSON document.
    static func document(_ value: JSONValue) {
        write(String(decoding: value.prettyRendered, as: UTF8.self))
    }
}
