package import MooringConfiguration
package import MooringDecisions
package import MooringLedger
package import MooringModel

extension Bucket {
    /// Whether nobody knows what the store can do before it was tried out; what a folder can do is
    /// known.
    package var needsTrial: Bool { isLive && !isFolder }

    /// Whether its objects are files of this machine.
    var isFolder: Bool { kind == "directory" }
}

/// What the stores of a job are known to do, from earlier trials; nothing is asked for it.
package struct KnownStores: Sendable {
    private let known: [String: StoreCapabilities]

    /// What the ledger knows of these buckets.
    package init(_ buckets: [any Bucket], _ ledger: Ledger?) throws {
        var known: [String: StoreCapabilities] = [:]
        for bucket in buckets where bucket.isLive {
            known[bucket.name] =
                bucket.needsTrial
                ? try ledger?.capabilities(bucket: bucket.name, store: bucket.storeIdentity)?
                    .capabilities : .folder
        }
        self.known = known
    }

    /// What the ledger of a job knows of its buckets.
    init(_ job: Job) throws { try self.init(job.buckets, job.ledger) }

    /// What the store of a bucket can do; nil where it was never tried.
    package subscript(bucket: String) -> StoreCapabilities? { known[bucket] }

    /// Whether a bucket is known to keep the versions of an object, as it was listed.
    package func keepsVersions(
        _ bucket: String?, _ key: ObjectKey, _ version: ObjectVersion?
    ) -> Bool {
        bucket.flatMap { known[$0] }?.concerning(key, listed: version).versioning == .enabled
    }
}

extension Configuration {
    /// Turns values into keys and back.
    package var resolver: KeyResolver { KeyResolver(levels: levels, fields: fileFields) }

    private var fileFields: [FileField] { records.flatMap(\.mapping.models).flatMap(\.files) }

    /// Tells the keys of a bucket that are used once; its adapter asks it where the store can spare
    /// no upload.
    package func keyReuse(of bucket: String) -> KeyReuse {
        KeyReuse(fields: fileFields, bucket: bucket, resolver: resolver)
    }
}
