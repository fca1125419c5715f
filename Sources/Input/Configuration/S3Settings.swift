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

    /// The bucket's own name in the store.
    package var bucket: String
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
}
