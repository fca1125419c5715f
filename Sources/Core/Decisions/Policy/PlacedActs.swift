package import MooringModel

extension Finding {
    /// What a plan that acts on the finding takes away, and where; nothing where it only gives
    /// back, adds or refreshes.
    package var placedActs: [(share: PlacedShare, count: Int)] {
        switch kind {
        case .orphan:
            guard let action, [.quarantine, .delete, .tag].contains(action), let bucket else {
                return []
            }
            return [(PlacedShare(.orphanShare, .bucket(bucket)), 1)]
        case .dangling, .danglingRelation:
            guard let record, let action, [.nullify, .repoint, .deleteRecord].contains(action)
            else { return [] }
            return record.placedShares(removesRow: action == .deleteRecord)
                .map { ($0, action == .deleteRecord ? 1 : max(1, indexes.count)) }
        case .staleCopy:
            guard let record, action == .requery, cause == .deletedUpstream else { return [] }
            return record.placedShares(removesRow: true).map { ($0, 1) }
        default: return []
        }
    }
}

extension RecordPlace {
    /// The shares that taking something away here counts in: the field's, and the model's where a
    /// whole row goes.
    package func placedShares(removesRow: Bool) -> [PlacedShare] {
        let model = Place.model(source: identity.source, model: identity.model)
        let own = field.map {
            Place.field(source: identity.source, model: identity.model, field: $0)
        }
        return ([own] + [removesRow ? model : nil]).compactMap { $0 }
            .map { PlacedShare(.recordShare, $0) }
    }
}

extension JournalEntry {
    /// What the entry took away, and where; nothing where it did not end so, gave back, refreshed,
    /// or removed from quarantine what had been counted before.
    package var placedActs: [PlacedShare] {
        guard outcome == .done, undoes == nil, plan != ErasureOrder.plan(of: run) else {
            return []
        }
        switch step.strategy {
        case .quarantine, .tag, .delete:
            guard step.precondition.quarantinedBy == nil, let bucket = step.bucket else {
                return []
            }
            return [PlacedShare(.orphanShare, .bucket(bucket))]
        case .nullify, .repoint: return step.record?.placedShares(removesRow: false) ?? []
        case .deleteRecord: return step.record?.placedShares(removesRow: true) ?? []
        case .requery where change?.act == .delete:
            return step.record?.placedShares(removesRow: true) ?? []
        default: return []
        }
    }
}
