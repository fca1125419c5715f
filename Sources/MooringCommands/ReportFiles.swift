import Glibc
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

extension Session {
    /// Writes a run's reports and returns their folder; findings come from memory.
    func writeReport(_ summary: RunSummary, _ findings: [Finding]) throws -> String {
        let writer = try ReportWriter(
            directory: reportDirectory, run: summary.id, formats: try formats())
        do {
            for start in stride(from: 0, to: findings.count, by: 500) {
                try writer.add(Array(findings[start..<min(start + 500, findings.count)]))
            }
            return try writer.finish(summary)
        } catch {
            writer.abandon()
            throw error
        }
    }

    /// Writes a run's reports again from the ledger.
    func writeReport(_ summary: RunSummary, from ledger: Ledger) throws -> String {
        let writer = try ReportWriter(
            directory: reportDirectory, run: summary.id, formats: try formats())
        do {
            try ledger.findings(in: summary.id, FindingFilter()) { try writer.add($0) }
            return try writer.finish(summary)
        } catch {
            writer.abandon()
            throw error
        }
    }

    /// Prints a run to the terminal, or as one JSON document.
    func show(_ summary: RunSummary, _ findings: [Finding], report: String?) {
        if options.json {
            StandardOutput.document(summary.json)
            return
        }
        if options.quiet { return }
        let isColored = options.color.isOn(descriptor: 1)
        StandardOutput.write(
            TextReport.overview(
                summary, samples: findings, color: isColored, width: Terminal.width))
        if let report { StandardOutput.line("\nreport: \(report)") }
    }
}

/// The terminal that stdout writes to.
enum Terminal {
    /// Its columns; 80 where there is none.
    static var width: Int {
        var size = winsize()
        let isTerminal = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isTerminal ? min(max(Int(size.ws_col), 40), 120) : 80
    }
}
