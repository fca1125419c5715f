import ArgumentParser
import MooringLedger
import MooringModel
import MooringPipeline

/// `mooring undo RUN`: takes a run's repairs back, newest first.
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take a run's repairs back, newest first; without --apply a dry run.",
        usage: "mooring undo <run> [<options>]",
        discussion: """
            Objects come back from quarantine, nulled references get their old value, tags go off, \
            and what came back from a delete marker is hidden again, as long as nobody wrote there \
            since. What was deleted or swept, and uploads that were ended, cannot come back, and \
            an object that was given back from quarantine stays where a record references it.

            \(ExitStatus.help(ExitStatus.ofActing))
            """)

    @Argument(help: "The run: its name, the beginning of it, or 'latest' for the last repair.")
    var run: String

    @Flag(help: "Change the stores.")
    var apply = false

    @Option(help: ArgumentHelp("Take back this step only.", valueName: "id"))
    var step: String?

    @OptionGroup var options: CommonOptions

    func validate() throws { try options.refuseAsOf() }

    func run() async throws {
        try await ending {
            let session = try Session(options)
            _ = try session.existingLedger()
            guard apply else { return try dryRun(session) }
            let log = StepLog(options)
            return try await session.run("undo", telling: log) { pipeline, run in
                let repaired = try repairedRun(session, pipeline.job.ledger)
                let ending = try await pipeline.run(.undo(of: repaired, step: step), as: run)
                let folder = try session.writeReport(run.summary, [])
                log.close(run: run.summary, plan: nil, report: folder)
                return ExitStatus(ending, run)
            }
        }
    }

    private func dryRun(_ session: Session) throws -> ExitStatus {
        let ledger = try session.existingLedger()
        let repaired = try repairedRun(session, ledger)
        let items = try Pipeline(job: try session.job(ledger))
            .undoable(of: repaired, onlyStep: step)
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

    // `latest` is the last run that has something in the journal: a nightly run that had nothing
    // to do hides no repair before it. Of a run that was pruned its repairs are still known.
    private func repairedRun(_ session: Session, _ ledger: Ledger) throws -> RunID {
        let commands: Set = ["repair", "run", "sweep"]
        if run == "latest" {
            for candidate in try ledger.runs(limit: nil)
            where try commands.contains(candidate.command)
                && !ledger.journal(run: candidate.id).isEmpty
            {
                return candidate.id
            }
        }
        let kept = try ledger.runs(limit: nil).contains { $0.id.text.hasPrefix(run) }
        if !kept, let pruned = try ledger.journalRuns(beginning: run).only { return pruned }
        return try session.find(run, in: ledger, commands: commands).id
    }
}

extension Array {
    /// The one element; nil where there are others, or none.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
