import ArgumentParser
import Foundation
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline

/// `mooring repair PLAN`: shows what a plan would do, or with `--apply` does it.
struct RepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Carry a plan out; without --apply a dry run that prints every step.",
        usage: "mooring repair <plan> [<options>]",
        discussion: """
            Before anything is removed, every record of every table is searched again for the keys \
            of what is to go; a search that is not complete changes nothing. Every step looks at \
            both sides again at the moment of acting, and changes nothing when it finds something \
            else than what was judged (the step is then stale). mooring undo RUN --apply takes the \
            repairs back.

            \(ExitStatus.help(ExitStatus.ofActing))
            """)

    @Argument(help: "The plan: its file, or its name in the ledger.")
    var plan: String

    @Flag(help: "Change the stores.")
    var apply = false

    @OptionGroup var options: CommonOptions

    func validate() throws { try options.refuseAsOf() }

    func run() async throws {
        try await ending {
            let session = try Session(options)
            _ = try session.existingLedger()
            guard apply else { return try dryRun(session) }
            let log = StepLog(options)
            return try await session.run("repair", telling: log) { pipeline, run in
                let plan = try load(pipeline.job.ledger)
                let ending = try await pipeline.run(.repair(plan), as: run)
                let findings = try session.repairedFindings(
                    of: run.summary.id, pipeline.job.ledger)
                let summary = try run.summary.told(by: pipeline.job.ledger)
                let folder = try session.writeReport(summary, findings)
                log.close(run: summary, plan: plan.id, report: folder)
                log.tellLifecycleRule(of: run.summary, pipeline.job.buckets)
                return ExitStatus(ending, run)
            }
        }
    }

    private func load(_ ledger: Ledger) throws -> Plan {
        if FileManager.default.fileExists(atPath: plan) { return try PlanFile.read(plan) }
        guard let saved = try ledger.plan(plan) else {
            throw CommandError(
                "'\(plan)' is neither a file nor a plan of the ledger; mooring plan makes one")
        }
        return saved
    }

    private func dryRun(_ session: Session) throws -> ExitStatus {
        let ledger = try session.existingLedger()
        let plan = try load(ledger)
        let pipeline = Pipeline(job: try session.job(ledger))
        try pipeline.check(plan)
        if options.json {
            StandardOutput.document(
                StepLog.document(run: nil, plan: plan.id, applied: false, plan.steps.map(\.json)))
            return .done
        }
        StandardOutput.line(
            "dry run: \(Measure.count(plan.steps.count, "step")), nothing is changed")
        for step in plan.steps { StandardOutput.line("  would " + PlanText.line(step)) }
        for line in try pipeline.notes(on: plan.steps) { StandardOutput.line(line) }
        if !plan.steps.isEmpty {
            StandardOutput.line("next: mooring repair \(self.plan) --apply")
        }
        return .done
    }
}
