import ArgumentParser
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring ledger rebuild`: quarantine read back from the buckets, for a ledger that was lost.
struct LedgerRebuildCommand: AsyncParsableCommand {
    /// How it can end.
    static let statuses: [ExitStatus] = [
        .done, .error, .refused, .incomplete, .locked, .usage, .configuration, .interrupted,
    ]

    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Read quarantine back from the buckets when the ledger was lost.",
        usage: "mooring ledger rebuild [--take-over] [<options>]",
        discussion: """
            Lists the quarantine of every live bucket, and writes a run and a journal entry for \
            each object that the ledger does not know, so that undo, sweep and explain work \
            again. What the ledger knows stays as it is. When a listing is incomplete, nothing is \
            written. No object is changed.

            --take-over removes the leases that other ledgers hold. Say so only when no process \
            works with such a ledger any more and none ever will: what it had begun and not \
            ended is not known here, and a reference that it was about to null may still be \
            nulled. Run mooring audit afterwards and look at new dangling references.

            \(ExitStatus.help(statuses))
            """)

    @Flag(help: "Remove the leases of ledgers that are lost for good.")
    var takeOver = false

    @OptionGroup var options: CommonOptions

    func validate() throws { try options.refuseAsOf() }

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let started = SystemClock.now()
            let lock = try LedgerLock.acquire(
                ledgerPath: session.configuration.ledger, command: "ledger rebuild", at: started)
            defer { lock.release() }
            let signals = Signals(session.interruption)
            defer { withExtendedLifetime(signals) {} }
            let quarantine = try await Pipeline.quarantine(
                of: Assembly.buckets(session.configuration), session.interruption)
            let job = try session.job(Ledger.open(path: session.configuration.ledger))
            let rebuilt = try await Pipeline(job: job).rebuild(
                from: quarantine, as: RunID(startingAt: started), takingOver: takeOver)
            for sentence in rebuilt.sentences { StandardError.report(sentence) }
            tell(rebuilt.missing, quarantine, rebuilt.leases)
            return .done
        }
    }

    private func tell(
        _ missing: [RebuildStage.Missing], _ quarantine: RebuildStage.Quarantine,
        _ leases: [LeaseTakeover.Other]
    ) {
        let objects = missing.reduce(0) { $0 + $1.run.entries.count }
        let held = quarantine.runs.reduce(0) { $0 + $1.value.count }
        if options.json {
            return StandardOutput.document(
                .members([
                    "runs": .array(missing.map(Self.document)),
                    "quarantined": .whole(held), "rebuilt": .whole(objects),
                    "known": .whole(held - objects),
                    "leftAlone": .texts(quarantine.leftAlone.map { VisibleText.ascii($0.text) }),
                    "leases": .array(leases.map(\.json)),
                ]))
        }
        for lease in leases where !lease.isTaken || !options.quiet {
            StandardOutput.line(lease.line)
        }
        guard !options.quiet else { return }
        for run in missing {
            StandardOutput.line(
                "  \(run.isKnown ? "completed" : "rebuilt  ")  \(run.run.summary.id.text)  "
                    + Measure.count(run.run.entries.count, "object"))
        }
        for problem in quarantine.leftAlone {
            StandardOutput.line("  left alone  " + VisibleText.ascii(problem.text))
        }
        if quarantine.leftAloneUnnamed > 0 {
            StandardOutput.line("  left alone  \(quarantine.leftAloneUnnamed) more")
        }
        StandardOutput.line(
            "\(Measure.count(held, "object")) in quarantine: \(objects) rebuilt, "
                + "\(held - objects) known before")
        if objects > 0 {
            StandardOutput.line("next: mooring runs; mooring undo RUN gives a run's objects back")
        }
    }

    private static func document(_ missing: RebuildStage.Missing) -> JSONValue {
        .members([
            "id": .string(missing.run.summary.id.text), "new": .bool(!missing.isKnown),
            "rebuilt": .whole(missing.run.entries.count),
            "known": .whole(missing.knownObjects),
        ])
    }
}

extension LeaseTakeover.Other {
    /// One line for people.
    fileprivate var line: String {
        isTaken
            ? "bucket \(bucket): took the lease over; it was held by \(holder). What that "
                + "ledger had begun is not known here: run mooring audit and look at new "
                + "dangling references"
            : "bucket \(bucket): every change stays refused, since its lease is held by "
                + "\(holder); when that ledger is lost for good: mooring ledger rebuild "
                + "--take-over"
    }

    /// The lease as one JSON value.
    fileprivate var json: JSONValue {
        .members([
            "bucket": .string(bucket), "holder": .string(holder), "taken": .bool(isTaken),
        ])
    }
}
