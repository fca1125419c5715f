package import MooringModel

/// Which strategies each kind and cause of finding takes, and which one stands where the policy
/// says nothing: the one matrix that the configuration, the policy and `doctor --policy` read.
package enum StrategyMatrix {
    /// What a policy may say of findings of one kind and cause.
    package struct Row: Hashable, Sendable {
        /// The kind.
        package let kind: FindingKind
        /// The cause; nil of kinds without causes.
        package let cause: FindingCause?
        /// The strategies, `keep` first.
        package let strategies: [Strategy]
        /// The one that stands where the policy says nothing.
        package let preset: Strategy
    }

    /// The kinds that a policy may name, in the order of the documentation.
    package static let kinds: [FindingKind] = [
        .orphan, .dangling, .abandonedUpload, .danglingRelation, .staleCopy,
    ]

    /// Every row, by kind, in the order of the catalogue; kinds that no policy names come last,
    /// and are only reported.
    package static let rows: [Row] =
        orphans + danglings + rest
        + FindingKind.allCases.filter { !kinds.contains($0) }.flatMap { kind in
            // What an attribute that nobody mapped holds comes back from quarantine.
            causes(of: kind).map {
                row(kind, $0, kind == .unmappedReference ? [.restore] : [], .keep)
            }
        }

    /// The causes of a kind, in the order of the catalogue; one nil where it has none.
    package static func causes(of kind: FindingKind) -> [FindingCause?] {
        switch kind {
        case .mappingError: [.prefix, .encoding, .unicode, .case, .slash, .url]
        case .shared, .invalidKey, .emptyObject, .exposed, .abandonedUpload, .unmappedReference:
            [nil]
        case .orphan, .dangling, .danglingRelation, .staleCopy:
            (orphans + danglings + rest).filter { $0.kind == kind }.map(\.cause)
        }
    }

    /// Whether findings of a kind and cause take a strategy; of a cause that is not told, whether
    /// some cause of the kind does.
    package static func takes(_ strategy: Strategy, _ kind: FindingKind, _ cause: FindingCause?)
        -> Bool
    {
        rows.contains {
            $0.kind == kind && (cause == nil || $0.cause == cause)
                && $0.strategies.contains(strategy)
        }
    }

    /// The strategies that some cause of a kind takes, in the order of the documentation.
    package static func strategies(of kind: FindingKind) -> [Strategy] {
        let taken = Set(rows.filter { $0.kind == kind }.flatMap(\.strategies))
        return order.filter(taken.contains)
    }

    private static let order: [Strategy] = [
        .keep, .requery, .tag, .quarantine, .delete, .relink, .nullify, .restore, .repoint,
        .deleteRecord, .abort,
    ]

    // A key goes back only into a field that holds nothing, or into a list that lacks it.
    private static let orphans: [Row] = {
        let removal: [Strategy] = [.requery, .tag, .quarantine, .delete]
        return [
            row(.orphan, .unassociated, removal + [.relink], .quarantine),
            row(.orphan, .cleared, removal + [.relink], .keep),
            row(.orphan, .superseded, removal, .quarantine),
            row(.orphan, .detached, removal + [.relink], .quarantine),
            row(.orphan, .lostUpdate, removal + [.relink], .keep),
            row(.orphan, .ownerless, removal, .quarantine),
            row(.orphan, .unknownIdentity, removal, .quarantine),
            row(.orphan, .unattributed, removal, .quarantine),
        ]
    }()

    // A reference whose object is there, at whatever place, is never nulled.
    private static let danglings: [Row] = [
        row(.dangling, .missing, [.requery, .nullify, .deleteRecord], .nullify),
        row(.dangling, .deleted, [.requery, .nullify, .restore, .deleteRecord], .nullify),
        row(.dangling, .quarantined, [.requery, .restore], .restore),
        row(.dangling, .misplaced, [.requery, .repoint], .keep),
        row(.dangling, .twin, [.requery, .repoint], .keep),
        row(.dangling, .foreign, [.requery, .repoint], .keep),
        // What vanished all at once was seldom meant to.
        row(.dangling, .vanished, [.requery], .keep),
    ]

    private static let rest: [Row] = [
        row(.abandonedUpload, nil, [.abort], .keep),
        row(.danglingRelation, .missingParent, [.nullify, .deleteRecord], .keep),
        row(.danglingRelation, .tombstonedParent, [.nullify, .deleteRecord], .keep),
        // A join row with an end gone joins nothing: without the field it is no better.
        row(.danglingRelation, .joinEnd, [.deleteRecord], .keep),
        row(.staleCopy, .behind, [.requery], .requery),
        row(.staleCopy, .deletedUpstream, [.requery], .requery),
        // A write that waits in a device's outbox is never written over.
        row(.staleCopy, .pending, [], .keep),
    ]

    private static func row(
        _ kind: FindingKind, _ cause: FindingCause?, _ strategies: [Strategy], _ preset: Strategy
    ) -> Row {
        Row(kind: kind, cause: cause, strategies: [.keep] + strategies, preset: preset)
    }
}
