import MooringModel

/// Which bucket of S3, or of a store that speaks its language, and how it is reached.
package struct S3Settings: Hashable, Sendable {
    /// Where a store answers that is not AWS's own.
    package struct Endpoint: Hashable, Sendable {
        /// Whether the connection is encrypted.
        package var isSecure: Bool
        /// The host's name or address; an IPv6 address in brackets.
        package var host: String
        /// The port; nil for the scheme's own.
        package var port: Int?
    }

    /// The bucket's own name in the store, or an access point's name in full or its alias.
    package var bucket: String
    /// The own name of the bucket behind an access point, as records and inventories have it; nil
    /// where nobody says it, and where `bucket` is that name.
    package var bucketName: String?
    /// The region; nil where the environment or the profile has to say it.
    package var region: String?
    /// Another store than AWS's; nil for AWS.
    package var endpoint: Endpoint?
    /// Whether the bucket's name stands in the path; by default only with an `endpoint`.
    package var pathStyle: Bool
    /// The profile of the shared files; nil for the usual chain.
    package var profile: String?
    /// The role that is asked for with these; nil to ask as oneself.
    package var role: AssumedRole?
    /// The most requests under way at a time, 1 to 256; 16 by default.
    package var concurrency: Int
    /// The account that the bucket has to belong to, twelve digits; nil where it is not checked.
    package var expectedOwner: String?
    /// The absolute path of further certificates to trust, in PEM; nil for the system's alone.
    package var caBundle: String?
    /// Whether each request says that whoever asks pays for it.
    package var requesterPays = false
    /// Whether it is a directory bucket (S3 Express One Zone), of which there are findings only.
    package var isDirectory = false
    /// Another bucket of the same store that takes what is removed; nil for this one.
    package var quarantineBucket: String?

    /// The inventory that lists the bucket; nil where it is listed itself.
    package var inventory: Inventory?

    /// An inventory beside a live bucket.
    package struct Inventory: Hashable, Sendable {
        /// Where a manifest lies.
        package enum Place: Hashable, Sendable {
            /// A file of this machine, by its absolute path.
            case file(String)
            /// An object of a bucket of the same store.
            case object(bucket: String, key: String)
        }

        /// Its manifest.
        package var manifest: Place
        /// The age above which nothing is judged by it: 8 d by default, a week and a day.
        package var longest = Duration.days(8)
    }

    /// Settings with the defaults.
    package init(bucket: String) {
        self.bucket = bucket
        pathStyle = false
        concurrency = 16
    }

    /// The access point that `bucket` names in full; nil of a name or an alias.
    package var accessPoint: AccessPoint? {
        guard case .accessPoint(let point) = BucketAddress(bucket, isAWS: true) else { return nil }
        return point
    }
    /// Whether `bucket` is an alias of an access point. Another store than AWS's has none.
    package var isAlias: Bool { bucket.hasSuffix(BucketAddress.aliasEnd) && isAWS }
    /// Whether the bucket is reached by another name than its own.
    package var isAccessPoint: Bool { isAlias || accessPoint != nil }
    /// The name that records, logs and inventories have for the bucket, as far as it is known.
    package var storeName: String { bucketName ?? bucket }

    /// Whether the configuration names no other store than AWS's.
    package var isAWS: Bool { endpoint.map { $0.isAWS } ?? true }

    /// Whether two are one bucket; nil where an access point leaves that open.
    func isSameBucket(as other: S3Settings) -> Bool? {
        guard isAccessPoint || other.isAccessPoint else {
            // One bucket of AWS answers at many hosts: regional, dualstack, FIPS, of a network.
            return bucket == other.bucket && (isAWS && other.isAWS || endpoint == other.endpoint)
        }
        if bucket == other.bucket { return true }
        // Those that are read here lead to none.
        if isDirectory || other.isDirectory { return false }
        guard !isElsewhere, !other.isElsewhere else { return false }
        let isOpen = { (settings: S3Settings) in
            settings.isAccessPoint && settings.bucketName == nil
        }
        if isOpen(self) || isOpen(other) { return nil }
        guard storeName == other.storeName else { return false }
        // A host of one's own may lead to AWS.
        return isAWS && other.isAWS ? true : nil
    }

    // Whether the configuration names a store that is plainly not AWS's.
    private var isElsewhere: Bool { endpoint.map { $0.isElsewhere } ?? false }
}

extension S3Settings.Endpoint {
    // What the names of AWS's hosts end in, in the partitions that everybody can be in; those of
    // the closed ones take an access point's name in full, and no alias.
    private static let suffixes = ["amazonaws.com", "amazonaws.com.cn", "amazonaws.eu"]

    /// Whether it is a host of AWS's own.
    package var isAWS: Bool {
        let name = host.lowercased()
        return Self.suffixes.contains { name.hasSuffix("." + $0) }
    }

    /// Whether nothing of AWS's can answer there: at a name without a dot, or at a port that AWS
    /// does not have. Any other name may be one that somebody gave a host of AWS's in a network of
    /// their own, and any address such a host's.
    var isElsewhere: Bool {
        guard !isAWS else { return false }
        let isName = !host.contains(".") && !host.hasPrefix("[")
        return isName || port.map { ![80, 443].contains($0) } ?? false
    }
}
