import ArgumentParser
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring erase`: a deletion request.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Remove a person's objects and what is known of them for good; a dry run first.",
        usage: """
            mooring erase --identity <id> [--bucket <name>] [--apply] [<options>]
            mooring erase --prefix <prefix> [--bucket <name>] [--apply] [<options>]
            """,
        discussion: """
            Without --apply it lists what would go. With it, the objects go from every live bucket \
            and from quarantine, with their older versions, delete markers and open uploads, and \
            what the ledger and earlier reports hold about them goes too; a receipt is kept. THIS \
            CANNOT BE UNDONE. Records are not changed: references to the objects are dangling \
            afterwards, and the next audit finds them.

            An object that was written after the listing is left; run the command again. So it is \
            after a crash: it finishes what is left.

            \(ExitStatus.help(ExitStatus.ofActing))
            """)

    @Option(
        help: ArgumentHelp(
            "The identity id; its objects under every level with {identity}.", valueName: "id"))
    var identity: String?

    @Option(
        help: ArgumentHelp(
            "The identity id in base64, where it is no text.", valueName: "base64"))
    var identityBase64: String?

    @Option(help: ArgumentHelp("How the keys begin; never empty.", valueName: "prefix"))
    var prefix: String?

    @Option(help: ArgumentHelp("This bucket only.", valueName: "name"))
    var bucket: String?

    @Flag(help: "Change the stores.")
    var apply = false

    @OptionGroup var accept: AcceptOptions
    @OptionGroup var options: CommonOptions

    func validate() throws {
        try options.refuseAsOf()
        _ = try request()
    }

    func run() async throws {
        let (acceptance, request) = (try accept.acceptance(), try request())
        try await ending {
            let session = try Session(options)
            try accept.refuseUnknown(acceptance, session.configuration)
            let scope = try scope(request, session.configuration)
            return try await session.run("erase") { job, summary in
                var steps = StepLog(options: options, planned: 0)
                if apply { try await Acting.prepare(job, &summary, &steps) }
                let stage = EraseStage(job: job, run: summary.id, scope: scope)
                let survey = try await stage.survey()
                if !survey.incomplete.isEmpty {
                    summary.status = .incomplete
                    summary.reason =
                        "not read to the end: \(survey.incomplete.joined(separator: ", "))"
                }
                show(survey)
                summary.guards += try EraseGuards.check(
                    survey, scope, job.configuration, accepting: acceptance)
                guard apply else {
                    let remains = try await EraseRemains(
                        job: job, run: summary.id, scope: scope
                    ).survey()
                    return dryRun(survey, remains, scope)
                }
                return try await erase(
                    EraseWork(session: session, job: job, scope: scope, survey: survey),
                    stage, &summary, &steps)
            }
        }
    }

    private func erase(
        _ work: EraseWork, _ stage: EraseStage, _ summary: inout RunSummary,
        _ steps: inout StepLog
    ) async throws -> ExitStatus {
        steps.plan(work.survey.items.count)
        if !options.json, !options.quiet {
            StandardOutput.line("removing them for good; this cannot be undone")
        }
        var results: [RepairStage.Result] = []
        try await stage.erase(work.survey.items) {
            results.append($0)
            steps.add($0)
            summary.repairs = steps.repairs
        }
        let remains = try await EraseRemains(
            job: work.job, run: summary.id, scope: work.scope
        ).remove()
        for failure in remains.failures { StandardError.report(VisibleText.ascii(failure)) }
        let reports = EraseReports(session: work.session, ledger: work.job.ledger)
        let affected = try reports.remove(about: work.scope)
        let evidence = try work.job.ledger.erase(
            work.scope, by: summary.id, at: SystemClock.now())
        // What is left there may vanish by itself yet.
        if work.survey.incomplete.isEmpty, steps.status == .done, remains.failures.isEmpty {
            try work.job.ledger.keep(erasure: work.scope, by: summary.id, at: SystemClock.now())
        }
        try reports.write(affected)
        let isCleared = try work.job.ledger.clearRemoved()
        summary.finish(work.job)
        var kept = summary
        if kept.status == .running { kept.status = .complete }
        let receipt = EraseReceipt(
            run: kept, scope: work.scope, survey: work.survey, results: results,
            evidence: evidence, reports: affected.count, isCleared: isCleared,
            head: try work.job.ledger.journalHead(), remains: remains)
        let folder = try work.session.writeReport(
            kept, extra: [(EraseReceipt.fileName, receipt.json.prettyRendered)])
        close(receipt, results, folder)
        return ExitStatus.gravest([
            work.survey.incomplete.isEmpty ? .done : .incomplete, steps.status,
            evidence.openEntries > 0 || !isCleared || !remains.failures.isEmpty
                ? .leftUndone : .done,
        ])
    }

    // MARK: What was asked

    private func request() throws -> ErasureScope.Request {
        let given = [identity, identityBase64, prefix].compactMap { $0 }
        guard given.count == 1 else {
            throw ValidationError("erase needs one of --identity, --identity-base64 and --prefix")
        }
        if let prefix {
            guard !prefix.isEmpty else {
                throw ValidationError("--prefix '' would mean every object; it is refused")
            }
            return .prefix(Array(prefix.utf8))
        }
        let bytes = identity.map { Array($0.utf8) } ?? identityBase64.flatMap(Base64.decode)
        guard let bytes else { throw ValidationError("--identity-base64 is no base64") }
        guard !bytes.isEmpty, !bytes.contains(UInt8(ascii: "/")) else {
            throw ValidationError(
                "an identity is one part of a key: not empty, and without a slash; "
                    + "--prefix takes the beginning of keys")
        }
        return .identity(bytes)
    }

    private func scope(
        _ request: ErasureScope.Request, _ configuration: Configuration
    ) throws -> ErasureScope {
        let names = configuration.buckets.map(\.mapping.name)
        if let bucket, !names.contains(bucket) {
            throw ValidationError("--bucket knows \(names.joined(separator: ", "))")
        }
        do {
            return try ErasureScope(
                request, bucket: bucket, levels: configuration.levels,
                buckets: configuration.buckets.map(\.mapping))
        } catch {
            throw Refusal(
                .refused, found: error.found, refused: "the deletion request", next: error.next)
        }
    }

    // MARK: What is told

    private func show(_ survey: EraseStage.Survey) {
        for problem in survey.problems { StandardError.report(VisibleText.ascii(problem)) }
        guard !options.json else { return }
        let held = survey.items.count(where: \.isHeld)
        StandardOutput.line(
            "\(Measure.count(survey.items.count, "object")) (\(Measure.bytes(survey.bytes))), "
                + "\(held) of them in quarantine; records still hold "
                + (survey.incomplete.isEmpty ? "" : "at least ") + "\(survey.referenced) of them")
        for name in survey.copies {
            StandardOutput.line("bucket \(name) is a copy, which cannot be changed")
        }
    }

    private func dryRun(
        _ survey: EraseStage.Survey, _ remains: EraseRemains.Outcome, _ scope: ErasureScope
    ) -> ExitStatus {
        if options.json {
            StandardOutput.document(
                .members([
                    "applied": .bool(false),
                    "asked": EraseReceipt.asked(scope),
                    "objects": EraseReceipt.objects(survey, results: []),
                    "remains": EraseReceipt.remains(remains),
                    "steps": .array(survey.items.map(\.step.json)),
                ]))
        } else {
            if !options.quiet {
                for item in survey.items {
                    StandardOutput.line(
                        "  would remove for good " + PlanText.line(item.step)
                            + (item.isHeld ? ", in quarantine" : ""))
                }
            }
            for line in EraseReceipt.lines(remains) { StandardOutput.line("would go too: " + line) }
            StandardOutput.line(
                "dry run: nothing is changed; --apply removes them for good, with what is known "
                    + "of them, and cannot be undone")
        }
        return survey.incomplete.isEmpty ? .done : .incomplete
    }

    private func close(
        _ receipt: EraseReceipt, _ results: [RepairStage.Result], _ folder: String
    ) {
        if options.json {
            StandardOutput.document(
                .members([
                    "applied": .bool(true), "receipt": receipt.json,
                    "steps": .array(results.map(StepLog.document)),
                ]))
            return
        }
        for line in receipt.lines { StandardOutput.line(line) }
        StandardOutput.line("receipt: \(folder)/\(EraseReceipt.fileName)")
    }
}

/// What one erasing run works with.
struct EraseWork {
    /// The command's configuration and options.
    let session: Session
    /// The stores and the ledger.
    let job: Job
    /// What was asked.
    let scope: ErasureScope
    /// What it means now.
    let survey: EraseStage.Survey
}

/// The guards of a deletion request: the limits on steps and bytes and, where a whole level or
/// bucket is meant, on the share of all objects.
enum EraseGuards {
    /// The guards' answers; throws where one refuses.
    static func check(
        _ survey: EraseStage.Survey, _ scope: ErasureScope, _ configuration: Configuration,
        accepting acceptance: Acceptance
    ) throws -> [RunSummary.Guard] {
        // Who asks for a deletion has decided already; nothing is to be reviewed first.
        let words = AcceptingWords(command: "mooring erase", needsReview: false)
        var facts = GuardFacts()
        facts.steps = survey.items.count
        facts.bytesToRemove = survey.bytes
        // A request means one prefix in all buckets, so they are taken together.
        var acts = GuardFacts.Acts(share: PlacedShare(.orphanShare, .bucket("all")))
        acts.planned = survey.items.count
        acts.total = survey.listed
        facts.acts = [acts]
        let names: Set =
            scope.coversWhole ? ["steps", "bytes", "orphanShare"] : ["steps", "bytes"]
        let guards = Guards(
            limits: configuration.limits, clockBound: configuration.race.clockBound,
            words: words
        ).plan(facts, accepting: acceptance).filter { names.contains($0.name) }
        if let refusal = Refusal(guards: guards, refused: "the deletion request", words: words) {
            throw refusal
        }
        return guards
    }
}
