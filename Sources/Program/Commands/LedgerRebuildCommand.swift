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
            let quarantine = try await RebuildStage.list(
                try Assembly.buckets(session.configuration), session.interruption)
            guard quarantine.isComplete else { throw refusal(quarantine) }
            let job = try session.job(Ledger.open(path: session.configuration.ledger))
            let identity = IdentityStage(job: job, run: RunID(startingAt: started))
            let stores = try await Self.known(identity)
            let stage = RebuildStage(job: job)
            let missing = try stage.missing(quarantine)
            try session.interruption.check()
            try stage.write(missing)
            _ = try await identity.settle(stores, acts: false)
            let leases = try await LeaseTakeover(job: job, run: RunID(startingAt: started))
                .carryOut(takeOver)
            tell(missing, quarantine, leases)
            return .done
        }
    }

    private static func known(_ identity: IdentityStage) async throws -> [IdentityStage.Result] {
        do {
            return try await identity.refuseOthers(
                refused: "the rebuild, and nothing was written")
        } catch let error as IdentityRefusal {
            throw error.refusal
        }
    }

    private func refusal(_ quarantine: RebuildStage.Quarantine) -> Refusal {
        let first = quarantine.problems.first.map { VisibleText.ascii($0.text) }
        return Refusal(
            .incomplete,
            found: "the quarantine could not be listed to its end"
                + (first.map { ": \($0)" } ?? ""),
            refused: "the rebuild, and nothing was written",
            next: "mend it, then run the same command again")
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

/// The leases that other ledgers hold, told or, where they are lost, taken.
struct LeaseTakeover {
    /// What works with them.
    let job: Job
    /// Under which run they are taken.
    let run: RunID

    /// A lease that another ledger holds, or that could not be looked at.
    struct Other {
        /// The bucket's name.
        let bucket: String
        /// Who holds it, or why that is not known.
        let holder: String
        /// Whether it was taken, and is gone.
        let isTaken: Bool

        /// One line for people.
        var line: String {
            isTaken
                ? "bucket \(bucket): took the lease over; it was held by \(holder). What that "
                    + "ledger had begun is not known here: run mooring audit and look at new "
                    + "dangling references"
                : "bucket \(bucket): every change stays refused, since its lease is held by "
                    + "\(holder); when that ledger is lost for good: mooring ledger rebuild "
                    + "--take-over"
        }

        /// The lease as one JSON value.
        var json: JSONValue {
            .members([
                "bucket": .string(bucket), "holder": .string(holder), "taken": .bool(isTaken),
            ])
        }
    }

    /// Finds the leases of others; takes and removes them when they are given up for lost.
    ///
    /// With open intents in this ledger's journal the leases become its own and stay.
    func carryOut(_ takesOver: Bool) async throws -> [Other] {
        var others: [Other] = []
        for bucket in job.buckets where bucket.isLive {
            guard let holder = try await job.otherHolder(of: bucket) else { continue }
            others.append(Other(bucket: bucket.name, holder: holder, isTaken: takesOver))
        }
        guard takesOver, !others.isEmpty else { return others }
        _ = try await job.takeLeases(for: "ledger rebuild", run: run, takingOver: true)
        for sentence in await job.giveLeasesBack() { StandardError.report(sentence) }
        return others
    }
}
