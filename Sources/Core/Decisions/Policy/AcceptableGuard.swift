import MooringModel

/// A guard that `--accept` can cover, and how its value is written.
package enum AcceptableGuard: String, Hashable, Sendable, CaseIterable {
    case orphanShare, recordShare, steps, bytes, referenceDrop, objectDrop

    /// What these refuse is how much is done; they say nothing against what was seen.
    package static let amounts: Set<Self> = [.steps, .bytes]
    /// What a place would lose by all that is to be done.
    package static let shares: Set<Self> = [.orphanShare, .recordShare]
    /// What a place lost since an earlier run.
    package static let drops: Set<Self> = [.referenceDrop, .objectDrop]

    /// How a value is written.
    package enum Form: Hashable, Sendable {
        case share, count, size
    }

    /// How its value is written.
    package var form: Form {
        switch self {
        case .orphanShare, .recordShare, .referenceDrop, .objectDrop: .share
        case .steps: .count
        case .bytes: .size
        }
    }

    /// Whether its places are record sources, their models and fields, which have short names.
    package var measuresRecords: Bool { [.recordShare, .referenceDrop].contains(self) }

    /// Whether it measures places, so that one may be named.
    package var hasPlaces: Bool { form == .share }
}

extension RunSummary.Guard {
    /// Which of those that can be accepted it is; nil of any other.
    package var acceptable: AcceptableGuard? { AcceptableGuard(rawValue: name) }

    /// Whether it is one of these; false of a guard that nothing can accept.
    package func isOne(of guards: Set<AcceptableGuard>) -> Bool {
        acceptable.map(guards.contains) ?? false
    }
}
