package import MooringModel

extension [JournalEntry] {
    /// The newest repair among these, in the order in which they were written, that can be taken
    /// back: none that was taken back before, and none of which a later step left nothing. What a
    /// sweep removed is the copy of one run; another run's lies in quarantine still.
    package var lastToUndo: JournalEntry? {
        let done = filter { $0.outcome == .done }
        let undone = Set(done.compactMap(\.undoes))
        for (index, entry) in done.enumerated().reversed()
        where entry.undoes == nil && entry.step.canBeUndone && entry.erasedBy == nil {
            let isLost = done[(index + 1)...].contains { $0.ends(entry) }
            if !isLost, !undone.contains(entry.number) { return entry }
        }
        return nil
    }
}

extension JournalEntry {
    // Whether it removed for good what another entry moved or changed.
    fileprivate func ends(_ earlier: JournalEntry) -> Bool {
        guard step.isForGood, undoes == nil else { return false }
        guard let run = step.precondition.quarantinedBy else {
            return earlier.step.strategy != .quarantine
        }
        return run == earlier.quarantineRun
    }
}
