import MooringDecisions
package import MooringModel
import Synchronization

/// The places that somebody asked a join about and that it knows nothing of: where an engine left
/// plainly matched references out, it has to be asked about them.
package final class AskedPlaces: Sendable {
    private let places = Mutex<Set<NarrowingNeed>>([])

    /// None.
    package init() {}

    /// The whole keys that were asked for, as needs.
    package var needs: Set<NarrowingNeed> { places.withLock { $0 } }

    /// Notes a place; of one below any identity nothing, since what lies below its head is had
    /// anyway.
    func note(_ pattern: KeyPattern, bucket: Int) {
        guard case .exact(let key) = pattern else { return }
        places.withLock { _ = $0.insert(NarrowingNeed(.key, bucket, key.bytes)) }
    }
}
