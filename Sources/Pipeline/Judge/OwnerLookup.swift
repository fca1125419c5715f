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
    /// Pass B, which read the owners.
    let scan: ConfirmScan
    /// Which times can be believed.
    let times: BelievableTimes
    /// Whether what is seen now is kept in the ledger: an incomplete scan proves no absence.
    let remembers: Bool
    /// Objects whose keys stand in owners' lists, where they were looked at.
    var siblings: [OwnerName: [ListedSibling]] = [:]

    /// The possible owners of each wanted key, in the same order; first sights of row versions
    /// and of absences are kept in the ledger.
    func owners(of wanted: [Int]) throws -> [[PossibleOwner]] {
        let names = wanted.map { scan.possibleOwners(of: $0) }
        let flat = names.flatMap { $0 }
        let sights = try recordSights(of: flat)
        var next = 0
        return names.map { names in
            names.map { name in
                defer { next += 1 }
                return owner(name, sight: sights[next])
            }
        }
    }

    private func owner(_ name: OwnerName, sight: Ledger.RecordSight) -> PossibleOwner {
        let model = job.models[name.model]
        let file = model.mapping.files[name.field]
        let record = scan.owner(name)
        let place = RecordPlace(
            identity: identity(name, record), field: file.field, version: record?.version)
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
            siblings: siblings[name] ?? [])
        owner.isCopy = model.authority != nil
        owner.wasSeen = sight.wasSeen
        owner.rowToken = record.flatMap { $0.version == nil ? $0.token : nil }
        return owner
    }

    private func recordSights(of names: [OwnerName]) throws -> [Ledger.RecordSight] {
        let now = job.asOf ?? job.clock()
        guard remembers, job.asOf == nil, !names.isEmpty else {
            return names.map { _ in Ledger.RecordSight(firstAt: now, wasSeen: false) }
        }
        return try job.ledger.recordSights(
            of: names.map { name in
                let record = scan.owner(name)
                return (
                    identity: identity(name, record), token: record?.token ?? Ledger.absentToken
                )
            }, at: now, run: run)
    }

    private func identity(
        _ name: OwnerName, _ record: ConfirmScan.OwnerRecord?
    ) -> RecordIdentity {
        let model = job.models[name.model]
        let id = record?.id ?? RecordID(joined: name.id, parts: model.mapping.id.count)
        return RecordIdentity(source: model.source, model: model.mapping.model, id: id)
    }
}
