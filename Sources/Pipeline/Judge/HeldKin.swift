import MooringDecisions
import MooringModel
import MooringReconcile

/// Tells which other objects, of which a record may hold the key, need one that lies in quarantine.
struct HeldKin {
    /// Another object, of which a record may hold the key.
    struct Kin {
        /// How it needs the other.
        let need: HeldNeed
        /// The bucket's number, in the configuration's order.
        let bucket: Int
        /// Its key, level and identity included.
        let key: ObjectKey
    }

    private let mappings: [BucketMapping]
    private let links: LinkTargets

    /// Those of a job, with the links that its buckets hold.
    init(_ job: Job, _ links: LinkTargets) {
        mappings = job.bucketMappings
        self.links = links
    }

    /// Those of an object of this key: what it is derived from, what is derived from it, and a link
    /// that leads to it.
    func kin(of key: ObjectKey, bucket: Int) -> [Kin] {
        let patterns = mappings[bucket].derived
        let sources = DerivedKey.sources(of: key, patterns: patterns).map {
            Kin(need: .derivedFrom($0), bucket: bucket, key: $0)
        }
        let products = DerivedKey.products(of: key, patterns: patterns).map {
            Kin(need: .sourceOf($0), bucket: bucket, key: $0)
        }
        let link = links.link(to: key, bucket: bucket).map {
            Kin(need: .linked($0.key), bucket: $0.bucket, key: $0.key)
        }
        return sources + products + (link.map { [$0] } ?? [])
    }

    /// Has the references to all that need something in quarantine joined by their whole keys.
    func keepReferences(in observations: inout Observations) {
        for (bucket, object) in observations.quarantined {
            for kin in kin(of: object.key, bucket: bucket) {
                observations.join.keepReferences(to: kin.key, bucket: kin.bucket)
            }
        }
    }
}
