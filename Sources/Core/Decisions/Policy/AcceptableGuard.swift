/// A guard that `--accept` can cover, and how its value is written.
package enum AcceptableGuard: String, Hashable, Sendable, CaseIterable {
    case orphanShare, recordShare, steps, bytes, referenceDrop, objectDrop

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
