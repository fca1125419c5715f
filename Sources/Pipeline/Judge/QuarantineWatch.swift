import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

extension Judging {
    /// Tells of each object in quarantine whether a record needs it, mapped or not.
    func watch(_ judged: inout Judged, isComplete: Bool) throws {
        guard !confirmed.held.isEmpty else { return }
        let beside = try BesideOrphans(self, judged)
        let owners = try owners(of: confirmed.held.map(\.answer), remembers: isComplete)
        let alive = Set(
            zip(confirmed.held, owners).filter { held, owners in
                held.answer.isReferenced || !held.texts.isEmpty
                    || !beside.clues.claims(held.answer, of: owners).isEmpty
            }.map { WantedKey(bucket: $0.0.bucket, key: $0.0.object.key) })
        for (held, owners) in zip(confirmed.held, owners) {
            let (bucket, key) = (job.buckets[held.bucket].name, held.object.key)
            let isReferenced =
                beside.isMissed(held)
                || alive.contains(WantedKey(bucket: held.bucket, key: key))
                || candidates.join.isReferenced(key, bucket: held.bucket)
                || beside.derived.lives(held.object, bucket: held.bucket, alive: alive)
                || candidates.links.link(to: key, bucket: held.bucket) != nil
            let livesAgain =
                isReferenced && !beside.isMissed(held) && held.successor == .inItsPlace
            judged.watched.append(
                Watched(
                    bucket: bucket, object: held.object, owners: owners,
                    isReferenced: isReferenced && !livesAgain, livesAgain: livesAgain,
                    isRemembered: held.answer.isRemembered,
                    doubt: beside.doubt(about: held, of: bucket, isReferenced: isReferenced)))
        }
    }
}

extension Job {
    /// Why a missing object that no quarantine lists may lie in one all the same: an act of this
    /// ledger put it there, and nothing has given it back or removed it since. A configuration may
    /// have lost the quarantine, or the credentials may not show it.
    func lostFromQuarantine(_ candidate: DanglingCandidate) throws -> String? {
        guard let bucket = candidate.bucket else { return nil }
        for pattern in candidate.patterns {
            guard case .exact(let key) = pattern else { continue }
            let name = buckets[bucket].name
            var last: RunID?
            for entry in try ledger.journal(about: name, key: key)
            where entry.step.key == key && entry.outcome == .done {
                switch entry.step.strategy {
                case .quarantine: last = entry.quarantineRun
                case .restore: last = nil
                // The sweep of an older object of the key says nothing of this one.
                case .delete where entry.quarantineRun == last || !entry.isOfQuarantine:
                    last = nil
                default: break
                }
            }
            guard let last else { continue }
            return "run \(last.text) put an object of this key into quarantine, and no "
                + "quarantine that this configuration shows lists it"
        }
        return nil
    }
}

extension JournalEntry {
    fileprivate var isOfQuarantine: Bool { step.precondition.quarantinedBy != nil }
}
