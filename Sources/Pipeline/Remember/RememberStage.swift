import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import MooringText

/// Keeps in the ledger what a run saw of both sides.
struct RememberStage {
    /// What the stage works with.
    let job: Job

    /// Keeps findings, sightings, looks and counts. A run under `asOf` is kept, but proves nothing
    /// to later ones.
    func run(_ guarded: Guarded, _ states: [Pipeline.QuarantineState]) throws {
        try rememberFindings(guarded, states)
        guard job.asOf == nil, guarded.summary.status == .complete else { return }
        try job.ledger.record(
            guarded.counts, of: guarded.summary.id,
            forgetting: try countsForgotten(before: guarded.summary.id))
    }

    // The moment before which a place's counts are of no use. A clock that is ahead makes no
    // earlier count old: the run before bounds what it says.
    private func countsForgotten(before run: RunID) throws -> Instant {
        let previous = try job.ledger.runs(limit: 2).first { $0.id != run }?.startedAt
        let now = job.clock()
        return min(now, previous ?? now) - UsualCount.window - .days(1)
    }

    private func rememberFindings(
        _ guarded: Guarded, _ states: [Pipeline.QuarantineState]
    ) throws {
        let (judged, summary, standing) = (guarded.judged, guarded.summary, guarded.standing)
        let (candidates, look) = (judged.confirmed.candidates, judged.confirmed.look)
        let now = job.judgedNow
        job.progress.begin("keeping findings", .report, of: judged.findings.count)
        defer { job.progress.end() }
        // The ledger is written by one core: what it gets next is made on another.
        let sights = job.asOf == nil && summary.status == .complete
        let (recorded, seen) = Cores.both {
            Result {
                try job.ledger.record(
                    judged.findings, of: summary.id, in: job.series(of: summary),
                    words: judged.words)
            }
        } and: {
            sights ? judged.seen(standing) : [:]
        }
        try recorded.get()
        if job.asOf == nil, !IdentityRule.refusals(in: summary.guards).isEmpty {
            // What was seen on another store proves nothing, whatever it was; that something is
            // referenced still speaks against a sweep.
            try job.ledger.dropFirstSights(run: summary.id)
            return try rememberReferenced(judged, candidates, run: summary.id, at: now)
        }
        if job.asOf == nil,
            summary.guards.contains(where: { $0.name == Guards.clockName && $0.refused })
        {
            // Under a clock that is wrong nothing was seen first.
            try job.ledger.dropFirstSights(run: summary.id)
        }
        if job.asOf == nil {
            // Before anything is asked of the scan: what lies there is told from another ledger's
            // quarantine by this alone.
            for bucket in Set(judged.watched.map(\.bucket)) {
                try job.rememberQuarantine(of: bucket)
            }
        }
        guard sights else {
            return try rememberReferenced(judged, candidates, run: summary.id, at: now)
        }
        for (worth, sightings) in seen {
            for page in sightings.chunks(of: Ledger.batchSize) {
                let findings = page.compactMap { judged.seen($0, job) }
                try job.ledger.sight(findings, worth: worth, at: now, run: summary.id)
            }
        }
        try job.ledger.closeSightings(run: summary.id, in: job.runScope)
        try job.ledger.closeFirstSights(run: summary.id, in: job.runScope)
        let looks = RunLooks(
            standing: standing, look: look, at: now,
            isWhole: candidates.observations.resumedBuckets.isEmpty && !job.hasInventory,
            proves: summary.missingProof(isLive: job.isLive(candidates.observations)) == nil)
        try remember(looks, at: states, run: summary.id)
    }

    // What a run's looks at quarantine are worth, all but for the single object.
    private struct RunLooks {
        let standing: PlaceStanding
        let look: CleanLook
        let at: Instant
        // What a listing of two runs says of one moment, it says of none; and an inventory says
        // that a reference has its object which may be gone since.
        let isWhole: Bool
        let proves: Bool
    }

    private func remember(
        _ looks: RunLooks, at states: [Pipeline.QuarantineState], run: RunID
    ) throws {
        // A run that goes on with an earlier listing says nothing for a sweep; what it saw
        // referenced speaks against one all the same.
        // Where a share alone refused, earlier looks stay as they are.
        for bucket in job.buckets where looks.standing.passes(bucket: bucket.name) {
            try job.ledger.passWatch(run: run, bucket: bucket.name)
        }
        // What only another run may judge keeps the looks of that one.
        for (bucket, held) in Dictionary(grouping: states, by: \.bucket) {
            try job.ledger.passWatch(
                run: run, bucket: bucket,
                objects: held.filter { $0.lack?.isAnothers == true }.map(\.object))
        }
        try job.ledger.watch(
            states.filter {
                $0.isReferenced
                    || looks.isWhole && !looks.standing.passes(bucket: $0.bucket)
                        && $0.lack?.isAnothers != true
            }.map {
                // What does not prove that nothing references an object counts against it.
                (
                    bucket: $0.bucket, object: $0.object,
                    referenced: $0.isReferenced || !looks.proves || $0.lack != nil
                        || looks.standing.blocks(bucket: $0.bucket)
                )
            },
            at: looks.at, run: run, look: looks.look, sources: job.configuration.sourceStamps)
        for bucket in job.buckets where looks.isWhole {
            try job.ledger.closeWatch(run: run, bucket: bucket.name)
        }
    }

    // What a run saw referenced speaks against a sweep, complete or not, and so does what it saw
    // of an object whose quarantine it could not list to its end.
    private func rememberReferenced(
        _ judged: Judged, _ candidates: Candidates, run: RunID, at now: Instant
    ) throws {
        var items = judged.watched.filter(\.isReferenced).map { ($0.bucket, $0.object, true) }
        let seen = Set(judged.watched.map { HeldPlace($0.bucket, $0.object) })
        for (number, bucket) in job.buckets.enumerated() {
            for known in try job.ledger.quarantineWatch(bucket: bucket.name)
            where candidates.join.isReferenced(known.object.key, bucket: number)
                && !seen.contains(HeldPlace(bucket.name, known.object))
            {
                items.append((bucket.name, known.object, true))
            }
        }
        try job.ledger.watch(items, at: now, run: run)
    }

    private struct HeldPlace: Hashable {
        let bucket: String
        let key: ObjectKey
        let run: RunID

        init(_ bucket: String, _ object: QuarantinedObject) {
            (self.bucket, key, run) = (bucket, object.key, object.run)
        }
    }
}

// There may be as many as there are findings: both are told by their places.
private struct SeenPlace {
    let finding: Int32
    let sighting: Int32
}

extension Judged {
    /// The findings that count as seen, by what that is worth where each lies; in the order of the
    /// ledger's table, so that a batch meets few of its pages.
    fileprivate func seen(_ standing: PlaceStanding) -> [SightingWorth: [SeenPlace]] {
        var seen: [SightingWorth: [SeenPlace]] = [:]
        // Of one finding the last sighting counts.
        var rest = sightings.places(inOrderOf: { $0.findingID })[...]
        for place in findings.places(inOrderOf: { $0.id }) {
            let id = findings[place].id
            rest = rest.drop {
                sightings[$0].findingID.utf8.lexicographicallyPrecedes(id.utf8)
            }
            let own = rest.prefix { sightings[$0].findingID == id }
            guard let sighting = own.max() else { continue }
            seen[standing.worth(findings[place]), default: []].append(
                SeenPlace(finding: Int32(place), sighting: Int32(sighting)))
        }
        return seen
    }

    /// A finding that counts as seen, as the ledger keeps it.
    fileprivate func seen(_ place: SeenPlace, _ job: Job) -> SeenFinding? {
        let finding = findings[Int(place.finding)]
        let token = sightings[Int(place.sighting)].token ?? finding.object?.token
        return token.map {
            SeenFinding(id: finding.id, token: $0, place: job.place(of: finding))
        }
    }
}
