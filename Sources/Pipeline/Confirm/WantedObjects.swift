import MooringModel
import MooringReconcile

/// The objects that pass B looks for, in the order that it is told: the one place that knows which
/// of them lie at their keys and which in quarantine.
struct WantedObjects {
    /// One of them, by its place among its own.
    enum Member: Hashable {
        /// A candidate orphan, by its place in `Candidates.orphans`.
        case orphan(Int)
        /// An object in quarantine, by its place in `Candidates.quarantined`.
        case held(Int)
    }

    /// Their keys, as pass B numbers them.
    let keys: [WantedKey]
    private let orphans: Int

    /// Those of a scan.
    init(_ candidates: Candidates) {
        keys =
            candidates.orphans.map { WantedKey($0) }
            + candidates.quarantined.map { WantedKey(bucket: $0.bucket, key: $0.object.key) }
        orphans = candidates.orphans.count
    }

    /// What a number of pass B stands for.
    func member(_ number: Int) -> Member {
        number < orphans ? .orphan(number) : .held(number - orphans)
    }

    /// The place of an object in `keys`, by which pass B speaks of it.
    func number(of member: Member) -> Int {
        switch member {
        case .orphan(let place): place
        case .held(let place): orphans + place
        }
    }
}
