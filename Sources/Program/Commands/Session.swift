import Foundation
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// One command's work: its configuration, its ledger and its run.
struct Session {
    /// What the command line said.
    let options: CommonOptions
    /// What the file said, checked.
    let configuration: Configuration
    /// Set by a signal.
    let interruption = Interruption()
    /// Holds the buckets' leases while the command may change something.
    let leases = LeaseKeeper(host: HostName.current)

    /// The program's version.
    static let version = "0.1.0"

    /// Reads the configuration that the options name; `additions` are file fields that are tried
    /// and do not stand there.
    init(_ options: CommonOptions, adding additions: [String] = []) throws {
        StandardError.use(options.logFormat, quiet: options.quiet)
        self.options = options
        let environment = ProcessInfo.processInfo.environment
        let path = try Configuration.locate(flag: options.config, environment: environment)
        configuration =
            additions.isEmpty
            ? try Configuration.load(path: path, environment: environment)
            : try Configuration.load(path: path, environment: environment, adding: additions)
    }

    /// Where reports go.
    var reportDirectory: String { options.output ?? configuration.report.directory }

    /// Which formats are written.
    func formats() throws -> [ReportFormat] {
        try options.formats() ?? configuration.report.formats
    }

    /// What is told how far the run is.
    var progress: any MooringPipeline.Progress {
        switch options.logFormat {
        // A program reads it only where somebody asks for it.
        case .json: options.progress == .always ? LogProgress() : QuietProgress()
        case .text:
            !options.quiet && options.progress.isOn(descriptor: 2)
                ? TerminalProgress() : QuietProgress()
        }
    }

    /// A job over a ledger, for a command.
    func job(_ ledger: Ledger, for command: String? = nil) throws -> Job {
        // What is judged as of another moment is no listing to go on with.
        let goesOn =
            command.map(ListingSpools.commands.contains) == true && options.judgedAt == nil
        let present = try Assembly.buckets(
            configuration, spools: goesOn ? ListingSpools(configuration, ledger) : nil,
            scratch: options.scratch)
        let (recalled, buckets) = try EarlierQuarantines(configuration, ledger) {
            try Assembly.bucket($0, in: configuration, spools: nil)
        }.recall(present)
        let records = try Assembly.records(configuration, scratch: options.scratchFolder)
        var job = Job(
            configuration: recalled,
            records: records, buckets: buckets,
            ledger: ledger,
            clock: SystemClock.now, asOf: options.judgedAt,
            progress: progress,
            interruption: interruption, leases: leases, scratch: options.scratchFolder,
            memory: try options.memoryBytes())
        job.narrowing = try SparkAssembly.engine(self, job.bucketMappings, records, buckets)
        return job
    }

    /// The ledger of a command that changes nothing.
    func existingLedger() throws -> Ledger {
        try Ledger.openExisting(path: configuration.ledger)
    }

    /// Does a command's work as a run of the ledger: takes the lock, closes what a crash left,
    /// keeps the run's end whatever happens, gives the leases back that the body took, and lets go
    /// of the lock.
    func run(
        _ command: String, telling log: StepLog? = nil,
        _ body: (Pipeline, CurrentRun) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let notifier = Notifier(configuration, command: command)
        notifier.began()
        let result: Result<ExitStatus, any Error>
        do {
            result = .success(try await locked(command, notifier, telling: log, body))
        } catch {
            result = .failure(error)
        }
        await notifier.ended(result)
        return try result.get()
    }

    private func locked(
        _ command: String, _ notifier: Notifier, telling log: StepLog?,
        _ body: (Pipeline, CurrentRun) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let signals = Signals(interruption)
        defer { withExtendedLifetime(signals) {} }
        // First: a configuration that is refused leaves no ledger behind.
        try Assembly.refuseSharedFolders(configuration)
        let started = SystemClock.now()
        let lock = try LedgerLock.acquire(
            ledgerPath: configuration.ledger, command: command, at: started)
        defer { lock.release() }
        let ledger = try Ledger.open(path: configuration.ledger)
        for crashed in try ledger.closeCrashedRuns() {
            if !options.quiet {
                StandardError.report(
                    "run \(crashed.id.text) had not ended; it is interrupted now")
            }
            removeLeftReport(of: crashed.id)
        }
        var summary = begun(command, at: started)
        summary.prices = prices
        summary.lastSuccess = try lastSuccess(of: command, in: ledger)
        let job = try self.job(ledger, for: command)
        try ledger.begin(summary)
        StandardError.began(summary)
        for sentence in try FutureRuns.sentences(before: summary.id, ledger, configuration) {
            summary.notes.append(sentence)
            StandardError.report(sentence)
        }
        let result: Result<ExitStatus, any Error>
        do {
            let run = CurrentRun(summary) { (log ?? StepLog(options)).take($0) }
            defer { tellEnd(of: run.summary, ledger, notifier) }
            result = .success(try await keepingEnd(of: run, Pipeline(job: job), body))
        } catch {
            result = .failure(error)
        }
        for sentence in await job.giveLeasesBack() { StandardError.report(sentence) }
        return try result.get()
    }

    /// An audit of its own on a ledger that is thrown away: no lock is taken, nothing is told to
    /// anybody outside, and no report is written.
    func audit(onLedgerAt path: String) async throws -> (RunSummary, [Finding]) {
        let signals = Signals(interruption)
        defer { withExtendedLifetime(signals) {} }
        let ledger = try Ledger.open(path: path)
        let summary = begun("audit", at: SystemClock.now())
        let job = try job(ledger)
        try ledger.begin(summary)
        let run = CurrentRun(summary) { StepLog(options).take($0) }
        let ending = try await Pipeline(job: job).run(.audit, as: run)
        return (run.summary, ending.findings)
    }

    // A run of this configuration, as the ledger begins to keep it.
    private func begun(_ command: String, at started: Instant) -> RunSummary {
        var summary = RunSummary(
            id: RunID(startingAt: started), command: command, programVersion: Self.version,
            startedAt: started, configuration: configuration.fingerprint)
        if let asOf = options.judgedAt {
            summary.notes.append(RunSummary.asOfNote + asOf.iso8601)
        }
        return summary
    }

    private func keepingEnd(
        of run: CurrentRun, _ pipeline: Pipeline,
        _ body: (Pipeline, CurrentRun) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let ledger = pipeline.job.ledger
        do {
            // Before anything is done: that it cannot be reported is told while nothing is changed.
            try ReportWriter(directory: reportDirectory, run: run.summary.id, formats: [])
                .abandon()
            let status = try await body(pipeline, run)
            run.summary.finishedAt = run.summary.finishedAt ?? SystemClock.now()
            try ledger.update(run.summary)
            writeIndex(ledger)
            return status
        } catch {
            run.summary.status = Failure.runStatus(of: error)
            run.summary.reason = "\(error)"
            run.summary.finishedAt = SystemClock.now()
            do {
                try ledger.update(run.summary)
            } catch let second {
                StandardError.report("the run's end could not be kept: \(second)")
            }
            do {
                try writeFailure(run.summary)
                if run.summary.command != "erase" { showAnnotations(of: run.summary.id) }
            } catch let second {
                StandardError.report("the run's end could not be reported: \(second)")
            }
            writeIndex(ledger)
            throw error
        }
    }

    private func tellEnd(of summary: RunSummary, _ ledger: Ledger, _ notifier: Notifier) {
        var told = summary
        do { told = try summary.told(by: ledger) } catch {
            StandardError.report("what the run did could not be read again: \(error)")
        }
        notifier.keep(told, report: "\(reportDirectory)/\(summary.id.text)")
        StandardError.ended(told)
    }

    // Of runs over the same stores, whatever else the configuration said then.
    private func lastSuccess(of command: String, in ledger: Ledger) throws -> Instant? {
        let last = try ledger.lastRun {
            $0.command == command && $0.isSuccess
                && $0.isAbout(
                    buckets: configuration.buckets.map(\.name),
                    records: configuration.records.map(\.name), under: configuration.fingerprint)
        }
        return last?.finishedAt
    }

    /// The run that an argument names: a run's name, the beginning of one, or `latest`: of runs of
    /// this configuration and those about the same stores, where there are any.
    func find(_ name: String?, in ledger: Ledger, commands: Set<String>? = nil) throws -> RunSummary
    {
        let runs = try ledger.runs(limit: nil).filter {
            commands?.contains($0.command) ?? true
        }
        guard let name, name != "latest" else {
            let ended = runs.filter { $0.status != .running }
            let own = ended.first { $0.configuration == configuration.fingerprint }
            guard let last = ended.first(where: { own.map($0.isAbout) ?? true }) else {
                throw CommandError("the ledger holds no such run yet; run mooring audit first")
            }
            return last
        }
        let matching = runs.filter { $0.id.text.hasPrefix(name) }
        guard let run = matching.first else {
            throw CommandError("no run is named '\(name)'; mooring runs lists them")
        }
        guard matching.count == 1 || run.id.text == name else {
            throw CommandError(
                "\(matching.count) runs begin with '\(name)'; mooring runs lists them")
        }
        return run
    }
}
