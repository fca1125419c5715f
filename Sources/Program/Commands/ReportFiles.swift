import Foundation
import Glibc
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting
import MooringText

extension Session {
    /// Looks at both sides, and writes the findings of the report meanwhile; `writeReport` ends it.
    func look(
        _ operation: Pipeline.Operation, _ pipeline: Pipeline, _ run: CurrentRun,
        accepting acceptance: Acceptance = Acceptance()
    ) async throws -> (ending: Pipeline.Ending, report: ReportAhead) {
        let report = ReportAhead { findings, summary in
            try writer(summary.id, try formats(), PageCut(findings, summary))
        }
        var pipeline = pipeline
        pipeline.found = { report.begin($0, $1) }
        do {
            return (try await pipeline.run(operation, as: run, accepting: acceptance), report)
        } catch {
            report.abandon()
            throw error
        }
    }

    /// Writes a run's reports and returns their folder; findings come from memory, and those that
    /// were written ahead are not written again. `latest` moves on to runs that scanned both sides,
    /// and no dry run moves it; a plan is kept beside the report.
    func writeReport(
        _ summary: RunSummary, _ findings: [Finding], ahead: ReportAhead? = nil,
        plan: Plan? = nil, isDry: Bool = false
    ) throws -> String {
        let progress = progress
        progress.begin("writing reports", .report, of: findings.count)
        defer { progress.end() }
        let writer = try ahead?.take() ?? written(findings, summary)
        do {
            return try writer.finish(
                summary, extraFiles: Self.files(plan),
                updatesLatest: Pipeline.auditCommands.contains(summary.command) && !isDry)
        } catch {
            writer.abandon()
            throw error
        }
    }

    private func written(_ findings: [Finding], _ summary: RunSummary) throws -> ReportWriter {
        let writer = try writer(summary.id, try formats(), PageCut(findings, summary))
        do {
            for page in findings.chunks(of: Ledger.batchSize) {
                try writer.add(Array(page))
                progress.advance(page.count)
            }
        } catch {
            writer.abandon()
            throw error
        }
        return writer
    }

    /// Writes a run's reports again from the ledger; `latest` stays where it is.
    func writeReport(
        _ summary: RunSummary, from ledger: Ledger, formats: [ReportFormat]? = nil
    ) throws -> String {
        let formats = try formats ?? self.formats()
        var bytes: [FindingKind: [Int64]] = [:]
        if formats.contains(.html), PageCut.isNeeded(of: summary) {
            try ledger.findings(in: summary.id, FindingFilter()) { page in
                for finding in page {
                    bytes[finding.kind, default: []].append(PageCut.bytes(of: finding))
                }
            }
        }
        let writer = try writer(summary.id, formats, PageCut(bytes))
        let summary = try summary.told(by: ledger)
        do {
            let outcomes = try ledger.outcomes(in: summary.id)
            try ledger.findings(in: summary.id, FindingFilter()) {
                try writer.add($0.ended(outcomes))
            }
            if summary.command == "repair" {
                try writer.add(repairedFindings(of: summary.id, ledger))
            }
            let plan = try ledger.lastPlan(of: summary.id)
            return try writer.finish(
                summary, extraFiles: Self.files(plan), updatesLatest: false)
        } catch {
            writer.abandon()
            throw error
        }
    }

    /// The findings that a repair's steps were about, as the audit of its plan recorded them and in
    /// the order of reports, with how the steps ended.
    func repairedFindings(of run: RunID, _ ledger: Ledger) throws -> [Finding] {
        let plan = try ledger.journal(run: run).lazy.compactMap(\.plan).first
        guard let audited = try plan.flatMap({ try ledger.plan($0) })?.run else { return [] }
        let outcomes = try ledger.outcomes(in: run)
        var findings = try outcomes.keys.compactMap { try ledger.finding($0, in: audited) }
        findings.sortForReports()
        return findings.ended(outcomes)
    }

    /// Writes the reports of a run without findings, with files of its own beside them.
    func writeReport(
        _ summary: RunSummary, extra: [(name: String, bytes: [UInt8])]
    ) throws -> String {
        let writer = try writer(summary.id, try formats())
        return try writer.finish(summary, extraFiles: extra, updatesLatest: false)
    }

    /// Tells programs of a run that ended with an error, in those of the formats that are for them:
    /// who watches a job must not take the numbers of the run before for this one's. A deletion
    /// request leaves no words behind.
    func writeFailure(_ summary: RunSummary) throws {
        let told = try formats().filter {
            summary.command == "erase"
                ? $0 == .prometheus : ReportFormat.ofFailedRuns.contains($0)
        }
        guard !told.isEmpty else { return }
        _ = try writer(summary.id, told).finish(summary, updatesLatest: false)
    }

    /// Removes what a process that died left of its run's report, which nobody was shown. What is
    /// wrong with that is told, and changes nothing of this run.
    func removeLeftReport(of run: RunID) {
        do {
            try ReportWriter.removeLeft(of: run, in: reportDirectory)
        } catch {
            StandardError.report("what run \(run.text) left of its report stays there: \(error)")
        }
    }

    /// Writes the page that lists the runs, where pages are asked for. What is wrong with it is
    /// told, and changes nothing of the run, which has its report by then.
    func writeIndex(_ ledger: Ledger) {
        do {
            guard try formats().contains(.html) else { return }
            try RunIndex.write(
                directory: reportDirectory, runs: try ledger.runs(limit: RunIndex.limit + 1))
        } catch {
            StandardError.report("the list of runs was not written: \(error)")
        }
    }

    private func writer(
        _ run: RunID, _ formats: [ReportFormat], _ page: PageCut = PageCut()
    ) throws -> ReportWriter {
        let pointsIntoFile = formats.contains { [.sarif, .junit, .github].contains($0) }
        return try ReportWriter(
            directory: reportDirectory, run: run, formats: formats,
            places: pointsIntoFile
                ? .load(path: configuration.file) : ConfigurationPlaces(), page: page)
    }

    private static func files(_ plan: Plan?) -> [(name: String, bytes: [UInt8])] {
        plan.map { [("plan.json", $0.json.prettyRendered)] } ?? []
    }

    /// Prints a run to the terminal, or as one JSON document; `toldSteps` where its steps were told
    /// while they ended.
    func show(_ summary: RunSummary, _ findings: [Finding], toldSteps: Bool = false) {
        if options.json {
            StandardOutput.document(summary.json)
            return
        }
        if options.quiet {
            if let news = TextReport.news(summary, width: Terminal.width) {
                StandardOutput.write(news)
            }
            return
        }
        StandardOutput.write(
            TextReport.overview(
                summary, samples: findings,
                TextReport.OverviewOptions(
                    color: options.color.isOn(descriptor: 1), width: Terminal.width,
                    showsAll: options.verbose, toldSteps: toldSteps,
                    cutsKeys: Terminal.isThere)) + "\n")
    }

    /// Prints a run's annotations where they are asked for: a step of GitHub Actions reads them
    /// from both streams.
    func showAnnotations(of run: RunID) {
        let path = "\(reportDirectory)/\(run.text)/\(ReportFormat.github.fileName)"
        do {
            guard try formats().contains(.github) else { return }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            guard options.json else { return StandardOutput.write(text) }
            // Where each line is an object, they stand in the file alone.
            if options.logFormat == .text { StandardError.write(text) }
        } catch {
            StandardError.report("the annotations could not be read: \(error.systemWords)")
        }
    }

    /// Prints where the report lies, and last the run on one line.
    func showEnd(_ summary: RunSummary, report: String?) {
        showAnnotations(of: summary.id)
        guard !options.json, !options.quiet else { return }
        if let report { StandardOutput.line("report: \(report)") }
        StandardOutput.line(
            TextReport.lastLine(summary, color: options.color.isOn(descriptor: 1)))
    }
}

extension [Finding] {
    /// The findings with how the steps about them ended.
    func ended(_ outcomes: [String: StepOutcome]) -> [Finding] {
        guard !outcomes.isEmpty else { return self }
        return map { finding in
            var copy = finding
            copy.outcome = outcomes[finding.id]
            return copy
        }
    }
}

/// The terminal that stdout writes to.
enum Terminal {
    /// Whether stdout is one. What goes on to another program is never shortened.
    static let isThere = isatty(1) == 1

    /// A key in ASCII, on a terminal of at most so many columns.
    static func key(_ bytes: [UInt8], width: Int) -> String {
        isThere ? VisibleText.ascii(bytes, width: width) : VisibleText.ascii(bytes)
    }

    /// Its columns; 80 where there is none.
    static var width: Int {
        var size = winsize()
        let isTerminal = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isTerminal ? min(max(Int(size.ws_col), 40), 120) : 80
    }
}
