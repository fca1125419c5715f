import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import MooringText

/// One run of the judge stage: what was confirmed, with what it is judged by. Each kind of finding
/// is made in a file of its own.
struct Judging {
    /// By what it is judged.
    let stage: JudgeStage
    /// What pass B and the looks at missing objects said.
    let confirmed: Confirmed
    /// What the stores are known to do, from earlier trials.
    let stores: KnownStores
    /// When what no earlier run knows was seen first.
    let now: Instant

    /// The stage's own, as its properties of these names.
    var job: Job { stage.job }
    var clock: Duration { stage.clock }
    /// What the join left over.
    var candidates: Candidates { confirmed.candidates }
    /// How both sides were read.
    var observations: Observations { candidates.observations }

    /// The moment by which absence from the records and from a bucket is judged.
    func orphanMoment(_ bucket: Int) -> Instant {
        observations.recordMoments.reduce(observations.objectMoments[bucket], min)
    }

    /// Which times can be believed now, or as of the moment that the job names.
    var times: BelievableTimes {
        BelievableTimes(now: job.judgedNow, race: job.objectRace(clock: clock))
    }

    /// Judges every kind of finding; those that need all records are left out where a source was
    /// not read to its end.
    func all() throws -> Judged {
        var judged = Judged(confirmed: confirmed)
        let unread = observations.incompleteRecords
        // What is in doubt of an owner's own reference is so of the objects that it may mean.
        try judgeDangling(&judged)
        if unread.isEmpty { try judgeOrphans(&judged) }
        if unread.isEmpty { try judgeRelations(&judged) }
        try judgeCopies(&judged)
        if unread.isEmpty { addUnmapped(&judged) }
        addReferenced(&judged)
        addInvalid(&judged)
        try addUploads(&judged)
        addHeldNeeded(&judged)
        try watch(&judged, isComplete: unread.isEmpty)
        withhold(&judged)
        let doubtful = RecordsInDoubt(among: judged.findings)
        for index in judged.findings.indices { doubtful.withhold(&judged.findings[index]) }
        try remember(&judged.findings)
        judged.findings.sortForReports()
        judged.words = words
        return judged
    }

    // MARK: Ledger

    // What was asked for its sightings took its history up then.
    private func remember(_ findings: inout [Finding]) throws {
        let rest = findings.indices.filter { findings[$0].firstSeen == nil }
        for places in rest.chunks(of: Ledger.pageSize) {
            let histories = try job.ledger.history(of: places.map { findings[$0].id })
            for index in places {
                findings[index].remember(histories[findings[index].id], at: now)
            }
        }
    }
}

extension Finding {
    /// Takes up what earlier runs know of it; where none does, it is seen first now.
    mutating func remember(_ history: FindingHistory?, at now: Instant) {
        firstSeen = history?.firstSeen ?? now
        runs = (history?.runs ?? 0) + 1
    }
}
