package import MooringAWS
package import MooringModel

/// Where a bucket answers.
package struct S3Place: Hashable, Sendable {
    /// The bucket's own name in the store.
    package let bucket: String
    /// Where the service answers, without the bucket's name.
    package let endpoint: Origin
    /// Whether the bucket's name stands in the path, not in the host's name.
    package let usesPath: Bool
    /// The account that the bucket has to belong to; nil where that is not checked.
    package let expectedOwner: String?

    /// A bucket's place.
    package init(bucket: String, endpoint: Origin, usesPath: Bool, expectedOwner: String? = nil) {
        self.bucket = bucket
        self.endpoint = endpoint
        self.usesPath = usesPath
        self.expectedOwner = expectedOwner
    }

    /// Where a request for this bucket goes.
    package var origin: Origin {
        guard !usesPath else { return endpoint }
        return Origin(
            isSecure: endpoint.isSecure, host: "\(bucket).\(endpoint.host)", port: endpoint.port)
    }

    /// The path of a key; of none, of the bucket itself.
    package func path(_ key: ObjectKey? = nil) -> [UInt8] {
        let head = usesPath ? Array("/\(bucket)".utf8) : []
        guard let key else { return head.isEmpty ? [UInt8(ascii: "/")] : head }
        return head + [UInt8(ascii: "/")] + key.bytes
    }
}
