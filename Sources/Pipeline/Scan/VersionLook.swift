import MooringModel
import MooringReconcile

/// Looks at the objects in parts that no record references, in buckets that keep versions: a
/// listing tells no version ids, and neither size, ETag nor time tells such an object from the same
/// parts whose upload began in the same second and ended later.
struct VersionLook {
    /// The stores.
    let job: Job

    /// Gives each of them the version that the look found, or a doubt.
    func run(_ observations: inout Observations) async throws {
        for (number, bucket) in job.buckets.enumerated()
        where bucket.isLive && observations.versioned.contains(bucket.name) {
            let places = observations.orphans.indices.filter { place in
                let candidate = observations.orphans[place]
                let version = candidate.object.version
                return candidate.bucket == number && version.isMultipart
                    && version.versionID == nil
            }
            let items = places.map { (place: $0, key: observations.orphans[$0].object.key) }
            try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(
                items
            ) { item in
                (item.place, await bucket.head(item.key))
            } tell: { place, head in
                let listed = observations.orphans[place].object
                observations.orphans[place] = OrphanCandidate(
                    bucket: number, object: Self.object(listed, head))
            }
        }
    }

    private static func object(_ listed: ListedObject, _ head: HeadAnswer) -> ListedObject {
        let doubt: String
        switch head {
        case .present(let found) where listed.version.means(found):
            return ListedObject(key: listed.key, version: found, doubt: listed.doubt)
        case .present: doubt = "it is another version now than was listed"
        case .absent: doubt = "it was listed, and a look did not find it"
        case .unknown(let reason): doubt = "its version could not be looked at: \(reason)"
        }
        return ListedObject(key: listed.key, version: listed.version, doubt: doubt)
    }
}
