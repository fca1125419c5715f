import MooringDecisions
import MooringLedger
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
    let candidates: Candidates

    /// What a record may want of a hidden version though another is on top: a value, or a URL, may
    /// name the version itself.
    static let hiddenVersion =
        "a lifecycle rule or a person: its key is in use again, and a record may name this "
        + "version of it"
    /// Why an empty object stands in nobody's place.
    static let empty = "an object with content at its key: the one there now is empty"
    /// Why what was written before it stands in nobody's place.
    static let writtenBefore =
        "proof that what lies at its key is newer: the object there now was written before it"
    /// Why what was given back stands in the place of no later object.
    static let older =
        "proof that what lies at its key is newer: an object that was put into quarantine "
        + "before it was given back there since"

    /// What lies there, by the place among the objects in quarantine.
    func run(_ pass: PassB) async throws -> [Int: Successor] {
        let unmapped = Set(pass.scan.unmapped.map(\.wanted))
        let places = candidates.quarantined.indices.filter { place in
            let (bucket, object) = candidates.quarantined[place]
            let number = pass.wanted.number(of: .held(place))
            let isReferenced =
                pass.scan.referenced.contains(number) || unmapped.contains(number)
                || candidates.join.isReferenced(object.key, bucket: bucket)
                || candidates.links.link(to: object.key, bucket: bucket) != nil
            // What means the key in another spelling only may mean what was there before.
            return isReferenced && pass.scan.claim(on: number) == nil
                && job.buckets[bucket].isLive
        }
        var found: [Int: Successor] = [:]
        for number in job.buckets.indices {
            let bucket = job.buckets[number]
            let own = places.filter { candidates.quarantined[$0].bucket == number }.map {
                (place: $0, key: candidates.quarantined[$0].object.key)
            }
            try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(
                own
            ) { item in
                (item.place, await bucket.head(item.key))
            } tell: { place, head in
                guard case .present(let version) = head else { return }
                found[place] = try successor(
                    version, of: candidates.quarantined[place].object, bucket: bucket.name)
            }
        }
        return found
    }

    private func successor(
        _ version: ObjectVersion, of held: QuarantinedObject, bucket: String
    ) throws -> Successor {
        if held.version.versionID != nil { return .doubted(Self.hiddenVersion) }
        guard version.size > 0 else { return .doubted(Self.empty) }
        let isSame = version.size == held.version.size && version.etag == held.version.etag
        if isSame { return .inItsPlace }
        // Whoever puts a backup back keeps its time, and the newer content lies here alone.
        guard version.lastModified >= held.version.lastModified else {
            return .doubted(Self.writtenBefore)
        }
        return try mayBeNewer(held, bucket) ? .doubted(Self.older) : .inItsPlace
    }

    // Whether an object that is older than this one, or may be, was given back at its key since.
    private func mayBeNewer(_ held: QuarantinedObject, _ bucket: String) throws -> Bool {
        let restored = try job.ledger.journal(about: bucket, key: held.key).filter { entry in
            entry.step.strategy == .restore && entry.step.key == held.key
                && (entry.outcome == nil || entry.outcome == .done)
                && entry.step.precondition.quarantinedBy.map { $0 != held.run } == true
        }
        guard !restored.isEmpty else { return false }
        let runs = Set(restored.flatMap { [$0.run, $0.quarantineRun] } + [held.run])
        let order = try job.ledger.order(of: runs, rebuilt: RebuildStage.note)
        guard let own = order[held.run] else { return true }
        return restored.contains { entry in
            let isSince = order[entry.run].map { $0 >= own } ?? true
            return isSince && order[entry.quarantineRun].map { $0 < own } ?? true
        }
    }
}
