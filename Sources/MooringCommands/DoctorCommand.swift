import ArgumentParser
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline

/// `mooring doctor`: checks everything that an audit and a repair will need.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the configuration, reach every store, and print what each can do.",
        usage: "mooring doctor [<options>]",
        discussion: """
            Changes nothing; with --probe it writes and removes one small file of its own in each \
            quarantine, to measure the clock and to see that it may write there.

            \(ExitStatus.help([.done, .error, .usage, .configuration, .interrupted]))
            """)

    @Flag(help: "Write and remove one small file in each quarantine.")
    var probe = false

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let examination = Examination(session: session, probes: probe)
            let checks = try await examination.checks()
            if options.json {
                StandardOutput.document(
                    .members(["checks": .array(checks.map(\.json))]))
            } else {
                for check in checks where !options.quiet || check.result == .failed {
                    StandardOutput.line(check.line)
                }
            }
            return checks.contains { $0.result == .failed } ? .error : .done
        }
    }
}

/// One line of the doctor's table.
struct Check {
    /// How a check ended.
    enum Result: String {
        case passed = "ok"
        case noted = "note"
        case failed = "FAILED"
    }

    /// What was checked.
    let name: String
    /// How it ended.
    let result: Result
    /// What was found, and what to do where it failed.
    let detail: String

    /// The check as one JSON value.
    var json: JSONValue {
        .members([
            "name": .string(name), "result": .string(result.rawValue),
            "detail": .string(detail),
        ])
    }

    /// The check as one line.
    var line: String {
        let padded = result.rawValue + String(repeating: " ", count: 8 - result.rawValue.count)
        return padded + name + ": " + detail
    }
}
