import ArgumentParser
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring plan`: the repair plan of a run, printed and saved for review.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Make the repair plan of the last audit, print it and save plan.json.",
        usage: "mooring plan [<run>] [<options>]",
        discussion: """
            The plan stands beside the run's report. Steps may be taken out of it by hand; a step \
            that is changed or added is refused. mooring repair PLAN shows what it would do, and \
            with --apply does it.

            \(ExitStatus.help([.done, .error, .refused, .incomplete, .locked, .usage,
                .configuration, .interrupted]))
            """)

    @Argument(help: "The run; the last audit by default.")
    var run: String?

    @OptionGroup var accept: AcceptOptions
    @OptionGroup var options: CommonOptions

    func validate() throws { try options.refuseAsOf() }

    func run() async throws {
        let acceptance = try accept.acceptance()
        try await ending {
            let session = try Session(options)
            try accept.refuseUnknown(acceptance, session.configuration)
            let lock = try LedgerLock.acquire(
                ledgerPath: session.configuration.ledger, command: "plan", at: SystemClock.now())
            defer { lock.release() }
            _ = try session.existingLedger()
            let ledger = try Ledger.open(path: session.configuration.ledger)
            let audited = try session.find(run, in: ledger, commands: Pipeline.auditCommands)
            let pipeline = Pipeline(job: try session.job(ledger))
            let plan = try await pipeline.plan(audited, accepting: acceptance)
            let notes = try pipeline.notes(on: plan.steps)
            let path = try PlanFile.save(
                plan, in: "\(session.reportDirectory)/\(audited.id.text)")
            if options.json {
                StandardOutput.document(plan.json)
            } else {
                let leftOut = TextReport.leftOut(audited, width: Terminal.width)
                PlanText.show(
                    plan, notes: notes + leftOut, path: path, quiet: options.quiet)
            }
            return .done
        }
    }
}

/// A plan on the terminal.
enum PlanText {
    /// Prints a plan: its steps, the notes on them, and what to do with it.
    static func show(
        _ plan: Plan, notes: [String], path: String, quiet: Bool
    ) {
        if !quiet {
            StandardOutput.line(
                "plan of run \(plan.run.text): \(Measure.count(plan.steps.count, "step"))")
            for step in plan.steps { StandardOutput.line("  " + line(step)) }
            for note in notes { StandardOutput.line(note) }
            for (name, value) in plan.accepted.sorted(by: { $0.key < $1.key }) {
                StandardOutput.line("accepted: \(name)=\(value)")
            }
            StandardOutput.line("valid until \(plan.expiresAt.iso8601)")
        }
        StandardOutput.line("saved: \(path)")
        if !quiet {
            StandardOutput.line(
                plan.steps.isEmpty
                    ? "nothing to repair"
                    : "next, to see what it would do (--apply does it):\n"
                        + "  mooring repair \(path)")
        }
    }

    /// One step on one line of at most 76 columns, and below it the field that it writes.
    static func line(_ step: PlanStep) -> String {
        let strategy = step.strategy.rawValue
        let padding = String(repeating: " ", count: max(1, 11 - strategy.utf8.count))
        guard let key = step.key else { return strategy + padding + place(step.record) }
        let size = step.precondition.object.map { " (\(Measure.bytes($0.size)))" } ?? ""
        var text = strategy + padding + Terminal.key(key.bytes, width: 45) + size
        if let target = step.target {
            text +=
                "\n                       to mean "
                + Terminal.key(target.key.bytes, width: 45)
        }
        if step.writesRecord {
            text += "\n                       in " + place(step.record)
        }
        return text
    }

    private static func place(_ record: RecordPlace?) -> String {
        guard let record else { return "" }
        let id = Terminal.key(record.identity.id.joined, width: 30)
        return "\(record.identity.model)/\(id)" + (record.field.map { ".\($0)" } ?? "")
    }
}
