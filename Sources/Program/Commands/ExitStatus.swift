import MooringPipeline

/// How a command ends: cron jobs and pipelines depend on these numbers.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case done = 0
    case gateFailed = 1
    case error = 2
    case refused = 3
    case incomplete = 4
    case leftUndone = 5
    case locked = 6
    case usage = 64
    case configuration = 78
    case interrupted = 130

    /// What the number means, as every help text lists it.
    package var meaning: String {
        switch self {
        case .done: "done; for check, every gate passed"
        case .gateFailed: "a gate of check failed"
        case .error: "an error"
        case .refused: "refused by a guard or a limit"
        case .incomplete: "incomplete: a side could not be read to its end"
        case .leftUndone: "repairs were left undone, stale or failed"
        case .locked: "another run holds the lock"
        case .usage: "wrong usage"
        case .configuration: "wrong configuration"
        case .interrupted: "interrupted"
        }
    }

    /// The list at the end of a help text, of the statuses that a command can end with.
    package static func help(_ statuses: [ExitStatus]) -> String {
        "EXIT STATUS\n"
            + statuses.map { status in
                let number = String(status.rawValue)
                let padding = String(repeating: " ", count: 5 - number.count)
                return "  \(number)\(padding)\(status.meaning)"
            }.joined(separator: "\n")
    }

    /// Of several statuses, the one that counts: the first of 2, 4, 3, 5, 1.
    package static func gravest(_ statuses: [ExitStatus]) -> ExitStatus {
        let order: [ExitStatus] = [.error, .incomplete, .refused, .leftUndone, .gateFailed]
        return order.first(where: statuses.contains) ?? .done
    }

    /// The statuses of a command that reads only the ledger.
    static let ofReading: [ExitStatus] = [.done, .error, .usage, .configuration, .interrupted]
    /// The statuses of a command that scans.
    static let ofScanning: [ExitStatus] = [
        .done, .error, .incomplete, .locked, .usage, .configuration, .interrupted,
    ]
    /// The statuses of a command that may change the stores.
    static let ofActing: [ExitStatus] = [
        .done, .error, .refused, .incomplete, .leftUndone, .locked, .usage, .configuration,
        .interrupted,
    ]
}

extension ExitStatus {
    /// The status that an operation of the pipeline ends with.
    init(_ ending: Pipeline.Ending, _ run: CurrentRun) {
        var statuses: [ExitStatus] = []
        if run.leftUndone || ending.erasure?.isLeftUndone == true { statuses.append(.leftUndone) }
        if ending.isIncomplete || ending.refusal?.kind == .incomplete {
            statuses.append(.incomplete)
        }
        if ending.refusal?.kind == .refused { statuses.append(.refused) }
        self = .gravest(statuses)
    }
}
