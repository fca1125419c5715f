package import MooringModel

/// What is known of a reference whose object was not listed.
package struct DanglingFacts: Sendable {
    /// Where the object may lie; empty when the record names a bucket nobody configured.
    package var patterns: [KeyPattern]
    /// The bucket that the record names, when it is not configured.
    package var foreignBucket: String?
    /// A look at the object after the listing; nil where the bucket cannot be asked.
    package var head: HeadAnswer?
    /// The delete marker that hides the object, where the bucket keeps versions.
    package var deletion: Deletion?
    /// The object in quarantine, when it lies there.
    package var quarantined: QuarantinedObject?
    /// The record's effective change; nil when it is not known.
    package var changed: Instant?
    /// What speaks against calling it dangling, one sentence each.
    package var doubts: [String]
    /// Objects elsewhere that the reference may mean, those that fit most closely first.
    package var meant: [MeantObject]
    /// How many more there are than `meant` holds.
    package var meantBeside: Int
    /// Sightings before this run.
    package var sighting: PriorSighting?
    /// Why nearly everything that references mean beside this one is thought to have vanished, in
    /// words; nil where it has not.
    package var vanished: String?
    /// The shape of the field that holds the reference; nil when it is not known.
    package var shape: FieldShape?
    /// The open uploads that may bring the object.
    package var uploads: [UploadFacts] = []

    /// Facts about a dangling reference.
    package init(
        patterns: [KeyPattern], foreignBucket: String? = nil, head: HeadAnswer? = nil,
        deletion: Deletion? = nil, quarantined: QuarantinedObject? = nil, changed: Instant?,
        doubts: [String] = [],
        meant: [MeantObject] = [], meantBeside: Int = 0, sighting: PriorSighting? = nil,
        shape: FieldShape? = nil
    ) {
        self.meant = meant
        self.meantBeside = meantBeside
        self.patterns = patterns
        self.foreignBucket = foreignBucket
        self.head = head
        self.deletion = deletion
        self.quarantined = quarantined
        self.changed = changed
        self.doubts = doubts
        self.sighting = sighting
        self.shape = shape
    }
}

/// Judges candidate dangling references. Pure, as `OrphanJudge`.
package struct DanglingJudge: Sendable {
    private let race: RaceModel
    // When the objects were listed.
    private let now: Instant

    /// A judge under a race model, at a moment.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// Judges one candidate.
    package func judge(_ facts: DanglingFacts) -> Judgement {
        var judgement = judgeWithoutUploads(facts)
        UploadRule(race: race, now: now).explain(dangling: &judgement, by: facts.uploads)
        return judgement
    }

    private func judgeWithoutUploads(_ facts: DanglingFacts) -> Judgement {
        var judgement = Judgement(
            verdict: .settled, cause: CauseRule.cause(of: .objectIsAbsent), explanation: nil,
            difference: facts.changed.map {
                Difference(.objectIsAbsent, shape: facts.shape, since: $0)
            },
            evidence: [], place: nil,
            proofs: .dangling(
                changed: facts.changed, sighting: facts.sighting, race: race, now: now))
        if let bucket = facts.foreignBucket {
            judgement.cause = .foreign
            judgement.verdict = .undecided
            judgement.evidence = [.bucketUnknown(bucket)]
            return judgement
        }
        // Who deleted at the key since has had the last word: nothing is given back against it.
        if let quarantined = facts.quarantined,
            facts.deletion?.isLater(than: quarantined) != true
        {
            judgement.cause = .quarantined
            judgement.evidence = [.inQuarantine(quarantined.run)]
            // Giving an object back to a record that references it needs no further proof.
            judgement.proofs = Proofs(
                reversible: nil, irreversible: judgement.proofs.irreversible)
            return judgement
        }
        let doubts = doubts(facts)
        let meant =
            facts.meant.map(Evidence.meant)
            + (facts.meantBeside > 0 ? [.meantBeside(facts.meantBeside)] : [])
        if let reason = facts.vanished {
            // A disk that is not mounted looks just like this, and no window ends that doubt; what
            // has the same name elsewhere is no proof that it is meant.
            judgement.cause = .vanished
            judgement.difference = nil
            judgement.verdict = .undecided
            judgement.evidence = evidence(facts, doubts + meant + [.doubt(reason)], .undecided)
            return judgement
        }
        if let closest = facts.meant.first {
            // In doubt whatever the windows say: only a person, or `repoint`, may decide.
            judgement.cause = closest.cause
            judgement.difference = nil
            judgement.verdict = .undecided
            judgement.evidence = evidence(facts, doubts, .undecided) + meant
            return judgement
        }
        if !doubts.isEmpty {
            judgement.verdict = .undecided
        } else if let difference = judgement.difference {
            judgement.explanation = ExplanationRule.explanation(
                of: difference, under: race, at: now)
            if judgement.explanation != nil { judgement.verdict = .explained }
        }
        judgement.evidence = evidence(facts, doubts, judgement.verdict)
        if let deletion = facts.deletion { tell(deletion, &judgement) }
        return judgement
    }

    /// What is said of a reference that was judged.
    package func finding(
        _ facts: DanglingFacts, _ judgement: Judgement, of reference: MissedReference
    ) -> Finding {
        var finding = Finding(
            id: reference.id, kind: .dangling, cause: judgement.cause, verdict: judgement.verdict)
        finding.bucket = reference.bucket ?? facts.foreignBucket
        finding.key = facts.patterns.first?.shown ?? ObjectKey(reference.value)
        if facts.patterns.count > 1 { finding.candidates = facts.patterns.map(\.shown) }
        // Of several keys that the value may mean, the one that can be given back.
        if let held = facts.quarantined { finding.key = held.key }
        finding.object = facts.quarantined?.version
        if judgement.cause == .deleted {
            // The delete marker that hides the object, and the version below it.
            finding.object = facts.deletion?.hidden
            finding.basis.marker = facts.deletion?.marker
        }
        if [.twin, .misplaced, .foreign].contains(judgement.cause), !facts.meant.isEmpty {
            finding.candidates = facts.meant.map(\.key)
        }
        finding.record = reference.place
        finding.value = reference.value
        finding.explanation = judgement.explanation
        finding.evidence = judgement.sentences(under: race, at: now)
        return finding
    }

    // Who removed the file may be about to delete the record.
    private func tell(_ deletion: Deletion, _ judgement: inout Judgement) {
        judgement.cause = .deleted
        judgement.evidence.append(.deleted(deletion))
        let until = deletion.at + race.uploadWindow + race.clock
        guard judgement.verdict != .undecided, until > now,
            judgement.explanation.map({ $0.until < until }) ?? true
        else { return }
        let workflow = WorkflowCatalogue.deleteBothFileFirst
        judgement.verdict = .explained
        judgement.explanation = Explanation(
            workflow: workflow.name, step: workflow.steps[2].name, until: until)
    }

    private func evidence(
        _ facts: DanglingFacts, _ doubts: [Evidence], _ verdict: Verdict
    ) -> [Evidence] {
        var evidence: [Evidence] = []
        evidence.reserveCapacity(4 + doubts.count)
        evidence.append(.notListed)
        if facts.head == .absent { evidence.append(.lookFoundNothing) }
        guard doubts.isEmpty else { return evidence + doubts }
        if verdict == .settled {
            evidence.append(
                .left(
                    .objectIsAbsent, CauseRule.cause(of: .objectIsAbsent), shape: facts.shape))
        }
        switch facts.changed {
        case nil: evidence.append(.recordTellsNoChange)
        case .some(let changed):
            evidence.append(
                verdict == .explained
                    ? .recordChanged(at: changed) : .recordUnchanged(since: changed))
        }
        return evidence
    }

    private func doubts(_ facts: DanglingFacts) -> [Evidence] {
        var doubts = facts.doubts.map(Evidence.doubt)
        if facts.patterns.count > 1 {
            doubts.append(.severalKeys(facts.patterns.count))
        } else if case .anyIdentity = facts.patterns.first {
            doubts.append(.identityUnknown)
        }
        switch facts.head {
        case .unknown(let reason): doubts.append(.lookUnanswered(reason))
        case .present: doubts.append(.lookFoundObject)
        case .absent, nil: break
        }
        return doubts
    }
}
