package import MooringModel

/// What is known of an object that no record references.
package struct OrphanFacts: Sendable {
    /// The version that was listed.
    package var object: ObjectVersion
    /// When a run first saw this version as a candidate.
    package var firstSight: Instant
    /// Every record that a template names as its owner.
    package var owners: [PossibleOwner]
    /// What speaks against calling it an orphan, one sentence each.
    package var doubts: [String]
    /// Who may mean it by a missing reference, one sentence each: then nobody may remove it.
    package var claims: [String]
    /// The identity under which it lies, where no record knows it; nil elsewhere.
    package var unknownIdentity: [UInt8]?
    /// Sightings before this run.
    package var sighting: PriorSighting?
    /// The open uploads of its key.
    package var uploads: [UploadFacts] = []
    /// The writes in devices' outboxes that name its key.
    package var waiting: [PendingWrite] = []

    /// Facts about an orphan.
    package init(
        object: ObjectVersion, firstSight: Instant, owners: [PossibleOwner], doubts: [String],
        claims: [String] = [], unknownIdentity: [UInt8]? = nil, sighting: PriorSighting?
    ) {
        self.claims = claims
        self.unknownIdentity = unknownIdentity
        self.object = object
        self.firstSight = firstSight
        self.owners = owners
        self.doubts = doubts
        self.sighting = sighting
    }

    /// When this version became visible.
    package func effectiveBirth(believing times: BelievableTimes) -> Instant {
        EffectiveTime.birth(of: object, firstSight: firstSight, believing: times)
    }
}

/// Judges candidate orphans. Pure: the same facts and moment give the same judgement.
package struct OrphanJudge: Sendable {
    private let race: RaceModel
    // The earlier of the moments at which records and objects were read.
    private let now: Instant

    /// A judge under a race model, at a moment.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// Judges one candidate.
    package func judge(_ facts: OrphanFacts) -> Judgement {
        let birth = facts.effectiveBirth(believing: BelievableTimes(now: now, race: race))
        let attributed = attribution(facts, birth: birth)
        // An owner that is written every day would keep the orphan explained for ever, so that
        // only the object's birth counts here; what owners change, the proofs wait for.
        let difference = Difference(attributed.state, shape: attributed.owner?.shape, since: birth)
        let explanation = ExplanationRule.explanation(of: difference, under: race, at: now)
        let judged: Verdict =
            explanation != nil ? .explained : facts.doubts.isEmpty ? .settled : .undecided
        // A record that may mean it protects it for as long as it does so, and not by a window.
        let verdict = facts.claims.isEmpty ? judged : .undecided
        var judgement = Judgement(
            verdict: verdict, cause: attributed.cause,
            explanation: verdict == .explained ? explanation : nil,
            difference: difference,
            evidence: evidence(facts, attributed, difference, verdict),
            place: attributed.owner?.place,
            proofs: .orphan(
                owners: facts.owners, sighting: facts.sighting, race: race, now: now))
        UploadRule(race: race, now: now).explain(orphan: &judgement, by: facts.uploads)
        OutboxRule(race: race, now: now).explain(orphan: &judgement, by: facts.waiting)
        return judgement
    }

    /// What is said of an orphan that was judged, which none of so many references means.
    package func finding(
        _ facts: OrphanFacts, _ judgement: Judgement, at place: ObjectPlace, references: Int
    ) -> Finding {
        var finding = Finding(
            id: FindingIdentity.object(.orphan, bucket: place.bucket, key: place.key),
            kind: .orphan, cause: judgement.cause, verdict: judgement.verdict)
        finding.bucket = place.bucket
        finding.key = place.key
        finding.object = facts.object
        finding.record = judgement.place
        finding.owners = facts.owners.map(\.place.identity)
        finding.rowToken = facts.owners.first { $0.place == judgement.place }?.rowToken
        finding.explanation = judgement.explanation
        // The reason that decided stands last, where short reports look for it.
        finding.evidence =
            [Self.unmeant(by: references)] + judgement.sentences(under: race, at: now)
        return finding
    }

    /// The sentence that stands first with each orphan of a run.
    package static func unmeant(by references: Int) -> String {
        "none of \(references) references means it"
    }

    /// The owner that is named beside an orphan, the state in which it leaves it, and its cause.
    private struct Attribution {
        let owner: PossibleOwner?
        let state: DifferenceState
        let cause: FindingCause
        /// Of a lost update, the append that came last.
        var sibling: ListedSibling?
        /// The identity that no record knows, where the cause is that.
        var unknownIdentity: [UInt8]?
    }

    // The owner that tells most: one that is there, before one that is gone; and of those, one
    // that was cleared on purpose or lost an append, since somebody may want the file.
    private func attribution(_ facts: OrphanFacts, birth: Instant) -> Attribution {
        var present: Attribution?
        // A copy tells only where no record does.
        for owner in facts.owners.filter({ !$0.isCopy }) + facts.owners.filter(\.isCopy) {
            guard case .present(_, let changed) = owner.state else { continue }
            if owner.isCopy, present?.owner?.isCopy == false { break }
            let sibling = LostUpdateRule.sibling(
                of: birth, changed: changed, among: owner.siblings, race: race)
            let cause =
                sibling == nil
                ? CauseRule.cause(
                    of: owner.state.leaves, birth: birth, changed: changed, race: race)
                : CauseRule.cause(of: owner.state.leaves, showing: .listHistory)
            if cause != .cleared, sibling == nil, present != nil { continue }
            present = Attribution(
                owner: owner, state: owner.state.leaves, cause: cause, sibling: sibling)
            if cause == .cleared { break }
        }
        if let present { return present }
        let state = facts.owners.first?.state.leaves ?? .ownerUnknown
        var attributed = Attribution(
            owner: facts.owners.first, state: state, cause: CauseRule.cause(of: state))
        // A tombstone tells what became of the owner, and an identity tells less.
        let isBuried = facts.owners.contains { $0.state.leaves == .ownerIsTombstone }
        if let identity = facts.unknownIdentity, !isBuried {
            attributed = Attribution(
                owner: attributed.owner, state: state,
                cause: CauseRule.cause(of: state, showing: .identities),
                unknownIdentity: identity)
        }
        return attributed
    }

    private func evidence(
        _ facts: OrphanFacts, _ attributed: Attribution, _ difference: Difference,
        _ verdict: Verdict
    ) -> [Evidence] {
        var evidence: [Evidence] = []
        evidence.reserveCapacity(4 + facts.doubts.count + facts.claims.count)
        evidence.append(.lastModified(facts.object.lastModified))
        if difference.since != facts.object.lastModified {
            evidence.append(
                facts.object.isMultipart
                    ? .multipartFirstSeen(facts.firstSight) : .firstSeen(facts.firstSight))
        }
        if verdict == .settled {
            evidence.append(.left(attributed.state, attributed.cause, shape: difference.shape))
        }
        evidence.append(rule(attributed))
        for doubt in facts.doubts + facts.claims { evidence.append(.doubt(doubt)) }
        return evidence
    }

    // What was seen of the owner, by which the cause was attributed.
    private func rule(_ attributed: Attribution) -> Evidence {
        if let identity = attributed.unknownIdentity { return .identityUnknownToRecords(identity) }
        if let sibling = attributed.sibling { return .ownerListsRival(sibling) }
        switch attributed.owner?.state {
        case nil: return .noTemplateFits
        case .absent: return .ownerIsAbsent
        case .tombstone: return .ownerIsTombstone
        case .present(.otherKey, _): return .ownerHoldsAnother
        case .present(.otherKeys(let count), _): return .ownerListsOthers(count)
        case .present(.nothing, let changed):
            if let changed, attributed.cause == .cleared { return .ownerCleared(at: changed) }
            return .ownerHoldsNothing(since: changed)
        }
    }
}
