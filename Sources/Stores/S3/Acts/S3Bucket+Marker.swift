import MooringAWS
package import MooringModel

/// The marker as an object that is written where there is none.
extension S3Bucket: MarkerStore {
    /// The bucket itself holds it.
    package var markerStore: (any MarkerStore)? { self }
    /// Endpoint and bucket.
    package var markerPlace: String { storeIdentity }

    /// Reads the object; nil only on a 404 of a bucket that is there.
    package func readMarker() async throws -> [UInt8]? {
        try await own.content(StoreMarker.key)?.bytes
    }

    /// Writes it under If-None-Match. Where the store ignores that, a look comes before it, and
    /// whoever reads it afterwards knows the one that stayed.
    package func createMarker(_ content: [UInt8]) async throws {
        let isHonoured = try await trial.findings().capabilities.conditionalWrite.isHonoured
        if !isHonoured, try await readMarker() != nil { return }
        let condition = isHonoured ? [(name: "if-none-match", value: "*")] : []
        _ = try await own.put(
            StoreMarker.key, content,
            headers: [(name: "content-type", value: "application/json")] + condition,
            isRepeatable: true)
    }

    /// Another endpoint or bucket is another store, whatever was copied into it.
    package func isCopy(of place: String, trace: String?) async -> Bool {
        place != storeIdentity
    }
}
