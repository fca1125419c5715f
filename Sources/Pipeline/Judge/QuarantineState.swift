import MooringConfiguration
package import MooringDecisions
import MooringLedger
package import MooringModel
import MooringReconcile

extension Pipeline {
    /// An object in quarantine after a complete look at everything.
    package struct QuarantineState: Hashable, Sendable {
        /// The bucket's name.
        package let bucket: String
        /// The object, under the key that it had.
        package let object: QuarantinedObject
        /// The records that its key names as owners.
        package let owners: [RecordIdentity]
        /// Whether anything references it.
        package let isReferenced: Bool
        /// What its sweep waits for; nil when it may be removed for good.
        package let need: ProofNeed?
        /// The proof of a sweep, made from the same facts; nil while it waits for something.
        package let proof: IrreversibleProof?
        /// Whether records reference its key, and mean the object that is there again.
        package let livesAgain: Bool
        /// When the pass B ended that all this rests on.
        package let confirmedAt: Instant
        /// Why this run's looks say nothing of it, whatever they saw; nil where they do.
        let lack: HeldProof.Lack?
    }

    // A program that held the file open may have gone on writing to it: then it is not what was
    // judged, and stays. Without a journal of it, its watch alone must do.
    private func changedProof(
        _ bucket: String, _ object: QuarantinedObject, _ journal: [JournalEntry]
    ) -> String? {
        let judged = journal.last {
            $0.run == object.run && $0.step.strategy == .quarantine
        }?.step.precondition.object
        guard let judged else { return nil }
        guard job.bucket(bucket)?.holds(object.version, asJudged: judged) != true else {
            return nil
        }
        return "an object that is as it was when it was judged"
    }

    /// What may be swept, and what the rest waits for.
    ///
    /// Judged as of the moment at which this run's scan began: a long scan proves nothing by its
    /// own length, since a reference may be written behind it.
    func quarantineStates(_ guarded: Guarded) throws -> [QuarantineState] {
        let (judged, summary, observations) = (
            guarded.judged, guarded.summary, guarded.observations
        )
        let look = judged.confirmed.look
        let isWhole = observations.resumedBuckets.isEmpty
        let began = observations.beganAt ?? job.judgedNow
        var known: [String: [QuarantinedObject: WatchedObject]] = [:]
        for bucket in job.buckets {
            known[bucket.name] = Dictionary(
                try job.ledger.quarantineWatch(bucket: bucket.name).map { ($0.object, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        let (retention, race) = (
            job.configuration.repair.retention, job.objectRace(clock: guarded.clock ?? .zero)
        )
        let unread = job.unreadSources.buckets
        let held = try HeldProof(job, judged.watched.map(\.object.run))
        let sources = job.configuration.sourceStamps
        return try judged.watched.map { entry in
            let watched = known[entry.bucket]?[entry.object]?.known(reading: sources)
            let journal = try job.ledger.journal(about: entry.bucket, key: entry.object.key)
            let lack = held.lack(entry.bucket, entry.object, journal)
            let missing =
                missingProof(summary, observations) ?? lack?.proof
                ?? guarded.standing.missing(bucket: entry.bucket)
                ?? changedProof(entry.bucket, entry.object, journal)
                ?? (isWhole ? nil : "a listing of one run alone") ?? entry.doubt
                ?? (unread.contains(entry.bucket) ? "a source without unread tables" : nil)
            // What a history still names waits twice as long.
            let retention = entry.isRemembered ? retention + retention : retention
            let facts = SweepRule.Facts(
                quarantinedAt: Self.quarantinedAt(entry.object, journal),
                isReferenced: entry.isReferenced, cleanRuns: watched?.cleanRuns ?? 0,
                firstCleanAt: watched?.firstCleanAt, looks: watched?.looks ?? CleanLooks(),
                scan: look,
                // Whoever owns the key means what lies there again, so that nobody settles this.
                owners: entry.livesAgain ? [] : entry.owners,
                mayBeLinked: job.mayBeLinked(entry.object.key, in: entry.bucket))
            return QuarantineState(
                bucket: entry.bucket, object: entry.object,
                owners: entry.owners.map(\.place.identity),
                isReferenced: entry.isReferenced,
                need: missing.map { ProofNeed(proof: $0, after: nil) }
                    ?? SweepRule.need(facts, retention: retention, race: race, now: began),
                proof: missing != nil
                    ? nil
                    : IrreversibleProof(
                        sweeping: facts, retention: retention, race: race, now: began),
                livesAgain: entry.livesAgain, confirmedAt: summary.confirmedAt ?? .distantPast,
                lack: lack)
        }
    }

    // An earlier version put the object of a later run where an older one of its key lay: its
    // retention begins with the last that was put there.
    private static func quarantinedAt(
        _ object: QuarantinedObject, _ journal: [JournalEntry]
    ) -> Instant {
        let runs = journal.filter { $0.mayHaveMoved(object) }.map(\.run) + [object.run]
        return runs.map { $0.startedAt ?? .distantFuture }.max() ?? .distantFuture
    }

    /// Why a run cannot prove that nothing references an object; nil when it can.
    func missingProof(
        _ summary: RunSummary, _ observations: Observations
    ) -> String? {
        if !job.records.allSatisfy({ observations.serves($0) }) { return "live stores" }
        if summary.confirmedAt == nil { return "a confirm scan" }
        if !IdentityRule.refusals(in: summary.guards).isEmpty {
            return "the store that the ledger knows"
        }
        return summary.status == .complete ? nil : "a complete run"
    }
}

extension Bucket {
    /// Whether what lies in quarantine is what was judged. A file was moved, and has another inode
    /// at most, where somebody moved the folder to another disk. In every other store the move was
    /// a copy with a time of its own and perhaps another ETag: there the size tells.
    func holds(_ held: ObjectVersion, asJudged judged: ObjectVersion) -> Bool {
        isFolder ? judged.isSameFile(as: held) : judged.size == held.size
    }
}
