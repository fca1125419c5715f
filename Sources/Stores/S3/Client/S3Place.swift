import Glibc
package import MooringAWS
package import MooringModel

/// An access point, by which a bucket answers at a host of its own.
package struct S3AccessPoint: Hashable, Sendable {
    /// Its name in full, by which the source of a copy names it.
    package let arn: String
    /// What stands before the endpoint's host: `NAME-ACCOUNT`.
    package let label: String

    /// An access point.
    package init(arn: String, label: String) {
        self.arn = arn
        self.label = label
    }
}

/// Where a bucket answers.
package struct S3Place: Hashable, Sendable {
    /// The bucket's own name in the store, or that of its access point.
    package let bucket: String
    /// The access point by which it answers; nil where it answers itself, or by an alias.
    package let accessPoint: S3AccessPoint?
    /// Whether `bucket` is not the bucket's own name: what answers may name the bucket otherwise,
    /// and does not tell the bucket's settings.
    package var isAccessPoint = false
    /// Whether it is a directory bucket, which answers sessions and lists in no order.
    package var isZonal = false
    /// Whether each request says that whoever asks pays for it.
    package var requesterPays = false
    /// Where the service answers, without the bucket's name.
    package let endpoint: Origin
    /// Whether the bucket's name stands in the path, not in the host's name: where that was asked
    /// for, and where the name cannot stand in a host's.
    package let usesPath: Bool
    /// The account that the bucket has to belong to; nil where that is not checked.
    package let expectedOwner: String?
    /// Why the name stands in the path although nobody asked for that; nil otherwise.
    package let pathReason: String?

    /// A bucket's place. An access point's name never stands in a path: where the endpoint leaves
    /// nothing else, `usesPath` is true and nothing may be sent there.
    package init(
        bucket: String, endpoint: Origin, usesPath: Bool, expectedOwner: String? = nil,
        accessPoint: S3AccessPoint? = nil
    ) {
        self.bucket = bucket
        self.endpoint = endpoint
        self.expectedOwner = expectedOwner
        self.accessPoint = accessPoint
        isAccessPoint = accessPoint != nil
        pathReason =
            usesPath ? nil : Self.reasonForPath(accessPoint?.label ?? bucket, endpoint)
        self.usesPath = usesPath || pathReason != nil
    }

    /// By which a request says that whoever asks pays; in an address to look at, a parameter.
    package static let payer = (name: "x-amz-request-payer", value: "requester")

    /// Where a request for this bucket goes.
    package var origin: Origin {
        guard !usesPath else { return endpoint }
        return Origin(
            isSecure: endpoint.isSecure, host: "\(accessPoint?.label ?? bucket).\(endpoint.host)",
            port: endpoint.port)
    }

    /// The path of a key; of none, of the bucket itself.
    package func path(_ key: ObjectKey? = nil) -> [UInt8] {
        let head = usesPath ? Array("/\(bucket)".utf8) : []
        guard let key else { return head.isEmpty ? [UInt8(ascii: "/")] : head }
        return head + [UInt8(ascii: "/")] + key.bytes
    }

    /// What names an object as the source of a copy, encoded as its header takes it.
    package func copySource(_ key: ObjectKey) -> String {
        let head = accessPoint.map { $0.arn + "/object/" } ?? "\(bucket)/"
        return PercentEncoding.path(Array(head.utf8) + key.bytes)
    }

    /// The same bucket at another endpoint.
    package func moved(to endpoint: Origin) -> S3Place {
        var moved = S3Place(
            bucket: bucket, endpoint: endpoint, usesPath: usesPath && pathReason == nil,
            expectedOwner: expectedOwner, accessPoint: accessPoint)
        (moved.isAccessPoint, moved.requesterPays) = (isAccessPoint, requesterPays)
        moved.isZonal = isZonal
        return moved
    }

    private static func reasonForPath(_ bucket: String, _ endpoint: Origin) -> String? {
        if bucket.contains("."), endpoint.isSecure {
            return "the bucket's name has a dot, and no certificate covers such a host"
        }
        // Only capitals of old buckets, and what is no name of a host at all.
        if bucket.utf8.contains(where: { !isHostByte($0) }) {
            return "the bucket's name cannot stand in the name of a host"
        }
        return isAddress(endpoint.host)
            ? "the endpoint is an address, which has no names below" : nil
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isAddress(_ host: String) -> Bool {
        var address = in_addr()
        return host.hasPrefix("[") || inet_pton(AF_INET, host, &address) == 1
    }
}
