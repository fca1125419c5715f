import Foundation
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline

/// What the last complete run read of each model and field, for the doctor: a field whose values
/// are no keys, or whose change time is none, is seen here by a person.
struct FieldChecks {
    /// The command's configuration.
    let session: Session

    /// The run, with its fields; nil where there is no ledger yet, or no complete run.
    func last() throws -> RunSummary? {
        guard FileManager.default.fileExists(atPath: session.configuration.ledger) else {
            return nil
        }
        return try Ledger.openExisting(path: session.configuration.ledger)
            .lastCompleteAudit(of: Pipeline.auditCommands)
    }

    /// One line for each field, and one for each run that began after now.
    func checks() -> [Check] {
        do {
            guard let run = try last() else { return [] }
            let ledger = try Ledger.openExisting(path: session.configuration.ledger)
            return run.fields.map { check($0, run) }
                + (try FutureRuns.sentences(ledger, session.configuration)).map {
                    Check(name: "clock", result: .noted, detail: $0)
                }
        } catch {
            // The ledger's own line says what is wrong with it.
            return []
        }
    }

    private func check(_ field: RunSummary.Field, _ run: RunSummary) -> Check {
        let change =
            field.newestChange.map { "newest change \($0.iso8601)" }
            ?? "no change time"
        return Check(
            name: "field \(field.source).\(field.field)", result: .noted,
            detail: "held by \(field.held) of \(Measure.count(field.records, "record")), "
                + "\(field.listed) of \(Measure.count(field.references, "key")) listed, \(change) "
                + "(run \(run.id.text))")
    }
}
