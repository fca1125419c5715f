package import MooringConfiguration
package import MooringLedger
package import MooringModel

/// Brings back where objects of a bucket were put before its configuration named another place.
package struct EarlierQuarantines {
    private let configuration: Configuration
    private let ledger: Ledger
    private let view: (BucketConfiguration) throws -> any Bucket

    /// What a ledger remembers of a configuration's buckets; `view` makes a bucket of such
    /// settings.
    package init(
        _ configuration: Configuration, _ ledger: Ledger,
        view: @escaping (BucketConfiguration) throws -> any Bucket
    ) {
        self.configuration = configuration
        self.ledger = ledger
        self.view = view
    }

    /// The configuration and its buckets, each with the quarantines that it had. Throws a
    /// `ConfigurationError` where one of them lies in another.
    package func recall(_ present: [any Bucket]) throws -> (Configuration, [any Bucket]) {
        var recalled = configuration
        var buckets = present
        for (number, bucket) in present.enumerated() where bucket.isLive {
            guard let bucket = bucket as? any ActingBucket else { continue }
            let own = configuration.buckets[number]
            let earlier = try ledger.quarantines(
                bucket: bucket.name, store: bucket.storeIdentity
            ).filter { $0 != own.quarantineLocation }
            guard !earlier.isEmpty else { continue }
            try refuseOverlap(own, earlier)
            recalled.buckets[number].mapping.earlierQuarantines = earlier.filter {
                $0.bucket == nil
            }.map(\.prefix)
            buckets[number] = RememberingBucket(
                bucket,
                earlier: try earlier.compactMap { location in
                    (try view(own.with(location)) as? any ActingBucket).map {
                        RememberingBucket.Earlier(
                            prefix: location.bucket == nil ? location.prefix : nil, bucket: $0)
                    }
                })
        }
        return (recalled, buckets)
    }

    private func refuseOverlap(
        _ own: BucketConfiguration, _ earlier: [QuarantineLocation]
    ) throws {
        guard let other = earlier.first(where: { $0.overlaps(own.quarantineLocation) }) else {
            return
        }
        throw ConfigurationError(
            file: configuration.file,
            "bucket '\(own.name)': the quarantine '\(own.mapping.quarantine.text)' and the one "
                + "that it had, '\(other.prefix.text)', lie in one another; choose one beside it")
    }
}

extension BucketConfiguration {
    /// The same bucket with another quarantine.
    fileprivate func with(_ location: QuarantineLocation) -> BucketConfiguration {
        var other = self
        other.mapping.quarantine = location.prefix
        if case .s3(var settings) = store {
            settings.quarantineBucket = location.bucket
            other.store = .s3(settings)
        }
        return other
    }
}
