package import MooringModel

/// What a write in a device's outbox may still lead to, and until when: it is sent once the device
/// is online again, and it may write back an old copy.
package struct OutboxRule: Sendable {
    private let race: RaceModel
    private let now: Instant

    /// The rule under the race model of the device's source, at the moment when it was read.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// Until when a write that waits now may be sent. The outbox still holds it, however long ago
    /// it was made, so that the device's own windows begin with the look at it.
    package var sentUntil: Instant {
        now + max(race.bounds.offlineWindow, race.bounds.staleWindow) + race.uploadWindow
            + race.clock
    }

    /// Makes an orphan explained whose key stands in writes that wait. What is in doubt stays so.
    package func explain(orphan judgement: inout Judgement, by writes: [PendingWrite]) {
        guard !writes.isEmpty else { return }
        for write in writes { judgement.evidence.append(.inOutbox(write)) }
        guard judgement.verdict != .undecided else { return }
        judgement.verdict = .explained
        let workflow = WorkflowCatalogue.backgroundUpload
        judgement.explanation = Explanation(
            workflow: workflow.name, step: workflow.steps[2].name, until: sentUntil)
    }
}
