import MooringDecisions
import MooringModel
import MooringReconcile

/// What lies again at the key of an object in quarantine that records reference.
enum Successor: Hashable, Sendable {
    /// An object that the references mean: nobody needs the one in quarantine.
    case inItsPlace
    /// An object beside which the one in quarantine may be needed all the same, for this reason.
    case doubted(String)
}

/// Looks at the keys of objects in quarantine that records reference: a key may have been
/// quarantined, have come back, and be in use.
struct SuccessorLook {
    /// The stores.
    let job: Job
    /// What the scan of both sides left over.
    let observations: Observations

    /// What a record may want of a hidden version though another is on top: a value, or a URL, may
    /// name the version itself.
    static let hiddenVersion =
        "a lifecycle rule or a person: its key is in use again, and a record may name this "
        + "version of it"
    /// Why an empty object stands in nobody's place.
    static let empty = "an object with content at its key: the one there now is empty"

    /// What lies there, by the place among the objects in quarantine.
    func run(_ confirmation: Confirmation) async throws -> [Int: Successor] {
        let unmapped = Set(confirmation.scan.unmapped.map(\.wanted))
        let places = observations.quarantined.indices.filter { place in
            let (bucket, object) = observations.quarantined[place]
            let number = confirmation.orphanCount + place
            let isReferenced =
                confirmation.scan.referenced.contains(number) || unmapped.contains(number)
                || observations.reconciler.isReferenced(object.key, bucket: bucket)
            // What means the key in another spelling only may mean what was there before.
            return isReferenced && confirmation.scan.claim(on: number) == nil
                && job.buckets[bucket].isLive
        }
        var found: [Int: Successor] = [:]
        for number in job.buckets.indices {
            let bucket = job.buckets[number]
            let own = places.filter { observations.quarantined[$0].bucket == number }.map {
                (place: $0, key: observations.quarantined[$0].object.key)
            }
            try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(
                own
            ) { item in
                (item.place, await bucket.head(item.key))
            } tell: { place, head in
                guard case .present(let version) = head else { return }
                found[place] = successor(version, of: observations.quarantined[place].object)
            }
        }
        return found
    }

    private func successor(
        _ version: ObjectVersion, of held: QuarantinedObject
    ) -> Successor {
        if held.version.versionID != nil { return .doubted(Self.hiddenVersion) }
        return version.size > 0 ? .inItsPlace : .doubted(Self.empty)
    }
}
