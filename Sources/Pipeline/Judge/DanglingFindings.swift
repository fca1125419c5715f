import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import MooringText
import Synchronization

/// The dangling references that are judged, and those that a stale copy explains.
struct DanglingReferences {
    /// Those that are judged, in their order.
    var judged: [ConfirmedReference] = []
    /// The keys that stale copies miss, by the copy's record.
    var missedByStale: [RecordIdentity: [ObjectKey]] = [:]
}

extension Judging {
    /// Adds `dangling`, and keeps first sights of records whose change time a device set.
    func judgeDangling(_ judged: inout Judged) throws {
        let quarantine = newestQuarantined()
        let standing = danglingReferences(quarantine).judged
        let beside = try BesideDangling(self, quarantine)
        job.progress.begin("judging missing references", .judge, of: standing.count)
        defer { job.progress.end() }
        for references in standing.chunks(of: Ledger.batchSize) {
            try job.interruption.check()
            job.progress.advance(references.count)
            let missed = Cores.each(references.count) {
                self.missed(references[references.startIndex + $0].candidate)
            }
            let ids = missed.map(\.id)
            let histories = try job.ledger.history(of: ids)
            let changes = try effectiveChanges(of: references)
            for places in changes.indices.chunks(of: Self.judgedAtOnce) {
                let hasFailed = Atomic(false)
                let made = Cores.each(places.count) {
                    number -> Result<JudgedReference?, any Error> in
                    // What did not answer one is not asked about the others.
                    guard !hasFailed.load(ordering: .relaxed) else { return .success(nil) }
                    let place = places.startIndex + number
                    let result = Result {
                        try judge(
                            references[references.startIndex + place], missed[place], beside,
                            changed: changes[place], history: histories[ids[place]])
                    }
                    if case .failure = result { hasFailed.store(true, ordering: .relaxed) }
                    return result
                }
                for one in made {
                    guard let one = try one.get() else { continue }
                    judged.add(one.finding, seenAs: one.token)
                }
            }
        }
    }

    // A finding with what it was judged by.
    private struct JudgedReference {
        let finding: Finding
        let token: String
    }

    // Nil of what is judged for nothing but its object in quarantine, and does not get it.
    private func judge(
        _ reference: ConfirmedReference, _ missed: MissedReference, _ beside: BesideDangling,
        changed: Instant?, history: FindingHistory?
    ) throws -> JudgedReference? {
        var facts = try beside.facts(about: reference, changed: changed)
        let token = sightingToken(reference)
        facts.sighting = sighting(
            history, token: token,
            bound: PlacedShare.bounding(.dangling, record: reference.candidate.place))
        facts.uploads = uploads(for: reference.candidate)
        var finding = finding(reference, missed, facts)
        finding.remember(history, at: now)
        if reference.candidate.isOnlyHeld, !finding.givesBack { return nil }
        return JudgedReference(finding: finding, token: token)
    }

    private func finding(
        _ reference: ConfirmedReference, _ missed: MissedReference, _ facts: DanglingFacts
    ) -> Finding {
        let (candidate, seen) = (reference.candidate, reference.seen)
        let race = job.race(source: candidate.place.identity.source, clock: clock)
        let judge = DanglingJudge(
            race: race,
            now: candidate.bucket.map { observations.objectMoments[$0] } ?? job.judgedNow)
        let judgement = judge.judge(facts)
        var finding = judge.finding(facts, judgement, of: missed)
        nameTarget(&finding, of: candidate, facts)
        finding.record?.version = seen.version
        finding.rowToken = seen.version == nil ? seen.token : nil
        finding.indexes = candidate.indexes
        PolicyChoice(policy: job.configuration.repair, race: race)
            .decide(&finding, proofs: judgement.proofs)
        keepOnCopy(&finding, model: candidate.model)
        let bucketIsLive =
            candidate.bucket.map { job.buckets[$0].isLive } ?? (finding.target != nil)
        let source = job.source(candidate.place.identity.source)
        finding.require(
            live: bucketIsLive && (observations.serves(source) || finding.givesBack))
        if !finding.givesBack { finding.require(writable: observations.writes(source)) }
        // The file may have come to any bucket since its inventory, under another name.
        if job.hasInventory, !finding.givesBack { finding.requireListing() }
        let model = job.models[candidate.model]
        finding.require(
            nullable: confirmed.columns.need(
                toEmpty: model.mapping.files[candidate.field], of: model))
        return finding
    }

    /// The dangling references that still stand. Those of a stale copy are not dangling but stale,
    /// unless their object lies in quarantine and can be given back; those that a copy has in
    /// common with its authority are judged there.
    func danglingReferences(
        _ quarantine: [Int: NewestQuarantined]
    ) -> DanglingReferences {
        let standing = confirmed.references.filter { !$0.isPresent }
        let models = job.models
        guard models.contains(where: { $0.authority != nil }) else {
            return DanglingReferences(judged: standing)
        }
        let stale = Set(staleCopies().map(\.copy.identity))
        let owned = Set(
            standing.map(\.candidate).filter { models[$0.model].authority == nil }
                .map { PlacedReference($0) })
        var references = DanglingReferences()
        for reference in standing {
            let candidate = reference.candidate
            guard let authority = models[candidate.model].authority else {
                references.judged.append(reference)
                continue
            }
            if owned.contains(PlacedReference(candidate, at: authority)) { continue }
            let identity = candidate.place.identity
            let held = candidate.bucket.flatMap { quarantine[$0] }?.answer(of: candidate.patterns)
            if stale.contains(identity), held ?? .nothing == .nothing {
                // In a bucket that nobody configured, nothing tells whether the file is there.
                guard let key = candidate.patterns.first?.shown else { continue }
                references.missedByStale[identity, default: []].append(key)
            } else {
                references.judged.append(reference)
            }
        }
        return references
    }

    /// Leaves a reference of a copy alone, whatever the policy says: it is repaired where it comes
    /// from. An object in quarantine is given back all the same.
    func keepOnCopy(_ finding: inout Finding, model: Int) {
        guard let authority = job.models[model].authority, finding.action != .restore else {
            return
        }
        finding.keep(because: "a copy of \(authority); it is repaired there")
    }

    private func missed(_ candidate: DanglingCandidate) -> MissedReference {
        MissedReference(
            place: candidate.place, value: candidate.value,
            bucket: candidate.bucket.map { job.buckets[$0].name },
            otherBucket: otherBucket(candidate))
    }

    // One value of a list or a path may mean objects in several buckets.
    private func otherBucket(_ candidate: DanglingCandidate) -> String? {
        let file = job.models[candidate.model].mapping.files[candidate.field]
        guard file.isList || !file.path.steps.isEmpty else { return nil }
        guard let bucket = candidate.bucket else { return candidate.foreignBucket }
        let own = job.meaning.names.number(of: file)
        return bucket == own ? nil : job.buckets[bucket].name
    }

    /// What was put into each bucket's quarantine last, by key.
    func newestQuarantined() -> [Int: NewestQuarantined] {
        NewestQuarantined.ofEach(candidates.quarantined, order: candidates.order)
    }

    // First sights are kept only of records whose change time a device may have set.
    private func effectiveChanges(
        of references: ArraySlice<ConfirmedReference>
    ) throws -> [Instant?] {
        let isOfDevice = references.map {
            job.models[$0.candidate.model].mapping.changedBy == .device
                && times.moment(of: $0.seen.changed) != nil
        }
        let sights = try firstSights(
            of: references.map { ($0.candidate.place.identity, $0.seen.token) }, wanted: isOfDevice)
        return zip(references, zip(isOfDevice, sights)).map { reference, sight in
            guard sight.0 else { return times.moment(of: reference.seen.changed) }
            return EffectiveTime.change(
                reference.seen.changed, setBy: .device, firstSight: sight.1, believing: times)
        }
    }
}

/// A reference with the object that it means, which a record and its copies may have in common.
private struct PlacedReference: Hashable {
    private let value: PlacedValue
    private let bucket: Int?
    private let patterns: [KeyPattern]

    /// A reference in a record, or at the source that its own is a copy of.
    init(_ candidate: DanglingCandidate, at authority: String? = nil) {
        value = PlacedValue(candidate.place, value: candidate.value, at: authority)
        bucket = candidate.bucket
        patterns = candidate.patterns
    }
}
