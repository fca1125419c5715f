import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Finds the state of the records that keys name as their owners.
struct OwnerLookup {
    /// What the lookup works with.
    let job: Job
    /// The run whose first sights are kept.
    let run: RunID
    /// Which times can be believed.
    let times: BelievableTimes
    /// Whether what is seen now is kept in the ledger: an incomplete scan proves no absence.
    let remembers: Bool

    /// What is known of the owners of each object, in the same order; first sights of row versions
    /// and of absences are kept in the ledger.
    func owners(of objects: [[WantedAnswer.Owner]]) throws -> [[PossibleOwner]] {
        var sights = try recordSights(of: objects.flatMap { $0 })[...]
        return objects.map { owners in
            defer { sights = sights.dropFirst(owners.count) }
            return zip(owners, sights).map(owner)
        }
    }

    private func owner(_ named: WantedAnswer.Owner, sight: Ledger.RecordSight) -> PossibleOwner {
        let (name, record) = (named.name, named.record)
        let model = job.models[name.model]
        let file = model.mapping.files[name.field]
        let place = RecordPlace(
            identity: identity(named), field: file.field, version: record?.version)
        let clock = model.mapping.changedBy
        let state: PossibleOwner.State
        if let record, !record.isTombstone {
            let count = record.keys[name.field]
            let holding: FieldHolding =
                count == 0 ? .nothing : (file.isList ? .otherKeys(count) : .otherKey)
            let changed = EffectiveTime.change(
                record.changed, setBy: clock, firstSight: sight.firstAt,
                believing: times)
            state = .present(holding: holding, changed: changed)
        } else {
            let since = EffectiveTime.absence(
                tombstone: record?.changed, setBy: clock, firstSight: sight.firstAt,
                believing: times)
            state = record == nil ? .absent(since: since) : .tombstone(since: since)
        }
        var owner = PossibleOwner(
            place: place, state: state, shape: FieldShape(of: file),
            siblings: named.siblings)
        owner.isCopy = model.authority != nil
        owner.wasSeen = sight.wasSeen
        owner.rowToken = record.flatMap { $0.version == nil ? $0.token : nil }
        return owner
    }

    private func recordSights(
        of owners: [WantedAnswer.Owner]
    ) throws -> [Ledger.RecordSight] {
        let now = job.judgedNow
        guard remembers, job.asOf == nil, !owners.isEmpty else {
            return owners.map { _ in Ledger.RecordSight(firstAt: now, wasSeen: false) }
        }
        return try job.ledger.recordSights(
            of: owners.map {
                (identity: identity($0), token: $0.record?.token ?? Ledger.absentToken)
            }, at: now, run: run)
    }

    private func identity(_ owner: WantedAnswer.Owner) -> RecordIdentity {
        let model = job.models[owner.name.model]
        let id =
            owner.record?.id
            ?? RecordID(joined: owner.name.id, parts: model.mapping.id.count)
        return RecordIdentity(source: model.source, model: model.mapping.model, id: id)
    }
}
