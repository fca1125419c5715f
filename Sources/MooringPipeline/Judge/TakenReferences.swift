import MooringDecisions
import MooringLedger
import MooringModel

/// References that runs of this ledger took away, done and not undone since. An object that comes
/// to such a key later is no orphan that nobody needs: what meant it went by Mooring's own hand.
struct TakenReferences {
    private let ledger: Ledger
    private let isEmpty: Bool

    private static let taking: Set<Strategy> = [.nullify, .deleteRecord, .repoint]

    /// Those of a ledger.
    init(_ ledger: Ledger) throws {
        self.ledger = ledger
        isEmpty = try ledger.journalHead().links == 0
    }

    /// The last run that took a reference to a key; nil where none did.
    func run(thatTook key: ObjectKey, bucket: String) throws -> RunID? {
        guard !isEmpty else { return nil }
        let done = try ledger.journal(about: bucket, key: key).filter { $0.outcome == .done }
        let undone = Set(done.compactMap(\.undoes))
        return done.last { entry in
            Self.taking.contains(entry.step.strategy) && entry.step.key == key
                && entry.undoes == nil && !undone.contains(entry.number)
        }?.run
    }

    /// Why an object is not known to be an orphan; nil where no run took what meant it.
    func doubt(about key: ObjectKey, bucket: String) throws -> String? {
        try run(thatTook: key, bucket: bucket).map { run in
            "run \(run.text) took away a reference that meant it, while it was missing: what can "
                + "be given back comes by mooring undo \(run.text) --apply; where nobody needs it, "
                + "remove it by hand or name it under 'ignore'"
        }
    }
}
