import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline

/// `erase-receipt.json`: that a deletion request was carried out, without the person's data.
///
/// Numbers and hashes only: who holds the identity or prefix can compare its SHA-256, and nobody
/// reads it out of the receipt.
struct EraseReceipt {
    /// The file's name in the run's report folder.
    static let fileName = "erase-receipt.json"
    /// The name and version of the form.
    static let schema = "mooring.erase-receipt/1"

    /// The run, as it ended.
    let run: RunSummary
    /// What was asked.
    let scope: ErasureScope
    /// What came of it.
    let erasure: Erasure
    /// What was done.
    let done: Erasure.Done

    private var survey: EraseStage.Survey { erasure.survey }
    private var remains: EraseRemains.Outcome { erasure.remains }
    private var evidence: ErasedEvidence { done.evidence }
    private var results: [StepResult] { done.results }

    /// The receipt as the file holds it.
    var json: JSONValue {
        .members([
            "schema": .string(Self.schema), "run": .string(run.id.text),
            "version": .string(run.programVersion), "startedAt": .moment(run.startedAt),
            "finishedAt": .moment(run.finishedAt),
            "configuration": .string(run.configuration), "asked": Self.asked(scope),
            "buckets": .texts(survey.buckets), "copies": .texts(survey.copies),
            "incomplete": .texts(survey.incomplete),
            "objects": Self.objects(survey, results: results),
            "remains": Self.remains(remains),
            "failed": .array(failed.map(Self.failure)),
            "evidence": .members([
                "findings": .whole(evidence.findings),
                "journalEntries": .whole(evidence.entries),
                "openEntries": .whole(evidence.openEntries),
                "planSteps": .whole(evidence.steps), "sights": .whole(evidence.sights),
                "reports": .whole(done.reports), "cleared": .bool(done.isCleared),
            ]),
            "journal": .members([
                "links": .integer(done.head.links), "head": .string(done.head.hash),
            ]),
        ])
    }

    /// The numbers of what went beside the objects; nil where there was nothing.
    static func remains(_ remains: EraseRemains.Outcome) -> JSONValue? {
        guard !remains.isEmpty else { return nil }
        return .members([
            "versions": .whole(remains.versions), "bytes": .integer(remains.bytes),
            "deleteMarkers": .whole(remains.markers), "uploads": .whole(remains.uploads),
            "failures": .texts(remains.failures),
        ])
    }

    /// The same on the terminal.
    static func lines(_ remains: EraseRemains.Outcome) -> [String] {
        guard !remains.isEmpty else { return [] }
        return [
            "\(Measure.count(remains.versions, "older version")) "
                + "(\(Measure.bytes(remains.bytes))), "
                + "\(Measure.count(remains.markers, "delete marker")), "
                + "\(Measure.count(remains.uploads, "open upload"))"
        ]
    }

    /// The request as its hash.
    static func asked(_ scope: ErasureScope) -> JSONValue {
        .members([
            "by": .string(scope.request.name),
            "sha256": .string(FindingIdentity.sha256(scope.request.bytes)),
            "bucket": .text(scope.bucket),
        ])
    }

    /// The numbers of objects.
    static func objects(
        _ survey: EraseStage.Survey, results: [StepResult]
    ) -> JSONValue {
        let removed = results.filter { $0.outcome == .done }
        return .members([
            "found": .whole(survey.items.count), "bytes": .integer(survey.bytes),
            "quarantined": .whole(survey.items.count(where: \.isHeld)),
            "referenced": .whole(survey.referenced), "removed": .whole(removed.count),
            "removedBytes": .integer(
                removed.reduce(0) { $0 + ($1.step.precondition.object?.size ?? 0) }),
        ])
    }

    /// The summary on the terminal.
    var lines: [String] {
        let removed = results.count { $0.outcome == .done }
        var lines = [
            "run \(run.id.text): \(removed) of \(Measure.count(results.count, "object")) removed "
                + "for good; this cannot be undone",
            "erased from the ledger: \(Measure.count(evidence.findings, "finding")), "
                + "\(evidence.entries) of the journal's entries, "
                + "\(Measure.count(evidence.steps, "step")) of plans; "
                + "\(Measure.count(done.reports, "report")) made anew",
        ]
        lines += Self.lines(remains).map { "removed with them: " + $0 }
        if !remains.failures.isEmpty {
            lines.append("something is left in the store beside them: run the command again")
        }
        if removed < results.count {
            lines.append("\(results.count - removed) could not be removed: run the command again")
        }
        if evidence.openEntries > 0 {
            lines.append(
                "\(evidence.openEntries) of the journal's entries are open and stay: "
                    + "run the command again")
        }
        if !done.isCleared {
            lines.append(
                "another process reads the ledger, whose files still hold old bytes: "
                    + "run the command again when it has ended")
        }
        if survey.referenced > 0 {
            lines.append(
                "records still hold \(survey.referenced) of the keys: "
                    + "run mooring audit, which finds them dangling")
        }
        return lines
    }

    private var failed: [StepResult] { results.filter { $0.outcome != .done } }

    private static func failure(_ result: StepResult) -> JSONValue {
        .members([
            "bucket": .text(result.step.bucket),
            "keySHA256": .text(result.step.key.map { FindingIdentity.sha256($0.bytes) }),
            "outcome": .text(result.outcome?.rawValue),
        ])
    }
}
