import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Tells of each object in quarantine whether it may be swept, and what the rest waits for.
struct QuarantineStage {
    /// What the stage works with.
    let job: Job

    /// The objects that the run saw there, in its order.
    ///
    /// Judged as of the moment at which this run's scan began: a long scan proves nothing by its
    /// own length, since a reference may be written behind it.
    func run(_ guarded: Guarded) throws -> [Pipeline.QuarantineState] {
        let (judged, summary, observations) = (
            guarded.judged, guarded.summary, guarded.observations
        )
        let look = judged.confirmed.look
        let isLive = job.isLive(observations)
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
            let doubts = SweepDoubts(
                run: summary.missingProof(isLive: isLive), origin: lack?.proof,
                place: guarded.standing.missing(bucket: entry.bucket),
                isChanged: isChanged(entry.bucket, entry.object, journal),
                isListedInParts: !observations.resumedBuckets.isEmpty || job.hasInventory,
                object: entry.doubt,
                hasUnreadTables: unread.contains(entry.bucket))
            let missing = doubts.missing
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
            return Pipeline.QuarantineState(
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

    // A program that held the file open may have gone on writing to it: then it is not what was
    // judged, and stays. Without a journal of it, its watch alone must do.
    private func isChanged(
        _ bucket: String, _ object: QuarantinedObject, _ journal: [JournalEntry]
    ) -> Bool {
        let judged = journal.last {
            $0.run == object.run && $0.step.strategy == .quarantine
        }?.step.precondition.object
        guard let judged else { return false }
        return job.bucket(bucket)?.holds(object.version, asJudged: judged) != true
    }

    // An earlier version put the object of a later run where an older one of its key lay: its
    // retention begins with the last that was put there.
    private static func quarantinedAt(
        _ object: QuarantinedObject, _ journal: [JournalEntry]
    ) -> Instant {
        let runs = journal.filter { $0.mayHaveMoved(object) }.map(\.run) + [object.run]
        return runs.map { $0.startedAt ?? .distantFuture }.max() ?? .distantFuture
    }
}

extension Job {
    /// Whether every source's answers may lead to a repair.
    func isLive(_ observations: Observations) -> Bool {
        records.allSatisfy { observations.serves($0) }
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
