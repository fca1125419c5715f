import ArgumentParser
import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringPipeline

/// `mooring check`: an audit that fails when a gate of the configuration does.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Audit, and hold the findings to the configuration's gates; for CI.",
        usage: """
            mooring check [--baseline <file|run>] [<options>]
            mooring check --schema <file> [--except <type.field> ...] [<options>]
            """,
        discussion: """
            A gate compares a count or a share, as in: dangling.settled == 0, \
            orphan.settled.bytes < 1GiB, new.dangling == 0, share(orphan) < 1%. Without gates the \
            command only audits, and says so. With --baseline, the findings of a file that mooring \
            baseline wrote, or of a run, do not count, so that only what is new or worse fails. \
            With --schema one more gate \
            fails for each field of the GraphQL schema that may hold keys, by its type or by its \
            name, and that the configuration does not map. The schema may be a file, a folder of \
            .graphql files, or an amplify_outputs.json. What is no schema ends with 78, before \
            anything is read.

            \(ExitStatus.help([.done, .gateFailed] + ExitStatus.ofScanning.dropFirst()))
            """)

    @Option(help: ArgumentHelp("The app's schema, as GraphQL or JSON.", valueName: "file"))
    var schema: String?

    @Option(
        help: ArgumentHelp(
            "A field of the schema that holds no keys; may be repeated.", valueName: "type.field"))
    var except: [String] = []

    @Option(help: ArgumentHelp("Findings that are known: a file, or a run.", valueName: "file|run"))
    var baseline: String?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if schema == nil, !except.isEmpty {
            throw ValidationError("--except belongs to --schema, which was not given")
        }
    }

    private static let noGates =
        "no gate is configured, so that nothing can fail; such as this in mooring.yaml would: "
        + "gates: [\"dangling.settled == 0\", \"new.orphan == 0\"]"

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let schemaGate = try schema.map {
                try SchemaGate(schema: $0, exceptions: except, session.configuration)
            }
            let known = try baseline.map { try KnownFindings.read($0, session) }
            let hasGates = !session.configuration.gates.isEmpty || schemaGate != nil
            return try await session.run("check") { pipeline, run in
                let (ending, report) = try await session.look(.check(known), pipeline, run)
                var lines = schemaGate?.lines ?? []
                if let schemaGate { run.summary.gates.append(schemaGate.answer) }
                if let answers = ending.baseline { lines += answers.lines }
                if !hasGates { StandardError.report(Self.noGates) }
                run.summary.notes += lines
                let summary = try run.summary.told(by: pipeline.job.ledger)
                let folder = try session.writeReport(summary, ending.findings, ahead: report)
                // Places in a file are told whole, on lines of their own.
                var shown = summary
                shown.notes.removeAll { lines.contains($0) }
                session.show(options.json ? summary : shown, ending.findings)
                if !options.json, !options.quiet {
                    for line in lines { StandardOutput.line(line) }
                }
                session.showEnd(summary, report: folder)
                let passes = run.summary.gates.allSatisfy(\.passed)
                return ExitStatus.gravest([
                    ExitStatus(ending, run), passes ? .done : .gateFailed,
                ])
            }
        }
    }
}
