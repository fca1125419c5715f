import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import MooringText

// Relations to records that are not there. Nothing is judged when any source was not read to its
// end: the caller sees to that.

extension Judging {
    /// Adds `dangling-relation`, and keeps first sights of children whose time a device set and of
    /// the parents that are gone.
    func judgeRelations(_ judged: inout Judged) throws {
        let candidates = confirmed.rows.dangling()
        let models = job.models
        for page in candidates.chunks(of: Ledger.batchSize) {
            try job.interruption.check()
            let ids = page.map(Self.id)
            let histories = try job.ledger.history(of: ids)
            let children = try firstSights(
                of: page.map { ($0.place.identity, $0.token) },
                wanted: page.map {
                    models[$0.model].mapping.changedBy == .device && $0.changed != nil
                })
            let parents = try firstSights(of: page.map { parent(of: $0, models) })
            for (place, candidate) in page.enumerated() {
                let moment = moment(
                    ([candidate.model] + candidate.targets).map { models[$0].source })
                let model = models[candidate.model].mapping
                var facts = RelationFacts(
                    parent: state(
                        of: candidate, models, firstSight: min(parents[place], moment)),
                    isJoin: model.isJoin, cascade: model.relations[candidate.relation].cascade,
                    changed: EffectiveTime.change(
                        candidate.changed, setBy: model.changedBy,
                        firstSight: min(children[place], moment), believing: times),
                    sighting: sighting(
                        histories[ids[place]], token: candidate.token,
                        bound: PlacedShare.bounding(.danglingRelation, record: candidate.place)))
                facts.isInDoubt = candidate.doubt != nil || isMarkUnclear(candidate)
                add(relation: candidate, id: ids[place], facts: facts, at: moment, to: &judged)
            }
        }
    }

    private func add(
        relation candidate: RelationCandidate, id: String, facts: RelationFacts,
        at moment: Instant, to judged: inout Judged
    ) {
        let models = job.models
        let sources = ([candidate.model] + candidate.targets).map { models[$0].source }
        let race = longestRace(sources)
        let judgement = RelationJudge(race: race, now: moment).judge(facts)
        var finding = Finding(
            id: id, kind: .danglingRelation, cause: judgement.cause, verdict: judgement.verdict)
        finding.record = candidate.place
        finding.rowToken = candidate.place.version == nil ? candidate.token : nil
        finding.value = candidate.value
        finding.explanation = judgement.explanation
        finding.evidence = RelationEvidence(
            candidate: candidate, facts: facts, model: models[candidate.model].mapping,
            sources: candidate.targets.map { models[$0].source },
            isMarkUnclear: isMarkUnclear(candidate)
        ).sentences(judgement)
        PolicyChoice(policy: job.configuration.repair, race: race)
            .decide(&finding, proofs: judgement.proofs)
        if finding.action == .deleteRecord, !candidate.isPeopled {
            finding.needs = ProofNeed(proof: "a parent's table that is not empty", after: nil)
        }
        finding.require(live: sources.allSatisfy { observations.serves(job.source($0)) })
        finding.require(
            writable: observations.writes(job.source(candidate.place.identity.source)))
        let model = models[candidate.model].mapping
        finding.require(
            nullable: confirmed.columns.need(
                toNull: model.relations[candidate.relation], of: models[candidate.model]))
        if finding.action == .nullify, model.carries(model.relations[candidate.relation].field) {
            finding.keep(because: "its identifier or its files depend on the field")
        }
        judged.add(finding, seenAs: candidate.token)
    }

    private func isMarkUnclear(_ candidate: RelationCandidate) -> Bool {
        candidate.tombstone?.marks.allSatisfy { $0.isClear(believing: times) } == false
    }

    private static func id(_ candidate: RelationCandidate) -> String {
        FindingIdentity.reference(
            .danglingRelation, record: candidate.place.identity,
            field: candidate.place.field ?? "", value: candidate.value)
    }

    // The parent's record: the tombstone, or where the record would be.
    private func parent(
        of candidate: RelationCandidate, _ models: [SourceModel]
    ) -> (RecordIdentity, String) {
        let tombstone = candidate.tombstone
        let model = models[tombstone?.model ?? candidate.targets[0]]
        let id =
            tombstone?.id
            ?? RecordID(joined: candidate.value, parts: model.mapping.id.count)
        return (
            RecordIdentity(source: model.source, model: model.mapping.model, id: id),
            tombstone?.token ?? Ledger.absentToken
        )
    }

    private func state(
        of candidate: RelationCandidate, _ models: [SourceModel], firstSight: Instant
    ) -> RelationFacts.Parent {
        guard let tombstone = candidate.tombstone else { return .absent(since: firstSight) }
        return .tombstone(
            since: EffectiveTime.absence(
                tombstone: tombstone.changed,
                setBy: models[tombstone.model].mapping.changedBy, firstSight: firstSight,
                believing: times))
    }
}

// MARK: - What relations and copies share

extension Judging {
    /// The first sights of these versions of records, in the order given: now, unless the ledger
    /// knows better. Only those that are wanted are kept there, by default all.
    func firstSights(
        of records: [(identity: RecordIdentity, token: String)], wanted: [Bool]? = nil
    ) throws -> [Instant] {
        let now = job.judgedNow
        var sights = records.map { _ in now }
        guard job.asOf == nil else { return sights }
        let places = records.indices.filter { wanted?[$0] ?? true }
        guard !places.isEmpty else { return sights }
        let known = try job.ledger.firstSights(
            of: places.map { records[$0] }, at: now, run: stage.run)
        for (place, sight) in zip(places, known) { sights[place] = sight }
        return sights
    }

    /// The moment by which what these sources hold is judged: the earliest of their scans.
    func moment(_ sources: [String]) -> Instant {
        zip(job.records, observations.recordMoments)
            .filter { sources.contains($0.0.name) }.map(\.1).min() ?? job.judgedNow
    }

    /// The race model with the longest waits of these sources.
    func longestRace(_ sources: [String]) -> RaceModel {
        RaceModel.longest(of: sources.map { job.race(source: $0, clock: clock) })
            ?? job.objectRace(clock: clock)
    }
}

/// What is said of a relation to a record that is not there.
struct RelationEvidence {
    /// The relation as it was read.
    let candidate: RelationCandidate
    /// What is known of it.
    let facts: RelationFacts
    /// The child's mapping.
    let model: ModelMapping
    /// The sources in which the parent may lie.
    let sources: [String]
    /// Whether it is not sure that the parent is deleted.
    let isMarkUnclear: Bool

    /// One sentence each; the reason that decided stands last.
    func sentences(_ judgement: RowJudgement) -> [String] {
        var sentences: [String] = []
        if let step = judgement.explanation {
            sentences.append(Evidence.mayStillCome(step).text)
        }
        switch facts.changed {
        case nil: sentences.append(Evidence.recordTellsNoChange.text)
        case .some(let changed):
            sentences.append(
                (judgement.verdict == .explained
                    ? Evidence.recordChanged(at: changed) : .recordUnchanged(since: changed)).text)
        }
        if model.isJoin { sentences.append("it joins two records, and one of them is not there") }
        if facts.cascade {
            sentences.append("it goes with its parent, so a cascade was left undone")
        }
        let parent = "\(model.relations[candidate.relation].model) \(Quoted.id(candidate.value))"
        let place = sources.joined(separator: ", ")
        switch facts.parent {
        case .absent(let since):
            sentences.append("it was first missed \(since.iso8601)")
            sentences.append("there is no \(parent) in \(place)")
        case .tombstone(let since):
            sentences.append(
                "\(parent) in \(place) is marked as deleted, since \(since.iso8601)")
        }
        if let doubt = candidate.doubt { sentences.append(sentence(doubt)) }
        if isMarkUnclear {
            sentences.append(
                "its mark of deletion holds neither a clear yes nor a believable time of the past")
        }
        return sentences
    }

    private func sentence(_ doubt: RelationDoubt) -> String {
        let value = Quoted.id(candidate.value)
        switch doubt {
        case .alike(let record): return Self.alike(record)
        case .inside(let record):
            return "\(record.model) \(Quoted.id(record.id.joined)) in \(record.source) is there, "
                + "and \(value) may mean it"
        case .saysNone: return "\(value) may say that there is none"
        case .kind(let column): return "\(column) may say that another table is meant"
        }
    }

    /// What is said of a record that is spelt like the one that is missed.
    static func alike(_ record: RecordIdentity) -> String {
        "\(record.model) \(Quoted.id(record.id.joined)) in \(record.source) is spelt alike, and "
            + "may be the same to a database that compares them so"
    }
}

extension Quoted {
    /// A record's identifier between quotes, cut where it is long.
    static func id(_ bytes: [UInt8]) -> String {
        guard bytes.count > 200 else { return key(ObjectKey(bytes)) }
        return key(ObjectKey(Array(bytes.prefix(200)))) + "..."
    }
}
