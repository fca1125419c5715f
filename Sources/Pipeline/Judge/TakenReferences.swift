import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// References that runs of this ledger took away, done and not undone since. An object that comes
/// to such a key later, or to one that another system or a move may have made of it, is no orphan
/// that nobody needs: what meant it went by Mooring's own hand.
struct TakenReferences {
    private struct Taken {
        let number: Int64
        let run: RunID
        let bucket: String?
        let key: ObjectKey
        let undoes: Int64?
    }

    private var keys = LooseKeys<Taken>()
    private let buckets: Set<String>

    private static let taking: [Strategy] = [.nullify, .deleteRecord, .repoint]

    /// Those of a job's ledger.
    init(_ job: Job) throws {
        buckets = Set(job.bucketMappings.map(\.name))
        let done = try job.ledger.journal(doneBy: Self.taking) { entry in
            entry.step.key.map {
                Taken(
                    number: entry.number, run: entry.run, bucket: entry.step.bucket, key: $0,
                    undoes: entry.undoes)
            }
        }
        let undone = Set(done.compactMap(\.undoes))
        for entry in done where entry.undoes == nil && !undone.contains(entry.number) {
            keys.add(entry.key, entry)
        }
    }

    /// The last run that took a reference to a key; nil where none did. One in a bucket that is
    /// configured no more may have been in this one, under another name.
    func run(thatTook key: ObjectKey, bucket: String) -> RunID? {
        keys.values(for: key).filter {
            $0.bucket == bucket || $0.bucket.map(buckets.contains) != true
        }.max { $0.number < $1.number }?.run
    }

    /// Why an object is not known to be an orphan; nil where no run took what meant it.
    func doubt(about key: ObjectKey, bucket: String) -> String? {
        run(thatTook: key, bucket: bucket).map { run in
            "run \(run.text) took away a reference that meant it, while it was missing: what can "
                + "be given back comes by mooring undo \(run.text) --apply; where nobody needs it, "
                + "remove it by hand or name it under 'ignore'"
        }
    }
}
