import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

extension JudgeStage {
    private static let page = 500

    /// Adds `dangling`, and keeps first sights of records whose change time a device set.
    func judgeDangling(_ judged: inout Judged) throws {
        let quarantine = newestQuarantined()
        let standing = danglingReferences(quarantine).judged
        let beside = BesideDangling(self, quarantine)
        for start in stride(from: 0, to: standing.count, by: Self.page) {
            try job.interruption.check()
            let references = Array(standing[start..<min(start + Self.page, standing.count)])
            let histories = try job.ledger.history(of: references.map { id($0.candidate) })
            let changes = try effectiveChanges(of: references)
            for (reference, changed) in zip(references, changes) {
                var facts = try beside.facts(about: reference, changed: changed)
                let token = sightingToken(reference)
                facts.sighting = sighting(
                    histories[id(reference.candidate)], token: token,
                    bound: reference.candidate.place.placedShares(removesRow: true))
                facts.uploads = uploads(for: reference.candidate)
                let finding = finding(reference, facts)
                // What is judged for nothing but its object in quarantine gets that, or nothing.
                if reference.candidate.isOnlyHeld, !finding.givesBack { continue }
                if finding.verdict == .settled || finding.target != nil {
                    judged.sightings.append((finding.id, token))
                }
                judged.findings.append(finding)
            }
        }
    }

    private func finding(_ reference: ConfirmedReference, _ facts: DanglingFacts) -> Finding {
        let (candidate, seen) = (reference.candidate, reference.seen)
        let race = job.race(source: candidate.place.identity.source, clock: clock)
        let judge = DanglingJudge(
            race: race,
            now: candidate.bucket.map { observations.objectMoments[$0] } ?? job.asOf ?? job.clock())
        let judgement = judge.judge(facts)
        var finding = judge.finding(
            facts, judgement, at: candidate.place, value: candidate.value,
            bucket: candidate.bucket.map { job.buckets[$0].name })
        finding.id = id(candidate)
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
        let model = job.models[candidate.model]
        finding.require(
            nullable: confirmed.columns.need(
                toEmpty: model.mapping.files[candidate.field], of: model))
        return finding
    }

    private func id(_ candidate: DanglingCandidate) -> String {
        DanglingJudge.id(
            at: candidate.place, value: candidate.value, otherBucket: otherBucket(candidate))
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
        var newest: [Int: NewestQuarantined] = [:]
        for (bucket, object) in candidates.quarantined {
            newest[bucket, default: NewestQuarantined(order: candidates.order)].add(object)
        }
        return newest
    }

    // First sights are kept only of records whose change time a device may have set.
    private func effectiveChanges(of references: [ConfirmedReference]) throws -> [Instant?] {
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
