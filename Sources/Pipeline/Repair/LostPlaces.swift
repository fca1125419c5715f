import MooringConfiguration
import MooringLedger
import MooringModel

/// What steps that a crash left open need, and the configuration does not name any more: under a
/// new name the record, or the object, is there still, and what was taken from it may have to be
/// put back. Until that is done nothing else may act on it, and nobody knows its new name.
package struct LostPlaces {
    private let job: Job

    /// The lost places of a job.
    package init(job: Job) {
        self.job = job
    }

    /// The refusal of every change to a store; nil where each open step finds its place.
    package func refusal() throws -> Refusal? {
        for entry in try job.ledger.openIntents() {
            guard let place = place(entry.step) else { continue }
            return Refusal(
                .refused,
                found: "what run \(entry.run.text) had begun on \(place) has not ended, and the "
                    + "configuration does not name that any more",
                refused: "every change to a store, since something may have to be put back there",
                next: "name it again as it was, run mooring run, and rename it afterwards; where "
                    + "it is gone for good, go on with a new ledger (mooring ledger rebuild)")
        }
        return nil
    }

    /// The place that a step needs and that is not configured, in words; nil where all are.
    private func place(_ step: PlanStep) -> String? {
        if step.writesRecord, let record = step.record {
            let identity = record.identity
            guard job.source(identity.source) != nil else {
                return "record source '\(identity.source)'"
            }
            guard let mapping = job.mapping(identity) else {
                return "model '\(identity.model)' of record source "
                    + "'\(identity.source)'"
            }
            if let field = record.field, !mapping.files.contains(where: { $0.field == field }),
                !mapping.relations.contains(where: { $0.field == field })
            {
                return "field '\(identity.model).\(field)' of record "
                    + "source '\(identity.source)'"
            }
        }
        // A reference that is repointed may name a bucket that nobody ever configured.
        let bucket = step.strategy == .repoint ? step.target?.bucket : step.bucket
        guard let bucket, job.bucket(bucket) == nil else { return nil }
        return "bucket '\(bucket)'"
    }
}
