import Foundation
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// Where the findings come from that a check lets pass.
enum KnownFindings {
    /// The baseline that an argument names: a file, or else a run of the ledger, which never
    /// expires.
    static func read(_ name: String, _ session: Session) throws -> FindingBaseline {
        if FileManager.default.fileExists(atPath: name) { return try BaselineFile.read(name) }
        guard FileManager.default.fileExists(atPath: session.configuration.ledger) else {
            throw CommandError(
                "'\(VisibleText.ascii(name))' is no file, and without a ledger it is no run; "
                    + "mooring baseline writes the file")
        }
        guard name != "latest" else {
            throw CommandError(
                "'latest' is no baseline: a check that failed would be the next one's; name the "
                    + "run itself (mooring runs), or the file of mooring baseline")
        }
        let ledger = try session.existingLedger()
        let run = try session.find(name, in: ledger, commands: Pipeline.auditCommands)
        try refuse(run)
        var entries: [FindingBaseline.Entry] = []
        try ledger.findings(in: run.id, FindingFilter()) { batch in
            entries += batch.map { FindingBaseline.Entry($0) }
        }
        return FindingBaseline(entries, expires: nil)
    }

    /// Throws where a run can be no baseline.
    static func refuse(_ audited: RunSummary) throws {
        let run = "run \(audited.id.text)"
        switch FindingBaseline.obstacle(of: audited) {
        case nil: return
        case .incomplete:
            throw Refusal(
                .incomplete, found: "\(run) did not read both sides to their end",
                refused: "it as a baseline", next: "run mooring audit again, and take that run")
        case .judgedAsOf:
            throw CommandError(
                "\(run) was judged as of another moment, so that it is no baseline; run mooring "
                    + "audit, and take that run")
        case .loss(let loss):
            throw Refusal(
                .refused, found: "in \(run) the guard \(loss.title) measured \(loss.value)",
                refused: "it as a baseline, since what a store lost is no known debt",
                next: loss.hint ?? "see mooring report \(audited.id.text)")
        }
    }
}

extension BaselineAnswers {
    /// What is told of them: how many pass, then which do not, and which can be taken out.
    var lines: [String] {
        let count = { (answer: FindingBaseline.Answer) in counts[answer] ?? 0 }
        var lines = [
            "baseline: \(Measure.count(count(.debt), "known finding")) and "
                + "\(count(.accepted)) accepted do not count, \(count(.unknown)) are not in it"
        ]
        let over: [FindingBaseline.Answer] = [.expired, .worse, .unreasoned]
        for answer in over where count(answer) > 0 {
            lines.append("baseline: \(count(answer)) in it count all the same: \(answer.words)")
            lines += failing.filter { $0.answer == answer }.map { "  " + $0.entry.line }
        }
        if !healed.isEmpty {
            lines.append(
                "baseline: \(healed.count) in it are healed; mooring baseline takes them out")
            lines += healed.prefix(Self.mostNamed).map { "  " + $0.line }
        }
        return lines
    }
}

extension FindingBaseline.Answer {
    fileprivate var words: String {
        switch self {
        case .debt: "known"
        case .accepted: "accepted"
        case .expired: "their time is over"
        case .worse: "their cause got worse"
        case .unreasoned: "accepted without a reason"
        case .unknown: "not in it"
        }
    }
}

extension FindingBaseline.Entry {
    fileprivate var line: String {
        kind.rawValue + (cause.map { "/\($0.rawValue)" } ?? "") + "  " + VisibleText.ascii(about)
    }
}
