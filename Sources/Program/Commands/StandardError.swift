import MooringModel
import MooringReporting
import Synchronization

/// How lines on stderr are written.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people: the program's name and a sentence.
    case text
    /// For programs: one JSON object a line.
    case json
}

/// How much a line on stderr matters.
enum LogLevel: String {
    /// That something began or ended.
    case info
    /// What somebody should read.
    case warning
    /// Why the command did not do what it was asked for.
    case error
}

/// The stream for everything that is not a result.
enum StandardError {
    private struct State {
        var format = LogFormat.text
        var isQuiet = false
        var run: String?
    }

    private static let state = Mutex(State())

    /// Chooses how all later lines are written; `quiet` leaves out what only says that things go
    /// on.
    static func use(_ format: LogFormat, quiet: Bool) {
        state.withLock { ($0.format, $0.isQuiet) = (format, quiet) }
    }

    /// Writes a text as it is.
    static func write(_ text: String) {
        // There is no third place to tell that this one is lost.
        _ = Stream.write(text, to: 2)
    }

    /// Writes a line after the program's name.
    static func report(_ text: String, _ level: LogLevel = .warning) {
        let state = state.withLock { $0 }
        switch state.format {
        case .text: write("mooring: \(text)\n")
        case .json: write(line(level, state.run, [("message", .string(text))]))
        }
    }

    /// Says that a signal was taken, on a line of its own behind the terminal's `^C`.
    static func stopping() {
        if state.withLock({ $0.format }) == .text { write("\n") }
        report("stopping after the step under way", .info)
    }

    /// Tells programs that something began, went on or ended; people see that elsewhere.
    static func event(_ name: String, _ members: [(name: String, value: JSONValue?)]) {
        let state = state.withLock { $0 }
        guard state.format == .json, !state.isQuiet else { return }
        write(line(.info, state.run, [("event", .string(name))] + members))
    }

    /// Tells programs that a run begins; later lines name it.
    static func began(_ run: RunSummary) {
        state.withLock { $0.run = run.id.text }
        event(
            "run-started",
            [("command", .string(run.command)), ("version", .string(run.programVersion))])
    }

    /// Tells programs how a run ended.
    static func ended(_ run: RunSummary) {
        event(
            "run-ended",
            [
                ("command", .string(run.command)), ("status", .string(run.status.rawValue)),
                ("headline", .string(Headline(run).sentence("; "))), ("counts", run.countsJSON),
                ("repairs", run.repairs.json),
                (
                    "milliseconds",
                    run.finishedAt.map {
                        .integer(($0 - run.startedAt).nanoseconds / 1_000_000)
                    }
                ),
            ])
    }

    private static func line(
        _ level: LogLevel, _ run: String?, _ members: [(name: String, value: JSONValue?)]
    ) -> String {
        let head: [(name: String, value: JSONValue?)] = [
            ("time", .moment(SystemClock.now())), ("level", .string(level.rawValue)),
            ("run", .text(run)),
        ]
        return String(
            decoding: JSONValue.members(head + members).rendered, as: UTF8.self) + "\n"
    }
}
