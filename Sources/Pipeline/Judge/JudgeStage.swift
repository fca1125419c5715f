import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Turns candidates into findings: evidence from the confirm scan and the ledger, judged by the
/// pure judges, with the policy's action beside each.
struct JudgeStage {
    /// What the stage works with.
    let job: Job
    /// The run whose first sights are kept.
    let run: RunID
    /// What the scan of both sides left over.
    let observations: Observations
    /// What pass B and the looks at missing objects said.
    let confirmation: Confirmation
    /// The clock difference that was measured; zero when it was not.
    let clock: Duration
    /// What the stores are known to do.
    let stores: KnownStores
    /// What was accepted in words: sightings that were held back for a share may count by it.
    let acceptance: Acceptance

    /// The findings of a run, and what the ledger shall remember of them.
    struct Result {
        /// In report order.
        var findings: [Finding] = []
        /// The version judged of each settled finding.
        var sightings: [(findingID: String, token: String)] = []
        /// For each object in quarantine, whether anything references it.
        var watched: [(bucket: String, object: QuarantinedObject, referenced: Bool)] = []
        /// For each object in quarantine, its possible owners, in the same order.
        var watchedOwners: [[PossibleOwner]] = []
        /// The places in that order of objects that nobody needs, since what references their keys
        /// means the objects that are there again; and why others at whose keys one is stay.
        var livesAgain: Set<Int> = []
        var watchDoubts: [Int: String] = [:]
        /// For each of them, whether what says what was still names it.
        var watchedRemembered: [Bool] = []
        /// How many findings are kept for what a store lacks, by the sentence that says so.
        var lacks: [String: Int] = [:]
    }

    /// The moment by which absence from the records and from a bucket is judged.
    private func orphanMoment(_ bucket: Int) -> Instant {
        observations.recordMoments.reduce(observations.objectMoments[bucket], min)
    }

    /// Which times can be believed.
    var times: BelievableTimes {
        BelievableTimes(now: job.asOf ?? job.clock(), race: job.objectRace(clock: clock))
    }

    /// Judges everything; writes first sights to the ledger and nothing else.
    func judge() throws -> Result {
        var result = Result()
        let incompleteRecords =
            observations.incompleteRecords + confirmation.incomplete.keys.sorted()
        // What is in doubt of an owner's own reference is so of the objects that it may mean.
        try judgeDangling(&result)
        if incompleteRecords.isEmpty { try judgeOrphans(&result) }
        if incompleteRecords.isEmpty { try judgeRelations(&result) }
        try judgeCopies(&result)
        if incompleteRecords.isEmpty { addUnmapped(&result) }
        addRecordFindings(&result)
        addExposed(&result)
        try addUploads(&result)
        addHeldNeeded(&result)
        try watch(&result, isComplete: incompleteRecords.isEmpty)
        holdBack(&result)
        try remember(&result.findings)
        mark(&result.findings, incompleteRecords)
        result.findings.sort(by: Finding.precedes)
        return result
    }

    // MARK: Orphans

    private func judgeOrphans(_ result: inout Result) throws {
        let protected = Set(confirmation.unmapped.map(\.wanted))
        let waiting = confirmation.waitingWrites()
        let kept = observations.orphans.indices.filter {
            !confirmation.scan.referenced.contains($0) && !protected.contains($0)
        }
        let derived = DerivedObjects(
            observations: observations, buckets: job.bucketMappings,
            needed: confirmation.scan.referenced.union(protected))
        let clues = clues(result)
        let missed = MissedBelow(observations)
        let folders = FolderReferences(observations)
        let taken = try TakenReferences(job)
        for start in stride(from: 0, to: kept.count, by: 500) {
            try job.interruption.check()
            let numbers = kept[start..<min(start + 500, kept.count)]
                .filter { !derived.keeps($0) }
            let sights = try firstSights(ofOrphans: numbers)
            let owners = try OwnerLookup(
                job: job, run: run, scan: confirmation.scan, times: times, remembers: true,
                siblings: confirmation.siblings
            ).owners(of: numbers)
            let histories = try job.ledger.history(
                of: numbers.map { orphanID(observations.orphans[$0]) })
            for (place, number) in numbers.enumerated() {
                let candidate = observations.orphans[number]
                let facts = OrphanFacts(
                    object: candidate.object.version, firstSight: sights[place],
                    owners: owners[place],
                    doubts: doubts(
                        about: number, derived: derived, missed: missed, folders: folders)
                        + [
                            taken.doubt(
                                about: candidate.object.key,
                                bucket: job.buckets[candidate.bucket].name)
                        ].compactMap { $0 },
                    claims: clues.claims(on: number, of: owners[place]),
                    unknownIdentity: clues.unknownIdentity(of: number),
                    sighting: sighting(
                        histories[orphanID(candidate)], token: candidate.object.version.token,
                        bound: [
                            PlacedShare(
                                .orphanShare, .bucket(job.buckets[candidate.bucket].name))
                        ]))
                add(orphan: candidate, facts: facts, waiting[number] ?? [], to: &result)
            }
        }
    }

    private func add(
        orphan candidate: OrphanCandidate, facts: OrphanFacts, _ waiting: [PendingWrite],
        to result: inout Result
    ) {
        let race = job.objectRace(clock: clock)
        let moment = orphanMoment(candidate.bucket)
        var judgement = OrphanJudge(race: race, now: moment).judge(facts)
        UploadRule(race: race, now: moment).explain(
            orphan: &judgement, by: uploads(at: candidate.object.key, candidate.bucket))
        OutboxRule(race: race, now: moment).explain(orphan: &judgement, by: waiting)
        var finding = Finding(
            id: orphanID(candidate), kind: .orphan, cause: judgement.cause,
            verdict: judgement.verdict)
        finding.bucket = job.buckets[candidate.bucket].name
        finding.key = candidate.object.key
        finding.object = candidate.object.version
        finding.record = judgement.place
        finding.owners = facts.owners.map(\.place.identity)
        finding.rowToken = facts.owners.first { $0.place == judgement.place }?.rowToken
        finding.explanation = judgement.explanation
        // The reason that decided stands last, where short reports look for it.
        finding.evidence =
            ["none of \(observations.reconciler.referenceCount) references means it"]
            + judgement.sentences(under: race, at: moment)
        PolicyChoice(
            policy: job.configuration.repair, race: race,
            keepsVersions: stores.keepsVersions(
                finding.bucket, candidate.object.key, candidate.object.version)
        ).decide(&finding, proofs: judgement.proofs)
        keepForLack(&finding, &result)
        let allLive =
            job.records.allSatisfy { observations.serves($0) }
            && job.buckets[candidate.bucket].isLive
        requireLive(allLive, &finding)
        if finding.action == .relink {
            let record = finding.record.map { [$0.identity] } ?? []
            let owners = finding.owners.isEmpty ? record : finding.owners
            requireWritable(owners.map { job.source($0.source) }, &finding)
        }
        if finding.verdict == .settled {
            result.sightings.append((finding.id, candidate.object.version.token))
        }
        result.findings.append(finding)
    }

    private func orphanID(_ candidate: OrphanCandidate) -> String {
        FindingIdentity.object(
            .orphan, bucket: job.buckets[candidate.bucket].name, key: candidate.object.key)
    }

    private func firstSights(ofOrphans numbers: [Int]) throws -> [Instant] {
        let now = job.asOf ?? job.clock()
        guard job.asOf == nil else { return numbers.map { _ in now } }
        return try job.ledger.firstSights(
            of: numbers.map { number in
                let candidate = observations.orphans[number]
                return (
                    bucket: job.buckets[candidate.bucket].name, key: candidate.object.key,
                    token: candidate.object.version.token
                )
            }, at: now, run: run)
    }

    // MARK: Dangling references

    private func judgeDangling(_ result: inout Result) throws {
        let quarantine = newestQuarantined()
        let standing = danglingReferences(quarantine).judged
        let folders = FolderReferences(observations)
        let values = ValueDoubts(
            observations,
            derived: DerivedObjects(observations: observations, buckets: job.bucketMappings))
        for start in stride(from: 0, to: standing.count, by: 500) {
            try job.interruption.check()
            let numbers = Array(standing[start..<min(start + 500, standing.count)])
            let histories = try job.ledger.history(
                of: numbers.map { danglingID(observations.dangling[$0]) })
            let changes = try effectiveChanges(of: numbers)
            for (place, number) in numbers.enumerated() {
                let candidate = observations.dangling[number]
                guard let seen = confirmation.scan.standing[number] else { continue }
                let id = danglingID(candidate)
                let answer =
                    candidate.bucket.flatMap { quarantine[$0] }?.answer(of: candidate.patterns)
                    ?? .nothing
                let lost =
                    try answer == .nothing ? lostFromQuarantine(candidate) : answer.doubt
                let meaning = answer.doubt == nil ? confirmation.meanings[number] : nil
                var facts = DanglingFacts(
                    patterns: candidate.patterns, foreignBucket: candidate.foreignBucket,
                    head: confirmation.heads[number],
                    deletion: confirmation.deletions[number],
                    quarantined: answer.object, changed: changes[place],
                    doubts: (confirmation.scan.doubtful.contains(number)
                        ? [confirmation.scan.doubt(about: number)] : [])
                        + [
                            confirmation.deletionDoubts[number], heldElsewhere(candidate),
                            lost, meaning?.doubt, Self.addressDoubt(candidate),
                            folders.doubt(about: candidate),
                        ].compactMap { $0 }
                        + values.doubts(
                            about: candidate, isDeleted: confirmation.deletions[number] != nil),
                    meant: meaning?.objects ?? [], meantBeside: meaning?.beside ?? 0,
                    sighting: sighting(
                        histories[id], token: sightingToken(number, seen),
                        bound: candidate.place.placedShares(removesRow: true)),
                    shape: FieldShape(
                        of: job.models[candidate.model].mapping.files[candidate.field]))
                // What the look did not find absent is not known to be gone.
                if [nil, .absent].contains(facts.head) {
                    facts.vanished = vanishedReason(of: number)
                }
                let finding = finding(dangling: candidate, id: id, facts: facts, seen: seen)
                // What is judged for nothing but its object in quarantine gets that, or nothing.
                if candidate.isOnlyHeld, !finding.givesBack { continue }
                if finding.verdict == .settled || finding.target != nil {
                    result.sightings.append((id, sightingToken(number, seen)))
                }
                result.findings.append(finding)
            }
        }
    }

    private func finding(
        dangling candidate: DanglingCandidate, id: String, facts: DanglingFacts,
        seen: ConfirmScan.Standing
    ) -> Finding {
        let race = job.race(source: candidate.place.identity.source, clock: clock)
        let moment =
            candidate.bucket.map { observations.objectMoments[$0] } ?? job.asOf ?? job.clock()
        var judgement = DanglingJudge(race: race, now: moment).judge(facts)
        UploadRule(race: race, now: moment).explain(
            dangling: &judgement, by: uploads(for: candidate))
        var finding = Finding(
            id: id, kind: .dangling, cause: judgement.cause, verdict: judgement.verdict)
        finding.bucket = candidate.bucket.map { job.buckets[$0].name } ?? candidate.foreignBucket
        finding.key = candidate.patterns.first?.shown ?? ObjectKey(candidate.value)
        if candidate.patterns.count > 1 { finding.candidates = candidate.patterns.map(\.shown) }
        // Of several keys that the value may mean, the one that can be given back.
        if let held = facts.quarantined { finding.key = held.key }
        finding.object = facts.quarantined?.version
        if judgement.cause == .deleted { name(facts.deletion, &finding) }
        nameTarget(&finding, of: candidate, facts)
        finding.record = candidate.place
        finding.record?.version = seen.version
        finding.rowToken = seen.version == nil ? seen.token : nil
        finding.value = candidate.value
        finding.indexes = candidate.indexes
        finding.explanation = judgement.explanation
        finding.evidence = judgement.sentences(under: race, at: moment)
        PolicyChoice(policy: job.configuration.repair, race: race)
            .decide(&finding, proofs: judgement.proofs)
        keepOnCopy(&finding, model: candidate.model)
        let bucketIsLive =
            candidate.bucket.map { job.buckets[$0].isLive } ?? (finding.target != nil)
        let source = job.source(candidate.place.identity.source)
        requireLive(
            bucketIsLive && (observations.serves(source) || finding.givesBack), &finding)
        if !finding.givesBack { requireWritable([source], &finding) }
        let model = job.models[candidate.model]
        requireNullable(
            confirmation.columns.need(
                toEmpty: model.mapping.files[candidate.field], of: model), &finding)
        return finding
    }

    /// The id of the finding about a dangling reference.
    func danglingID(_ candidate: DanglingCandidate) -> String {
        FindingIdentity.reference(
            .dangling, record: candidate.place.identity, field: candidate.place.field ?? "",
            value: candidate.value)
    }

    /// Whether a look found the object.
    func isPresent(_ head: HeadAnswer?) -> Bool {
        if case .present = head { return true }
        return false
    }

    /// What was put into each bucket's quarantine last, by key.
    func newestQuarantined() -> [Int: NewestQuarantined] {
        var newest: [Int: NewestQuarantined] = [:]
        for (bucket, object) in observations.quarantined {
            newest[bucket, default: NewestQuarantined(order: observations.order)].add(object)
        }
        return newest
    }

    // First sights are kept only of records whose change time a device may have set.
    private func effectiveChanges(of numbers: [Int]) throws -> [Instant?] {
        let now = job.asOf ?? job.clock()
        let seen = numbers.map { confirmation.scan.standing[$0] }
        let times = times
        var changes: [Instant?] = seen.map { times.moment(of: $0?.changed) }
        let device = numbers.indices.filter { place in
            let model = job.models[observations.dangling[numbers[place]].model]
            return model.mapping.changedBy == .device && changes[place] != nil
        }
        guard !device.isEmpty else { return changes }
        let sights =
            job.asOf != nil
            ? device.map { _ in now }
            : try job.ledger.firstSights(
                of: device.map { place in
                    (
                        identity: observations.dangling[numbers[place]].place.identity,
                        token: seen[place]?.token ?? ""
                    )
                }, at: now, run: run)
        for (sight, place) in zip(sights, device) {
            changes[place] = EffectiveTime.change(
                seen[place]?.changed, setBy: .device, firstSight: sight, believing: times)
        }
        return changes
    }

    // MARK: Ledger

    private func remember(_ findings: inout [Finding]) throws {
        let now = job.asOf ?? job.clock()
        for start in stride(from: 0, to: findings.count, by: 500) {
            let range = start..<min(start + 500, findings.count)
            let histories = try job.ledger.history(of: range.map { findings[$0].id })
            for index in range {
                let history = histories[findings[index].id]
                findings[index].firstSeen = history?.firstSeen ?? now
                findings[index].runs = (history?.runs ?? 0) + 1
            }
        }
    }

    /// Holds back what would change a store unless all that takes part in it is live.
    func requireLive(_ isLive: Bool, _ finding: inout Finding) {
        guard !isLive, let action = finding.action, action != .keep else { return }
        finding.needs = ProofNeed(proof: "live stores", after: nil)
    }

    /// Holds back what would write records of a source that takes no writes.
    func requireWritable(_ sources: [(any RecordSource)?], _ finding: inout Finding) {
        guard !sources.allSatisfy({ observations.writes($0) }), let action = finding.action,
            action != .keep, finding.needs == nil
        else { return }
        finding.needs = ProofNeed(proof: "records that can be written", after: nil)
    }

    // What an incomplete side leaves standing is marked, and nothing is done about it.
    private func mark(_ findings: inout [Finding], _ incompleteRecords: [String]) {
        let incomplete = incompleteRecords + observations.incompleteBuckets
        guard !incomplete.isEmpty else { return }
        for index in findings.indices {
            findings[index].evidence.append(
                "this run is incomplete: \(incomplete.joined(separator: ", "))")
            // What a record was seen to reference comes back whatever else was not read.
            if let action = findings[index].action, action != .keep, !findings[index].givesBack {
                findings[index].needs = ProofNeed(proof: "a complete run", after: nil)
            }
        }
    }
}
