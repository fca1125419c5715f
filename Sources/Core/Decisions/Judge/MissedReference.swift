package import MooringModel

/// A reference whose object is missed: what its finding is about, whatever is known of it.
package struct MissedReference: Hashable, Sendable {
    /// Where it stands.
    package let place: RecordPlace
    /// What the record holds there.
    package let value: [UInt8]
    /// The name of the bucket that it means; nil where nobody configured that.
    package let bucket: String?
    /// The bucket's name where one value means objects in several, and this is not the field's own;
    /// nil elsewhere. The id depends on it.
    package let otherBucket: String?
    /// The id of the finding about it.
    package let id: String

    /// A reference.
    package init(place: RecordPlace, value: [UInt8], bucket: String?, otherBucket: String?) {
        self.place = place
        self.value = value
        self.bucket = bucket
        self.otherBucket = otherBucket
        id = FindingIdentity.reference(
            .dangling, record: place.identity, field: place.field ?? "", value: value,
            otherBucket: otherBucket)
    }
}
