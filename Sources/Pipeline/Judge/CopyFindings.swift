import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import MooringText

// Copies of records: rows that are behind their authority, and what that means for the other
// findings about copies.

extension Judging {
    /// Adds `stale-copy`, and keeps first sights where nothing else tells the time.
    func judgeCopies(_ judged: inout Judged) throws {
        let stale = staleCopies()
        guard !stale.isEmpty else { return }
        let missed = danglingReferences(newestQuarantined()).missedByStale
        for page in stale.chunks(of: Ledger.batchSize) {
            try job.interruption.check()
            let originals = try firstSights(
                of: page.map { ($0.authority.identity, $0.original?.token ?? Ledger.absentToken) },
                wanted: page.map(needsSight))
            let copies = try firstSights(
                of: page.map { ($0.copy.identity, $0.copy.token) },
                wanted: page.map(needsOwnSight))
            for (place, copy) in page.enumerated() {
                let moment = moment([copy.copy.identity.source, copy.authority.identity.source])
                var facts = facts(
                    copy, original: min(originals[place], moment),
                    own: min(copies[place], moment))
                facts.isSpeltAlike = copy.alike != nil
                facts.mayHoldUnsent = CopyRule.mayHoldUnsent(
                    copy.copy.state, authority: copy.original?.state)
                add(
                    copy, facts, missing: missed[copy.copy.identity] ?? [], at: moment,
                    to: &judged)
            }
        }
    }

    /// The values that are no keys, without those that a copy has in common with its authority.
    func invalidOnce() -> [InvalidCandidate] {
        let invalid = candidates.join.invalid
        let models = job.models
        guard models.contains(where: { $0.authority != nil }) else { return invalid }
        let owned = Set(
            invalid.filter { models[$0.model].authority == nil }.map {
                PlacedValue($0.place, value: $0.value)
            })
        return invalid.filter { candidate in
            guard let authority = models[candidate.model].authority else { return true }
            return !owned.contains(
                PlacedValue(candidate.place, value: candidate.value, at: authority))
        }
    }

    /// The copies that are behind. An authority that was not read to its end tells of none.
    func staleCopies() -> [StaleCopy] {
        let unread = Set(observations.incompleteRecords)
        return confirmed.rows.stale().filter {
            !unread.contains($0.authority.identity.source)
        }
    }

    // Its copies may be all that is left of what an authority lost.
    private func isEmpty(_ source: String) -> Bool {
        observations.records.contains { $0.name == source && $0.records == 0 }
    }

    private func needsSight(_ copy: StaleCopy) -> Bool {
        guard let original = copy.original, times.moment(of: original.state.changed) != nil
        else { return true }
        return job.models[original.model].mapping.changedBy == .device
    }

    private func needsOwnSight(_ copy: StaleCopy) -> Bool {
        guard times.moment(of: copy.copy.state.changed) != nil else { return copy.original == nil }
        return job.models[copy.copy.model].mapping.changedBy == .device
    }

    private func facts(_ copy: StaleCopy, original: Instant, own: Instant) -> CopyFacts {
        if let write = confirmed.outboxes.write(
            of: copy.copy.identity, table: job.models[copy.copy.model].mapping.table)
        {
            return CopyFacts(cause: .pending, authority: .awaiting(write))
        }
        let copyChanged = EffectiveTime.change(
            copy.copy.state.changed, setBy: job.models[copy.copy.model].mapping.changedBy,
            firstSight: own, believing: times)
        guard let record = copy.original else {
            return CopyFacts(
                cause: copy.cause,
                authority: .absent(since: original, copyChanged: copyChanged ?? own))
        }
        let changed =
            EffectiveTime.change(
                record.state.changed, setBy: job.models[record.model].mapping.changedBy,
                firstSight: original, believing: times) ?? original
        return CopyFacts(
            cause: copy.cause, authority: .changed(max(changed, copyChanged ?? changed)))
    }

    private func add(
        _ copy: StaleCopy, _ facts: CopyFacts, missing: [ObjectKey], at moment: Instant,
        to judged: inout Judged
    ) {
        let (own, authority) = (copy.copy.identity, copy.authority.identity)
        let race = job.race(source: own.source, clock: clock)
        let judgement = CopyJudge(race: race, now: moment).judge(facts)
        let id = FindingIdentity.reference(.staleCopy, record: own, field: "", value: [])
        var finding = Finding(
            id: id, kind: .staleCopy, cause: judgement.cause, verdict: judgement.verdict)
        finding.record = RecordPlace(identity: own, version: copy.copy.state.version)
        finding.rowToken = copy.copy.state.version == nil ? copy.copy.token : nil
        finding.explanation = judgement.explanation
        finding.evidence =
            (judgement.explanation.map { [Evidence.mayStillCome($0).text] } ?? [])
            + CopyEvidence(copy: copy, facts: facts, missing: missing).sentences
        PolicyChoice(policy: job.configuration.repair, race: race)
            .decide(&finding, proofs: judgement.proofs)
        finding.require(
            live: [own, authority].allSatisfy { observations.serves(job.source($0.source)) })
        finding.require(writable: observations.writes(job.source(own.source)))
        if finding.action == .requery, isEmpty(authority.source) {
            finding.keep(because: "\(authority.source) holds no record at all: find out why")
        }
        if finding.action == .requery, copy.original?.state.isTombstone == true,
            job.outboxes[own.source] != nil
        {
            // Its row goes with the mark, and only DataStore takes both away together.
            finding.keep(because: "the device removes its copy when it synchronises next")
        }
        judged.add(finding, seenAs: copy.copy.token)
    }
}

/// A value in a field of a record, which a record and its copies may have in common.
struct PlacedValue: Hashable {
    private let record: RecordIdentity
    private let field: String
    private let value: [UInt8]

    /// A value in a record, or at the source that its own is a copy of.
    init(_ place: RecordPlace, value: [UInt8], at authority: String? = nil) {
        record = RecordIdentity(
            source: authority ?? place.identity.source, model: place.identity.model,
            id: place.identity.id)
        field = place.field ?? ""
        self.value = value
    }
}

/// What is said of a stale copy.
private struct CopyEvidence {
    let copy: StaleCopy
    let facts: CopyFacts
    let missing: [ObjectKey]

    /// One sentence each; the reason that decided stands last.
    var sentences: [String] {
        var sentences: [String] = []
        for key in missing.prefix(3) {
            sentences.append("it refers to \(Quoted.key(key)), a file that is not there")
        }
        let more = missing.count - 3
        if more > 0 {
            sentences.append(
                "it refers to \(Measure.count(more, "more file")) that "
                    + "\(more == 1 ? "is" : "are") not there")
        }
        sentences.append("this copy: \(Self.text(copy.copy.state))")
        let source = copy.authority.identity.source
        switch (copy.original, facts.authority) {
        case (_, .awaiting(let write)): sentences.append(Evidence.inOutbox(write).text)
        case (.some(let original), _):
            sentences.append("\(source): \(Self.text(original.state))")
            sentences.append(
                original.state.isTombstone
                    ? "\(source) has marked the record as deleted"
                    : "\(source) has the record as it is now, and this copy is behind")
            if facts.mayHoldUnsent {
                sentences.append(
                    "this copy may have changed later: it may hold a write that was not sent")
            }
        case (nil, .absent(let since, _)):
            sentences.append("\(source) has no such record, first seen \(since.iso8601)")
        case (nil, .changed): sentences.append("\(source) has no such record")
        }
        if let alike = copy.alike { sentences.append(RelationEvidence.alike(alike)) }
        return sentences
    }

    private static func text(_ state: CopyState) -> String {
        let version = state.version.map { "version \($0)" } ?? "no version"
        let changed = state.changed.map { "changed \($0.written.iso8601)" } ?? "no change time"
        return "\(version), \(changed)"
    }
}
