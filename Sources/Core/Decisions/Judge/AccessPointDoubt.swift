package import MooringModel

/// Why a reference into a bucket behind an access point may mean another bucket.
package enum AccessPointDoubt {
    /// The doubt about a field's missing references; nil where there is none. A field of complex
    /// objects lets records name the bucket, and a name that is wrongly given to the access point's
    /// would have the files of another bucket looked for in this one, where they are not.
    package static func sentence(about field: FileField, in bucket: BucketMapping) -> String? {
        guard field.isComplex, bucket.accessPoint != nil, !bucket.isNameless else { return nil }
        return "its record may name a bucket, and nothing can check which one the access point of "
            + "bucket \(bucket.name) leads to; name the bucket itself under s3 to repair it"
    }
}
