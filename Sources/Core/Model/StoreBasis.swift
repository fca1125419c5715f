/// What an act relies on in a store beside the version of an object: the delete marker that it
/// takes back, the uploads that it ends, and that the bucket keeps versions.
package struct StoreBasis: Hashable, Sendable {
    /// The version id of the delete marker that hides the object.
    package var marker: String?
    /// The open uploads of the key that the act ends.
    package var uploads: [OpenUpload] = []
    /// Whether the act can be taken back only where the bucket keeps versions.
    package var needsVersions = false

    /// Asks for nothing beside the object's version.
    package init() {}

    /// What plans and the ledger hold of it; nil where there is nothing.
    package var json: JSONValue? {
        guard self != StoreBasis() else { return nil }
        return .members([
            "marker": .text(marker),
            "uploads": uploads.isEmpty
                ? nil
                : .array(
                    uploads.map { upload in
                        .members([
                            "id": .string(upload.id), "begunAt": .moment(upload.begunAt),
                            "key": .string(upload.key.text),
                            "keyBase64": .base64(unlessText: upload.key.bytes),
                        ])
                    }),
            "needsVersions": needsVersions ? .bool(true) : nil,
        ])
    }

    /// Reads it back; of nil, nothing.
    package init(json node: JSONNode?) throws(DocumentError) {
        guard let node else { return }
        marker = node["marker"]?.string
        for upload in node["uploads"]?.elements ?? [] {
            uploads.append(
                OpenUpload(
                    key: ObjectKey(try upload.bytes("key") ?? []), id: try upload.required("id"),
                    begunAt: try upload.moment("begunAt")))
        }
        needsVersions = node["needsVersions"]?.bool ?? false
    }
}
