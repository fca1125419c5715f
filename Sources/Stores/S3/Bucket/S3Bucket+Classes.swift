package import MooringModel

/// In which storage classes objects are.
extension S3Bucket: StorageClassReader {
    /// The bucket itself tells it.
    package var storageClasses: (any StorageClassReader)? { self }

    /// Looks by HEAD, which names every class but the standard one.
    package func storageClass(
        of key: ObjectKey, expecting version: ObjectVersion
    ) async -> StorageClassAnswer {
        do {
            guard let facts = try await own.facts(key), version.means(facts.version) else {
                return .changed
            }
            return .told(facts.storageClass ?? StorageTerms.standardClass)
        } catch {
            return .unknown("\(error)")
        }
    }
}
