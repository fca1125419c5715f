import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

extension JudgeStage {
    /// Tells of each object in quarantine whether a record needs it, mapped or not.
    func watch(_ result: inout Result, isComplete: Bool) throws {
        let unmapped = Set(confirmation.scan.unmapped.map(\.wanted))
        let numbers = observations.quarantined.indices.map { confirmation.orphanCount + $0 }
        let owners = try OwnerLookup(
            job: job, run: run, scan: confirmation.scan, times: times, remembers: isComplete
        ).owners(of: numbers)
        let clues = clues(result)
        let held = zip(numbers, owners).compactMap { number, owners -> Int? in
            let isHeld =
                confirmation.scan.referenced.contains(number) || unmapped.contains(number)
                || !clues.claims(on: number, of: owners).isEmpty
            return isHeld ? number : nil
        }
        let alive = Set(
            held.map { number in
                let entry = observations.quarantined[number - confirmation.orphanCount]
                return WantedKey(bucket: entry.bucket, key: entry.object.key)
            })
        let derived = DerivedObjects(
            observations: observations, buckets: job.bucketMappings,
            needed: confirmation.scan.referenced.union(unmapped))
        let missed = MissedBelow(observations)
        let folders = FolderReferences(observations)
        let taken = try TakenReferences(job)
        for (place, entry) in observations.quarantined.enumerated() {
            let isMissed = missed.contains(entry.object.key, bucket: entry.bucket)
            let isReferenced =
                isMissed
                || alive.contains(WantedKey(bucket: entry.bucket, key: entry.object.key))
                || observations.reconciler.isReferenced(entry.object.key, bucket: entry.bucket)
                || derived.lives(entry.object, bucket: entry.bucket, alive: alive)
                || observations.links.link(to: entry.object.key, bucket: entry.bucket) != nil
            let successor = isReferenced && !isMissed ? confirmation.successors[place] : nil
            if successor == .inItsPlace { result.livesAgain.insert(place) }
            if confirmation.scan.nearOwner(of: numbers[place]) != nil {
                result.watchDoubts[place] = "an owner spelt as its key spells it"
            }
            if folders.folder(of: entry.object.key, bucket: entry.bucket) != nil {
                result.watchDoubts[place] = "no reference that means its folder"
            }
            if taken.run(
                thatTook: entry.object.key, bucket: job.buckets[entry.bucket].name) != nil
            {
                result.watchDoubts[place] = "no reference to it that a run took away"
            }
            if !isReferenced,
                observations.links.target(of: entry.object.key, bucket: entry.bucket) != nil
            {
                result.watchDoubts[place] = "an object that no symbolic link leads to"
            }
            if case .doubted(let doubt) = successor { result.watchDoubts[place] = doubt }
            result.watched.append(
                (
                    job.buckets[entry.bucket].name, entry.object,
                    isReferenced && successor != .inItsPlace
                ))
            result.watchedOwners.append(owners[place])
        }
    }
}

extension JudgeStage {
    /// Why a missing object may lie where nobody looks: in another ledger's quarantine.
    func heldElsewhere(_ candidate: DanglingCandidate) -> String? {
        guard let bucket = candidate.bucket else { return nil }
        let keys = observations.heldElsewhere[bucket]
        guard !keys.isEmpty else { return nil }
        let isHeld = candidate.patterns.contains { pattern in
            guard case .exact(let key) = pattern else {
                return keys.contains(where: pattern.matches)
            }
            return keys.contains(key)
        }
        return isHeld
            ? "an object of this key lies in a folder that is named like a run of Mooring" : nil
    }

    /// Why a missing object that no quarantine lists may lie in one all the same: an act of this
    /// ledger put it there, and nothing has given it back or removed it since. A configuration may
    /// have lost the quarantine, or the credentials may not show it.
    func lostFromQuarantine(_ candidate: DanglingCandidate) throws -> String? {
        guard let bucket = candidate.bucket else { return nil }
        for pattern in candidate.patterns {
            guard case .exact(let key) = pattern else { continue }
            let name = job.buckets[bucket].name
            var last: RunID?
            for entry in try job.ledger.journal(about: name, key: key)
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
