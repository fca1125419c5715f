import MooringDecisions
import MooringLedger
import MooringModel

/// What lies in a bucket's quarantine: of each key the object that was put there last.
///
/// Last by the ledger's own order: a run's id is a time, and that of a clock that was ahead stays
/// the greatest for long. Runs that the ledger does not know are older than those it knows.
struct NewestQuarantined {
    private var objects: [ObjectKey: QuarantinedObject] = [:]
    private let order: [RunID: Int64]

    /// Nothing yet, of runs in this order.
    init(order: [RunID: Int64]) {
        self.order = order
    }

    /// Adds an object; an older one of its key is dropped.
    mutating func add(_ object: QuarantinedObject) {
        if let known = objects[object.key], age(known) > age(object) { return }
        objects[object.key] = object
    }

    /// The object at one of these places: of several, the one at the first place, and of the
    /// objects under any identity the one that was put there last.
    func object(of patterns: [KeyPattern]) -> QuarantinedObject? {
        for pattern in patterns {
            if case .exact(let key) = pattern {
                if let object = objects[key] { return object }
                continue
            }
            let found = objects.values.filter { pattern.matches($0.key) }
            if let newest = found.max(by: { (age($0), $0.key) < (age($1), $1.key) }) {
                return newest
            }
        }
        return nil
    }

    private func age(_ object: QuarantinedObject) -> Age {
        Age(place: order[object.run] ?? -1, run: object.run)
    }

    private struct Age: Comparable {
        let place: Int64
        let run: RunID

        static func < (one: Age, other: Age) -> Bool {
            (one.place, one.run) < (other.place, other.run)
        }
    }
}

extension Job {
    /// The places of the runs of objects in quarantine, in the ledger's order.
    func order(of objects: [QuarantinedObject]) throws -> [RunID: Int64] {
        try ledger.order(of: Set(objects.map(\.run)), rebuilt: RebuildStage.note)
    }
}
