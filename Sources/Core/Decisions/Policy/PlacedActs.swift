package import MooringModel

extension Finding {
    /// What a plan that acts on the finding takes away, and where; nothing where it only gives
    /// back, adds or refreshes.
    package var placedActs: [(share: PlacedShare, count: Int)] {
        switch kind {
        case .orphan:
            guard action?.traits.removes == .object, let bucket else { return [] }
            return [(PlacedShare(.orphanShare, .bucket(bucket)), 1)]
        case .dangling, .danglingRelation:
            guard let record, let loss = action?.traits.removes,
                loss == .reference || loss == .row
            else { return [] }
            return record.placedShares(removesRow: loss == .row)
                .map { ($0, loss == .row ? 1 : max(1, indexes.count)) }
        case .staleCopy:
            guard let record, action == .requery, cause == .deletedUpstream else { return [] }
            return record.placedShares(removesRow: true).map { ($0, 1) }
        default: return []
        }
    }
}

extension PlacedShare {
    /// The shares that an act on a finding of this kind about an object of the bucket, or a place
    /// in a record, may count in, whatever the policy does about it.
    package static func bounding(
        _ kind: FindingKind, bucket: String? = nil, record: RecordPlace? = nil
    ) -> [PlacedShare] {
        switch kind {
        case .orphan: bucket.map { [PlacedShare(.orphanShare, .bucket($0))] } ?? []
        case .dangling, .danglingRelation, .staleCopy:
            record?.placedShares(removesRow: true) ?? []
        default: []
        }
    }
}

extension RecordPlace {
    /// The shares that taking something away here counts in: the field's, and the model's where a
    /// whole row goes.
    package func placedShares(removesRow: Bool) -> [PlacedShare] {
        let model = GuardedPlace.model(source: identity.source, model: identity.model)
        let own = field.map {
            GuardedPlace.field(source: identity.source, model: identity.model, field: $0)
        }
        return ([own] + [removesRow ? model : nil]).compactMap { $0 }
            .map { PlacedShare(.recordShare, $0) }
    }
}

extension PlanStep {
    /// The shares that what its strategy takes away counts in.
    package var placedShares: [PlacedShare] {
        switch strategy.traits.removes {
        case .object: bucket.map { [PlacedShare(.orphanShare, .bucket($0))] } ?? []
        case .reference: record?.placedShares(removesRow: false) ?? []
        case .row: record?.placedShares(removesRow: true) ?? []
        case .nothing, .upload: []
        }
    }
}

extension JournalEntry {
    /// What the entry took away, and where; nothing where it did not end so, gave back, refreshed,
    /// or removed from quarantine what had been counted before.
    package var placedActs: [PlacedShare] {
        guard outcome == .done, undoes == nil, plan != ErasureOrder.plan(of: run) else {
            return []
        }
        if step.strategy == .requery, change?.act == .delete {
            return step.record?.placedShares(removesRow: true) ?? []
        }
        if step.takesObject, step.precondition.quarantinedBy != nil {
            return []
        }
        return step.placedShares
    }
}
