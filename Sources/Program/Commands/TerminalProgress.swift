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
