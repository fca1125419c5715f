import MooringDecisions
package import MooringModel
import Synchronization

/// The places that somebody asked a join about and that it knows nothing of: where an engine left
/// plainly matched references out, it has to be asked about them.
package final class AskedPlaces: Sendable {
    private let most: Int
    private let places = Mutex(Places())

    private struct Places {
        var needs: Set<NarrowingNeed> = []
        // By bucket, how many of them are its keys; nil of one that is asked for as a whole.
        var counts: [Int: Int?] = [:]
    }

    /// None. Of a bucket with more keys than `most` all is asked for, so that memory does not grow
    /// with what records say.
    package init(atMost most: Int = 1 << 18) { self.most = most }

    /// The whole keys that were asked for, and the buckets that are, as needs.
    package var needs: Set<NarrowingNeed> { places.withLock { $0.needs } }

    /// Notes a place; of one below any identity nothing, since what lies below its head is had
    /// anyway.
    func note(_ pattern: KeyPattern, bucket: Int) {
        guard case .exact(let key) = pattern else { return }
        places.withLock { places in
            guard let count = places.counts[bucket, default: 0] else { return }
            guard places.needs.insert(NarrowingNeed(.key, bucket, key.bytes)).inserted else {
                return
            }
            places.counts[bucket] = count + 1
            if count == most {
                places.needs = places.needs.filter { $0.number != bucket }
                places.needs.insert(NarrowingNeed(.head, bucket, []))
                places.counts.updateValue(nil, forKey: bucket)
            }
        }
    }
}
