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
            let log = StepLog(options, isErasing: true)
            return try await session.run("erase", telling: log) { pipeline, run in
                let reports = EraseReports(session: session, ledger: pipeline.job.ledger)
                let request = ErasureRequest(scope: scope, applies: apply, reports: reports)
                let ending = try await pipeline.run(.erase(request), as: run, accepting: acceptance)
                if let erasure = ending.erasure, let done = erasure.done {
                    let receipt = EraseReceipt(
                        run: run.summary, scope: scope, erasure: erasure, done: done)
                    let folder = try session.writeReport(
                        run.summary, extra: [(EraseReceipt.fileName, receipt.json.prettyRendered)])
                    close(receipt, folder)
                } else if let erasure = ending.erasure {
                    tellDry(erasure, scope)
                }
                return ExitStatus(ending, run)
            }
        }
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

    private func tellDry(_ erasure: Erasure, _ scope: ErasureScope) {
        let (survey, remains) = (erasure.survey, erasure.remains)
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
    }

    private func close(_ receipt: EraseReceipt, _ folder: String) {
        if options.json {
            StandardOutput.document(
                .members([
                    "applied": .bool(true), "receipt": receipt.json,
                    "steps": .array(receipt.done.results.map(StepLog.document)),
                ]))
            return
        }
        for line in receipt.lines { StandardOutput.line(line) }
        StandardOutput.line("receipt: \(folder)/\(EraseReceipt.fileName)")
    }
}
