import MooringDecisions
import MooringModel
import MooringPipeline

/// What a command does about the stores' identities before it acts, and once its guards passed.
enum IdentityCheck {
    /// Refuses when a store is another than the ledger knows; the answers stand in the run. Tells
    /// whether a bucket has no marker, so that one will be written.
    static func pass(
        _ job: Job, _ summary: inout RunSummary, accepting acceptance: Acceptance
    ) async throws -> Bool {
        do {
            let results = try await IdentityStage(job: job, run: summary.id).refuseOthers(
                accepting: acceptance, refused: "every change, and nothing was changed")
            set(results.map(\.answer.answer), &summary)
            return results.contains { $0.answer.wantsMarker }
        } catch let error as IdentityRefusal {
            set(error.guards, &summary)
            throw error.refusal
        }
    }

    /// Adopts what is new, and writes a marker into each bucket that has none, since every guard
    /// passed by now.
    static func settle(_ job: Job, _ summary: inout RunSummary, acts: Bool) async throws {
        let stage = IdentityStage(job: job, run: summary.id)
        for sentence in try await stage.settle(try await stage.check(), acts: acts) {
            summary.notes.append(sentence)
            StandardError.report(sentence)
        }
    }

    private static func set(_ guards: [RunSummary.Guard], _ summary: inout RunSummary) {
        summary.guards.removeAll { $0.name == IdentityRule.name }
        summary.guards += guards
    }
}
