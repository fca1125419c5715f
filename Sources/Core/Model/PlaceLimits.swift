/// Limits of one place that stand in place of the general ones; nil leaves them as they are.
package struct PlaceLimits: Hashable, Sendable {
    /// The largest share of a bucket's objects that may be removed in a day, 0 to 1.
    package var orphanShare: Double?
    /// The largest share of references or rows that may be taken away in a day, 0 to 1.
    package var recordShare: Double?
    /// The largest loss of references, 0 to 1.
    package var referenceDrop: Double?
    /// The largest loss of objects, 0 to 1.
    package var objectDrop: Double?

    /// None of its own.
    package init() {}

    /// These, and the other's where these say nothing.
    package func over(_ other: PlaceLimits) -> PlaceLimits {
        var merged = self
        merged.orphanShare = orphanShare ?? other.orphanShare
        merged.recordShare = recordShare ?? other.recordShare
        merged.referenceDrop = referenceDrop ?? other.referenceDrop
        merged.objectDrop = objectDrop ?? other.objectDrop
        return merged
    }
}
