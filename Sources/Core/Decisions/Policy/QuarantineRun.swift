package import MooringModel

// In whose quarantine an act takes place: a key may lie there under several runs at once.

extension PlanStep {
    /// Whether it would put an object into the quarantine of a run that took an older one of the
    /// same key: planners of versions before the ledger's tenth migration made such steps. Nothing
    /// carries one out, since the copy that lies there already is another act's.
    package var wouldMixRuns: Bool {
        strategy == .quarantine && precondition.quarantinedBy != nil
    }
}

extension JournalEntry {
    /// The run in whose quarantine the entry's object lies or was to lie: its own, but for what
    /// gives back or removes an older run's, and for what `wouldMixRuns`.
    package var quarantineRun: RunID { step.precondition.quarantinedBy ?? run }

    /// Whether it put an object, or may have put one, where an object in quarantine lies.
    package func mayHaveMoved(_ object: QuarantinedObject) -> Bool {
        step.strategy == .quarantine && undoes == nil && quarantineRun == object.run
            && step.key == object.key && (outcome == nil || outcome == .done)
    }
}
