import ArgumentParser
import Foundation
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
            quarantine, to measure the clock and to see that it may write there. Of tables of \
            DynamoDB and a bucket of S3 it tells where one of the two is gone, and by Amplify's \
            names which other environments have one alone. Below the checks \
            stands what could be told after an incident, and what could not, by what each store \
            keeps of the past: who deleted an object, what a record held before, whether it can \
            come back. That changes no status. With --policy it \
            prints the whole matrix instead: what is done about each kind and cause of finding by \
            verdict, what else it takes, which proof each strategy needs, and what the configured \
            stores lack; it fails where the policy cannot be made safe.

            \(ExitStatus.help([.done, .error, .usage, .configuration, .interrupted]))
            """)

    @Flag(help: "Write and remove one small file in each quarantine.")
    var probe = false

    @Flag(help: "Print what is done about each kind, cause and verdict, and what that needs.")
    var policy = false

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            if policy { return try show(session) }
            let configuration = session.configuration
            let records = try Assembly.records(configuration, scratch: options.scratchFolder)
            let buckets = try Assembly.buckets(configuration)
            let checks = try await Examination(session: session, probes: probe)
                .checks(records, buckets)
            let failed = Set(checks.filter { $0.result == .failed }.map(\.name))
            let answers = try await IncidentChecks(session: session, failed: failed)
                .answers(records, buckets)
            if options.json {
                // Swallowed: a ledger that cannot be read has a failed check of its own above.
                let last = try? FieldChecks(session: session).last()
                StandardOutput.document(
                    .members([
                        "checks": .array(checks.map(\.json)),
                        "fields": .array((last?.fields ?? []).map(\.json)),
                        "incident": .array(answers.map(\.json)),
                    ]))
            } else {
                for check in checks where !options.quiet || check.result == .failed {
                    StandardOutput.line(check.line)
                }
                if !options.quiet {
                    StandardOutput.line("In an incident:")
                    for answer in answers { StandardOutput.line(answer.line) }
                }
            }
            return checks.contains { $0.result == .failed } ? .error : .done
        }
    }

    // The matrix is what the configuration says; where there is a ledger, it tells what the stores
    // were last seen to do.
    private func show(_ session: Session) throws -> ExitStatus {
        let configuration = session.configuration
        let buckets = try Assembly.buckets(configuration)
        let ledger =
            FileManager.default.fileExists(atPath: configuration.ledger)
            ? try session.existingLedger() : nil
        let text = PolicyText(
            table: PolicyTable(
                policy: configuration.repair, race: configuration.longestRace()),
            lacks: StoreLacks(
                records: try Assembly.records(configuration, scratch: options.scratchFolder),
                buckets: buckets, configuration: configuration,
                known: try KnownStores(buckets, ledger)),
            exceptions: configuration.repair.overrides
                .filter { $0.model != nil || $0.prefix != nil || $0.source != nil }
                .map(\.text))
        if options.json {
            StandardOutput.document(text.json)
        } else if !options.quiet {
            for line in text.lines { StandardOutput.line(line) }
        }
        return text.lacks.refusals.isEmpty ? .done : .error
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
