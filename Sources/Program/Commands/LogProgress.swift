import MooringModel
import MooringPipeline
import Synchronization

/// Tells programs on stderr how far a stage is: an event each five seconds.
final class LogProgress: MooringPipeline.Progress {
    private struct State {
        var stage = ""
        var expected: Int?
        var count = 0
        var startedAt = Instant.distantPast
        var toldAt = Instant.distantPast
    }

    private static let interval = Duration.seconds(5)
    private let state = Mutex(State())

    func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {
        let now = SystemClock.now()
        state.withLock {
            $0 = State(stage: stage, expected: expected, startedAt: now, toldAt: now)
        }
    }

    func advance(_ count: Int) {
        let now = SystemClock.now()
        let due = state.withLock { state -> State? in
            state.count += count
            guard now - state.toldAt >= Self.interval else { return nil }
            state.toldAt = now
            return state
        }
        if let due { Self.tell("progress", due) }
    }

    func end() {
        let state = state.withLock { $0 }
        // What took no time is no news.
        if SystemClock.now() - state.startedAt >= Self.interval { Self.tell("progress", state) }
    }

    private static func tell(_ event: String, _ state: State) {
        StandardError.event(
            event,
            [
                ("stage", .string(state.stage)), ("done", .integer(Int64(state.count))),
                ("expected", state.expected.map { .integer(Int64($0)) }),
                (
                    "milliseconds",
                    .integer((SystemClock.now() - state.startedAt).nanoseconds / 1_000_000)
                ),
            ])
    }
}
