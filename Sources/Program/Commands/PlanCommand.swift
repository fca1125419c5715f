import ArgumentParser
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

extension PlanGrouping: ExpressibleByArgument {}

/// `mooring plan`: the repair plan of a run, printed and saved for review; or its steps as tables
/// that people decide in, and the plan that their words make of it.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Make the repair plan of the last audit, print it and save plan.json.",
        usage: """
            mooring plan [<run>] [<options>]
            mooring plan [<run>] --by <part> [--review-to <dir>] [<options>]
            mooring plan [<run>] --review <file> ... [<options>]
            """,
        discussion: """
            The plan stands beside the run's report. Steps may be taken out of it by hand; a step \
            that is changed or added is refused. mooring repair PLAN shows what it would do, and \
            with --apply does it.

            --by writes no plan, but its steps into CSV files, one a part: by owner (the record), \
            prefix (an identity, or the first part of the key), model, or month (of the object's \
            last modification). In the column 'decision' people write approve or keep, in their \
            own time. --review makes the plan of today and leaves those steps in it that are \
            approved and that are, in all that was decided on, what they were; what changed \
            meanwhile is listed and not done. An empty decision approves nothing, and keep wins \
            over approve. Guards are asked about all steps, approved or not.

            Where prices are known, the classes of the objects in S3 that go are looked at, and \
            lines that begin with 'cost:' say what their removal and the quarantine cost \
            (member 'cost' with --json). That is an estimate.

            \(ExitStatus.help([.done, .error, .refused, .incomplete, .locked, .usage,
                .configuration, .interrupted]))
            """)

    @Argument(help: "The run; the last audit by default.")
    var run: String?

    @Option(
        help: ArgumentHelp(
            "Write the steps into files to be decided in: one an owner, prefix, model or month.",
            valueName: "part"))
    var by: PlanGrouping?

    @Option(
        help: ArgumentHelp(
            "The new folder for them; mooring-review-RUN-PART by default.", valueName: "dir"))
    var reviewTo: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Leave in the plan what these files, or those of a folder, approve; behind the run.",
            valueName: "file"))
    var review: [String] = []

    @OptionGroup var accept: AcceptOptions
    @OptionGroup var options: CommonOptions

    func validate() throws {
        try options.refuseAsOf()
        if by != nil, !review.isEmpty {
            throw ValidationError("--by asks people and --review hears them; take one of them")
        }
        if reviewTo != nil, by == nil {
            throw ValidationError("--review-to is where --by writes; say by what")
        }
    }

    func run() async throws {
        let acceptance = try accept.acceptance()
        try await ending {
            let session = try Session(options)
            try accept.refuseUnknown(acceptance, session.configuration)
            // First: a file that cannot be understood changes nothing.
            let files = try ReviewFiles(review)
            let words = try files.words()
            let lock = try LedgerLock.acquire(
                ledgerPath: session.configuration.ledger, command: "plan", at: SystemClock.now())
            defer { lock.release() }
            _ = try session.existingLedger()
            let ledger = try Ledger.open(path: session.configuration.ledger)
            let audited = try session.find(run, in: ledger, commands: Pipeline.auditCommands)
            let pipeline = Pipeline(job: try session.job(ledger))
            if let by {
                let folder = reviewTo ?? ReviewParts.folder(audited.id, by)
                try ReviewParts.refuse(folder, in: session.configuration)
                let steps = try await pipeline.steps(for: audited, accepting: acceptance)
                let parts = try ReviewParts(steps, by: by, session.configuration)
                if !steps.isEmpty { try parts.write(to: folder) }
                ask(parts, of: audited, in: folder)
                return .done
            }
            if review.isEmpty {
                let plan = try await pipeline.plan(audited, accepting: acceptance)
                try await tell(plan, nil, of: audited, pipeline, session)
            } else {
                let held = try await pipeline.plan(
                    audited, accepting: acceptance, holdingTo: words)
                let answer = ReviewAnswer(review: held.review, paths: files.paths)
                try await tell(held.plan, answer, of: audited, pipeline, session)
            }
            return .done
        }
    }

    private func ask(_ parts: ReviewParts, of audited: RunSummary, in folder: String) {
        let isWritten = !parts.parts.isEmpty
        if options.json {
            StandardOutput.document(parts.json(run: audited.id, folder: isWritten ? folder : nil))
            return
        }
        if !options.quiet {
            StandardOutput.line("steps of run \(audited.id.text): \(parts.sum)")
            for line in parts.lines(all: options.verbose) { StandardOutput.line(line) }
        }
        guard isWritten else { return StandardOutput.line("nothing to repair") }
        StandardOutput.line("written: \(VisibleText.ascii(folder)) (no plan is saved)")
        if options.quiet { return }
        StandardOutput.line("next: write approve or keep into the column 'decision', and then")
        StandardOutput.line("  mooring plan --review \(ShellWord.quoting(folder))")
    }

    private func tell(
        _ plan: Plan, _ answer: ReviewAnswer?, of audited: RunSummary, _ pipeline: Pipeline,
        _ session: Session
    ) async throws {
        let notes = try pipeline.notes(on: plan.steps)
        let path = try PlanFile.save(plan, in: "\(session.reportDirectory)/\(audited.id.text)")
        if options.json {
            let cost = options.quiet ? nil : try await cost(of: plan, pipeline, session)
            StandardOutput.document(
                plan.json(adding: [("review", answer?.json), ("cost", cost?.json)]))
            return
        }
        let leftOut = TextReport.leftOut(audited, width: Terminal.width)
        PlanText.show(
            plan,
            notes: (answer?.lines ?? []) + notes + leftOut, path: path, quiet: options.quiet)
        // What is not done must be read.
        if options.quiet {
            for line in answer?.lines ?? [] { StandardOutput.line(line) }
            return
        }
        // Last, since a look at each object takes its time, and the plan stands without it.
        if let cost = try await cost(of: plan, pipeline, session) {
            for line in PlanCostText.lines(cost) { StandardOutput.line(line) }
        }
        StandardOutput.line(PlanText.next(plan, path: path))
    }

    private func cost(
        of plan: Plan, _ pipeline: Pipeline, _ session: Session
    ) async throws -> PlanCost? {
        guard let terms = session.storageTerms else { return nil }
        return try await pipeline.cost(of: plan, by: terms)
    }
}

extension Plan {
    // Whoever reads a plan leaves out what it does not know.
    fileprivate func json(adding parts: [(name: String, value: JSONValue?)]) -> JSONValue {
        guard case .object(let members) = json else { return json }
        return .object(
            members
                + parts.compactMap { part in
                    part.value.map { JSONValue.Member(name: part.name, value: $0) }
                })
    }
}

/// A plan on the terminal.
enum PlanText {
    /// Prints a plan: its steps, the notes on them, and where it is saved.
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
    }

    /// What to do with a plan.
    static func next(_ plan: Plan, path: String) -> String {
        plan.steps.isEmpty
            ? "nothing to repair"
            : "next, to see what it would do (--apply does it):\n  mooring repair \(path)"
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
