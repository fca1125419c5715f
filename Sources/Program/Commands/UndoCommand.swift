import ArgumentParser
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring undo RUN`: takes a run's repairs back, newest first.
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take a run's repairs back, newest first; without --apply a dry run.",
        usage: """
            mooring undo <run> [--step <id>] [<options>]
            mooring undo --key <key> [<options>]
            """,
        discussion: """
            Objects come back from quarantine, nulled references get their old value, tags go off, \
            and what came back from a delete marker is hidden again, as long as nobody wrote there \
            since. What was deleted or swept, and uploads that were ended, cannot come back, and \
            an object that was given back from quarantine stays where a record references it. \
            With --key the newest repair of that object which can be taken back is, whichever run \
            made it.

            \(ExitStatus.help(ExitStatus.ofActing))
            """)

    @Argument(help: "The run: its name, the beginning of it, or 'latest' for the last repair.")
    var run: String?

    @Flag(help: "Change the stores.")
    var apply = false

    @Option(help: ArgumentHelp("Take back this step only.", valueName: "id"))
    var step: String?

    @Option(help: "Take back the newest repair of this object.")
    var key: String?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        try options.refuseAsOf()
        if key != nil, run != nil || step != nil {
            throw ValidationError("--key finds run and step itself; name one or the other")
        }
        if key == nil, run == nil {
            throw ValidationError("name the run whose repairs are taken back, or --key <key>")
        }
    }

    func run() async throws {
        try await ending {
            let session = try Session(options)
            _ = try session.existingLedger()
            guard apply else { return try dryRun(session) }
            let log = StepLog(options)
            return try await session.run("undo", telling: log) { pipeline, run in
                let (repaired, step) = try wanted(session, pipeline.job)
                let ending = try await pipeline.run(.undo(of: repaired, step: step), as: run)
                let summary = try run.summary.told(by: pipeline.job.ledger)
                let folder = try session.writeReport(summary, [])
                log.close(run: summary, plan: nil, report: folder)
                return ExitStatus(ending, run)
            }
        }
    }

    private func dryRun(_ session: Session) throws -> ExitStatus {
        let ledger = try session.existingLedger()
        let job = try session.job(ledger)
        let (repaired, step) = try wanted(session, job)
        let items = try Pipeline(job: job).undoable(of: repaired, onlyStep: step)
        if options.json {
            StandardOutput.document(
                StepLog.document(
                    run: nil, plan: nil, applied: false, items.map { $0.entry.step.json }))
            return .done
        }
        StandardOutput.line(
            "dry run: \(Measure.count(items.count, "repair")) of run \(repaired.text), "
                + "nothing is changed")
        let log = StepLog(options)
        for item in items {
            if item.obstacle != nil {
                log.take(.stays(item))
            } else {
                StandardOutput.line("  would undo " + PlanText.line(item.entry.step))
            }
        }
        return .done
    }

    private func wanted(
        _ session: Session, _ job: Job
    ) throws -> (run: RunID, step: String?) {
        guard let key else { return (try repairedRun(session, job.ledger), step) }
        let entries = try UndoStage.newest(of: key, job)
        let shown = VisibleText.ascii(key)
        guard let entry = entries.first else {
            throw CommandError(
                "no repair of '\(shown)' can be taken back; mooring explain tells what was done")
        }
        guard entries.count == 1 else {
            let commands = entries.map {
                "\n  mooring undo \($0.run.text) --step \($0.step.id)   # in "
                    + ($0.step.bucket ?? "")
            }
            throw CommandError(
                "'\(shown)' was repaired in \(entries.count) buckets; take back one of"
                    + commands.joined())
        }
        return (entry.run, entry.step.id)
    }

    // Of a run that was pruned its repairs are still known.
    private func repairedRun(_ session: Session, _ ledger: Ledger) throws -> RunID {
        let name = run ?? "latest"
        if let known = try UndoStage.repairedRun(name, ledger) { return known }
        return try session.find(name, in: ledger, commands: UndoStage.repairing).id
    }
}
