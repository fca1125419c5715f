import MooringDecisions
import MooringModel

/// Gives an object in quarantine back to its key, without ever replacing what is there, or removes
/// it for good where no possible owner references it and it is as judged.
struct HeldObjectExecutor: StepExecutor {
    let journal: StepJournal
    /// What is removed for good; nil of a restore.
    var sweep: SweepStage.Item?
    /// The entry that a restore takes back.
    var undoes: Int64?

    func begin(_ step: PlanStep) async throws -> (QuarantineMove, ActPlace) {
        if let sweep { try await refuse(sweep) }
        guard var place = place(step) else {
            throw StepEnd.finish(
                .failed, reason: "its bucket, version or quarantine is not named")
        }
        place.undoes = undoes
        return (sweep.map { .sweep($0.proof) } ?? .restore(), place)
    }

    // Of an object whose key lives again, what lies there must still be one in its place.
    private func refuse(_ sweep: SweepStage.Item) async throws {
        try await journal.refuseOpen(sweep.step)
        if sweep.livesAgain {
            guard let place = place(sweep.step),
                case .present(let found) = await place.bucket.head(place.key),
                found.size > 0
            else { throw StepEnd.finish(.stale, reason: Self.livesNoMore) }
        }
    }

    private static let livesNoMore =
        "no object is at its key any more that stands in its place, and records reference it"

    func takeUp(_ entry: JournalEntry) throws -> (QuarantineMove, ActPlace) {
        guard let place = place(entry.step) else { throw StepEnd.noBucket }
        return (.resume(), place)
    }

    private func place(_ step: PlanStep) -> ActPlace? {
        step.precondition.quarantinedBy.flatMap { ActPlace(step, journal.rights, $0) }
    }

    func act(_ act: QuarantineMove.Act, _ place: ActPlace) async throws -> ObjectAnswer {
        switch act {
        case .restore: try await place.restore(place.expected)
        case .sweep: try await place.sweep(place.expected)
        }
    }

    func caveat(_ place: ActPlace) async -> String? {
        guard place.step.strategy == .restore else { return nil }
        return await StoreCheck(rights: journal.rights).caveat(
            place.bucket, bytes: place.expected.size)
    }
}
