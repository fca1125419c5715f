package import MooringModel

/// Which acts a store can be trusted with, by what it was seen to do.
package enum StoreRule {
    /// Why a store cannot carry a strategy out so that nothing is lost; nil where it can.
    ///
    /// `neverReused` says that no device uploads to the object's key a second time.
    package static func lack(
        of store: StoreCapabilities, for strategy: Strategy, neverReused: Bool
    ) -> String? {
        switch strategy {
        case .quarantine: store.quarantineDoubt ?? removal(store, neverReused)
        case .delete: store.tellsEveryUpload ? removal(store, neverReused) : Self.sameBytes
        case .tag:
            store.tagging.isHonoured
                ? nil : "the store tags no objects (\(store.tagging.words))"
        default: nil
        }
    }

    /// Why an object of a key cannot be taken out of its bucket by a strategy, whatever the store
    /// can do; nil where it can.
    package static func lack(
        ofPlaceFor key: ObjectKey, in bucket: BucketMapping, for strategy: Strategy
    ) -> String? {
        guard strategy == .quarantine || strategy == .delete,
            !bucket.hasQuarantinePlace(for: key)
        else { return nil }
        return "its key in quarantine would be longer than 1,024 bytes"
    }

    /// The same of a store that nobody has tried: only what the bucket says of itself tells whether
    /// it keeps versions, until the trial before the act.
    package static func lackUntried(for strategy: Strategy, keepsVersions: Bool) -> String? {
        strategy == .delete && !keepsVersions ? sameBytes : nil
    }

    /// What is said behind an act that had to check first and write then; nil where it was one act.
    package static func caveat(of store: StoreCapabilities, bytes: Int64) -> String? {
        store.restoresAtomically(bytes: bytes)
            ? nil
            : "the store has no write that replaces nothing: it was looked first, then written"
    }

    private static let sameBytes =
        "the store keeps no versions, and does not tell an object from the same bytes uploaded "
        + "again, which would be removed for good"

    private static func removal(_ store: StoreCapabilities, _ neverReused: Bool) -> String? {
        guard !store.removesSafely, !neverReused else { return nil }
        let versions =
            store.versionsDoubt.map {
                "the bucket says that it keeps versions, but \($0); the store "
            }
            ?? "the store keeps no versions and "
        return versions + "deletes whatever is there "
            + "(\(store.conditionalDelete.words)), and this key may be uploaded to again"
    }
}

extension StoreCapabilities.Trial {
    /// What the store was seen to do, as the end of a sentence.
    package var words: String {
        switch self {
        case .honoured: "tried: it does"
        case .ignored: "tried: it ignores the condition"
        case .refused(let why): "it refuses: \(why)"
        case .unknown(let why): "not known: \(why)"
        }
    }
}
